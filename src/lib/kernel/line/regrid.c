/* SPDX-License-Identifier: ISC */
#include "kernel/line/regrid.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

/* Some results, n of them. */
struct places {
	double place[BLOCK];
	int32_t at[BLOCK];	/* the point before each, counted from point low */
	double gap[BLOCK];	/* from there to the next point */
	double part[BLOCK];	/* of the gap, up to the place */
	uint64_t low;
	size_t n, points;	/* points from low on */
	size_t guess;		/* a point that is not far from the next place */
};

static double
extent(const struct taf_dim *d)
{
	return absolute(d->start) + (double)d->n * absolute(d->step);
}

/*
 * By how much rounding may take a place off.  If points are on a grid, it is in points,
 * and has the rounding on the way from coordinates to points in it.  Coordinates of a
 * table that are on the line lie within the extent of the points.
 */
static double
rounding(const struct taf_regrid *how)
{
	const double off = 4 * DBL_EPSILON * (how->results.at == NULL ? extent(&how->to) :
	    how->points.at == NULL ? extent(&how->from) : 0);

	return how->points.at != NULL ? off : (off + 4 * DBL_EPSILON *
	    extent(&how->from)) / absolute(how->from.step);
}

/* The coordinates of n results from number first on. */
TAF_WIDE_VOID(coordinates, (double *v, const struct taf_dim *to, double first, size_t n),
    (v, to, first, n))
{
	const double start = to->start, step = to->step;
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = start + (first + (double)(uint32_t)i) * step;
}

/* Coordinates become places on a grid. */
TAF_WIDE_VOID(onto_grid, (double *v, const struct taf_dim *from, double off, size_t n),
    (v, from, off, n))
{
	const double start = from->start, step = from->step;
	size_t i;

	for (i = 0; i < n; i++) {
		const double p = (v[i] - start) / step;
		const double near = (p + WHOLE) - WHOLE;

		v[i] = absolute(p - near) <= off ? near : p;
	}
}

/*
 * The last of n points that is not behind v, or the first one.  The next result is often
 * near to the present one: so the search goes in growing steps from a guess.
 */
static size_t
search(const struct taf_regrid_table *t, size_t n, double v, size_t guess)
{
	const double *at = t->at, way = t->way, wanted = way * v;
	size_t low = guess, high = guess + 1, step;

	for (step = 1; high < n && way * at[high] <= wanted; step *= 2) {
		low = high;
		high = n - high > step ? high + step : n;
	}
	for (step = 1; low > 0 && way * at[low] > wanted; step *= 2) {
		high = low;
		low = low > step ? low - step : 0;
	}
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (way * at[middle] <= wanted)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Coordinates become places among points of a table, with part and gap. */
static void
into_table(const struct taf_regrid *how, double off, struct places *p)
{
	const double *at = how->points.at, way = how->points.way;
	const size_t n = (size_t)how->from.n;
	size_t i;

	for (i = 0; i < p->n; i++) {
		const double v = p->place[i];
		const size_t low = search(&how->points, n, v, p->guess);
		const size_t high = low + 1 < n ? low + 1 : low;
		const bool behind = absolute(v - at[low]) > absolute(at[high] - v);
		const size_t near = behind ? high : low;

		p->guess = low;
		p->place[i] = (double)near;
		p->part[i] = 0;
		p->gap[i] = 1;
		if (absolute(v - at[near]) <= off)
			continue;
		if (way * v < way * at[0]) {
			p->place[i] = -1;
		} else if (way * v > way * at[n - 1]) {
			p->place[i] = (double)n;
		} else {
			p->place[i] = (double)low;
			p->gap[i] = at[high] - at[low];
			p->part[i] = (v - at[low]) / p->gap[i];
		}
	}
}

/* The places of p->n results from number first on. */
static void
make_places(const struct taf_regrid *how, double off, struct places *p, uint64_t first)
{
	if (how->results.at != NULL)
		memcpy(p->place, how->results.at + first, p->n * sizeof *p->place);
	else
		coordinates(p->place, &how->to, (double)first, p->n);
	if (how->points.at != NULL)
		into_table(how, off, p);
	else
		onto_grid(p->place, &how->from, off, p->n);
}

double
taf_regrid_place(const struct taf_regrid *how, uint64_t i)
{
	struct places p;

	p.n = 1;
	p.guess = 0;
	make_places(how, rounding(how), &p, i);
	return p.place[0];
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

/* Which way a table or a grid goes. */
static int
way(const struct taf_regrid_table *t, const struct taf_dim *d)
{
	return t->at != NULL ? t->way : d->step < 0 ? -1 : 1;
}

void
taf_regrid_span(const struct taf_regrid *how, uint64_t at, uint64_t n, uint64_t span[2])
{
	const uint64_t reach = how->by == TAF_REGRID_SINC ? HALF : 1, len = how->from.n;
	uint64_t low, high;

	if (way(&how->results, &how->to) != way(&how->points, &how->from)) {
		span[0] = 0;
		span[1] = len;
		return;
	}
	low = (uint64_t)clamp(how, taf_regrid_place(how, at));
	high = (uint64_t)clamp(how, taf_regrid_place(how, at + n - 1)) + 1;
	span[0] = low > reach ? low - reach : 0;
	span[1] = high + reach < len ? high + reach : len;
	if (how->by == TAF_REGRID_CUBIC)
		taf_spline_span(len, low, span[1] - low, how->points.at == NULL, span);
}

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
		p->gap[i] = 1;
		p->at[i] = (int32_t)(down - low);
	}
}

