/* Coordinates that stand one by one, and the grid that they are. */
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
	enum taf_type type;	/* in which they are stored, and so rounded, */
	bool half;		/* or in 16-bit floats */
	/* The n from this one on, from 0, as stored; false where they cannot be read. */
	bool (*read)(void *ctx, uint64_t from, size_t n, double *x);
	void *ctx;
	double wrap;		/* added to what is below 0 (netCDF's _Unsigned) */
	double missing[2];	/* stored where there is none; or NaN */
	const double *grid;	/* start and step as stored, where told, or NULL */
	/* where mapped, values are intercept + slope * stored (CF) */
	bool mapped;
	double slope, intercept;
};

/*
 * Are they all start + i * step, as nearly as their type tells?  Then that is the grid of
 * d.  One alone has the step 1.
 */
TAF_MUST bool taf_uniform(const struct taf_coordinates *c, struct taf_dim *d);

/* Append what is remarked of the dimensions, of n, whose coordinates are no grid. */
void taf_uniform_remark(struct taf_str *to, const bool *odd, unsigned n);

#endif
