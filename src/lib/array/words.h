/*
 * Words with dimensions in them, as options have them: where they have labels or units,
 * what they say is known when an array has come, and is read anew for each.
 */
#ifndef TAF_ARRAY_WORDS_H
#define TAF_ARRAY_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "array/word.h"
#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parse a word into *to.  TAF_EUSAGE where its form is wrong. */
typedef enum taf_status taf_word_parse(void *to, const char *arg, struct taf_err *e);

/* A word of an option, which messages begin with. */
struct taf_word_of {
	struct taf_word word;
	char option[64];
	taf_word_parse *parse;
	void *to;
	/*
	 * Of a table to which words add: all words for it are here, and it is zeroed
	 * before the first of them is read.  Else 0.
	 */
	size_t size;
};

/* Zero-initialised there are none.  What they lend stays the caller's. */
struct taf_words {
	struct taf_words_one *one;
	size_t n;
	bool named;	/* one of them has a label or a unit */
};

/*
 * Add one, and parse it: where it has labels or units, with numbers in their place that
 * are right for no array.
 */
TAF_MUST enum taf_status taf_words_add(struct taf_words *all,
    const struct taf_word_of *word, struct taf_err *e);

/* From now on they are about a: where any has a label or a unit all are parsed again. */
TAF_MUST enum taf_status taf_words_settle(struct taf_words *all,
    const struct taf_array *a, struct taf_err *e);

/*
 * What they say of first holds for a, too, unless that has none of the labels:
 * TAF_EDATA where a label is that of another dimension.
 */
TAF_MUST enum taf_status taf_words_agree(const struct taf_words *all,
    const struct taf_array *first, const struct taf_array *a, struct taf_err *e);

/* Have those with labels or units been about an array? */
bool taf_words_settled(const struct taf_words *all);

void taf_words_free(struct taf_words *all);

#ifdef __cplusplus
}
#endif

#endif
