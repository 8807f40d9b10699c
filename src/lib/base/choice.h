/* SPDX-License-Identifier: ISC */
/*
 * Words of which an option takes one, as "boxcar|hann|N".  A word in capitals stands for
 * a number.
 */
#ifndef TAF_BASE_CHOICE_H
#define TAF_BASE_CHOICE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/str.h"

/* Is word one of them?  *which is its index, from 0; a number has that of N. */
TAF_MUST bool taf_choice(const char *words, const char *word, unsigned *which);

/* Append the list for a message, a number first: "a number, boxcar or hann". */
void taf_choice_known(const char *words, struct taf_str *s);

#endif
