/* SPDX-License-Identifier: ISC */
/* Coordinates that a file lists one by one.  Are they a grid with a start and a step? */
#ifndef TAF_ARRAY_UNIFORM_H
#define TAF_ARRAY_UNIFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/str.h"

struct taf_coordinates {
	uint64_t n;
	enum taf_type type;	/* they are stored in it, and so rounded to it */
	bool half;		/* they are stored as 16-bit floats instead */
	/* Read n of them as stored, beginning with from, from 0.  false: it fails. */
	bool (*read)(void *ctx, uint64_t from, size_t n, double *x);
	void *ctx;
	double wrap;		/* added to those below 0 (netCDF's _Unsigned) */
	double missing[2];	/* numbers that mark missing coordinates, or NaN */
	const double *grid;	/* start and step, if the file says them, or NULL */
	/* if mapped, the value is intercept + slope * stored (CF) */
	bool mapped;
	double slope, intercept;
};

/*
 * Are they all start + i * step, but for the rounding of their type?  Then d gets this
 * grid.  A single one has the step 1.
 */
TAF_MUST bool taf_uniform(const struct taf_coordinates *c, struct taf_dim *d);

/* Append a remark that names those of n dimensions that odd marks: they have no grid. */
void taf_uniform_remark(struct taf_str *to, const bool *odd, unsigned n);

#endif
