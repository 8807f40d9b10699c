/* SPDX-License-Identifier: ISC */
/* Changes of grids, names and mapping, none of which touches an element. */
#ifndef TAF_ARRAY_ADJUST_H
#define TAF_ARRAY_ADJUST_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

enum taf_adjust {
	TAF_ADJUST_SHIFT,	/* DIM=V: to the start */
	TAF_ADJUST_SCALE,	/* DIM=V: start and step times V */
	TAF_ADJUST_START,	/* DIM=V */
	TAF_ADJUST_STEP,	/* DIM=V */
	TAF_ADJUST_SPAN,	/* DIM=MIN:MAX */
	TAF_ADJUST_LABEL,	/* DIM=TEXT, empty: none */
	TAF_ADJUST_UNIT,	/* DIM=TEXT, empty: none */
	TAF_ADJUST_SLOPE,	/* V, of the mapping */
	TAF_ADJUST_INTERCEPT,	/* V, of the mapping */
	TAF_ADJUST_VALUE_SCALE,	/* V: all values times V, by the mapping */
	TAF_ADJUST_VALUE_SHIFT,	/* V: added to all values, by the mapping */
	TAF_ADJUST_VALUE_UNIT	/* TEXT, empty: none */
};

/*
 * Change a as arg says, which has the form above; DIM may be a label of a, and V along a
 * dimension may have a unit.  Without an array (NULL) the form alone is looked at:
 * TAF_EUSAGE.  TAF_EDATA where a has no such dimension, where a unit does not fit, where
 * a grid or a mapping would not be finite, and for a mapping of complex elements.
 */
TAF_MUST enum taf_status taf_adjust(struct taf_array *a, enum taf_adjust what,
    const char *arg, struct taf_err *e);

#endif
