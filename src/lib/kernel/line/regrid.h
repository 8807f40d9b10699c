/* SPDX-License-Identifier: ISC */
/* A line at the points of another grid, or at any places. */
#ifndef TAF_KERNEL_LINE_REGRID_H
#define TAF_KERNEL_LINE_REGRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "kernel/line/smooth.h"

enum taf_regrid_by {
	TAF_REGRID_NEAREST,	/* the nearest point, of two the earlier */
	TAF_REGRID_LINEAR,
	TAF_REGRID_CUBIC,	/* a cubic spline, as kernel/line/spline has it */
	/* a sum of 32 points around, by a sinc under a Hann window */
	TAF_REGRID_SINC
};

/* Places that stand in a table, not on a grid. */
struct taf_regrid_table {
	const double *at;	/* NULL: there is none */
	/* which are nowhere, and have the place of another one in at; NULL: none */
	const bool *nowhere;
	int way;		/* 1: they ascend, -1: they descend, 0: neither */
};

struct taf_regrid {
	enum taf_regrid_by by;
	struct taf_dim from, to;	/* steps are finite and not 0, lengths above 0 */
	/*
	 * Tables in the place of from and to.  Points are finite, and ascend or descend
	 * strictly; sincs have no such table.  A result that is nowhere is NaN.
	 */
	struct taf_regrid_table points, results;
	/* outside is what the nearest end is; otherwise this value */
	bool edge;
	double outside;
};

/*
 * The place of result i, in points of the line from 0.  A place that differs from a point
 * by no more than the rounding of the grids is that point.  If points are in a table, the
 * result is the number of the last point before the place.
 */
double taf_regrid_place(const struct taf_regrid *how, uint64_t i);

/* Is that before the first point or behind the last? */
bool taf_regrid_outside(const struct taf_regrid *how, double place);

/*
 * The points, from span[0] on and before span[1], that n > 0 results from at on look at.
 */
void taf_regrid_span(const struct taf_regrid *how, uint64_t at, uint64_t n,
    uint64_t span[2]);

/* The n results from at on. */
void taf_regrid(const struct taf_regrid *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points);

#endif