/* Find those of results from at on, n at most. */
static void
find_places(const struct taf_regrid *how, double off, struct places *p, uint64_t at,
    size_t n)
{
	double low, high;
	size_t i;

	p->n = n < BLOCK ? n : BLOCK;
	make_places(how, off, p, at);
	low = high = clamp(how, p->place[0]);
	/* on a grid the last one is the other end */
	for (i = how->results.at != NULL ? 0 : p->n - 1; i < p->n; i++) {
		const double place = clamp(how, p->place[i]);

		low = place < low ? place : low;
		high = place > high ? place : high;
	}
	p->low = (uint64_t)low;
	p->points = (size_t)((uint64_t)high - p->low) + 1;
	if (p->points > INT32_MAX) {
		p->low = (uint64_t)clamp(how, p->place[0]);
		p->n = p->points = 1;
	}
	/* the point behind the last one, too */
	p->points += p->low + p->points < how->from.n;
	if (how->points.at == NULL)
		divide_places(p, (double)p->low, (double)(how->from.n - 1), p->n);
	for (i = 0; i < p->n && how->points.at != NULL; i++)
		p->at[i] = (int32_t)(clamp(how, p->place[i]) - (double)p->low);
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

/* At part of the gap behind point x, with the slopes of this one and the next. */
static TAF_INLINE double
hermite_at(const double *x, const double *slope, double gap, double part)
{
	const size_t next = part > 0;
	const double rest = 1 - part, up = x[next] - x[0];
	const double y = x[0] + part * (up + rest * (rest * (gap * slope[0] - up) -
	    part * (gap * slope[next] - up)));

	return part > 0 ? y : x[0];
}

TAF_WIDE_VOID(hermite, (double *restrict out, const double *restrict x,
    const double *restrict slope, const struct places *restrict p), (out, x, slope, p))
{
	size_t i;

	for (i = 0; i < p->n; i++)
		out[i] = hermite_at(x + p->at[i], slope + p->at[i], p->gap[i],
		    p->part[i]);
}

/* Slopes that were made last, n from point low on. */
struct slopes {
	uint64_t low;
	size_t n;
	double v[SLOPES + 2 * TAF_SPLINE_BLOCK];
};

/* Those of n points from low on. */
static const double *
slopes_of(const struct taf_regrid *how, struct slopes *s, uint64_t low, size_t n,
    const struct taf_points_at *points)
{
	const uint64_t end = low + n;

	if (low < s->low || end > s->low + s->n) {
		/* whole blocks of them, where they are made in blocks */
		const uint64_t block = how->points.at == NULL ? 1 : TAF_SPLINE_BLOCK;
		const uint64_t behind = end + (block - end % block) % block;

		s->low = low - low % block;
		s->n = (size_t)((behind < points->len ? behind : points->len) - s->low);
		taf_spline_slopes(s->v, s->low, s->n, points, how->points.at);
	}
	return s->v + (low - s->low);
}

static void
cubic(const struct taf_regrid *how, double *out, const struct places *p,
    struct slopes *slopes, const struct taf_points_at *points)
{
	const double *x = points->p + (p->low - points->first);
	size_t i;

	if (p->points <= SLOPES) {
		hermite(out, x, slopes_of(how, slopes, p->low, p->points, points), p);
		return;
	}
	/* few results on a long way */
	for (i = 0; i < p->n; i++) {
		const uint64_t at = p->low + (uint64_t)p->at[i];
		const size_t n = at + 1 < points->len ? 2 : 1;

		out[i] = hermite_at(x + p->at[i], slopes_of(how, slopes, at, n, points),
		    p->gap[i], p->part[i]);
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

/* Are these results, from number at on, all outside, or nowhere? */
static bool
all_apart(const struct taf_regrid *how, const struct places *p, uint64_t at)
{
	const bool *nowhere = how->results.nowhere;
	size_t i = 0;

	while (i < p->n && ((nowhere != NULL && nowhere[at + i]) ||
	    (!how->edge && taf_regrid_outside(how, p->place[i]))))
		i++;
	return i == p->n;
}

static void
mark(const struct taf_regrid *how, double *out, const struct places *p, uint64_t at)
{
	const bool *nowhere = how->results.nowhere;
	size_t i;

	for (i = 0; i < p->n; i++)
		if (nowhere != NULL && nowhere[at + i])
			out[i] = (double)NAN;
		else if (!how->edge && taf_regrid_outside(how, p->place[i]))
			out[i] = how->outside;
}

/* Those at places within the line. */
static void
compute(const struct taf_regrid *how, double *out, const struct places *p,
    struct slopes *slopes, const struct taf_points_at *points)
{
	const double *x = points->p + (p->low - points->first);

	switch (how->by) {
	case TAF_REGRID_NEAREST:
		nearest(out, x, p);
		break;
	case TAF_REGRID_LINEAR:
		linear(out, x, p);
		break;
	case TAF_REGRID_CUBIC:
		cubic(how, out, p, slopes, points);
		break;
	case TAF_REGRID_SINC:
		sinc(out, p, points);
		break;
	}
}

void
taf_regrid(const struct taf_regrid *how, double *out, uint64_t at, size_t n,
    const struct taf_points_at *points)
{
	const double off = rounding(how);
	struct slopes slopes;
	struct places p;

	slopes.low = slopes.n = 0;
	p.guess = (size_t)points->first;
	for (; n > 0; n -= p.n, at += p.n, out += p.n) {
		find_places(how, off, &p, at, n);
		if (!all_apart(how, &p, at))
			compute(how, out, &p, &slopes, points);
		/* all of a grid are on the line if its ends are */
		if (how->results.at != NULL || (!how->edge &&
		    (taf_regrid_outside(how, p.place[0]) ||
		    taf_regrid_outside(how, p.place[p.n - 1]))))
			mark(how, out, &p, at);
	}
}
