/* SPDX-License-Identifier: ISC */
/* The meaning of bounds, spelled out point by point, for short dimensions. */
#ifndef NAIVE_BOUND_H
#define NAIVE_BOUND_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "array/region.h"

enum { NAIVE_MOST = 4096 };

/*
 * The points (from 0) that b selects of d, in order, into list; none where b is to be
 * refused.  d->n is at most NAIVE_MOST.
 */
static inline uint64_t
naive_bound(const struct taf_bound *b, const struct taf_dim *d, uint64_t *list)
{
	int64_t n = (int64_t)d->n, lo = 1, hi = n;
	double slack = 1e-6 * fabs(d->step);
	uint64_t step = b->by_index ? b->step : 1, count = 0, since = 0;

	if (b->by_index && b->has_lo)
		lo = b->lo > 0 ? b->lo : b->lo < -2 * NAIVE_MOST ? 0 : n + b->lo;
	if (b->by_index && b->has_hi)
		hi = b->hi > 0 ? b->hi : b->hi < -2 * NAIVE_MOST ? 0 : n + b->hi;
	if (lo > hi)
		return 0;
	if (b->by_grid && (isnan(d->start) || !isfinite(d->step)))
		return 0;
	for (int64_t i = 1; i <= n; i++) {
		double v = d->start + (double)(i - 1) * d->step;

		if (i < lo || i > hi)
			continue;
		if (since++ % step != 0)
			continue;
		if (b->by_grid && (v < b->grid_lo - slack || v > b->grid_hi + slack))
			continue;
		list[count++] = (uint64_t)(i - 1);
	}
	return count;
}

/* Is dimension k of r those points? */
static inline bool
naive_is(const struct taf_region *r, unsigned k, const uint64_t *list, uint64_t count)
{
	if (r->count[k] != count)
		return false;
	for (uint64_t i = 0; i < count; i++)
		if (r->first[k] + i * r->step[k] != list[i])
			return false;
	return true;
}

#endif
