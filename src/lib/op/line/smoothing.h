/* SPDX-License-Identifier: ISC */
/* Arrays made smooth along dimensions. */
#ifndef TAF_OP_LINE_SMOOTHING_H
#define TAF_OP_LINE_SMOOTHING_H

#include <stdbool.h>

#include "array/word.h"
#include "base/attr.h"
#include "kernel/line/smooth.h"
#include "op/operand/move.h"

/* A number of points, or, with grid, how long they are on the grid. */
struct taf_width {
	struct taf_amount size;
	bool grid;
};

/*
 * "X" points, or on the grid "X@" or X and a unit, n bytes, X above 0; TAF_EUSAGE where
 * it is not that, and where points are to be odd and are not.
 */
TAF_MUST enum taf_status taf_width_parse(struct taf_width *w, const char *text, size_t n,
    bool odd, struct taf_err *e);

enum taf_smoothing_by {
	TAF_BY_NOTHING,		/* not said yet */
	TAF_BY_MEAN, TAF_BY_TRIANGLE, TAF_BY_MEDIAN, TAF_BY_GAUSS, TAF_BY_POLYNOMIAL,
	    TAF_BY_TAPS
};

/* What is asked of each line. */
struct taf_smoothing_how {
	unsigned dim;			/* along this dimension, from 1 */
	enum taf_smoothing_by by;
	enum taf_edge edge;
	struct taf_width width;		/* of the window; of a bell its sigma */
	unsigned order;			/* of a polynomial */
	const double *taps;		/* weights, the first for the earliest point */
	size_t ntaps;			/* an odd number */
};

/* The same along these dimensions, one after the other. */
struct taf_smoothing_intent {
	struct taf_smoothing_how how;	/* its dim is not looked at */
	unsigned ndims, dim[TAF_MAX_DIM];
};

/* "ORDER,N": order and width of a polynomial; TAF_EUSAGE where it is not that. */
TAF_MUST enum taf_status taf_smoothing_polynomial(struct taf_smoothing_how *how,
    const char *text, struct taf_err *e);

/*
 * The half of the window on a's dimension, which is there: it has 2 *half + 1 points.
 * TAF_EDATA if a cannot be smoothed so.
 */
TAF_MUST enum taf_status taf_smoothing_half(const struct taf_smoothing_how *how,
    const struct taf_array *a, size_t *half, struct taf_err *e);

/* Their intent is a struct taf_smoothing_intent.  TAF_EDATA where in is not for it. */
TAF_MUST taf_resolve taf_smoothing_resolve;

/*
 * All lines; between two dimensions the array is in a temporary file.  TAF_EDATA where
 * the memory does not hold the points of a window.
 */
TAF_MUST taf_mover taf_smoothing;

#endif
