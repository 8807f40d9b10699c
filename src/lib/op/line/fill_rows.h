/* SPDX-License-Identifier: ISC */
/* NaN filled along a dimension whose lines lie side by side, in the order of a file. */
#ifndef TAF_OP_LINE_FILL_ROWS_H
#define TAF_OP_LINE_FILL_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "op/line/fill.h"

/* Is it worth more than lines by themselves, and does it fit the memory? */
bool taf_fill_by_rows(const struct taf_fill *how);

/*
 * Fill all.  inside says which of n lines that lie side by side, from a number on, are
 * filled; NULL where all are.  *left grows by the NaN that are left.
 */
TAF_MUST enum taf_status taf_fill_rows(const struct taf_fill *how,
    void (*inside)(const struct taf_fill *how, uint64_t first, size_t n, bool *filled),
    uint64_t *left, struct taf_err *e);

#endif
