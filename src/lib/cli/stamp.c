/* --recipe: what is stored of a run, so that taf verify can do it again. */
#include "cli/cmd.h"

#include <string.h>

#include "cli/private.h"
#include "op/digest/recipe.h"
#include "stream/writer_private.h"

static void
put_option(struct cmd_run *run, struct taf_str *s, const struct cmd_given *g)
{
	const char *const arg = g->arg != NULL ? g->arg : "";
	size_t skip = 0;
	const enum taf_recipe_value value = g->o->arg == NULL ? TAF_RECIPE_TEXT :
	    taf_recipe_value(g->o->arg, arg, &skip);

	if (value == TAF_RECIPE_ASIDE)
		return;
	if (arg[0] == '@')
		cmd_usage(run, "--recipe: %s: the text of a file is not stored", arg);
	taf_str_printf(s, " --%s%s", g->o->name, g->arg != NULL ? "=" : "");
	taf_recipe_put(s, arg, value == TAF_RECIPE_FILE ? skip : strlen(arg));
	if (value == TAF_RECIPE_FILE)
		taf_recipe_put_input(s, &run->service, arg + skip, false);
}

bool
cmd_is_text(unsigned flags, const char *word, unsigned n, bool behind)
{
	return ((flags & CMD_WORD) != 0 && n == 1) || ((flags & CMD_PLACE) != 0 &&
	    n == 2) || ((flags & CMD_SETTINGS) != 0 && !behind && strchr(word, '=') !=
	    NULL);
}

static void
put_operand(struct cmd_run *run, struct taf_str *s, const char *word, unsigned n,
    bool behind)
{
	const unsigned flags = run->self->flags;

	taf_str_puts(s, " ");
	if (cmd_is_text(flags, word, n, behind))
		taf_recipe_put(s, word, strlen(word));
	else
		taf_recipe_put_input(s, &run->service, word, (flags & CMD_ARRAYS) == 0 &&
		    (flags & (CMD_TO_TAF | CMD_AS_IS)) != 0);
}

/* Settle the words of the run, before its first output. */
static enum taf_status
ready(void *ctx, struct taf_err *e)
{
	struct cmd_run *run = ctx;
	struct cmd_private *p = run->priv;
	struct taf_str *s = &p->recipe;
	const struct cmd_given *const given = (const void *)p->given.data, *g;
	const struct cmd_given *const end = given + p->given.len / sizeof *given;
	int n = 0;

	if (s->err != NULL)
		return s->st;
	s->err = e;
	for (g = given; g < end; g++)
		if (g->o != NULL)
			put_option(run, s, g);
	for (g = given; g < end; g++) {
		if (g->o != NULL)
			continue;
		if (n++ == run->behind)
			taf_str_puts(s, " --");
		put_operand(run, s, g->arg, (unsigned)n, n > run->behind);
	}
	if (p->reads && run->nfiles > 0 && run->files[0] == NULL)
		put_operand(run, s, "-", TAF_MAX_DIM, true);
	taf_str_put(s, "", 1);
	if (s->st == TAF_OK && taf_recipe_goes_on(s->buf.data) && (run->nfiles == 0 ||
	    taf_in_called(run->files[0]) == run->files[0]))
		cmd_usage(run, "--recipe: of several inputs a pipe must be the first");
	return s->st;
}

static enum taf_status
add(void *ctx, struct taf_array *a, unsigned long number, const char *result,
    struct taf_err *e)
{
	const struct cmd_run *run = ctx;

	return taf_recipe_add(a, run->self->name, result, number,
	    run->priv->recipe.buf.data, e);
}

static enum taf_status
digest(void *ctx, int fd, char text[TAF_STAMP_TEXT], struct taf_err *e)
{
	const struct cmd_run *run = ctx;

	return taf_recipe_digest_fd(&run->service, fd, run->output, text, e);
}

const struct taf_stamp *
cmd_private_stamp(struct cmd_run *run)
{
	static struct taf_stamp stamp = { .ready = ready, .add = add, .digest = digest };

	stamp.ctx = run;
	return run->recipe ? &stamp : NULL;
}
