/* SPDX-License-Identifier: ISC */
/*
 * Dimension 2 of a table has its columns.  The attribute channel names them if it has one
 * name for each, with commas between.
 */
#ifndef TAF_ARRAY_COLUMNS_H
#define TAF_ARRAY_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/points.h"
#include "base/attr.h"
#include "base/err.h"

/* The names of n points of dimension 2; NULL if channel has another number of names. */
const char *taf_columns_list(const struct taf_array *a, uint64_t n);

/*
 * Find the column that is called name, which ends at a comma or a NUL.  *at is its point,
 * from 0.  dim is the dimension, from 1.  TAF_EUSAGE if that is not dimension 2.
 * TAF_EDATA if no column is called so.
 */
TAF_MUST enum taf_status taf_columns_find(const struct taf_array *a, unsigned dim,
    const char *name, uint64_t *at, struct taf_err *e);

/*
 * a has the columns p of from.  Choose their names, too.  channel goes if one of them is
 * new, or has had no name.
 */
TAF_MUST enum taf_status taf_columns_pick(struct taf_array *a,
    const struct taf_array *from, const struct taf_points *p, struct taf_err *e);

/* Dimension 2 has other points now.  A channel of several names goes. */
void taf_columns_drop(struct taf_array *a);

/* The same, but only if a has another number of columns than from, which a was. */
void taf_columns_settle(struct taf_array *a, const struct taf_array *from);

#endif
