#include "kernel/peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/fast.h"

enum { ABREAST = 8 };	/* maxima side by side */

/* Where the straight line from point i to the next one is at this level. */
static double
passage(const double *x, size_t i, double level)
{
	const double part = (level - x[i]) / (x[i + 1] - x[i]);

	return (double)i + part;
}

static double
middle_level(const double *x, size_t n)
{
	double low = (double)INFINITY, high = -(double)INFINITY;
	size_t i;

	for (i = 0; i < n; i++) {
		low = x[i] < low ? x[i] : low;
		high = x[i] > high ? x[i] : high;
	}
	return low / 2 + high / 2;
}

static size_t
find_edges(const struct taf_peaks *how, const double *x, size_t n, struct taf_peak *peak)
{
	const double level = how->leveled ? how->level : middle_level(x, n);
	struct taf_peak *open = NULL;	/* waits for the way back */
	size_t i, found = 0;

	for (i = 0; i + 1 < n; i++) {
		const bool up = x[i] < level && x[i + 1] >= level;
		const bool down = x[i] >= level && x[i + 1] < level;
		const double place = up || down ? passage(x, i, level) : 0;

		if ((up || down) && open != NULL) {
			open->width = place - open->place;
			open = NULL;
		}
		if (how->count > 0 && found == how->count && open == NULL)
			break;
		if ((up && (how->edges & TAF_EDGES_RISING) != 0) ||
		    (down && (how->edges & TAF_EDGES_FALLING) != 0)) {
			if (how->count > 0 && found == how->count)
				continue;
			open = &peak[found++];
			*open = (struct taf_peak){ place, level, (double)NAN };
		}
	}
	return found;
}

/* All peaks, first and last of equal points in place and width for now. */
static size_t
find_tops(const double *x, size_t n, struct taf_peak *peak)
{
	size_t i = 1, last, found = 0;

	while (i + 1 < n) {
		last = i;
		if (x[i - 1] < x[i]) {
			while (last + 1 < n && x[last + 1] == x[i])
				last++;
			if (last + 1 < n && x[last + 1] < x[i])
				peak[found++] = (struct taf_peak){ (double)i, x[i], (double)last };
		}
		i = last + 1;
	}
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
	const struct taf_peak *p = key(a), *q = key(b);

	return p->height != q->height ? (p->height < q->height ? 1 : -1) :
	    (p > q) - (p < q);
}

static double
middle(const struct taf_peak *p)
{
	return (p->place + p->width) / 2;
}

