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

/*
 * What to do in place of an option of n bytes that a command does not have, NULL where
 * nobody knows; the same, or nothing, to stand behind a type that is none.
 */
const char *taf_option_advice(const char *said, size_t n);
const char *taf_type_advice(const char *said);

/*
 * What may have been meant by an operand that is no file, to stand behind a message;
 * several: there are others.  NULL where nobody knows.
 */
const char *taf_word_advice(const char *name, bool several);

/* Does a name that no file has look like the value of an option: 5, 1=2:3, n1=10? */
bool taf_word_is_value(const char *name);

#endif
