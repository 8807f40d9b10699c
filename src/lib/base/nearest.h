/* SPDX-License-Identifier: ISC */
/* Which name was meant by a word that is none: for messages. */
#ifndef TAF_BASE_NEAREST_H
#define TAF_BASE_NEAREST_H

#include <stddef.h>

/*
 * How many slips lie between a word of n bytes and a name: a letter too many, too few,
 * another one, or two neighbours exchanged.  SIZE_MAX where the word may not be taken for
 * the name: one slip is allowed, in a name of six letters and more two.  A word that is
 * the beginning of a name, of three letters at least, or the name in letters of the other
 * case, is one slip from it.
 */
size_t taf_slips(const char *word, size_t n, const char *name);

/*
 * A search for the name nearest to a word.  The caller sets word and n, and zeroes all
 * else.
 */
struct taf_nearest {
	const char *word;
	size_t n;		/* its bytes */
	const char *name;	/* NULL as long as none may be meant */
	size_t slips;
};

/* Compare one more name.  Of those that are equally near the first is kept. */
void taf_nearest_try(struct taf_nearest *near, const char *name);

/* What is said of some words, which are separated by blanks. */
struct taf_said {
	const char *words, *said;
};

/* What count rows say of a word of n bytes; NULL where none has it. */
const char *taf_said_of(const struct taf_said *rows, size_t count, const char *word,
    size_t n);

#endif
