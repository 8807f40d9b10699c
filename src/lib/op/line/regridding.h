/* SPDX-License-Identifier: ISC */
/* Arrays on another grid, or at any places, along one dimension. */
#ifndef TAF_OP_LINE_REGRIDDING_H
#define TAF_OP_LINE_REGRIDDING_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/line/regrid.h"
#include "op/line/places.h"
#include "stream/service.h"

/*
 * The grid that is wanted: start and step; or, if factor is not 0, factor times as many
 * points.
 */
struct taf_regridding_grid {
	double start, step, factor;
	/* 0: factor times as many, or as cover the old grid */
	uint64_t n;
};

/* Places of points, and of results.  The n of either is 0 if it is on a grid. */
struct taf_regridding_places {
	struct taf_places from, at;
};

/*
 * The grid of dimension dim, from 1, of the first array of a file.  Where to is not NULL,
 * TAF_EDATA if its dimension dim has another label than that of to.
 */
TAF_MUST enum taf_status taf_regridding_like(struct taf_regridding_grid *grid,
    const char *file, unsigned dim, const struct taf_array *to, struct taf_err *e);

struct taf_regridding {
	const struct taf_along *along;	/* with out by taf_regridding_shape */
	enum taf_regrid_by by;
	bool edge;			/* as kernel/line/regrid has it */
	double outside;
	const struct taf_regridding_places *places;
};

/*
 * Make out, a copy of in, the array on that grid, or at places.  TAF_EDATA if a grid has
 * no step, and if there are not as many places as points; with inside, if a result lies
 * outside of the line, too.
 */
TAF_MUST enum taf_status taf_regridding_shape(struct taf_array *out,
    const struct taf_array *in, unsigned dim, const struct taf_regridding_grid *grid,
    const struct taf_regridding_places *places, bool inside, struct taf_err *e);

TAF_MUST enum taf_status taf_regridding(const struct taf_regridding *how,
    struct taf_err *e);

#endif
