/* SPDX-License-Identifier: ISC */
/* What people type for options of ours: what other programs call them, values alone. */
#ifndef TAF_TEXT_SYNONYMS_H
#define TAF_TEXT_SYNONYMS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The long name of an option that a word of n bytes may mean, from entry *at on, which
 * goes behind it; NULL where there is none any more.
 */
const char *taf_synonym(const char *said, size_t n, size_t *at);

/* Does a name that no file has look like the value of an option: 5, 1=2:3, n1=10? */
bool taf_word_is_value(const char *name);

#endif
