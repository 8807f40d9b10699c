/* SPDX-License-Identifier: ISC */
/* Bounds of the command line, and the part of an array that they select. */
#ifndef TAF_ARRAY_REGION_H
#define TAF_ARRAY_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What -x and -g have said about one dimension. */
struct taf_bound {
	bool by_index, by_grid;
	bool has_lo, has_hi;		/* of the index */
	union {
		int64_t lo;		/* 1-based; 0 and below count from the right */
		const char *name;	/* of a point, if step is 0; to a comma or NUL */
	};
	int64_t hi;
	uint64_t step;
	double grid_lo, grid_hi;
};

/* All of them; zero-initialised selects everything. */
struct taf_bounds {
	struct taf_bound dim[TAF_MAX_DIM];
	unsigned most;			/* the highest dimension that is bounded */
};

/*
 * Add DIM=LO:HI[:STEP], DIM=I (index) or DIM=NAME, which stays lent, or DIM=LO:HI (grid).
 * TAF_EUSAGE for a malformed one, and for a dimension that is bounded already by the same
 * letter.
 */
TAF_MUST enum taf_status taf_bounds_index(struct taf_bounds *b, const char *arg,
    struct taf_err *e);
TAF_MUST enum taf_status taf_bounds_grid(struct taf_bounds *b, const char *arg,
    struct taf_err *e);

/* Elements first, first + step, ... (0-based), count of them, in each dimension. */
struct taf_region {
	unsigned ndim;
	uint64_t first[TAF_MAX_DIM], count[TAF_MAX_DIM], step[TAF_MAX_DIM];
};

/*
 * What the bounds select of a: TAF_EDATA where that is nothing, or a bounded
 * dimension does not exist.
 */
TAF_MUST enum taf_status taf_bounds_resolve(const struct taf_bounds *b,
    const struct taf_array *a, struct taf_region *r, struct taf_err *e);

/* Make a the array of the region's elements: lengths, starts and steps. */
void taf_region_apply(const struct taf_region *r, struct taf_array *a);

/* --- for taftools alone: not installed --- */

/* All of a. */
void taf_region_all(struct taf_region *r, const struct taf_array *a);

/* The indices of an element, which has this number from 0, as "[3,7]": for messages. */
struct taf_place_text {
	char s[256];
};
struct taf_place_text taf_array_place(const struct taf_array *a, uint64_t number);

/* The indices in the whole array of the region's element of this number, from 0. */
struct taf_place_text taf_region_place(const struct taf_region *r, uint64_t number);

/*
 * What the bounds select of whole, as taf_bounds_resolve says, and as an array of its
 * own: comment, history and attributes of part are whole's, lent.
 */
TAF_MUST enum taf_status taf_bounds_part(const struct taf_bounds *b,
    const struct taf_array *whole, struct taf_region *r, struct taf_array *part,
    struct taf_err *e);

/* How many elements it has. */
uint64_t taf_region_count(const struct taf_region *r);

/* The n bytes at s as the number of a dimension; false where they are none. */
TAF_MUST bool taf_dim_number(const char *s, size_t n, unsigned *dim);

/*
 * DIM= in front of a value: *value is what follows.  TAF_EUSAGE where it is not that; the
 * message says what is wanted, form, as "DIM=BEFORE:AFTER".
 */
TAF_MUST enum taf_status taf_dim_parse(const char *arg, const char *form, unsigned *dim,
    const char **value, struct taf_err *e);

/* DIM=START:STEP, finite and the step not 0; TAF_EUSAGE where it is not that. */
TAF_MUST enum taf_status taf_axis_parse(const char *arg, unsigned *dim, double *start,
    double *step, struct taf_err *e);

/*
 * A list of dimensions or lengths, "3,1,2": *n numbers into v, at most most.  False
 * where it is not that.
 */
TAF_MUST bool taf_list_parse(const char *arg, uint64_t *v, unsigned most, unsigned *n);

/*
 * The dimensions that -d names, "1,3": *n of them in dim, from 1, none twice.  TAF_EUSAGE
 * where it is not that.
 */
TAF_MUST enum taf_status taf_dims_parse(const char *arg, unsigned dim[TAF_MAX_DIM],
    unsigned *n, struct taf_err *e);

/*
 * Is number a list of dimensions without its commas, as 21 for 2,1?  Then it is
 * TAF_EUSAGE, or TAF_EDATA where it is one of an array of fewer dimensions.
 */
TAF_MUST enum taf_status taf_dims_commas(uint64_t number, const struct taf_array *a,
    struct taf_err *e);

/* TAF_EDATA where a has not all of these n dimensions. */
TAF_MUST enum taf_status taf_dims_there(const struct taf_array *a, const unsigned *dim,
    unsigned n, struct taf_err *e);

/* TAF_EDATA if a has no dimension dim. */
TAF_MUST enum taf_status taf_dim_there(const struct taf_array *a, unsigned dim,
    struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
