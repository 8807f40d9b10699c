#include "kernel/line/regrid.h"

#include <float.h>
#include <math.h>

#include "config.h"
#include "base/attr.h"
#include "kernel/func/func.h"
#include "kernel/line/spline.h"
#include "kernel/number/fast.h"

enum {
	HALF = 16,		/* points on each side of a sinc */
	BLOCK = 256,
	SLOPES = 4 * BLOCK	/* on the way of a block that are worth computing */
};

/* The sum with this has no fraction, and no place is over it that is on the line. */
#define WHOLE 0x1.8p52

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
	const double start = how->to.start, step = how->to.step;
	const double old_start = how->from.start, old_step = how->from.step;
	size_t i;

	for (i = 0; i < n; i++) {
		const double at = start + (first + (double)(uint32_t)i) * step;
		const double p = (at - old_start) / old_step;
		const double near = (p + WHOLE) - WHOLE;

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
	const uint64_t reach = how->by == TAF_REGRID_SINC ? HALF : 1;
	const uint64_t low = (uint64_t)clamp(how, taf_regrid_place(how, at));
	const uint64_t high = (uint64_t)clamp(how, taf_regrid_place(how, at + n - 1)) + 1;

	if ((how->to.step < 0) != (how->from.step < 0)) {
		span[0] = 0;
		span[1] = how->from.n;
		return;
	}
	span[0] = low > reach ? low - reach : 0;
	span[1] = high + reach < how->from.n ? high + reach : how->from.n;
	if (how->by == TAF_REGRID_CUBIC)
		taf_spline_span(how->from.n, low, span[1] - low, span);
}

/*
 * Some results: their places, the points before these counted from low, and what is left.
 */
struct places {
	double place[BLOCK], part[BLOCK];
	int32_t at[BLOCK];
	uint64_t low;
	size_t n, points;	/* from low on */
};

/* Their places within the line. */
TAF_WIDE_VOID(divide_places, (struct places *p, double low, double last, size_t n),
    (p, low, last, n))
{
	size_t i;

	for (i = 0; i < n; i++) {
		const double place = p->place[i] > 0 ? p->place[i] : 0;
		const double inside = place < last ? place : last;
		const double near = (inside + WHOLE) - WHOLE;
		const double down = near > inside ? near - 1 : near;

		p->part[i] = inside - down;
		p->at[i] = (int32_t)(down - low);
	}
}

/* Those of results from at on, n at most. */
static void
find_places(const struct taf_regrid *how, double off, struct places *p, uint64_t at,
    size_t n)
{
	uint64_t first, last;

	p->n = n < BLOCK ? n : BLOCK;
	make_places(how, off, p->place, (double)at, p->n);
	first = (uint64_t)clamp(how, p->place[0]);
	last = (uint64_t)clamp(how, p->place[p->n - 1]);
	p->low = first < last ? first : last;
	p->points = (size_t)(first < last ? last - first : first - last) + 1;
	if (p->points > INT32_MAX) {
		p->low = first;
		p->n = p->points = 1;
	}
	/* the point behind the last one, too */
	p->points += p->low + p->points < how->from.n;
	divide_places(p, (double)p->low, (double)(how->from.n - 1), p->n);
}

TAF_WIDE_VOID(nearest, (double *restrict out, const double *restrict x,
    const struct places *restrict p), (out, x, p))
{
	size_t i;

	for (i = 0; i < p->n; i++)
		out[i] = x[p->at[i] + (p->part[i] > 0.5)];
}

TAF_WIDE_VOID(linear, (double *restrict out, const double *restrict x,
    const struct places *restrict p), (out, x, p))
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		const double part = p->part[i], a = x[p->at[i]],
		    b = x[p->at[i] + (part > 0)];
		const double y = a + (b - a) * part;
		/* from an infinity to a number */
		const double z = y == y ? y : a * (1 - part) + b * part;

		out[i] = part > 0 ? z : a;
	}
}

