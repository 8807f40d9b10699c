/*
 * Words of which one is taken, as "boxcar|hann|N": one in capitals stands for a number.
 */
#ifndef TAF_BASE_CHOICE_H
#define TAF_BASE_CHOICE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/str.h"

/* Is word one of them?  *which is its place, from 0; of a number that of its word. */
TAF_MUST bool taf_choice(const char *words, const char *word, unsigned *which);

/* Append what may be said, a number first: "a number, boxcar or hann". */
void taf_choice_known(const char *words, struct taf_str *s);

#endif
