/* SPDX-License-Identifier: ISC */
/* Arrays reduced along any of their dimensions, to statistics of what lies there. */
#ifndef TAF_OP_STAT_REDUCTION_H
#define TAF_OP_STAT_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/stat/reduce.h"
#include "op/operand/move.h"

/*
 * What is asked for.  If all but the operations is 0, each operation has one result, of
 * all values.
 */
struct taf_reduction_intent {
	struct taf_reduction op[TAF_REDUCE_OPS];
	unsigned nops;
	unsigned ndims, dim[TAF_MAX_DIM];	/* to be reduced, from 1; none: all */
	uint64_t every;		/* so many neighbours become one; 0: all of a dimension */
	bool finite;		/* NaN and infinite values are left out */
	bool again;		/* a reader that was made random is not moved on */
	bool squeeze;		/* dimensions that were reduced to length 1 go */
	bool index;		/* places are indices, and not coordinates */
	/* accumulators have extremes, places, sums and squares, whatever op says */
	bool summary;
	bool partial;		/* the result is an array of accumulators */
	bool typed;		/* type is the type of the result */
	enum taf_type type;
};

/*
 * Change out to the descriptor of the results.  TAF_EDATA for results that
 * complex elements do not have, or that are not of the type that is wanted; for a
 * dimension that is not there, and for places along several dimensions.
 */
TAF_MUST taf_resolve taf_reduction_resolve;

/*
 * Reduce the array.  A pipe is read once, in order, if the accumulators of all
 * results fit the memory; else it is spooled. Operations of order take several passes
 * over lines that do not fit the memory. Neither memory nor threads change a bit of the
 * results. A remark says how many values were left out.
 */
TAF_MUST taf_mover taf_reduction;

/* The next n results. */
struct taf_reduction_found {
	uint64_t n;
	const struct taf_reduce *how;
	const uint64_t *acc;		/* of each, how->words apart */
	/* of result i, operation k, which is one of order: order[k * apart + i] */
	const double *order;
	size_t apart;
};

/*
 * Reduce as taf_reduction does, and call each for all results, in their order.  want has
 * operations of order alone, or none.  All else is in the accumulators.  No remarks.
 */
TAF_MUST enum taf_status taf_reduction_each(const struct taf_reduction_intent *want,
    struct taf_reader *r, const struct taf_array *in,
    enum taf_status (*each)(void *ctx, const struct taf_reduction_found *some,
    struct taf_err *e), void *ctx, const struct taf_service *service, struct taf_err *e);

/*
 * Join arrays of accumulators, which want->partial has made of the pieces of an array.
 * The array was cut along its last dimension, and the pieces come in their order.  The
 * accumulators are kept in a temporary file.
 */
struct taf_merge;
TAF_MUST enum taf_status taf_merge_open(struct taf_merge **m,
    const struct taf_reduction_intent *want, const struct taf_service *service,
    struct taf_err *e);

/*
 * Add the next piece, r's present array a.  TAF_EDATA if it has other operations,
 * dimensions or elements than those before.
 */
TAF_MUST enum taf_status taf_merge_add(struct taf_merge *m, struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e);

/*
 * After the last piece: make out the descriptor of the results; and write them to w,
 * which is within out.
 */
TAF_MUST enum taf_status taf_merge_shape(struct taf_merge *m, struct taf_array *out,
    struct taf_err *e);
TAF_MUST enum taf_status taf_merge_write(struct taf_merge *m, struct taf_writer *w,
    const struct taf_array *out, struct taf_err *e);

/* NULL is allowed. */
void taf_merge_close(struct taf_merge *m);

#endif
