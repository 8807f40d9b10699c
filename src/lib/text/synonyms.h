/* What other programs call the options of ours. */
#ifndef TAF_TEXT_SYNONYMS_H
#define TAF_TEXT_SYNONYMS_H

#include <stddef.h>

/*
 * The long name of an option that a word of n bytes may mean, from entry *at on, which
 * goes behind it; NULL where there is none any more.
 */
const char *taf_synonym(const char *said, size_t n, size_t *at);

#endif
