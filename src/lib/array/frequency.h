/* SPDX-License-Identifier: ISC */
/* A dimension of coordinates becomes one of frequencies, and the reverse. */
#ifndef TAF_ARRAY_FREQUENCY_H
#define TAF_ARRAY_FREQUENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/* How points stand to frequencies. */
struct taf_frequencies {
	uint64_t points, length;	/* there are so many; so many are transformed */
	bool half;		/* from 0 to the middle alone: those of real numbers */
	bool rotated;		/* negative frequencies first */
	bool between;		/* those of sffft3, half a step off: an odd length */
	/* phases are those at coordinate 0, not at the first point */
	bool origin;
	double start, step;	/* of the points */
};

/*
 * Dimension k, from 1, of f->points points becomes the one of f's frequencies; f gets its
 * start and step.  Attributes keep the old grid, label and unit, if there is to be a way
 * back.  TAF_EDATA if the step is 0 or not finite.
 */
TAF_MUST enum taf_status taf_frequency_to(struct taf_array *a, unsigned k,
    struct taf_frequencies *f, bool back, struct taf_err *e);

/*
 * The way back: f is filled.  Without attributes of taf_frequency_to, or of Madagascar's
 * sffft1 and sffft3, coordinates start at 0, and real says whether the frequencies are a
 * half.  TAF_EDATA if the grid is not that of such frequencies.
 */
TAF_MUST enum taf_status taf_frequency_from(struct taf_array *a, unsigned k, bool real,
    struct taf_frequencies *f, struct taf_err *e);

/* TAF_EDATA if dimension k has no frequencies: its step, or 1 over it, is not finite. */
TAF_MUST enum taf_status taf_frequency_check(const struct taf_array *a, unsigned k,
    struct taf_err *e);

/* The unit of a's values, or of dimension k, becomes 1 over that of dimension k. */
TAF_MUST enum taf_status taf_frequency_unit(struct taf_array *a, unsigned k,
    enum taf_scope of, struct taf_err *e);

/* The unit of a's values becomes its square; per dimension k's unit, unless k is 0. */
TAF_MUST enum taf_status taf_frequency_power(struct taf_array *a, unsigned k,
    struct taf_err *e);

#endif
