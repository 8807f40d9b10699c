/* SPDX-License-Identifier: ISC */
/* UTF-8. */
#ifndef TAF_BASE_UTF8_H
#define TAF_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Length of the UTF-8 sequence that n > 0 bytes begin with; 0 if there is none: no
 * overlong ones, no surrogates.
 */
size_t taf_utf8_length(const unsigned char *s, size_t n);

/* Are n bytes UTF-8 without a NUL? */
bool taf_utf8_text(const char *s, size_t n);

#endif
