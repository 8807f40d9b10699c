/* SPDX-License-Identifier: ISC */
/* Cross-correlations of the lines of two arrays, whatever their length. */
#ifndef TAF_OP_FFT_CORRELATION_H
#define TAF_OP_FFT_CORRELATION_H

#include <stdbool.h>

#include "array/word.h"
#include "base/attr.h"
#include "kernel/fft/correlate.h"
#include "op/operand/move.h"
#include "op/operand/steps.h"

struct taf_correlation_intent {
	unsigned dim;		/* that lines run along, from 1 */
	bool normalize;		/* by the norms of both lines */
	bool limited;
	struct taf_amount limit;	/* of lags, on the grid, either way, if limited */
};

/* What follows from two arrays. */
struct taf_correlation_plan {
	struct taf_correlate lengths;
	bool each;		/* each line of a has one of b, else one is for all */
};

/*
 * out becomes the array of the correlations of a with b, the two of s.  TAF_EDATA if
 * dimensions do not fit each other, grids of lines do not, or no lag is within the limit.
 */
TAF_MUST enum taf_status taf_correlation_resolve(const void *intent,
    const struct taf_steps *s, struct taf_array *out, void *plan, struct taf_err *e);

/*
 * z[lag] = sum over i of a[i + lag] conj(b[i]).  The output does not depend on memory,
 * threads and input.  TAF_EDATA where lines and lags are both too long for the memory.
 */
TAF_MUST taf_mover taf_correlation;

/* --- for correlation.c alone --- */

struct taf_correlation {
	const struct taf_service *service;
	const struct taf_correlation_intent *want;
	const struct taf_correlation_plan *plan;
	struct taf_reader *r[2];		/* at the first elements of in */
	const struct taf_array *in[2];
	const struct taf_array *out;
	struct taf_writer *w;			/* within out */
};

/* The same where c.few: both lines pass in pieces; the writer takes them as they come. */
TAF_MUST enum taf_status taf_correlation_few(const struct taf_correlation *how,
    struct taf_err *e);

/* Lines need more memory than there is. */
enum taf_status taf_correlation_no_memory(const struct taf_correlation *how,
    struct taf_err *e);

#endif
