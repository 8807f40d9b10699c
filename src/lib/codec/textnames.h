/* SPDX-License-Identifier: ISC */
/*
 * Names of the columns of a table in text, as tafexport writes them: "Time (s),C1 (V)".
 * A name may be between quotes, with "" for one of them.
 */
#ifndef TAF_CODEC_TEXTNAMES_H
#define TAF_CODEC_TEXTNAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/* What stands before them in a header that is not a line of names alone. */
#define TAF_TEXT_NAMES "# names: "

/*
 * If the n bytes at line are so many names, with mark between them: label and unit of
 * dimension 1 of a come from the first one where that is its grid, and a's unit and the
 * attribute channel, with commas between, from the others.  Units that are not all the
 * same stay in the names; names that are but numbers, as C1, are left out of several.
 */
struct taf_textnames {
	const char *line;
	size_t n, columns;
	char mark;
	bool grid;
};
TAF_MUST enum taf_status taf_textnames_apply(const struct taf_textnames *t,
    struct taf_array *a, struct taf_err *e);

/* How many fields a line of names has, with mark between them. */
size_t taf_textnames_count(const char *line, size_t n, char mark);

#endif
