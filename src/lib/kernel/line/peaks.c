/* SPDX-License-Identifier: ISC */
#include "kernel/line/peaks.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/number/fast.h"

enum { ABREAST = 8 };	/* maxima side by side */

void
taf_peaks_extremes(const double *x, size_t n, double extremes[2])
{
	double low = extremes[0], high = extremes[1];
	size_t i;

	for (i = 0; i < n; i++) {
		low = x[i] < low ? x[i] : low;
		high = x[i] > high ? x[i] : high;
	}
	extremes[0] = low;
	extremes[1] = high;
}

/* The part of the way from a to b at which v is, which lies between them. */
static double
part_of_way(double v, double a, double b)
{
	/* from an infinity the straight line is at v where it ends */
	if (a - a != 0)
		return b - b != 0 ? 0.5 : 1;
	if (b - b != 0)
		return 0;
	return b - a - (b - a) == 0 ? (v - a) / (b - a) :
	    (v / 2 - a / 2) / (b / 2 - a / 2);
}

bool
taf_passages_find(struct taf_passages *s, const struct taf_peaks *how, const double *x,
    uint64_t first, size_t n, struct taf_peak *peak)
{
	const double level = s->level;
	size_t i;

	for (i = 0; i < n; i++) {
		const int now = (x[i] > level) - (x[i] < level);
		const bool up = now > 0;
		double place;

		if (now == s->side && now != 0) {
			s->last = x[i];
			s->at = false;
			continue;
		}
		if (now == 0) {
			if (!s->at)
				s->from = first + i;
			s->at = x[i] == level;
			s->side = s->at ? s->side : 0;
			continue;
		}
		if (s->side != 0) {
			place = s->at ? ((double)s->from + (double)(first + i - 1)) / 2 :
			    (double)(first + i - 1) + part_of_way(level, s->last, x[i]);
			if (s->open && s->up != up)
				peak[s->found - 1].width =
				    place - peak[s->found - 1].place;
			s->open = false;
			if (how->count > 0 && s->found == how->count)
				return true;
			s->open = (how->edges &
			    (up ? TAF_EDGES_RISING : TAF_EDGES_FALLING)) != 0;
			s->up = up;
			if (s->open)
				peak[s->found++] = (struct taf_peak){ place, level,
				    (double)NAN };
		}
		s->side = now;
		s->last = x[i];
		s->at = false;
	}
	return false;
}

double
taf_peaks_level(const struct taf_peaks *how, const double extremes[2])
{
	return how->leveled ? how->level :
	    (1 - how->part) * extremes[0] + how->part * extremes[1];
}

size_t
taf_tops_find(struct taf_tops *t, const double *x, uint64_t first, size_t n,
    struct taf_peak *peak)
{
	struct taf_tops s = *t;
	size_t i, found = 0;

	for (i = 0; i < n; s.last = x[i++]) {
		const double v = x[i];

		if (v == s.last && s.after)
			continue;
		/* written in any case: in noise a branch is mispredicted often */
		peak[found] = (struct taf_peak){ (double)s.from, s.last,
		    (double)(first + i - 1) };
		found += s.up & (v < s.last);
		s.up = s.after & (s.last < v);
		s.from = first + i;
		s.after = true;
	}
	*t = s;
	return found;
}

static const struct taf_peak *
key(const void *p)
{
	return *(const struct taf_peak *const *)p;
}

static int
higher_first(const void *a, const void *b)
{
	return taf_peak_is_higher(key(a), key(b)) ? -1 :
	    taf_peak_is_higher(key(b), key(a));
}

static double
middle(const struct taf_peak *p)
{
	return (p->place + p->width) / 2;
}

size_t
taf_peaks_choose(const struct taf_peaks *how, struct taf_peak *peak, size_t n,
    const struct taf_peak **order)
{
	uint64_t left = how->count > 0 ? how->count : UINT64_MAX;
	size_t i, k, kept = 0;

	for (i = 0; i < n; i++)
		if (peak[i].height >= how->minimum)
			peak[kept++] = peak[i];
	n = kept;
	if (n <= left && how->distance <= 1)
		return n;
	for (i = 0; i < n; i++)
		order[i] = &peak[i];
	qsort(order, n, sizeof *order, higher_first);
	/* NaN marks what is near a higher one, or too low */
	for (i = 0; i < n; i++) {
		const size_t at = (size_t)(order[i] - peak);
		const double place = middle(&peak[at]);

		if (peak[at].height != peak[at].height)
			continue;
		if (left == 0) {
			peak[at].height = (double)NAN;
			continue;
		}
		left--;
		for (k = at; k-- > 0 && place - middle(&peak[k]) < how->distance;)
			peak[k].height = (double)NAN;
		for (k = at + 1; k < n && middle(&peak[k]) - place < how->distance; k++)
			peak[k].height = (double)NAN;
	}
	for (kept = i = 0; i < n; i++)
		if (peak[i].height == peak[i].height)
			peak[kept++] = peak[i];
	return kept;
}

void
taf_peaks_middle(struct taf_peak *p)
{
	p->place = middle(p);
}

void
taf_peaks_parabola(struct taf_peak *p, double a, double b, double c)
{
	const double bend = (a - b) + (c - b), off = (a - c) / bend / 2;

	if (p->place != p->width || !(bend < 0) || off - off != 0) {
		p->place = middle(p);
		return;
	}
	p->place += off;
	p->height = b - (a - c) * off / 4;
}

bool
taf_peaks_has_centroid(const struct taf_peak *p)
{
	const double half = p->height / 2;

	return half > 0 && half - half == 0;
}

void
taf_peaks_weigh(struct taf_mass *m, const struct taf_peak *p, const double *x,
    uint64_t first, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		m->sum += x[i] / p->height;
		m->moment += ((double)(first + i) - p->place) * (x[i] / p->height);
	}
}

void
taf_peaks_centroid(struct taf_peak *p, const struct taf_mass *m)
{
	p->place += m->moment / m->sum;
}

/* The greatest of n points; what is no number is less than all. */
TAF_FAST(double, greatest, (const double *x, size_t n), (x, n))
{
	double most[ABREAST], all = -(double)INFINITY;
	size_t i, k;

	for (k = 0; k < ABREAST; k++)
		most[k] = -(double)INFINITY;
	for (i = 0; i + ABREAST <= n; i += ABREAST)
		for (k = 0; k < ABREAST; k++)
			most[k] = x[i + k] > most[k] ? x[i + k] : most[k];
	for (; i < n; i++)
		all = x[i] > all ? x[i] : all;
	for (k = 0; k < ABREAST; k++)
		all = most[k] > all ? most[k] : all;
	return all;
}

bool
taf_peaks_greatest(const double *x, size_t n, struct taf_peak *p)
{
	const double height = greatest(x, n);
	size_t i = 0, last;

	while (i < n && x[i] != height)
		i++;
	if (i == 0 || i + 1 >= n || !(x[i - 1] < height))
		return false;
	for (last = i; last + 1 < n && x[last + 1] == height;)
		last++;
	*p = (struct taf_peak){ (double)i, height, (double)last };
	return last + 1 < n && x[last + 1] < height;
}

double
taf_peaks_side(double half, double a, double b, uint64_t i, uint64_t n, bool back)
{
	/* counted from the side where the line begins that is walked */
	const double from = (double)((back ? n - 1 - i : i) - 1);
	const double place = from + part_of_way(half, a, b);

	return back ? (double)(n - 1) - place : place;
}
