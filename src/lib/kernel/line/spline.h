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
	/* the same of points that are not 1 apart, and slopes that are made at once */
	TAF_SPLINE_FAR = 64, TAF_SPLINE_BLOCK = 128
};

/*
 * Slopes of the spline at n points from number at on.  Its first two pieces are one
 * polynomial, and so are its last two (not a knot); through three points it is a
 * parabola.  Points are 1 apart, or at places, of the whole line, which ascend or
 * descend.  A slope is made of the points within reach, those beyond would add less than
 * its rounding: each point takes a factor of at least 2, or of 3.7 where they are 1
 * apart.  So a cut of the line has no influence on any bit.
 */
void taf_spline_slopes(double *slope, uint64_t at, size_t n,
    const struct taf_points_at *points, const double *places);

/*
 * The points of a line of len, from span[0] on and before span[1], that those are made
 * of; even if they are 1 apart.
 */
void taf_spline_span(uint64_t len, uint64_t at, uint64_t n, bool even, uint64_t span[2]);

#endif
