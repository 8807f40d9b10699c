#include "kernel/line/spline.h"

#include <string.h>

#include "config.h"
#include "base/attr.h"
#include "kernel/number/fast.h"

enum {
	REACH = TAF_SPLINE_REACH,
	/* points of a line whose ends know nothing of each other */
	LEAST = 2 * REACH + 1,
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

/* Slopes of a line of n > 3 points, or of its first n, with that of point n known. */
static void
solve(double *slope, const double *x, size_t n, ptrdiff_t step, const double *known)
{
	const ptrdiff_t end = (ptrdiff_t)n - 1;
	const double first = x[step] - x[0], second = x[2 * step] - x[step];
	const double begin = (5 * first + second) / 2;
	double pivot[LEAST], right[LEAST];
	ptrdiff_t i;

	pivot[0] = 1;
	right[0] = begin;
	for (i = 1; i < end + (known != NULL); i++) {
		const double below = i == 1 ? 2 : 1 / pivot[i - 1];

		pivot[i] = 4 - below;
		right[i] = 3 * (x[(i + 1) * step] - x[(i - 1) * step]) -
		    (i == 1 ? begin : below * right[i - 1]);
	}
	if (known != NULL) {
		slope[end] = (right[end] - *known) / pivot[end];
	} else {
		const double last = (5 * (x[end * step] - x[(end - 1) * step]) +
		    (x[(end - 1) * step] - x[(end - 2) * step])) / 2;

		slope[end] = (pivot[end - 1] * last - 2 * right[end - 1]) /
		    (pivot[end - 1] - 2);
	}
	for (i = end - 1; i > 0; i--)
		slope[i] = (right[i] - slope[i + 1]) / pivot[i];
	slope[0] = begin - 2 * slope[1];
}

/* All slopes of a line of few points. */
static void
whole(double *slope, const double *x, size_t n)
{
	const double first = n > 1 ? x[1] - x[0] : 0,
	    second = n > 2 ? x[2] - x[1] : first;

	if (n > 3) {
		solve(slope, x, n, 1, NULL);
		return;
	}
	slope[0] = (3 * first - second) / 2;
	if (n > 1)
		slope[1] = (first + second) / 2;
	if (n > 2)
		slope[2] = (3 * second - first) / 2;
}

/*
 * The REACH slopes at the first end of a line, or, with step -1, at the last, which x is.
 */
static void
at_end(double slope[REACH], const double *x, ptrdiff_t step, const double weight[REACH])
{
	double known;
	size_t i;

	sum_around(&known, step > 0 ? x : x - 2 * REACH, weight, 1);
	known *= (double)step;
	solve(slope, x, REACH, step, &known);
	for (i = 0; i < REACH; i++)
		slope[i] *= (double)step;
}

void
taf_spline_slopes(double *slope, uint64_t at, size_t n,
    const struct taf_points_at *points)
{
	const uint64_t len = points->len, end = at + n;
	double weight[REACH], some[LEAST];
	uint64_t i, from, to;

	if (len < LEAST) {
		whole(some, points->p, (size_t)len);
		memcpy(slope, some + at, n * sizeof *slope);
		return;
	}
	make_weights(weight);
	if (at < REACH) {
		at_end(some, points->p, 1, weight);
		for (i = at; i < end && i < REACH; i++)
			slope[i - at] = some[i];
	}
	if (end > len - REACH) {
		at_end(some, points->p + (len - 1 - points->first), -1, weight);
		for (i = at > len - REACH ? at : len - REACH; i < end; i++)
			slope[i - at] = some[len - 1 - i];
	}
	from = at > REACH ? at : REACH;
	to = end < len - REACH ? end : len - REACH;
	if (from < to)
		sum_around(slope + (from - at),
		    points->p + (from - REACH - points->first), weight,
		    (size_t)(to - from));
}

void
taf_spline_span(uint64_t len, uint64_t at, uint64_t n, uint64_t span[2])
{
	const uint64_t end = at + n;

	span[0] = at > REACH ? at - REACH : 0;
	span[1] = end + REACH < len ? end + REACH : len;
	/* what the ends are solved with */
	if (span[0] > 0 && len - span[0] < LEAST)
		span[0] = len > LEAST ? len - LEAST : 0;
	if (span[1] < LEAST)
		span[1] = len < LEAST ? len : LEAST;
}
