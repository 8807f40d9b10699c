/* SPDX-License-Identifier: ISC */
/* Patterns of file names, with a place for a number (%d or %03d). */
#ifndef TAF_IO_NUMBERED_H
#define TAF_IO_NUMBERED_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "io/names.h"

/* Is path such a pattern? */
bool taf_numbered(const char *path);

/* Append to s what such a pattern is for the number n. */
void taf_numbered_name(const char *pattern, unsigned long n, struct taf_str *s);

/* Add the files that are there and that such a pattern names. */
TAF_MUST enum taf_status taf_numbered_there(const char *pattern, struct taf_names *paths,
    struct taf_err *e);

#endif