/* Of all peaks those that are wanted, in the order of places. */
static size_t
choose(const struct taf_peaks *how, struct taf_peak *peak, size_t n,
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

/* A point of the line, in this direction; what is no number is below all. */
static double
point(const double *x, size_t n, size_t i, bool back)
{
	const double v = x[back ? n - 1 - i : i];

	return v == v ? v : -(double)INFINITY;
}

/*
 * For each peak, the place before it, or with back behind it, where the line is at half its
 * height.  Points that may be such a place are on a stack: each is less than those above it.
 */
static void
find_sides(const double *x, size_t n, struct taf_peak *peak, size_t peaks, bool back,
    size_t *stack, double *side)
{
	size_t depth = 0, i, k = 0, low, high;

	for (i = 0; i < n && k < peaks; i++) {
		const double v = point(x, n, i, back);
		const size_t number = back ? peaks - 1 - k : k;
		const struct taf_peak *p = &peak[number];
		const size_t at = back ? n - 1 - (size_t)p->width : (size_t)p->place;

		if (i == at) {
			const double half = p->height / 2;

			/* the last one below half */
			for (low = 0, high = depth; low < high;) {
				const size_t mid = (low + high) / 2;

				if (point(x, n, stack[mid], back) < half)
					low = mid + 1;
				else
					high = mid;
			}
			if (low == 0) {
				side[number] = back ? (double)(n - 1) : 0;
			} else {
				const size_t from = stack[low - 1];
				const double a = point(x, n, from, back), b = point(x, n, from + 1, back);
				const double place = a - a != 0 ?
				    (double)from + 1 : (double)from + (half - a) / (b - a);

				side[number] = back ? (double)(n - 1) - place : place;
			}
			k++;
		}
		while (depth > 0 && point(x, n, stack[depth - 1], back) >= v)
			depth--;
		stack[depth++] = i;
	}
}

static void
place_parabola(const double *x, struct taf_peak *p)
{
	const size_t i = (size_t)p->place;
	const double a = x[i - 1], b = x[i], c = x[i + 1], bend = (a - b) + (c - b);
	const double off = (a - c) / bend / 2;

	if (p->place != p->width || !(bend < 0) || off - off != 0) {
		p->place = middle(p);
		return;
	}
	p->place += off;
	p->height = b - (a - c) * off / 4;
}

static void
place_centroid(const double *x, size_t n, struct taf_peak *p)
{
	const double half = p->height / 2;
	size_t from = (size_t)p->place, to = (size_t)p->width, i;
	double sum = 0, moment = 0, at = p->place;

	if (!(half > 0) || half - half != 0) {
		p->place = middle(p);
		return;
	}
	while (from > 0 && x[from - 1] >= half)
		from--;
	while (to + 1 < n && x[to + 1] >= half)
		to++;
	for (i = from; i <= to; i++) {
		sum += x[i] / p->height;
		moment += ((double)i - at) * (x[i] / p->height);
	}
	p->place = at + moment / sum;
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

/* Is the first of the greatest points the highest peak, as find_tops has it? */
static bool
greatest_is_top(const double *x, size_t n, struct taf_peak *p)
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

/* Where the line falls below half the height of p, as find_sides has it for each. */
static double
side(const double *x, size_t n, const struct taf_peak *p, bool back)
{
	const double half = p->height / 2;
	size_t i = back ? n - 1 - (size_t)p->width : (size_t)p->place;
	double a, b;

	while (i > 0 && !(point(x, n, i - 1, back) < half))
		i--;
	if (i == 0)
		return back ? (double)(n - 1) : 0;
	a = point(x, n, i - 1, back);
	b = point(x, n, i, back);
	b = a - a != 0 ? (double)i : (double)(i - 1) + (half - a) / (b - a);
	return back ? (double)(n - 1) - b : b;
}

/* What is wanted of a peak, whose first and last point are its place and width. */
static void
measure(const struct taf_peaks *how, const double *x, size_t n, struct taf_peak *p,
    double width)
{
	if (!(p->height > 0))
		width = (double)NAN;
	if (how->place == TAF_PEAK_PARABOLA)
		place_parabola(x, p);
	else if (how->place == TAF_PEAK_CENTROID)
		place_centroid(x, n, p);
	else
		p->place = middle(p);
	p->width = width;
}

size_t
taf_peaks_find(const struct taf_peaks *how, const double *x, size_t n,
    const struct taf_peaks_room *room)
{
	struct taf_peak *peak = room->peak;
	double *left = (double *)(void *)(room->order + n), *right;
	size_t i, found;

	if (how->edges != 0)
		return find_edges(how, x, n, peak);
	if (how->count == 1 && greatest_is_top(x, n, peak)) {
		if (!(peak->height >= how->minimum))
			return 0;
		measure(how, x, n, peak, side(x, n, peak, true) - side(x, n, peak, false));
		return 1;
	}
	found = find_tops(x, n, peak);
	found = choose(how, peak, found, (const struct taf_peak **)(void *)room->order);
	/* peaks are at most half of the points */
	right = left + found;
	find_sides(x, n, peak, found, false, room->order, left);
	find_sides(x, n, peak, found, true, room->order, right);
	for (i = 0; i < found; i++)
		measure(how, x, n, &peak[i], right[i] - left[i]);
	return found;
}
