/* SPDX-License-Identifier: ISC */
/* Lengths and grids that are asked for, to be settled by the bytes that are there. */
#ifndef TAF_ARRAY_SIZE_H
#define TAF_ARRAY_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/* Zeroed, it asks for nothing. */
struct taf_size {
	/* with the one that is left open; 0 where none is given */
	unsigned ndim;
	uint64_t n[TAF_MAX_DIM];
	bool open;		/* the last length follows from the input */
	struct { bool given; double start, step; } axis[TAF_MAX_DIM];
};

/*
 * Into a struct taf_size: "L1,L2,...", an empty last one is left open; TAF_EUSAGE where
 * it is not that.
 */
TAF_MUST enum taf_status taf_size_parse(void *to, const char *arg, struct taf_err *e);

/* Likewise DIM=START:STEP; TAF_EUSAGE where it is not that. */
TAF_MUST enum taf_status taf_size_axis(void *to, const char *arg, struct taf_err *e);

/* TAF_EUSAGE where an axis is that of a dimension beyond those with lengths. */
TAF_MUST enum taf_status taf_size_check(const struct taf_size *s, struct taf_err *e);

/*
 * Give a its dimensions for left bytes of elements of type from; known says that left is
 * all there is, as it must where a length is open.  TAF_EDATA where they disagree.
 */
TAF_MUST enum taf_status taf_size_settle(const struct taf_size *s, enum taf_type from,
    uint64_t left, bool known, struct taf_array *a, struct taf_err *e);

/* Give a the grids; TAF_EDATA where it has not all of the dimensions. */
TAF_MUST enum taf_status taf_size_grid(const struct taf_size *s, struct taf_array *a,
    struct taf_err *e);

#endif
