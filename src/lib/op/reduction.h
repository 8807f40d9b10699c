/* Arrays reduced along any of their dimensions, to statistics of what lies there. */
#ifndef TAF_OP_REDUCTION_H
#define TAF_OP_REDUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/stat/reduce.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked for.  Zeroed but for the operations, it is all values as one. */
struct taf_reduction_intent {
	struct taf_reduction op[TAF_REDUCE_OPS];
	unsigned nops;
	unsigned ndims, dim[TAF_MAX_DIM];	/* from 1; none: all of them */
	uint64_t every;		/* neighbours that become one, 0: all of a dimension */
	bool finite, squeeze;
	bool index;		/* places are indices */
	/* accumulators have extremes, their places, sums and squares, whatever op says */
	bool summary;
	bool partial;		/* accumulators are the result */
	bool typed;		/* and type is that of the result */
	enum taf_type type;
};

/*
 * out, a copy of in, becomes the array of the results.  TAF_EDATA for complex elements,
 * a dimension that is not there, and places along several dimensions.
 */
TAF_MUST enum taf_status taf_reduction_resolve(const struct taf_reduction_intent *want,
    const struct taf_array *in, struct taf_array *out, struct taf_err *e);

/*
 * Reduce all of r's present array in, nothing of which was read, to the array out that
 * w is within.  One pass, in order where it comes from a pipe and the accumulators fit
 * the memory; else a pipe is spooled.  What is found by order takes several passes over
 * lines that do not fit the memory.  No bit of the results depends on memory and
 * threads.  Remarks on what was left out.
 */
TAF_MUST enum taf_status taf_reduction(const struct taf_reduction_intent *want,
    struct taf_reader *r, const struct taf_array *in, struct taf_writer *w,
    const struct taf_array *out, const struct taf_service *service, struct taf_err *e);

/* Some results, one behind the other. */
struct taf_reduction_found {
	uint64_t n;
	const struct taf_reduce *how;
	const uint64_t *acc;		/* of each, how->words apart */
	/* of result i, operation k, which is one of order: order[k * apart + i] */
	const double *order;
	size_t apart;
};

/*
 * The same results to a function, which gets all of them in their order.  Operations are
 * those of order alone, or none; all else is in the accumulators.  Nothing is remarked on.
 */
TAF_MUST enum taf_status taf_reduction_each(const struct taf_reduction_intent *want,
    struct taf_reader *r, const struct taf_array *in,
    enum taf_status (*each)(void *ctx, const struct taf_reduction_found *some,
    struct taf_err *e), void *ctx, const struct taf_service *service, struct taf_err *e);

/*
 * Arrays of accumulators, as want->partial makes them, become one result: pieces of an
 * array that was cut along its last dimension, in their order.  What they hold is kept
 * in a temporary file, whatever their number.
 */
struct taf_merge;
TAF_MUST enum taf_status taf_merge_open(struct taf_merge **m,
    const struct taf_reduction_intent *want, const struct taf_service *service,
    struct taf_err *e);

/*
 * The next piece: r's present array a, which is read.  TAF_EDATA where that is none of
 * the same operations, dimensions and elements.
 */
TAF_MUST enum taf_status taf_merge_add(struct taf_merge *m, struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e);

/* All are added: what they become, and that to w, which is within it. */
TAF_MUST enum taf_status taf_merge_shape(struct taf_merge *m, struct taf_array *out,
    struct taf_err *e);
TAF_MUST enum taf_status taf_merge_write(struct taf_merge *m, struct taf_writer *w,
    const struct taf_array *out, struct taf_err *e);

/* NULL is allowed. */
void taf_merge_close(struct taf_merge *m);

#ifdef __cplusplus
}
#endif

#endif
