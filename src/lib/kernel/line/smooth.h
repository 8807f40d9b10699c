/* SPDX-License-Identifier: ISC */
/* Lines made smooth: each result is made of the points around it. */
#ifndef TAF_KERNEL_LINE_SMOOTH_H
#define TAF_KERNEL_LINE_SMOOTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands in the place of points beyond the ends of a line. */
enum taf_edge {
	TAF_EDGE_REFLECT,	/* the points in front of the end, the last one first */
	TAF_EDGE_SHRINK,	/* nothing: the window has fewer points */
	TAF_EDGE_ZERO,
	TAF_EDGE_NAN,
	/* the points behind the end, turned about it; fewer than the line has */
	TAF_EDGE_ODD
};

/* Points of a line of len, from first on: n of them are at p. */
struct taf_points_at {
	const double *p;
	uint64_t first;
	size_t n;
	uint64_t len;
};

/*
 * The n points from place at on, which may be below 0 or behind the end; zeros where
 * edge says shrink.  Those that are not lent are put at scratch.  points has all that is
 * needed.
 */
const double *taf_edge_extend(const struct taf_points_at *points, enum taf_edge edge,
    int64_t at, size_t n, double *scratch);

enum taf_smooth_by {
	TAF_SMOOTH_MEAN,	/* of 2 half + 1 points */
	TAF_SMOOTH_TRIANGLE,	/* the mean of such means */
	TAF_SMOOTH_MEDIAN,
	TAF_SMOOTH_WEIGHTS	/* the sum of points times weights */
};

struct taf_smooth {
	enum taf_smooth_by by;
	enum taf_edge edge;
	size_t half;
	/*
	 * 2 half + 1, the first for the earliest point; the rest of a window is 1 in all.
	 */
	const double *weight;
	bool rough;		/* results will be rounded to flt32 */
};

/* How many points before a result, and behind it, it is made of. */
uint64_t taf_smooth_reach(const struct taf_smooth *how);

/* Doubles of scratch for n results. */
size_t taf_smooth_scratch(const struct taf_smooth *how, size_t n);

/*
 * The n results from at on.  The points within reach are there.  A NaN among those of a
 * result makes it NaN; it has no influence on others.  A result depends on its own points
 * alone, bit by bit.  A median of zeros is 0, never -0.
 */
void taf_smooth(const struct taf_smooth *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points, double *scratch);

/*
 * y[i] /= by.  With rough, which suffices for what will be rounded to flt32, the last bit
 * is of no matter: a product takes a quarter of the time.
 */
void taf_divide(double *y, size_t n, double by, bool rough);

/* out[i] = the sum of weight[k] x[i + k], k < width, in this order, for i < n. */
void taf_convolve(double *out, const double *x, size_t n, const double *weight,
    size_t width);

#endif
