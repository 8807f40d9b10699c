/* SPDX-License-Identifier: ISC */
/* Cubic splines through lines of points, in pieces. */
#ifndef TAF_KERNEL_LINE_SPLINE_H
#define TAF_KERNEL_LINE_SPLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/line/smooth.h"

enum {
	/* points before a slope, and behind it, that it is made of */
	TAF_SPLINE_REACH = 32,
	TAF_SPLINE_FAR = 64,	/* the same of points that are not 1 apart */
	TAF_SPLINE_BLOCK = 128	/* slopes among such points that are made at once */
};

/*
 * Slopes of the spline at n points from number at on.  Its first two pieces are one
 * polynomial, and so are its last two (not a knot); through three points it is a
 * parabola.  places are those of all points of the line, and ascend or descend; NULL:
 * points are 1 apart.
 *
 * A slope is made of the points within reach.  What a point adds falls with each step
 * away from it by a factor of at least 2, or of 3.7 where points are 1 apart.  So those
 * beyond would add less than the rounding.  A cut of the line changes no bit.
 */
void taf_spline_slopes(double *slope, uint64_t at, size_t n,
    const struct taf_points_at *points, const double *places);

/*
 * The number of a point, of n at places, from which on distances change too much for
 * that: what is beyond reach would tell, or a slope at an end has no number; else n.
 */
uint64_t taf_spline_breaks(const double *places, uint64_t n);

/*
 * Which points the slopes at n points from number at on are made of: those from span[0]
 * on and before span[1].  The line has len points; even says that they are 1 apart.
 */
void taf_spline_span(uint64_t len, uint64_t at, uint64_t n, bool even, uint64_t span[2]);

#endif
