/* SPDX-License-Identifier: ISC */
#include "array/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct taf_words_one {
	struct taf_word_of as;
	bool settled;
	struct taf_buf plain;	/* as it was read; what it was parsed into points there */
};

/* What it says of a, or of any array (NULL). */
static enum taf_status
read_word(struct taf_words_one *one, const struct taf_array *a, struct taf_err *e)
{
	const struct taf_word_of *const w = &one->as;
	struct taf_buf *const plain = &one->plain;
	struct taf_err as_plain = { 0 };	/* which nobody has written */
	enum taf_status st;

	plain->len = 0;
	st = taf_word_plain(plain, &w->word, a, e);
	if (st == TAF_OK)
		st = w->parse(w->to, plain->data, &as_plain);
	if (as_plain.code != TAF_OK &&
	    strncmp(as_plain.text, plain->data, plain->len) == 0)
		(void)taf_fail(e, as_plain.code, "%s%s", w->word.text,
		    as_plain.text + plain->len);
	else if (as_plain.code != TAF_OK)
		(void)taf_fail(e, as_plain.code, "%s", as_plain.text);
	return st;
}

enum taf_status
taf_words_add(struct taf_words *all, const struct taf_word_of *word, struct taf_err *e)
{
	struct taf_words_one *more, one = { .as = *word };

	/* two labels may be two dimensions, and are told apart until an array has come */
	one.as.word.stand_in = TAF_MAX_DIM - (unsigned)(all->n % TAF_MAX_DIM);
	all->named = all->named || taf_word_named(&word->word);
	more = realloc(all->one, (all->n + 1) * sizeof *more);
	if (more == NULL)
		return taf_fail_mem(e);
	all->one = more;
	more[all->n++] = one;
	return read_word(&more[all->n - 1], NULL, e);
}

static enum taf_status
settle(struct taf_words *all, size_t i, const struct taf_array *a, struct taf_err *e)
{
	struct taf_words_one *const one = &all->one[i];
	const struct taf_word_of *const w = &one->as;
	char text[TAF_ERR_TEXT];
	enum taf_status st;
	size_t k = 0;

	while (all->one[k].as.to != w->to)
		k++;
	if (k == i && w->size > 0)
		memset(w->to, 0, w->size);
	one->settled = true;
	st = read_word(one, a, e);
	if (st == TAF_OK)
		return st;
	/* nothing was wrong with its form, but it does not go with this array */
	if (st == TAF_EUSAGE)
		e->code = TAF_EDATA;
	(void)snprintf(text, sizeof text, "%s", e->text);
	(void)snprintf(e->text, sizeof e->text, "%s%s%.*s", w->option,
	    strncmp(text, w->word.text, strlen(w->word.text)) == 0 ? " " : ": ",
	    (int)(sizeof text - sizeof w->option - 2), text);
	return e->code;
}

enum taf_status
taf_words_settle(struct taf_words *all, const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < all->n && st == TAF_OK && all->named; i++)
		st = settle(all, i, a, e);
	return st;
}

enum taf_status
taf_words_agree(const struct taf_words *all, const struct taf_array *first,
    const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct taf_buf here = { 0 }, there = { 0 };
	struct taf_err none = { 0 };
	size_t i;

	for (i = 0; i < all->n && st == TAF_OK; i++) {
		const struct taf_word_of *w = &all->one[i].as;

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
			    w->option, w->word.text, here.data, there.data);
	}
	taf_buf_free(&here);
	taf_buf_free(&there);
	return st;
}

bool
taf_words_settled(const struct taf_words *all)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (!all->one[i].settled && taf_word_named(&all->one[i].as.word))
			return false;
	return true;
}

void
taf_words_free(struct taf_words *all)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		taf_buf_free(&all->one[i].plain);
	free(all->one);
	*all = (struct taf_words){ 0 };
}
