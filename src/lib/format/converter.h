/* SPDX-License-Identifier: ISC */
/* Which format a file has, by all looks at its content. */
#ifndef TAF_FORMAT_CONVERTER_H
#define TAF_FORMAT_CONVERTER_H

#include "codec/taf_foreign.h"

enum { TAF_CONVERTER_SEEN = 64 * 1024 };

/*
 * The row of the format, by the first n bytes of a file, of which TAF_CONVERTER_SEEN are
 * looked at.  NULL if the format is not known.
 */
const struct taf_foreign *taf_converter(const unsigned char *p, size_t n);

#endif
