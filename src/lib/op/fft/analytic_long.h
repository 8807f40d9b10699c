/* SPDX-License-Identifier: ISC */
/* What analytic signals of lines in memory and of others share. */
#ifndef TAF_OP_FFT_ANALYTIC_LONG_H
#define TAF_OP_FFT_ANALYTIC_LONG_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/nan.h"
#include "op/fft/analytic.h"

struct taf_analytic_job {
	const struct taf_analytic_intent *want;
	/* its dim is that of want, its out is by taf_analytic_resolve */
	const struct taf_along *along;
};

enum {
	TAF_ANALYTIC_PIECE = 8 * 1024,	/* results are made of so many points at once, */
	TAF_ANALYTIC_MARGIN = 2	/* and so many more on both sides */
};

/*
 * Frequencies of a line of len points, n pairs from first on, become those of its
 * imaginary part: a quarter of a period behind.
 */
void taf_analytic_quadrature(double *pairs, uint64_t first, size_t n, uint64_t len);

/* Parts of some points, and which of them there are to be results of. */
struct taf_analytic_part {
	const double *re, *im;
	size_t points;		/* with the margins that there are */
	size_t first, n;	/* n is at most TAF_ANALYTIC_PIECE */
};

/* n results; phases are not unwrapped. */
void taf_analytic_results(const struct taf_analytic_job *how, double *to,
    const struct taf_analytic_part *p);

/* How results follow a line whose points are all as many times as large. */
enum taf_scaling taf_analytic_scaling(enum taf_analytic result);

/* All lines, by way of temporary files; they have three points at least. */
TAF_MUST enum taf_status taf_analytic_long(const struct taf_analytic_job *how,
    struct taf_err *e);

#endif
