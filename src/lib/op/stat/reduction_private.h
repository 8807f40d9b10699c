/* SPDX-License-Identifier: ISC */
/* What the files of a reduction share; for them alone. */
#ifndef TAF_OP_STAT_REDUCTION_PRIVATE_H
#define TAF_OP_STAT_REDUCTION_PRIVATE_H

#include "io/spool.h"
#include "op/stat/reduction.h"

enum { TAF_RESULTS_MOST = 8192 };	/* that are concluded at a time */

/* Is dimension k, from 0, reduced? */
bool taf_reduction_takes(const struct taf_reduction_intent *want, unsigned k);

/* TAF_EDATA where there are no such dimensions, places or results. */
TAF_MUST enum taf_status taf_reduction_check(const struct taf_reduction_intent *want,
    const struct taf_array *in, struct taf_err *e);

/* The accumulators of that. */
struct taf_reduce taf_reduction_what(const struct taf_reduction_intent *want,
    const struct taf_array *a);

/* Give out the attributes of in's accumulators. */
TAF_MUST enum taf_status taf_partial_mark(const struct taf_reduction_intent *want,
    const struct taf_array *in, struct taf_array *out, struct taf_err *e);

/*
 * Results on their way to w, which is within out.  The caller sets the members up to
 * service, and zeroes the others.
 */
struct taf_results {
	const struct taf_reduction_intent *want;
	const struct taf_array *in, *out;
	struct taf_writer *w;
	/* or NULL: results are given to it, and out and w are not needed */
	enum taf_status (*each)(void *ctx, const struct taf_reduction_found *some,
	    struct taf_err *e);
	void *ctx;
	const struct taf_service *service;
	struct taf_reduce reduce;
	size_t slot;		/* words of a result: pairs have two */
	uint64_t n;		/* of one operation */
	uint64_t line;		/* values that become one */
	uint64_t left_out;	/* so far */
	double *found;		/* what was found by order before, n of each operation */
	/* of several operations: each in a plane of its own */
	unsigned char *planes;
	struct taf_spool spool;
	uint64_t spool_base;
};

/* Scratch of a thread for at most TAF_RESULTS_MOST results. */
struct taf_result_scratch {
	uint64_t *recoded;		/* results of one operation, in the type of out */
	uint64_t *result;		/* of each operation */
	/* operations of order: the values of each result, and keys for taf_order */
	unsigned char *lines;
	uint64_t *keys;
};

/* Accumulators of n results, n <= TAF_RESULTS_MOST, from number first on. */
struct taf_result_run {
	const uint64_t *acc;
	uint64_t first, n;
};

TAF_MUST enum taf_status taf_results_open(struct taf_results *t, struct taf_err *e);
TAF_MUST enum taf_status taf_results_scratch(const struct taf_results *t,
    struct taf_result_scratch *m, struct taf_err *e);

/* Find results, on any thread; then put them, in their order, on one at a time. */
TAF_MUST enum taf_status taf_results_conclude(const struct taf_results *t,
    const struct taf_result_scratch *m, struct taf_result_run run, struct taf_err *e);
TAF_MUST enum taf_status taf_results_put(struct taf_results *t,
    const struct taf_result_scratch *m, struct taf_result_run run, struct taf_err *e);

/* Remark on what was left out. */
void taf_results_remark(const struct taf_results *t);

/* After the last result; and free the memory, also after a failure. */
TAF_MUST enum taf_status taf_results_end(struct taf_results *t, struct taf_err *e);
void taf_results_close(struct taf_results *t);

#endif
