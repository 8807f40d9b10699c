/* Words that name dimensions: what they say is known when an array has come. */
#include "cli/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/private.h"

struct cmd_along_word {
	struct cmd_option_text option;
	struct taf_word word;
	cmd_parse *parse;
	void *to;
	size_t size;
	bool settled;
};

/* What it says of a, or of any array (NULL). */
static enum taf_status
read_word(const struct cmd_along_word *w, const struct taf_array *a, struct taf_err *e)
{
	struct taf_err as_plain = { 0 };	/* which nobody has written */
	struct taf_buf plain = { 0 };
	enum taf_status st = taf_word_plain(&plain, &w->word, a, e);

	if (st == TAF_OK)
		st = w->parse(w->to, plain.data, &as_plain);
	if (as_plain.code != TAF_OK && strncmp(as_plain.text, plain.data, plain.len) == 0)
		(void)taf_fail(e, as_plain.code, "%s%s", w->word.text,
		    as_plain.text + plain.len);
	else if (as_plain.code != TAF_OK)
		(void)taf_fail(e, as_plain.code, "%s", as_plain.text);
	taf_buf_free(&plain);
	return st;
}

void
cmd_along(struct cmd_run *run, const struct taf_word *word, cmd_parse *parse, void *to,
    size_t size)
{
	struct cmd_along_word *more, w = { .option = cmd_private_option(run),
		.word = *word, .parse = parse, .to = to, .size = size };

	/* two labels may be two dimensions, and are told apart until an array has come */
	w.word.stand_in = TAF_MAX_DIM - (unsigned)(run->nalong % TAF_MAX_DIM);
	run->named = run->named || taf_word_named(word);
	cmd_check(run, read_word(&w, NULL, &run->err));
	more = realloc(run->along, (run->nalong + 1) * sizeof *more);
	if (more == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	run->along = more;
	run->along[run->nalong++] = w;
}

static enum taf_status
settle(struct cmd_run *run, size_t i, const struct taf_array *a, struct taf_err *e)
{
	struct cmd_along_word *w = &run->along[i];
	char text[TAF_ERR_TEXT];
	enum taf_status st;
	size_t k = 0;

	while (run->along[k].to != w->to)
		k++;
	if (k == i && w->size > 0)
		memset(w->to, 0, w->size);
	w->settled = true;
	st = read_word(w, a, e);
	if (st == TAF_OK)
		return st;
	/* nothing was wrong with its form, but it does not go with this array */
	if (st == TAF_EUSAGE)
		e->code = TAF_EDATA;
	(void)snprintf(text, sizeof text, "%s", e->text);
	(void)snprintf(e->text, sizeof e->text, "%s%s%.*s", w->option.s,
	    strncmp(text, w->word.text, strlen(w->word.text)) == 0 ? " " : ": ",
	    (int)(sizeof text - sizeof w->option.s - 2), text);
	return e->code;
}

enum taf_status
cmd_settle(struct cmd_run *run, const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < run->nalong && st == TAF_OK && run->named; i++)
		st = settle(run, i, a, e);
	return st;
}

enum taf_status
cmd_agree(const struct cmd_run *run, const struct taf_array *first,
    const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct taf_buf here = { 0 }, there = { 0 };
	struct taf_err none = { 0 };
	size_t i;

	for (i = 0; i < run->nalong && st == TAF_OK; i++) {
		const struct cmd_along_word *w = &run->along[i];

		here.len = there.len = 0;
		taf_err_clear(&none);
		/* an array without this label goes by the number */
		if (!taf_word_named(&w->word) ||
		    taf_word_plain(&here, &w->word, a, &none) != TAF_OK)
			continue;
		st = taf_word_plain(&there, &w->word, first, e);
		if (st == TAF_OK && strcmp(here.data, there.data) != 0)
			st = taf_fail(e, TAF_EDATA,
			    "%s %s: that is %s here, but %s in the first array",
			    w->option.s, w->word.text, here.data, there.data);
	}
	taf_buf_free(&here);
	taf_buf_free(&there);
	return st;
}

bool
cmd_private_unsettled(const struct cmd_run *run)
{
	size_t i;

	for (i = 0; i < run->nalong; i++)
		if (!run->along[i].settled && taf_word_named(&run->along[i].word))
			return true;
	return false;
}
