/* SPDX-License-Identifier: ISC */
#include "kernel/line/spline.h"

#include <float.h>
#include <string.h>

#include "config.h"
#include "base/attr.h"
#include "kernel/number/fast.h"

enum {
	REACH = TAF_SPLINE_REACH,
	FAR = TAF_SPLINE_FAR,
	BLOCK = TAF_SPLINE_BLOCK,
	/* points of a line whose ends know nothing of each other */
	LEAST = 2 * REACH + 1,
	MOST = BLOCK + 2 * FAR,	/* points that are solved at once */
	LANES = 32		/* sums that stay in registers */
};

/*
 * Slopes d have d[i-1] + 4 d[i] + d[i+1] = 3 (x[i+1] - x[i-1]).  On a line without ends
 * d[i] is the sum of -3 z^k (x[i+k] - x[i-k]), k > 0, z the root of 1 + 4 z + z^2 that is
 * below 1: 3 z^33 is under 2^-60.
 */
static void
make_weights(double weight[REACH])
{
	const double z = -0.26794919243112270647;	/* sqrt(3) - 2 */
	double power = -3;
	size_t k;

	for (k = 0; k < REACH; k++)
		weight[k] = power *= z;
}

static TAF_INLINE void
sum_lanes(double *restrict slope, const double *restrict x, const double *restrict weight,
    size_t n)
{
	double sum[LANES] = { 0 };
	size_t i, k;

	for (k = REACH; k > 0; k--)
		for (i = 0; i < n; i++)
			sum[i] += weight[k - 1] * (x[i + REACH + k] - x[i + REACH - k]);
	for (i = 0; i < n; i++)
		slope[i] = sum[i];
}

/* Those of the points from x[REACH] on; the small parts of a sum come first. */
TAF_WIDE_VOID(sum_around, (double *restrict slope, const double *restrict x,
    const double *restrict weight, size_t n), (slope, x, weight, n))
{
	for (; n >= LANES; n -= LANES, slope += LANES, x += LANES)
		sum_lanes(slope, x, weight, LANES);
	sum_lanes(slope, x, weight, n);
}

/* From point i to the next one. */
static TAF_INLINE double
gap_behind(const double *places, size_t i)
{
	return places != NULL ? places[i + 1] - places[i] : 1;
}

/*
 * The weight of the slope before point i in the equation of that point.  The slope behind
 * it has the rest of 1.
 */
static TAF_INLINE double
part_before(const double *places, size_t i)
{
	const double behind = gap_behind(places, i);

	return behind / (gap_behind(places, i - 1) + behind);
}

/* 1 - part_before, with all digits. */
static TAF_INLINE double
part_behind(const double *places, size_t i)
{
	const double before = gap_behind(places, i - 1);

	return before / (before + gap_behind(places, i));
}

static TAF_INLINE double
rise_behind(const double *x, const double *places, size_t i)
{
	return (x[i + 1] - x[i]) / gap_behind(places, i);
}

/*
 * Slopes of a line of n points, from 4 to MOST.  With h the gaps, r the rises, and p as
 * part_before has it, p d[i-1] + 2 d[i] + (1-p) d[i+1] = 3 (p r[i-1] + (1-p) r[i]).  That
 * point 1 is no knot means p d[0] + d[1] = p (3-p) r[0] + (1-p)^2 r[1].
 */
static void
solve(double *slope, const double *x, const double *places, size_t n)
{
	double pivot[MOST], right[MOST], rest[MOST], part = part_before(places, 1);
	double rise = rise_behind(x, places, 0), next = rise_behind(x, places, 1);
	const double first = part, second = part_behind(places, 1);
	const double begin = first * (3 - first) * rise + second * second * next;
	double last;
	size_t i;

	rest[1] = second;
	pivot[1] = 1;
	right[1] = first * first * rise + second * (2 + first) * next;
	for (i = 2; i < n - 1; i++) {
		double times;

		rise = next;
		next = rise_behind(x, places, i);
		part = part_before(places, i);
		times = part / pivot[i - 1];
		rest[i] = part_behind(places, i);
		pivot[i] = 2 - times * rest[i - 1];
		right[i] = 3 * (part * rise + rest[i] * next) - times * right[i - 1];
	}
	i = n - 2;
	last = rest[i] * (3 - rest[i]) * next + part * part * rise;
	slope[i] = (right[i] - last) / (pivot[i] - 1);
	slope[i + 1] = (last - slope[i]) / rest[i];
	while (--i > 0)
		slope[i] = (right[i] - rest[i] * slope[i + 1]) / pivot[i];
	slope[0] = (begin - slope[1]) / first;
}

