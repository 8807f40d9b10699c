/* Cubic splines through lines of points that are 1 apart, in pieces. */
#ifndef TAF_KERNEL_LINE_SPLINE_H
#define TAF_KERNEL_LINE_SPLINE_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/line/smooth.h"

/* Points before a slope, and behind it, that it is made of. */
enum { TAF_SPLINE_REACH = 32 };

/*
 * Slopes of the spline at n points from place at on.  Its first two pieces are one
 * polynomial, and so are its last two (not a knot); through three points it is a
 * parabola.  A slope is made of the points within reach, those beyond would add less than
 * its rounding.  So a cut of the line has no influence on any bit.
 */
void taf_spline_slopes(double *slope, uint64_t at, size_t n,
    const struct taf_points_at *points);

/*
 * The points of a line of len, from span[0] on and before span[1], that those are made
 * of.
 */
void taf_spline_span(uint64_t len, uint64_t at, uint64_t n, uint64_t span[2]);

#endif
