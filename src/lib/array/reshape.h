/* SPDX-License-Identifier: ISC */
/* Other dimensions of the same elements. */
#ifndef TAF_ARRAY_RESHAPE_H
#define TAF_ARRAY_RESHAPE_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/* Lengths of dimensions, one of which may be left open: number open, from 1, or 0. */
struct taf_lengths {
	uint64_t n[TAF_MAX_DIM];
	unsigned ndim, open;
};

/* "L1,L2,...", where one may be empty; TAF_EUSAGE where it is not that. */
TAF_MUST enum taf_status taf_lengths_parse(struct taf_lengths *l, const char *arg,
    struct taf_err *e);

/*
 * Give a these lengths; TAF_EDATA where the number of elements would not stay.  The
 * leading dimensions whose length stays keep grid and attributes, others count from 1.
 */
TAF_MUST enum taf_status taf_reshape_lengths(struct taf_array *a,
    const struct taf_lengths *l, struct taf_err *e);

/*
 * Cut dimension dim, from 1, into one of length n, with its attributes, and the rest
 * behind it, whose step is n times as large.
 */
TAF_MUST enum taf_status taf_reshape_divide(struct taf_array *a, unsigned dim, uint64_t n,
    struct taf_err *e);

/*
 * Make dimensions first to last one, with the attributes of the first.  Its grid goes on
 * if each of the others begins where it begins, and has as step what it spans.  Otherwise
 * it counts from 1 and has no unit, and *lost becomes its number.
 */
TAF_MUST enum taf_status taf_reshape_merge(struct taf_array *a, unsigned first,
    unsigned last, unsigned *lost, struct taf_err *e);

#endif
