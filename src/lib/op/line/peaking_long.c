/* SPDX-License-Identifier: ISC */
#include "op/line/peaking_long.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf_private.h"
#include "base/need.h"

enum { BLOCK = 4 * 1024, WORD = 8 };

struct job {
	const struct taf_peaking_long *l;
	struct taf_peak *peak;		/* in l's peaks */
	size_t found;
	unsigned char raw[BLOCK * WORD];
	double x[BLOCK];
	struct taf_peak some[BLOCK];
};

static enum taf_status
get(struct job *j, uint64_t first, size_t n, struct taf_err *e)
{
	const enum taf_status st = taf_reader_at(j->l->r, j->raw, j->l->base + first, n,
	    e);

	/* any integer and any float is the double next to it */
	if (st == TAF_OK)
		(void)taf_recode(j->l->recode, j->x, j->raw, n, NULL);
	return st;
}

/* The next block: from first on, before end. */
static size_t
block(uint64_t first, uint64_t end)
{
	return end - first < BLOCK ? (size_t)(end - first) : BLOCK;
}

/* What a list may take of the memory: there are three at once. */
static uint64_t
share(const struct job *j)
{
	return taf_memory_share(j->l->memory, TAF_BATCH);
}

/* Room for so many more peaks. */
static enum taf_status
make_room(struct job *j, size_t more, struct taf_err *e)
{
	const enum taf_status st = taf_store_grow(j->l->peaks, j->found + more,
	    sizeof *j->peak, share(j), e);

	j->peak = j->l->peaks->p;
	return st;
}

/* --- the highest ones: a heap whose first is the lowest --- */

static void
sink(struct taf_peak *heap, size_t n, size_t at)
{
	const struct taf_peak p = heap[at];
	size_t child;

	for (; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && taf_peak_is_higher(&heap[child], &heap[child + 1]))
			child++;
		if (taf_peak_is_higher(&heap[child], &p))
			break;
		heap[at] = heap[child];
	}
	heap[at] = p;
}

static enum taf_status
keep_highest(struct job *j, const struct taf_peak *p, struct taf_err *e)
{
	const uint64_t most = j->l->how->count;
	size_t k;

	if (j->found == most) {
		if (taf_peak_is_higher(p, &j->peak[0])) {
			j->peak[0] = *p;
			sink(j->peak, j->found, 0);
		}
		return TAF_OK;
	}
	if (make_room(j, 1, e) != TAF_OK)
		return e->code;
	j->peak[j->found++] = *p;
	if (j->found == most)
		for (k = j->found / 2; k-- > 0;)
			sink(j->peak, j->found, k);
	return TAF_OK;
}

static int
by_place(const void *a, const void *b)
{
	const struct taf_peak *p = a, *q = b;

	return (p->place > q->place) - (p->place < q->place);
}

/* --- which --- */

static enum taf_status
find_tops(struct job *j, struct taf_err *e)
{
	const struct taf_peaks *how = j->l->how;
	/* peaks that stand for themselves; else all are asked who is near */
	const bool few = how->count > 0 && how->distance <= 1;
	struct taf_tops t = { .after = false };
	enum taf_status st = TAF_OK;
	uint64_t first;
	size_t n, i, some;

	for (first = 0; first < j->l->n && st == TAF_OK; first += n) {
		n = block(first, j->l->n);
		st = get(j, first, n, e);
		some = st == TAF_OK ? taf_tops_find(&t, j->x, first, n, j->some) : 0;
		for (i = 0; i < some && st == TAF_OK; i++) {
			if (!(j->some[i].height >= how->minimum))
				continue;
			if (few) {
				st = keep_highest(j, &j->some[i], e);
			} else {
				st = make_room(j, 1, e);
				if (st == TAF_OK)
					j->peak[j->found++] = j->some[i];
			}
		}
	}
	if (st == TAF_OK && few && j->found > 1)
		qsort(j->peak, j->found, sizeof *j->peak, by_place);
	return st;
}

