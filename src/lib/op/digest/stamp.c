/* SPDX-License-Identifier: ISC */
#include "op/digest/stamp.h"

#include <string.h>

#include "io/in.h"
#include "op/digest/recipe.h"

bool
taf_operand_is_text(unsigned which, const char *word, unsigned n, bool behind)
{
	return ((which & TAF_TEXT_FIRST) != 0 && n == 1) ||
	    ((which & TAF_TEXT_SECOND) != 0 && n == 2) ||
	    ((which & TAF_TEXT_SETTINGS) != 0 && !behind && strchr(word, '=') != NULL);
}

static void
put_option(struct taf_stamp_run *run, const struct taf_argument *g)
{
	struct taf_str *const s = &run->words;
	const char *const arg = g->value != NULL ? g->value : "";
	size_t skip = 0;
	const enum taf_recipe_value value = g->called == NULL ? TAF_RECIPE_TEXT :
	    taf_recipe_value(g->called, arg, &skip);

	if (value == TAF_RECIPE_ASIDE)
		return;
	if (arg[0] == '@' && s->st == TAF_OK)
		s->st = taf_fail(s->err, TAF_EUSAGE,
		    "--recipe: %s: the text of a file is not stored", arg);
	taf_str_printf(s, " --%s%s", g->name, g->value != NULL ? "=" : "");
	taf_recipe_put(s, arg, value == TAF_RECIPE_FILE ? skip : strlen(arg));
	if (value == TAF_RECIPE_FILE)
		taf_recipe_put_input(s, run->service, arg + skip, false);
}

static void
put_operand(struct taf_stamp_run *run, const char *word, int n)
{
	struct taf_str *const s = &run->words;

	taf_str_puts(s, " ");
	if (taf_operand_is_text(run->texts, word, (unsigned)n, n > run->behind))
		taf_recipe_put(s, word, strlen(word));
	else
		taf_recipe_put_input(s, run->service, word, run->bytes);
}

/* Make the words, before the first output. */
static enum taf_status
ready(void *ctx, struct taf_err *e)
{
	struct taf_stamp_run *const run = ctx;
	struct taf_str *const s = &run->words;
	const struct taf_argument *const given = (const void *)run->given.data, *g;
	const struct taf_argument *const end = given + run->given.len / sizeof *given;
	const bool in = run->nfiles > 0 && taf_in_called(run->files[0]) != run->files[0];
	int n = 0;

	if (s->err != NULL)
		return s->st;
	s->err = e;
	for (g = given; g < end; g++)
		if (g->name != NULL)
			put_option(run, g);
	for (g = given; g < end; g++) {
		if (g->name != NULL)
			continue;
		if (n++ == run->behind)
			taf_str_puts(s, " --");
		put_operand(run, g->value, n);
	}
	if (run->reads && in && run->files[0] == NULL) {
		taf_str_puts(s, " ");
		taf_recipe_put_input(s, run->service, "-", run->bytes);
	}
	taf_str_put(s, "", 1);
	if (s->st == TAF_OK && !in && taf_recipe_goes_on(s->buf.data))
		s->st = taf_fail(e, TAF_EUSAGE,
		    "--recipe: of several inputs a pipe must be the first");
	return s->st;
}

static enum taf_status
add(void *ctx, struct taf_array *a, unsigned long number, const char *result,
    struct taf_err *e)
{
	const struct taf_stamp_run *const run = ctx;

	return taf_recipe_add(a, run->program, result, number, run->words.buf.data, e);
}

static enum taf_status
digest(void *ctx, int fd, char text[TAF_STAMP_TEXT], struct taf_err *e)
{
	const struct taf_stamp_run *const run = ctx;

	return taf_recipe_digest_fd(run->service, fd, run->output, text, e);
}

const struct taf_stamp *
taf_stamp_begin(struct taf_stamp_run *run)
{
	run->stamp = (struct taf_stamp){ ready, add, digest, run, NULL };
	return &run->stamp;
}

bool
taf_stamp_option_reads(const struct taf_stamp_run *run)
{
	const struct taf_argument *const given = (const void *)run->given.data;
	size_t i = run->given.len / sizeof *given;

	while (i > 0 && (given[i - 1].name == NULL || given[i - 1].value == NULL ||
	    strcmp(given[i - 1].value, "-") != 0))
		i--;
	return i > 0;
}

void
taf_stamp_free(struct taf_stamp_run *run)
{
	taf_buf_free(&run->given);
	taf_str_free(&run->words);
}
