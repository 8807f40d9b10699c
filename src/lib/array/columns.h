/*
 * The attribute channel names the points of dimension 2, the columns of a table, if it
 * has one name for each, with commas between.
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
 * *at is the point of dimension dim, from 0, that is called name.  This ends at a comma
 * or a NUL.  TAF_EDATA if none is, TAF_EUSAGE if dim is another one.
 */
TAF_MUST enum taf_status taf_columns_find(const struct taf_array *a, unsigned dim,
    const char *name, uint64_t *at, struct taf_err *e);

/*
 * Of from's dimension 2 a has the points of p now.  So has channel.  It goes if one of
 * them is new, or has had no name.
 */
TAF_MUST enum taf_status taf_columns_pick(struct taf_array *a,
    const struct taf_array *from, const struct taf_points *p, struct taf_err *e);

/* Dimension 2 has other points now: a channel of several names goes. */
void taf_columns_drop(struct taf_array *a);

/* It goes if a has another number of points along dimension 2 than from, which a was. */
void taf_columns_settle(struct taf_array *a, const struct taf_array *from);

#endif