static enum taf_status
choose(struct job *j, struct taf_err *e)
{
	struct taf_store order = { NULL, 0, false };
	enum taf_status st;

	if (j->found == 0)
		return TAF_OK;
	st = taf_store_grow(&order, j->found, sizeof(struct taf_peak *), share(j), e);
	if (st == TAF_OK)
		j->found = taf_peaks_choose(j->l->how, j->peak, j->found, order.p);
	taf_store_free(&order);
	return st;
}

/* --- how wide --- */

/* Where a peak ends: between the points, and the last point above half its height. */
struct side {
	double place;
	uint64_t last;
};

/* Peaks that wait for the line to come down to their half: a heap, the highest first. */
struct waiting {
	const struct taf_peak *peak;
	size_t *number, n;
};

static double
half(const struct waiting *w, size_t at)
{
	return w->peak[w->number[at]].height / 2;
}

static void
push(struct waiting *w, size_t number)
{
	const double h = w->peak[number].height / 2;
	size_t at = w->n++;

	for (; at > 0 && half(w, (at - 1) / 2) < h; at = (at - 1) / 2)
		w->number[at] = w->number[(at - 1) / 2];
	w->number[at] = number;
}

static size_t
pop(struct waiting *w)
{
	const size_t first = w->number[0], last = w->number[--w->n];
	const double h = w->peak[last].height / 2;
	size_t at = 0, child;

	for (; (child = 2 * at + 1) < w->n; at = child) {
		if (child + 1 < w->n && half(w, child) < half(w, child + 1))
			child++;
		if (half(w, child) <= h)
			break;
		w->number[at] = w->number[child];
	}
	w->number[at] = last;
	return first;
}

/* What is no number is below all. */
static double
plain(double v)
{
	return v == v ? v : -(double)INFINITY;
}

/* Peak number k on the way. */
static struct taf_peak *
peak_on_way(const struct job *j, size_t k, bool back)
{
	return &j->peak[back ? k : j->found - 1 - k];
}

/* The next peak on the way whose height has a half. */
static size_t
next_peak(const struct job *j, size_t k, bool back)
{
	while (k < j->found && !(peak_on_way(j, k, back)->height > 0))
		k++;
	return k;
}

/*
 * The sides of all peaks: with back those behind them, on the way forward through the
 * line, else those before, on the way back.  A block is read where a peak begins or
 * waits.
 */
static enum taf_status
find_sides(struct job *j, bool back, struct side *side, size_t *number, struct taf_err *e)
{
	const uint64_t n = j->l->n;
	struct waiting w = { j->peak, number, 0 };
	size_t k = next_peak(j, 0, back), i, some;
	double last = 0;
	uint64_t walked = 0;

	while (k < j->found || w.n > 0) {
		const struct taf_peak *p = k < j->found ? peak_on_way(j, k, back) : NULL;
		const uint64_t begin = p == NULL ? 0 : back ? (uint64_t)p->width :
		    n - 1 - (uint64_t)p->place;

		/* in steps from the side where the way begins */
		if (w.n == 0)
			walked = begin;
		if (walked == n)
			break;
		some = block(walked, n);
		if (get(j, back ? walked : n - walked - some, some, e) != TAF_OK)
			return e->code;
		for (i = 0; i < some; i++) {
			const double v = plain(j->x[back ? i : some - 1 - i]);
			const uint64_t at = back ? walked + i : n - 1 - walked - i;

			while (w.n > 0 && v <= half(&w, 0)) {
				const double h = half(&w, 0);
				struct side *s = &side[pop(&w)];

				s->last = back ? at - 1 : at + 1;
				s->place = taf_peaks_side(h, v, last, s->last, n, back);
			}
			last = v;
			p = k < j->found ? peak_on_way(j, k, back) : NULL;
			if (p != NULL && at == (uint64_t)(back ? p->width : p->place)) {
				push(&w, back ? k : j->found - 1 - k);
				k = next_peak(j, k + 1, back);
			}
		}
		walked += some;
	}
	while (w.n > 0)
		side[pop(&w)] = (struct side){ back ? (double)(n - 1) : 0,
		    back ? n - 1 : 0 };
	return TAF_OK;
}

