/* A matrix as a table of text: what is around its values, and their rows. */
#ifndef TAF_TEXT_TABLE_H
#define TAF_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
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
	const struct taf_number *number;	/* how they are printed, and what is between */
	bool coordinates;		/* the grid of dimension 1 is the first column */
};

/*
 * Name, time, lengths and grids, a line each.  Each has its #, so that none is taken for
 * a row of numbers.
 */
void taf_table_header(const struct taf_table *t, const char *name, struct taf_str *s);

/* A line of names, with commas; it is written to out when much of it is in s. */
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
