#include "kernel/regrid.h"

#include <float.h>
#include <math.h>

#include "config.h"
#include "base/attr.h"
#include "kernel/fast.h"
#include "kernel/func.h"

enum {
	HALF = 16,		/* points on each side of a sinc */
	BLOCK = 256
};

static TAF_INLINE double
absolute(double x)
{
	return x < 0 ? -x : x;
}

/* What coordinates of both grids, and the places made of them, are off by at most. */
static double
rounding(const struct taf_regrid *how)
{
	return 4 * DBL_EPSILON * (absolute(how->from.start) +
	    (double)how->from.n * absolute(how->from.step) + absolute(how->to.start) +
	    (double)how->to.n * absolute(how->to.step)) / absolute(how->from.step);
}

/* The places of n results from number first on. */
TAF_WIDE_VOID(make_places, (const struct taf_regrid *how, double off, double *place,
    double first, size_t n), (how, off, place, first, n))
{
	/* the sum with this has no fraction, and no place is over it that is on the line */
	const double whole = 0x1.8p52, start = how->to.start, step = how->to.step;
	const double old_start = how->from.start, old_step = how->from.step;
	size_t i;

	for (i = 0; i < n; i++) {
		const double at = start + (first + (double)(uint32_t)i) * step;
		const double p = (at - old_start) / old_step;
		const double near = (p + whole) - whole;

		place[i] = absolute(p - near) <= off ? near : p;
	}
}

double
taf_regrid_place(const struct taf_regrid *how, uint64_t i)
{
	double place;

	make_places(how, rounding(how), &place, (double)i, 1);
	return place;
}

bool
taf_regrid_outside(const struct taf_regrid *how, double place)
{
	return !(place >= 0 && place <= (double)(how->from.n - 1));
}

/* Within the line. */
static double
clamp(const struct taf_regrid *how, double place)
{
	const double last = (double)(how->from.n - 1);

	return place > 0 ? (place < last ? place : last) : 0;
}

void
taf_regrid_span(const struct taf_regrid *how, uint64_t at, uint64_t n, uint64_t span[2])
{
	const uint64_t reach = how->by == TAF_REGRID_SINC ? HALF : 3;
	const uint64_t low = (uint64_t)clamp(how, taf_regrid_place(how, at));
	const uint64_t high = (uint64_t)clamp(how, taf_regrid_place(how, at + n - 1)) + 1;

	if ((how->to.step < 0) != (how->from.step < 0)) {
		span[0] = 0;
		span[1] = how->from.n;
		return;
	}
	span[0] = low > reach ? low - reach : 0;
	span[1] = high + reach < how->from.n ? high + reach : how->from.n;
}

static double
linear(const double *x, size_t i, double part)
{
	double y;

	if (part == 0)
		return x[i];
	y = x[i] + (x[i + 1] - x[i]) * part;
	/* from an infinity to a number */
	return y == y ? y : x[i] * (1 - part) + x[i + 1] * part;
}

/* Through n points, at most four, at t counted from the first of them (Lagrange). */
static double
polynomial(const double *x, unsigned n, double t)
{
	double sum = 0;
	unsigned i, k;

	for (i = 0; i < n; i++) {
		double over = 1, under = 1;

		for (k = 0; k < n; k++)
			if (k != i) {
				over *= t - k;
				under *= (double)i - (double)k;
			}
		sum += x[i] * (over / under);
	}
	return sum;
}

static double
cubic(const struct taf_points_at *points, uint64_t i, double part)
{
	const unsigned n = points->len < 4 ? (unsigned)points->len : 4;
	const uint64_t last = points->len - n;
	const uint64_t from = i < 1 ? 0 : i - 1 < last ? i - 1 : last;
	const double *x = points->p + (from - points->first);

	return part == 0 ? x[i - from] : polynomial(x, n, (double)(i - from) + part);
}

/* Places of a block, and what their sincs and windows are made of. */
struct waves {
	double place[BLOCK], part[BLOCK], sine[BLOCK], window_sine[BLOCK], window_cosine[BLOCK];
};

static void
make_waves(struct waves *w, size_t n)
{
	static const double pi = 3.14159265358979323846;
	size_t i;

	for (i = 0; i < n; i++) {
		w->sine[i] = pi * w->part[i];
		w->window_sine[i] = w->window_cosine[i] = pi * w->part[i] / HALF;
	}
	taf_func_sin(w->sine, w->sine, n);
	taf_func_sin(w->window_sine, w->window_sine, n);
	taf_func_cos(w->window_cosine, w->window_cosine, n);
}

/* The sum at place i + part of a block, over the points from i - HALF + 1 to i + HALF. */
static double
sinc(const struct waves *w, size_t at, uint64_t i, double table[2][2 * HALF],
    const struct taf_points_at *points)
{
	const double part = w->part[at];
	double room[2 * HALF], sum = 0, all = 0;
	const double *x = taf_edge_extend(points, TAF_EDGE_REFLECT, (int64_t)i - HALF + 1,
	    2 * HALF, room);
	size_t k;

	if (part == 0)
		return x[HALF - 1];
	for (k = 0; k < 2 * HALF; k++) {
		/* the point is k - HALF + 1 - part away; signs of the sine take turns */
		const double away = (double)k - (HALF - 1) - part;
		const double window = 1 + w->window_cosine[at] * table[0][k] +
		    w->window_sine[at] * table[1][k];
		const double weight = (k % 2 == 0 ? -1 : 1) * window / away;

		sum += weight * x[k];
		all += weight;
	}
	return sum / all;
}

/* Cosines and sines of the angles of points under the window. */
static void
make_table(double table[2][2 * HALF])
{
	size_t k;

	for (k = 0; k < 2 * HALF; k++)
		table[0][k] = table[1][k] = ((double)k - (HALF - 1)) * 3.14159265358979323846 / HALF;
	taf_func_cos(table[0], table[0], 2 * HALF);
	taf_func_sin(table[1], table[1], 2 * HALF);
}

static void
give(const struct taf_regrid *how, double *out, size_t n, struct waves *w,
    double table[2][2 * HALF], const struct taf_points_at *points)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const bool outside = taf_regrid_outside(how, w->place[i]);
		const uint64_t at = (uint64_t)(int64_t)clamp(how, w->place[i]);
		const double *x = points->p - points->first;
		const double part = w->part[i];

		if (outside && !how->edge) {
			out[i] = how->outside;
			continue;
		}
		switch (how->by) {
		case TAF_REGRID_NEAREST:
			out[i] = x[at + (part > 0.5)];
			break;
		case TAF_REGRID_LINEAR:
			out[i] = linear(x, (size_t)at, part);
			break;
		case TAF_REGRID_CUBIC:
			out[i] = cubic(points, at, part);
			break;
		case TAF_REGRID_SINC:
			out[i] = sinc(w, i, at, table, points);
			break;
		}
	}
}

void
taf_regrid(const struct taf_regrid *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points)
{
	const double off = rounding(how);
	double table[2][2 * HALF];
	struct waves w;
	size_t m, i;

	if (how->by == TAF_REGRID_SINC)
		make_table(table);
	for (; n > 0; n -= m, at += m, out += m) {
		m = n < BLOCK ? n : BLOCK;
		make_places(how, off, w.place, (double)at, m);
		for (i = 0; i < m; i++) {
			const double inside = clamp(how, w.place[i]);

			w.part[i] = inside - (double)(int64_t)inside;
		}
		if (how->by == TAF_REGRID_SINC)
			make_waves(&w, m);
		give(how, out, m, &w, table, points);
	}
}