static enum taf_status
place(struct job *j, struct taf_peak *p, const struct side *left,
    const struct side *right, struct taf_err *e)
{
	struct taf_mass m = { 0, 0 };
	uint64_t at;
	size_t n;

	if (j->l->how->place == TAF_PEAK_PARABOLA && p->place == p->width) {
		if (get(j, (uint64_t)p->place - 1, 3, e) != TAF_OK)
			return e->code;
		taf_peaks_parabola(p, j->x[0], j->x[1], j->x[2]);
	} else if (j->l->how->place == TAF_PEAK_CENTROID && taf_peaks_has_centroid(p)) {
		for (at = left->last; at <= right->last; at += n) {
			n = block(at, right->last + 1);
			if (get(j, at, n, e) != TAF_OK)
				return e->code;
			taf_peaks_weigh(&m, p, j->x, at, n);
		}
		taf_peaks_centroid(p, &m);
	} else {
		taf_peaks_middle(p);
	}
	return TAF_OK;
}

static enum taf_status
measure_all(struct job *j, struct taf_err *e)
{
	struct taf_store sides = { NULL, 0, false }, numbers = { NULL, 0, false };
	struct side *left, *right;
	enum taf_status st;
	size_t i;

	if (j->found == 0)
		return TAF_OK;
	st = taf_store_grow(&sides, j->found, 2 * sizeof *left, share(j), e);
	left = sides.p;
	right = left + (st == TAF_OK ? j->found : 0);
	if (st == TAF_OK)
		st = taf_store_grow(&numbers, j->found, sizeof(size_t), share(j), e);
	if (st == TAF_OK)
		st = find_sides(j, true, right, numbers.p, e);
	if (st == TAF_OK)
		st = find_sides(j, false, left, numbers.p, e);
	for (i = 0; i < j->found && st == TAF_OK; i++) {
		struct taf_peak *p = &j->peak[i];
		const double width = p->height > 0 ? right[i].place - left[i].place :
		    (double)NAN;

		st = place(j, p, &left[i], &right[i], e);
		p->width = width;
	}
	taf_store_free(&sides);
	taf_store_free(&numbers);
	return st;
}

/* --- passages --- */

static enum taf_status
find_passages(struct job *j, struct taf_err *e)
{
	const struct taf_peaks *how = j->l->how;
	double extremes[2] = { (double)INFINITY, -(double)INFINITY };
	struct taf_passages s = { .level = 0 };
	enum taf_status st = TAF_OK;
	bool over = false;
	uint64_t first;
	size_t n, at, part;

	for (first = 0; !how->leveled && first < j->l->n && st == TAF_OK; first += n) {
		n = block(first, j->l->n);
		st = get(j, first, n, e);
		if (st == TAF_OK)
			taf_peaks_extremes(j->x, n, extremes);
	}
	s.level = taf_peaks_level(how, extremes);
	for (first = 0; !over && first < j->l->n && st == TAF_OK; first += n) {
		n = block(first, j->l->n);
		st = get(j, first, n, e);
		for (at = 0; !over && at < n && st == TAF_OK; at += part) {
			/*
			 * each point may be a passage, until there
			 * are as many as are wanted
			 */
			const uint64_t left = how->count > 0 ? how->count - j->found : n;

			part = left > 0 && left < n - at ? (size_t)left : n - at;
			st = make_room(j, left > 0 ? part : 0, e);
			if (st == TAF_OK)
				over = taf_passages_find(&s, how, j->x + at, first + at,
				    part, j->peak);
			j->found = s.found;
		}
	}
	return st;
}

enum taf_status
taf_peaking_long(const struct taf_peaking_long *l, bool measure, size_t *found,
    struct taf_err *e)
{
	struct job *j = malloc(sizeof *j);
	enum taf_status st;

	*found = 0;
	if (j == NULL)
		return taf_fail_mem(e);
	/* peaks say what is read again, and how many are kept */
	taf_need_again(TAF_NEED_MOST);
	taf_need_map(TAF_NEED_MOST);
	j->l = l;
	j->peak = l->peaks->p;
	j->found = 0;
	if (l->how->edges != 0) {
		st = find_passages(j, e);
	} else {
		st = find_tops(j, e);
		if (st == TAF_OK)
			st = choose(j, e);
		if (st == TAF_OK && measure)
			st = measure_all(j, e);
	}
	*found = j->found;
	free(j);
	return st;
}
