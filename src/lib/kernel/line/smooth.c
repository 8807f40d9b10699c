/* SPDX-License-Identifier: ISC */
#include "kernel/line/smooth.h"

#include <math.h>
#include <string.h>

#include "config.h"
#include "base/attr.h"
#include "base/num.h"
#include "kernel/line/median.h"
#include "kernel/number/fast.h"

enum {
	BLOCK = 1024,		/* results at a time: their sums stay in cache */
	LANES = 32		/* sums that stay in registers */
};

const double *
taf_edge_extend(const struct taf_points_at *points, enum taf_edge edge, int64_t at,
    size_t n, double *scratch)
{
	const int64_t len = (int64_t)points->len, period = 2 * len;
	size_t i;

	if (at >= 0 && (uint64_t)at + n <= points->len)
		return points->p + ((uint64_t)at - points->first);
	for (i = 0; i < n; i++, at++) {
		int64_t from = at;

		if (at >= 0 && at < len) {
			/* all that are there */
			const size_t left = (size_t)(len - at);
			const size_t run = n - i < left ? n - i : left;

			memcpy(scratch + i, points->p + ((uint64_t)at - points->first),
			    run * sizeof *scratch);
			i += run - 1;
			at += (int64_t)run - 1;
			continue;
		}
		if (edge == TAF_EDGE_REFLECT) {
			from = at % period < 0 ? at % period + period : at % period;
			from = from < len ? from : period - 1 - from;
			scratch[i] = points->p[(uint64_t)from - points->first];
		} else if (edge == TAF_EDGE_ODD) {
			const int64_t end = at < 0 ? 0 : len - 1;

			scratch[i] = 2 * points->p[(uint64_t)end - points->first] -
			    points->p[(uint64_t)(2 * end - at) - points->first];
		} else {
			scratch[i] = edge == TAF_EDGE_NAN ? (double)NAN : 0;
		}
	}
	return scratch;
}

/* y[i] = the sum of four neighbours that are step apart. */
TAF_WIDE_VOID(sum_four, (double *restrict y, const double *restrict x, size_t step,
    size_t n), (y, x, step, n))
{
	size_t i;

	for (i = 0; i < n; i++)
		y[i] = (x[i] + x[i + step]) + (x[i + 2 * step] + x[i + 3 * step]);
}

/* y[i] = 1 or 3 neighbours. */
TAF_WIDE_VOID(begin_sum, (double *restrict y, const double *restrict x, size_t n,
    unsigned count), (y, x, n, count))
{
	size_t i;

	for (i = 0; count == 1 && i < n; i++)
		y[i] = x[i];
	for (i = 0; count == 3 && i < n; i++)
		y[i] = (x[i] + x[i + 1]) + x[i + 2];
}

/* y[i] grows by count neighbours, 1 to 3 of them. */
TAF_WIDE_VOID(add_some, (double *restrict y, const double *restrict x, size_t step,
    size_t n, unsigned count), (y, x, step, n, count))
{
	size_t i;

	for (i = 0; count == 1 && i < n; i++)
		y[i] += x[i];
	for (i = 0; count == 2 && i < n; i++)
		y[i] += x[i] + x[i + step];
	for (i = 0; count == 3 && i < n; i++)
		y[i] += (x[i] + x[i + step]) + x[i + 2 * step];
}

TAF_WIDE_VOID(divide, (double *y, size_t n, double by), (y, n, by))
{
	size_t i;

	for (i = 0; i < n; i++)
		y[i] /= by;
}

TAF_WIDE_VOID(multiply, (double *y, size_t n, double by), (y, n, by))
{
	size_t i;

	for (i = 0; i < n; i++)
		y[i] *= by;
}

void
taf_divide(double *y, size_t n, double by, bool rough)
{
	if (rough && taf_is_finite(1 / by))
		multiply(y, n, 1 / by);
	else
		divide(y, n, by);
}

/*
 * y[i] = the sum of width points from x[i] on: of a few of them, of a few sums of 4
 * behind these, of a few sums of 16, and so on.  scratch has twice as many points as x.
 */
static void
sum_windows(double *y, const double *x, size_t n, size_t width, double *scratch)
{
	const size_t all = n + width - 1;
	double *next = scratch;
	size_t size = 1, from;

	/* a width is odd */
	begin_sum(y, x, n, (unsigned)(width % 4));
	for (from = width % 4; width / size >= 4; from += width / size % 4 * size) {
		sum_four(next, x, size, all - 4 * size + 1);
		size *= 4;
		if (width / size % 4 > 0)
			add_some(y, next + from, size, n, (unsigned)(width / size % 4));
		x = next;
		next = next == scratch ? scratch + all : scratch;
	}
}

/* Points of the window around place at that are on the line. */
static double
points_of(uint64_t at, size_t half, uint64_t len)
{
	const uint64_t before = at < half ? at : half;
	const uint64_t behind = len - 1 - at < half ? len - 1 - at : half;

	return (double)(before + behind + 1);
}