/* All slopes of a line of MOST points at most. */
static void
whole(double *slope, const double *x, const double *places, size_t n)
{
	const double first = n > 1 ? rise_behind(x, places, 0) : 0,
	    second = n > 2 ? rise_behind(x, places, 1) : first,
	    part = n > 2 ? part_before(places, 1) : 0.5,
	    rest = n > 2 ? part_behind(places, 1) : 0.5;

	if (n > 3) {
		solve(slope, x, places, n);
		return;
	}
	/* a parabola, or less */
	slope[0] = (1 + rest) * first - rest * second;
	if (n > 1)
		slope[1] = part * first + rest * second;
	if (n > 2)
		slope[2] = (1 + part) * second - part * first;
}

/*
 * Does a cut of the line at the first of n points tell in the values behind reach?  A
 * slope has p / (2 - (1-p) / 2) of an error of the slope before it at most, with p as
 * part_before has it.  In a value it counts as often as the gap is long.  The cut may
 * show in any of the first gaps.
 */
static bool
tells(const double *at, ptrdiff_t way, size_t n)
{
	double share = 1, gap = at[way] - at[0];
	size_t i;

	for (i = 1; i + 1 < n; i++) {
		const double behind = at[way * (ptrdiff_t)(i + 1)] -
		    at[way * (ptrdiff_t)i];
		const double part = behind / (gap + behind);
		const double more = behind / gap * part / (1.5 + part / 2);

		share *= i < 4 && more < 1 ? 1 : more;
		if (i + 1 >= FAR && !(share < 0x1p-44))
			return true;
		gap = behind;
	}
	return false;
}

uint64_t
taf_spline_breaks(const double *places, uint64_t n)
{
	const uint64_t reach = BLOCK + FAR;
	uint64_t at;

	if (n > 3 && part_before(places, 1) < DBL_MIN)
		return 1;
	for (at = BLOCK; at < n; at += BLOCK) {
		const uint64_t left = n - at;

		if (tells(places + (at - FAR), 1,
		    (size_t)(left < BLOCK ? left + FAR : reach)))
			return at;
		if (left > FAR && tells(places + (at + FAR - 1), -1, (size_t)reach))
			return at - 1;
	}
	return n > 3 && part_behind(places, (size_t)n - 2) < DBL_MIN ? n - 2 : n;
}

/* Slopes where points are not 1 apart. */
static void
uneven(double *slope, uint64_t at, size_t n, const struct taf_points_at *points,
    const double *places)
{
	const uint64_t len = points->len, end = at + n;
	double some[MOST];
	uint64_t to;

	for (; at < end; slope += to - at, at = to) {
		const uint64_t block = at - at % BLOCK;
		const uint64_t from = block > FAR ? block - FAR : 0;
		const uint64_t behind = block + BLOCK + FAR;

		to = block + BLOCK < end ? block + BLOCK : end;
		whole(some, points->p + (from - points->first), places + from,
		    (size_t)((behind < len ? behind : len) - from));
		memcpy(slope, some + (at - from), (size_t)(to - at) * sizeof *slope);
	}
}

void
taf_spline_slopes(double *slope, uint64_t at, size_t n,
    const struct taf_points_at *points, const double *places)
{
	const uint64_t len = points->len, end = at + n;
	double weight[REACH], some[LEAST];
	uint64_t i, from, to;

	if (places != NULL) {
		uneven(slope, at, n, points, places);
		return;
	}
	if (len < LEAST) {
		whole(some, points->p, NULL, (size_t)len);
		memcpy(slope, some + at, n * sizeof *slope);
		return;
	}
	if (at < REACH) {
		whole(some, points->p, NULL, LEAST);
		for (i = at; i < end && i < REACH; i++)
			slope[i - at] = some[i];
	}
	if (end > len - REACH) {
		whole(some, points->p + (len - LEAST - points->first), NULL, LEAST);
		for (i = at > len - REACH ? at : len - REACH; i < end; i++)
			slope[i - at] = some[i - (len - LEAST)];
	}
	from = at > REACH ? at : REACH;
	to = end < len - REACH ? end : len - REACH;
	if (from >= to)
		return;
	make_weights(weight);
	sum_around(slope + (from - at), points->p + (from - REACH - points->first),
	    weight, (size_t)(to - from));
}

void
taf_spline_span(uint64_t len, uint64_t at, uint64_t n, bool even, uint64_t span[2])
{
	const uint64_t end = at + n, reach = even ? REACH : FAR;
	const uint64_t before = even ? at : at - at % BLOCK;
	const uint64_t behind = even ? end : end + (BLOCK - end % BLOCK) % BLOCK;

	span[0] = before > reach ? before - reach : 0;
	span[1] = behind + reach < len ? behind + reach : len;
	/* what the ends are solved with */
	if (even && span[0] > 0 && len - span[0] < LEAST)
		span[0] = len > LEAST ? len - LEAST : 0;
	if (even && span[1] < LEAST)
		span[1] = len < LEAST ? len : LEAST;
}
