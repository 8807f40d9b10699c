/* SPDX-License-Identifier: ISC */
/* The values of a matrix, row by row, though its columns are what lies together. */
#ifndef TAF_OP_MOVE_ROWS_H
#define TAF_OP_MOVE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"

struct taf_rows;

/*
 * Read r's present array a (nothing of it was read): its rows run along dimension 1, its
 * columns along all others.  The values are of taf_values_type(a, raw).  At most about
 * memory bytes are taken, at least 64 KiB; a pipe is spooled where that is not enough
 * for all of it.  Keeps r.
 */
TAF_MUST enum taf_status taf_rows_open(struct taf_rows **rows, struct taf_reader *r,
    const struct taf_array *a, bool raw, uint64_t memory, struct taf_err *e);

/*
 * The next n values at *p, dimension 2 fastest, lent until the next call: whole rows, or
 * a part of one.  *n is 0 at the end.
 */
TAF_MUST enum taf_status taf_rows_read(struct taf_rows *rows, const void **p, size_t *n,
    struct taf_err *e);

/* NULL is allowed. */
void taf_rows_close(struct taf_rows *rows);

#endif
