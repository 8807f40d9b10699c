/* SPDX-License-Identifier: ISC */
/* What outputs ask a plot that is whole: its points, bars, bands and pixels. */
/* link: m */
#include "plot/plot.h"

#include <math.h>

#include "plot/section.h"

const struct taf_plot_part *
taf_plot_part_of(const struct taf_plot *p, size_t *curve)
{
	const struct taf_plot_part *part = p->part;

	for (; *curve >= part->curves; part++)
		*curve -= part->curves;
	return part;
}

bool
taf_plot_bars(const struct taf_plot_part *p)
{
	return p->bars && p->edge[p->buckets] - p->edge[0] == p->buckets;
}

const struct taf_plot_axis *
taf_plot_up(const struct taf_plot *p)
{
	return p->image || p->wiggle ? &p->y : &p->value;
}

double
taf_plot_base(const struct taf_plot *p)
{
	return p->value.log ? p->value.lo : 0;
}

size_t
taf_plot_most(const struct taf_plot *p)
{
	/* two sides of each bar, and the way down and up where one is missing */
	return 4 * p->buckets + 2;
}

/* The outline of bars: two points of each, and down to the base where there is none. */
static size_t
outline(const struct taf_plot *p, const struct taf_plot_part *part,
    const struct taf_bucket *b, struct taf_plot_point *to)
{
	const struct taf_plot_axis *x = &part->x;
	const double base = taf_plot_base(p);
	const double half = x->step / 2;
	double left, right = 0;
	bool pen = false;
	size_t i, n = 0;

	for (i = 0; i < part->buckets; i++, b++) {
		if (!b->any) {
			if (pen)
				to[n++] = (struct taf_plot_point){ right, base };
			if (pen)
				to[n++] = (struct taf_plot_point){ right, NAN };
			pen = false;
			continue;
		}
		left = taf_plot_grid(x, b->min_at) - half;
		right = taf_plot_grid(x, b->min_at) + half;
		/* the first bin of a logarithmic axis may reach below it */
		left = x->log && left < p->x.lo ? p->x.lo : left;
		right = x->log && right < p->x.lo ? p->x.lo : right;
		if (!pen)
			to[n++] = (struct taf_plot_point){ left, base };
		to[n++] = (struct taf_plot_point){ left, b->min };
		to[n++] = (struct taf_plot_point){ right, b->min };
		pen = true;
	}
	if (pen)
		to[n++] = (struct taf_plot_point){ right, base };
	return n;
}

/* Where element i of curve c is. */
static double
x_of(const struct taf_plot_part *part, size_t c, uint64_t i)
{
	return part->at != NULL ? part->at[c * part->buckets + i] :
	    taf_plot_grid(&part->x, i);
}

size_t
taf_plot_points(const struct taf_plot *p, size_t c, struct taf_plot_point *to)
{
	const struct taf_plot_part *part = taf_plot_part_of(p, &c);
	const struct taf_bucket *b = part->bucket + c * part->buckets;
	size_t i, n = 0;

	if (taf_plot_bars(part))
		return outline(p, part, b, to);
	for (i = 0; i < part->buckets; i++, b++) {
		struct taf_plot_point min = { x_of(part, c, b->min_at), b->min };
		struct taf_plot_point max = { x_of(part, c, b->max_at), b->max };
		struct taf_plot_point gap = { x_of(part, c, part->edge[i]), NAN };

		if (part->edge[i] == part->edge[i + 1])
			continue;
		if (!b->any) {
			if (n > 0 && to[n - 1].y == to[n - 1].y)
				to[n++] = gap;
			continue;
		}
		to[n++] = b->min_at <= b->max_at ? min : max;
		if (b->min_at != b->max_at)
			to[n++] = b->min_at <= b->max_at ? max : min;
	}
	if (p->wiggle)
		taf_section_points(p, c, to, n);
	return n;
}

size_t
taf_plot_band(const struct taf_plot *p, size_t c, struct taf_plot_span *to)
{
	const struct taf_plot_part *part = taf_plot_part_of(p, &c);
	const size_t all = part->curves * part->buckets;
	const struct taf_bucket *lower = part->bucket + all + c * part->buckets;
	const struct taf_bucket *upper = lower + all;
	const double far = part->x.log ? 0 : fabs(part->x.step) / 2;
	size_t i, n = 0;
	bool gap = true;

	for (i = 0; i < part->buckets && part->banded; i++) {
		const double first = x_of(part, c, part->edge[i]);
		const double last = x_of(part, c, part->edge[i + 1] - 1);
		struct taf_plot_span s = { first / 2 + last / 2, NAN, NAN };
		bool alone;

		if (part->edge[i] == part->edge[i + 1])
			continue;
		if (!upper[i].any) {
			if (!gap)
				to[n++] = s;
			gap = true;
			continue;
		}
		/* below the end of a logarithmic axis */
		s.lo = lower[i].any ? lower[i].min : p->value.lo;
		s.hi = upper[i].max;
		alone = gap && !p->errors &&
		    (i + 1 == part->buckets || !upper[i + 1].any);
		if (alone) {
			to[n] = s;
			to[n++].x -= far;
			s.x += far;
		}
		to[n++] = s;
		gap = false;
	}
	return n;
}

double
taf_plot_shown(const struct taf_plot *p, const struct taf_bucket *b)
{
	return b->max - p->mean >= p->mean - b->min ? b->max : b->min;
}

double
taf_plot_pixel(const struct taf_plot *p, size_t column, size_t row)
{
	const struct taf_plot_part *part = p->part;
	const struct taf_bucket *b = &part->bucket[row * part->buckets + column];

	return b->any ? taf_plot_shown(p, b) : NAN;
}
