/* SPDX-License-Identifier: ISC */
/* Arrays filtered along one dimension. */
#ifndef TAF_OP_LINE_FILTERING_H
#define TAF_OP_LINE_FILTERING_H

#include <stdbool.h>
#include <stddef.h>

#include "array/word.h"
#include "base/attr.h"
#include "kernel/line/cascade.h"
#include "op/operand/move.h"

enum { TAF_FILTER_NOTCHES = 32 };

/* Frequencies are those of the grid: 1 over its step is one cycle a point. */
struct taf_filtering_how {
	unsigned dim;			/* along this dimension, from 1 */
	struct taf_pass_band band;	/* its low and high are not looked at, but: */
	struct taf_amount low, high;	/* 0 where the band has no such end */
	struct { struct taf_amount f; double q; } notch[TAF_FILTER_NOTCHES];
	size_t notches;
	/*
	 * in the place of all this: weights, the present point's first, that of the one
	 * before it next; ntaps is 0 without
	 */
	const double *taps;
	size_t ntaps;
	bool causal;			/* forward alone, from rest */
};

/*
 * out becomes the filtered array.  TAF_EDATA for a frequency that is not
 * below half a cycle a point, and for lines too short to be filtered both ways.
 */
TAF_MUST taf_resolve taf_filtering_resolve;

/* All lines.  Long ones that are filtered both ways go through temporary files. */
TAF_MUST taf_mover taf_filtering;

#endif
