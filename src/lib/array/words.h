/* SPDX-License-Identifier: ISC */
/*
 * Values of options that name dimensions.  Labels and units mean something only for an
 * array.  So such a value is parsed once for its form, and then anew for each array.
 */
#ifndef TAF_ARRAY_WORDS_H
#define TAF_ARRAY_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "array/word.h"
#include "base/attr.h"
#include "base/err.h"

/* Parse a word into *to.  TAF_EUSAGE where its form is wrong. */
typedef enum taf_status taf_word_parse(void *to, const char *arg, struct taf_err *e);

/* The value of an option. */
struct taf_word_of {
	struct taf_word word;
	char option[64];		/* messages begin with it */
	taf_word_parse *parse;
	void *to;
	/*
	 * 0, or the size of *to if several words add to it.  One struct taf_words has all
	 * of these.  *to is zeroed before the first of them is parsed.
	 */
	size_t size;
};

/* Zero-initialised there are none.  The texts of the words stay the caller's. */
struct taf_words {
	struct taf_words_one *one;
	size_t n;
	bool named;	/* one of them has a label or a unit */
};

/*
 * Add a word, and parse it.  Numbers stand in for its labels and units, so that its form
 * is checked; what *to says then is right for no array.
 */
TAF_MUST enum taf_status taf_words_add(struct taf_words *all,
    const struct taf_word_of *word, struct taf_err *e);

/* The words are about a from now on.  If any has a label or a unit, parse all again. */
TAF_MUST enum taf_status taf_words_settle(struct taf_words *all,
    const struct taf_array *a, struct taf_err *e);

/*
 * TAF_EDATA if a word means something else in a than in first.  A word whose label a does
 * not have means the same.
 */
TAF_MUST enum taf_status taf_words_agree(const struct taf_words *all,
    const struct taf_array *first, const struct taf_array *a, struct taf_err *e);

/* Have all words with labels or units been parsed for an array? */
bool taf_words_settled(const struct taf_words *all);

void taf_words_free(struct taf_words *all);

#endif
