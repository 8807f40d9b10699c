/* SPDX-License-Identifier: ISC */
/* What taftools alone do with lines.  It is not installed. */
#ifndef TAF_STREAM_LINES_PRIVATE_H
#define TAF_STREAM_LINES_PRIVATE_H

#include "stream/lines.h"

struct taf_need;

/* The same, with what else an operation needs within the memory; need may be NULL. */
TAF_MUST enum taf_status taf_lines_with(const struct taf_lines *how,
    const struct taf_need *need, struct taf_err *e);

/* Does a single line fit the memory, beside what else is needed?  need may be NULL. */
bool taf_lines_fit(const struct taf_lines *how, const struct taf_need *need);

#endif
