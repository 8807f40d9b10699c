/* SPDX-License-Identifier: ISC */
/* The line that a program adds to the history of a stream. */
#ifndef TAF_TEXT_HISTORY_H
#define TAF_TEXT_HISTORY_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"

/* Append the time, UTC, or that of SOURCE_DATE_EPOCH: 2001-09-09T01:46:40Z. */
void taf_put_time(struct taf_str *s);

/*
 * Make the line of program name, called with argv.  *line, which the caller frees, stays
 * as it is where $TAF_HISTORY wants none.
 */
TAF_MUST enum taf_status taf_history(char **line, const char *name, int argc, char **argv,
    struct taf_err *e);

#endif