/* scratch: four times n + 2 half. */
static void
mean(const struct taf_smooth *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points, double *scratch)
{
	const size_t width = 2 * how->half + 1, all = n + 2 * how->half;
	const double *x = taf_edge_extend(points, how->edge,
	    (int64_t)at - (int64_t)how->half, all, scratch);
	uint64_t low = 0, high = n;
	size_t i;

	sum_windows(out, x, n, width, scratch + all);
	if (how->edge == TAF_EDGE_SHRINK) {
		/* the place of a result says how it is divided, not what else is in n */
		low = at >= how->half ? 0 : how->half - at;
		high = points->len - at > how->half ? points->len - at - how->half : 0;
		low = low < n ? low : n;
		high = high < low ? low : high < n ? high : n;
	}
	taf_divide(out + low, (size_t)(high - low), (double)width, how->rough);
	for (i = 0; i < low; i++)
		out[i] /= points_of(at + i, how->half, points->len);
	for (i = (size_t)high; i < n; i++)
		out[i] /= points_of(at + i, how->half, points->len);
}

/* scratch: n + 2 half, and what mean takes for as many. */
static void
triangle(const struct taf_smooth *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points, double *scratch)
{
	const uint64_t first = at > how->half ? at - how->half : 0;
	const uint64_t end = at + n + how->half < points->len ? at + n + how->half :
	    points->len;
	const struct taf_points_at means = { scratch, first, (size_t)(end - first),
	    points->len };

	scratch += n + 2 * how->half;
	mean(how, scratch - n - 2 * how->half, first, means.n, points, scratch);
	mean(how, out, at, n, &means, scratch);
}

static TAF_INLINE void
convolve_lanes(double *restrict out, const double *restrict x,
    const double *restrict weight, size_t width)
{
	double sum[LANES] = { 0 };
	size_t i, k;

	for (k = 0; k < width; k++)
		for (i = 0; i < LANES; i++)
			sum[i] += weight[k] * x[i + k];
	for (i = 0; i < LANES; i++)
		out[i] = sum[i];
}

TAF_WIDE_VOID(convolve, (double *restrict out, const double *restrict x, size_t n,
    const double *restrict weight, size_t width), (out, x, n, weight, width))
{
	size_t i, k;

	for (i = 0; i + LANES <= n; i += LANES)
		convolve_lanes(out + i, x + i, weight, width);
	for (; i < n; i++) {
		double sum = 0;

		for (k = 0; k < width; k++)
			sum += weight[k] * x[i + k];
		out[i] = sum;
	}
}

void
taf_convolve(double *out, const double *x, size_t n, const double *weight, size_t width)
{
	convolve(out, x, n, weight, width);
}

/* scratch: n + 2 half. */
static void
weigh(const struct taf_smooth *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points, double *scratch)
{
	const size_t width = 2 * how->half + 1;
	const double *x = taf_edge_extend(points, how->edge,
	    (int64_t)at - (int64_t)how->half, n + width - 1, scratch);
	size_t i, k;

	convolve(out, x, n, how->weight, width);
	for (i = 0; how->edge == TAF_EDGE_SHRINK && i < n; i++) {
		const uint64_t place = at + i;
		const size_t low = place < how->half ? how->half - (size_t)place : 0;
		const size_t high = points->len - place > how->half ? width :
		    how->half + (size_t)(points->len - place);
		double sum = 0;

		if (low == 0 && high == width)
			continue;
		for (k = low; k < high; k++)
			sum += how->weight[k];
		out[i] /= sum;
	}
}

/* scratch: n + 2 half, and what taf_median takes. */
static void
median(const struct taf_smooth *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points, double *scratch)
{
	const size_t half = how->half, all = n + 2 * half;
	struct taf_median m = { .width = 2 * half + 1, .end = all };

	m.x = taf_edge_extend(points, how->edge, (int64_t)at - (int64_t)half, all,
	    scratch);
	if (how->edge == TAF_EDGE_SHRINK) {
		m.begin = at < half ? half - (size_t)at : 0;
		if (points->len - at < n + half)
			m.end = half + (size_t)(points->len - at);
	}
	taf_median(&m, out, n, scratch + all);
}

uint64_t
taf_smooth_reach(const struct taf_smooth *how)
{
	return how->by == TAF_SMOOTH_TRIANGLE ? 2 * (uint64_t)how->half : how->half;
}

/* Results that are made at a time: many where windows overlap much. */
static size_t
block(const struct taf_smooth *how, size_t n)
{
	const size_t most = how->half > BLOCK / 4 ? 4 * how->half : BLOCK;

	return n < most ? n : most;
}

size_t
taf_smooth_scratch(const struct taf_smooth *how, size_t n)
{
	const size_t m = block(how, n), half = how->half;

	switch (how->by) {
	case TAF_SMOOTH_MEAN:
		return 4 * (m + 2 * half);
	case TAF_SMOOTH_TRIANGLE:
		return m + 2 * half + 4 * (m + 4 * half);
	case TAF_SMOOTH_MEDIAN:
		return m + 2 * half + taf_median_scratch(2 * half + 1, m);
	case TAF_SMOOTH_WEIGHTS:
		return m + 2 * half;
	}
	return 0;
}

void
taf_smooth(const struct taf_smooth *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points, double *scratch)
{
	static void (*const by[])(const struct taf_smooth *, double *, uint64_t, size_t,
	    const struct taf_points_at *, double *) = { mean, triangle, median, weigh };
	const size_t most = block(how, n);
	size_t part;

	for (; n > 0; n -= part, out += part, at += part) {
		part = n < most ? n : most;
		by[how->by](how, out, at, part, points, scratch);
	}
}
