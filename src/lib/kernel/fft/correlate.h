/* SPDX-License-Identifier: ISC */
/* Cross-correlations of lines by Fourier transforms, in blocks of lags. */
#ifndef TAF_KERNEL_FFT_CORRELATE_H
#define TAF_KERNEL_FFT_CORRELATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kernel/fft/fft.h"
#include "kernel/stat/norm.h"

/*
 * Results are z[lag] = sum over i of a[i + lag] conj(b[i]), for lags from lo on: those
 * that lines of these lengths have, or neighbours among them.  All that is planned
 * depends on these members alone.
 */
struct taf_correlate {
	uint64_t len[2];	/* points of a and of b, at least 1 */
	int64_t lo;
	uint64_t lags;		/* at least 1 */
	bool pairs;		/* results are pairs, as points of a or b are */
	bool few;		/* b may be cut; then, is cut: lags are few beside it */
	/* What the plan says: lags or points of b of a block; length of transforms. */
	uint64_t block, length;
	struct taf_fft *to, *back;
};

void taf_correlate_plan(struct taf_correlate *c);

/* Tables of the transforms, whose length fits memory. */
TAF_MUST enum taf_status taf_correlate_open(struct taf_correlate *c, struct taf_err *e);
void taf_correlate_close(struct taf_correlate *c);

/* What a thread works with. */
struct taf_correlate_workspace {
	void *scratch;
	double *x, *y;		/* points, and their transform */
	int64_t *marks;		/* where results that are no numbers begin and end */
};

/* Bytes that it has. */
size_t taf_correlate_need(const struct taf_correlate *c);
TAF_MUST enum taf_status taf_correlate_workspace_open(struct taf_correlate_workspace *d,
    const struct taf_correlate *c, struct taf_err *e);
void taf_correlate_workspace_close(struct taf_correlate_workspace *d);

/* Some points of a line, and whether they are pairs. */
struct taf_stretch {
	const double *x;
	uint64_t first;		/* number of the first, from 0 */
	size_t n;
	bool pairs;
};

/* Their transform, and what is known of them. */
struct taf_spectrum {
	double *pairs;		/* length / 2 + 1 of them, or length of pairs */
	double most;		/* absolute value of a part, finite */
	int scale;		/* the transform is of them by 2^scale */
	bool whole, finite;	/* all parts are, but for those that are not finite */
};

/* Pairs of a spectrum. */
size_t taf_correlate_pairs(const struct taf_correlate *c);

/*
 * Fill s, whose pairs are there; what is not finite counts as 0.  The points stand from
 * at on among length, the others are 0.
 */
void taf_correlate_spectrum(const struct taf_correlate *c,
    struct taf_correlate_workspace *d, const struct taf_stretch *p, size_t at,
    struct taf_spectrum *s);

/* The pairs of a conj(b) are added to sum, not scaled. */
void taf_correlate_add(const struct taf_correlate *c, double *sum,
    const struct taf_spectrum *a, const struct taf_spectrum *b);

/*
 * How far results may be off, by a bound; n is the root of the product of how many points
 * a and b are.  Where it is below 1/2 and all points are whole, so are the results.
 */
double taf_correlate_doubt(const struct taf_correlate *c, const struct taf_spectrum *a,
    const struct taf_spectrum *b, double n);

/* Points of a, from span[0] on and before span[1], for blocks of n results from at. */
void taf_correlate_span(const struct taf_correlate *c, uint64_t at, uint64_t n,
    uint64_t span[2]);

/*
 * Count in marks, n + 1 numbers, zeros at first, where the results from at on that points
 * which are not finite take part in begin, and where they end: points of b or of a.
 */
struct taf_marks {
	uint64_t at, n;
	int64_t *marks;
};
void taf_correlate_mark(const struct taf_correlate *c, const struct taf_stretch *p,
    bool is_b, const struct taf_marks *m);

/*
 * n results from at on, all of one block, of the points of a that they need at least.  b
 * is the whole line, and sb its spectrum from 0 on.  Results are divided by by.
 */
struct taf_correlate_block {
	const struct taf_stretch *a, *b;
	const struct taf_spectrum *sb;
	struct taf_power by;
};
void taf_correlate_block(const struct taf_correlate *c, struct taf_correlate_workspace *d,
    const struct taf_correlate_block *k, uint64_t at, double *out, size_t n);

/*
 * Of few lags all results, from the sum of the products of spectra, which is lost.  Where
 * whole they are whole numbers; marks are those of all points.
 */
struct taf_correlate_sum {
	double *pairs;
	bool whole;
	const int64_t *marks;
	struct taf_power by;
};
void taf_correlate_sum(const struct taf_correlate *c, struct taf_correlate_workspace *d,
    const struct taf_correlate_sum *k, double *out);

#endif
