/* SPDX-License-Identifier: ISC */
/* A matrix as a table of text: what is around its values, and their rows. */
#ifndef TAF_TEXT_TABLE_H
#define TAF_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "io/out.h"
#include "text/number.h"

struct taf_table {
	const struct taf_array *a;	/* dimension 1 along the columns */
	enum taf_type type;		/* of the values */
	uint64_t columns;
	/* how they are printed, and what is between */
	const struct taf_number *number;
	bool coordinates;		/* the grid of dimension 1 is the first column */
	/* columns are first, first + every ... of so many */
	uint64_t first, every, of;
};

/*
 * Has a the shape of a table?  TAF_EDATA otherwise, and where names of columns would be
 * all that it has, without an end.
 */
TAF_MUST enum taf_status taf_table_check(const struct taf_array *a, bool named,
    struct taf_err *e);

/* The columns of t->a, which is a region of whole: how many, and which. */
void taf_table_columns(struct taf_table *t, const struct taf_array *whole,
    const struct taf_region *region);

/*
 * Name, time, lengths and grids, a line each.  Each has its #, so that none is taken for
 * a row of numbers.  Returns whether names are to follow: of a million columns at most.
 */
bool taf_table_header(const struct taf_table *t, const char *name, struct taf_str *s);

/*
 * A line of names, behind a header or alone, with commas: "Time (s),C1 (V)".  Columns are
 * called by the attribute channel where that has a name for each, with commas between, or
 * else by their number.  What has a comma is between quotes.  The line is written to out
 * when much of it is in s.
 */
void taf_table_names(const struct taf_table *t, struct taf_out *out, struct taf_str *s);

/* A comment, with a # before each line; one that is empty is a # alone. */
void taf_table_comment(struct taf_str *s, const char *text, size_t n);

/*
 * Add n values to b, of which the first is number first of the array: rows, from wherever
 * one begins or goes on.  For taf_spell, with a struct taf_table as its context.
 */
TAF_MUST enum taf_status taf_table_put(const void *table, struct taf_buf *b,
    const void *values, size_t n, uint64_t first, struct taf_err *e);

#endif