/* With the slopes of the points. */
TAF_WIDE_VOID(hermite, (double *restrict out, const double *restrict x,
    const double *restrict slope, const struct places *restrict p), (out, x, slope, p))
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		const double part = p->part[i], rest = 1 - part;
		const int32_t at = p->at[i], next = at + (part > 0);
		const double up = x[next] - x[at];
		const double y = x[at] + part * (up + rest * (rest * (slope[at] - up) -
		    part * (slope[next] - up)));

		out[i] = part > 0 ? y : x[at];
	}
}

static void
cubic(double *out, struct places *p, const struct taf_points_at *points)
{
	const double *x = points->p + (p->low - points->first);
	double slope[SLOPES];
	size_t i;

	if (p->points <= SLOPES) {
		taf_spline_slopes(slope, p->low, p->points, points);
		hermite(out, x, slope, p);
		return;
	}
	/* few results on a long way */
	for (i = 0; i < p->n; i++) {
		struct places one = { .n = 1, .part = { p->part[i] } };
		const uint64_t at = p->low + (uint64_t)p->at[i];

		taf_spline_slopes(slope, at, at + 1 < points->len ? 2 : 1, points);
		hermite(out + i, x + p->at[i], slope, &one);
	}
}

/* What sincs and windows of a block are made of. */
struct waves {
	double sine[BLOCK], window_sine[BLOCK], window_cosine[BLOCK];
};

static void
make_waves(struct waves *w, const double *part, size_t n)
{
	static const double pi = 3.14159265358979323846;
	size_t i;

	for (i = 0; i < n; i++) {
		w->sine[i] = pi * part[i];
		w->window_sine[i] = w->window_cosine[i] = pi * part[i] / HALF;
	}
	taf_func_sin(w->sine, w->sine, n);
	taf_func_sin(w->window_sine, w->window_sine, n);
	taf_func_cos(w->window_cosine, w->window_cosine, n);
}

/* What is at part behind point i, of 32 points around, by waves number at. */
static double
sum_waves(const struct waves *w, size_t at, uint64_t i, double part,
    double table[2][2 * HALF], const struct taf_points_at *points)
{
	double scratch[2 * HALF], sum = 0, all = 0;
	const double *x = taf_edge_extend(points, TAF_EDGE_REFLECT, (int64_t)i - HALF + 1,
	    2 * HALF, scratch);
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
		table[0][k] = table[1][k] = ((double)k - (HALF - 1)) *
		    3.14159265358979323846 / HALF;
	taf_func_cos(table[0], table[0], 2 * HALF);
	taf_func_sin(table[1], table[1], 2 * HALF);
}

static void
sinc(double *out, const struct places *p, const struct taf_points_at *points)
{
	double table[2][2 * HALF];
	struct waves w;
	size_t i;

	make_table(table);
	make_waves(&w, p->part, p->n);
	for (i = 0; i < p->n; i++)
		out[i] = sum_waves(&w, i, p->low + (uint64_t)p->at[i], p->part[i], table,
		    points);
}

void
taf_regrid(const struct taf_regrid *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points)
{
	const double off = rounding(how);
	struct places p;
	size_t i;

	for (; n > 0; n -= p.n, at += p.n, out += p.n) {
		const double *x;

		find_places(how, off, &p, at, n);
		x = points->p + (p.low - points->first);
		switch (how->by) {
		case TAF_REGRID_NEAREST:
			nearest(out, x, &p);
			break;
		case TAF_REGRID_LINEAR:
			linear(out, x, &p);
			break;
		case TAF_REGRID_CUBIC:
			cubic(out, &p, points);
			break;
		case TAF_REGRID_SINC:
			sinc(out, &p, points);
			break;
		}
		if (how->edge || (!taf_regrid_outside(how, p.place[0]) &&
		    !taf_regrid_outside(how, p.place[p.n - 1])))
			continue;
		for (i = 0; i < p.n; i++)
			if (taf_regrid_outside(how, p.place[i]))
				out[i] = how->outside;
	}
}
