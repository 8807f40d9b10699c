/* SPDX-License-Identifier: ISC */
#include "op/line/peaking_line.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf_private.h"
#include "base/need.h"

enum { BLOCK = 4 * 1024, WORD = 8 };

/* Where a peak ends: between the points, and the last point above half its height. */
struct side {
	double place;
	uint64_t last;
};

/* A block of a reader's line. */
struct piece {
	unsigned char raw[BLOCK * WORD];
	double x[BLOCK];
	struct taf_peak some[BLOCK / 2 + 2];
};

struct job {
	const struct taf_peaking_line *l;
	struct taf_peak *peak;
	size_t found;
	struct taf_peak *some;		/* tops of a block */
	/* of a line in memory, parts of its scratch */
	struct side *sides;		/* two for each peak */
	size_t *numbers;
	struct piece *piece;		/* of a reader's line */
};

/* The next block: from first on, before end. */
static size_t
block(uint64_t first, uint64_t end)
{
	return end - first < BLOCK ? (size_t)(end - first) : BLOCK;
}

/* Tops that a block of n points ends, and one that is written ahead. */
static size_t
block_tops(uint64_t n)
{
	return block(0, n) / 2 + 2;
}

/* Do peaks stand for themselves?  Else all are asked who is near. */
static bool
highest_alone(const struct taf_peaks *how)
{
	return how->count > 0 && how->distance <= 1;
}

/* The greatest number of peaks that are kept at one time. */
static uint64_t
most_peaks(const struct taf_peaks *how, uint64_t n)
{
	const uint64_t all = how->edges != 0 ? n : n / 2 + 1;

	return how->count > 0 && how->count < all && (how->edges != 0 ||
	    highest_alone(how)) ? how->count : all;
}

uint64_t
taf_peaking_bytes(const struct taf_peaks *how, uint64_t n)
{
	return n > SIZE_MAX / 128 ? UINT64_MAX :
	    most_peaks(how, n) * (sizeof(struct taf_peak) + 2 * sizeof(struct side) +
	    sizeof(size_t)) + block_tops(n) * sizeof(struct taf_peak);
}

size_t
taf_peaking_piece(void)
{
	return sizeof(struct piece);
}

/* Points of the line from number first on, BLOCK at most. */
static enum taf_status
get(struct job *j, uint64_t first, size_t n, const double **x, struct taf_err *e)
{
	const struct taf_peaking_line *l = j->l;

	if (l->x != NULL) {
		*x = l->x + first;
		return TAF_OK;
	}
	*x = j->piece->x;
	if (taf_reader_at(l->r, j->piece->raw, l->base + first, n, e) != TAF_OK)
		return e->code;
	/* any integer and any float is the double next to it */
	(void)taf_recode(l->recode, j->piece->x, j->piece->raw, n, NULL);
	return TAF_OK;
}

/* Memory for a list of a reader's line: there are three at once. */
static enum taf_status
grow(const struct job *j, struct taf_store *s, size_t count, size_t each,
    struct taf_err *e)
{
	return taf_store_grow(s, count, each, taf_memory_share(j->l->memory, TAF_BATCH),
	    e);
}

/* Room for so many more peaks; the scratch has it for all. */
static enum taf_status
make_room(struct job *j, size_t more, struct taf_err *e)
{
	if (j->l->x != NULL)
		return TAF_OK;
	if (grow(j, j->l->peaks, j->found + more, sizeof *j->peak, e) != TAF_OK)
		return e->code;
	j->peak = j->l->peaks->p;
	return TAF_OK;
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
	const bool few = highest_alone(how);
	struct taf_tops t = { .after = false };
	enum taf_status st = TAF_OK;
	const double *x;
	uint64_t first;
	size_t n, i, some;

	if (how->count == 1 && j->l->x != NULL &&
	    taf_peaks_greatest(j->l->x, (size_t)j->l->n, j->peak)) {
		j->found = j->peak->height >= how->minimum;
		return TAF_OK;
	}
	for (first = 0; first < j->l->n && st == TAF_OK; first += n) {
		n = block(first, j->l->n);
		st = get(j, first, n, &x, e);
		some = st == TAF_OK ? taf_tops_find(&t, x, first, n, j->some) : 0;
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
choose(struct job *j, struct taf_store *numbers, struct taf_err *e)
{
	if (j->l->x == NULL) {
		if (grow(j, numbers, j->found, sizeof(struct taf_peak *), e) != TAF_OK)
			return e->code;
		j->numbers = numbers->p;
	}
	j->found = taf_peaks_choose(j->l->how, j->peak, j->found,
	    (const struct taf_peak **)(void *)j->numbers);
	return TAF_OK;
}

/* --- how wide --- */

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

/* Where that peak begins, in steps from the side where the way does. */
static uint64_t
begin(const struct job *j, size_t k, bool back)
{
	const struct taf_peak *p;

	if (k == j->found)
		return UINT64_MAX;
	p = peak_on_way(j, k, back);
	return back ? (uint64_t)p->width : j->l->n - 1 - (uint64_t)p->place;
}

/*
 * The sides of all peaks: with back those behind them, on the way forward through the
 * line, else those before, on the way back.  Points are looked at where a peak begins or
 * waits.
 */
static enum taf_status
find_sides(struct job *j, bool back, struct side *side, struct taf_err *e)
{
	const uint64_t n = j->l->n;
	struct waiting w = { j->peak, j->numbers, 0 };
	size_t k = next_peak(j, 0, back), some;
	uint64_t next = begin(j, k, back), first, at;
	const double *x;
	double last = 0;

	for (at = 0; at < n && (w.n > 0 || next < n);) {
		at = w.n > 0 ? at : next;
		first = at;
		some = block(first, n);
		if (get(j, back ? first : n - first - some, some, &x, e) != TAF_OK)
			return e->code;
		for (; at - first < some; at++) {
			double v;

			if (w.n == 0)
				at = next;
			if (at - first >= some)
				break;
			v = plain(x[back ? at - first : some - 1 - (at - first)]);
			while (w.n > 0 && v <= half(&w, 0)) {
				const double h = half(&w, 0);
				struct side *s = &side[pop(&w)];

				s->last = back ? at - 1 : n - at;
				s->place = taf_peaks_side(h, v, last, s->last, n, back);
			}
			last = v;
			if (at == next) {
				push(&w, back ? k : j->found - 1 - k);
				k = next_peak(j, k + 1, back);
				next = begin(j, k, back);
			}
		}
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
	const double *x;
	uint64_t at;
	size_t n;

	if (j->l->how->place == TAF_PEAK_PARABOLA && p->place == p->width) {
		if (get(j, (uint64_t)p->place - 1, 3, &x, e) != TAF_OK)
			return e->code;
		taf_peaks_parabola(p, x[0], x[1], x[2]);
	} else if (j->l->how->place == TAF_PEAK_CENTROID && taf_peaks_has_centroid(p)) {
		for (at = left->last; at <= right->last; at += n) {
			n = block(at, right->last + 1);
			if (get(j, at, n, &x, e) != TAF_OK)
				return e->code;
			taf_peaks_weigh(&m, p, x, at, n);
		}
		taf_peaks_centroid(p, &m);
	} else {
		taf_peaks_middle(p);
	}
	return TAF_OK;
}

/* Place and width of the peaks that are wanted. */
static enum taf_status
measure_all(struct job *j, struct taf_store *sides, struct taf_err *e)
{
	const struct side *left, *right;
	enum taf_status st = TAF_OK;
	size_t i;

	if (j->l->x == NULL) {
		st = grow(j, sides, j->found, 2 * sizeof *j->sides, e);
		j->sides = sides->p;
	}
	if (st == TAF_OK)
		st = find_sides(j, false, j->sides, e);
	if (st == TAF_OK)
		st = find_sides(j, true, j->sides + j->found, e);
	left = j->sides;
	right = st == TAF_OK ? left + j->found : NULL;
	for (i = 0; i < j->found && st == TAF_OK; i++) {
		struct taf_peak *p = &j->peak[i];
		const double width = p->height > 0 ? right[i].place - left[i].place :
		    (double)NAN;

		st = place(j, p, &left[i], &right[i], e);
		p->width = width;
	}
	return st;
}

/* Peaks: which, and with measure how wide. */
static enum taf_status
find_peaks(struct job *j, bool measure, struct taf_err *e)
{
	struct taf_store numbers = { NULL, 0, false }, sides = { NULL, 0, false };
	enum taf_status st = find_tops(j, e);

	if (st == TAF_OK && j->found > 0)
		st = choose(j, &numbers, e);
	if (st == TAF_OK && measure && j->found > 0)
		st = measure_all(j, &sides, e);
	taf_store_free(&numbers);
	taf_store_free(&sides);
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
	const double *x;
	bool over = false;
	uint64_t first;
	size_t n, at, part;

	for (first = 0; !how->leveled && first < j->l->n && st == TAF_OK; first += n) {
		n = block(first, j->l->n);
		st = get(j, first, n, &x, e);
		if (st == TAF_OK)
			taf_peaks_extremes(x, n, extremes);
	}
	s.level = taf_peaks_level(how, extremes);
	for (first = 0; !over && first < j->l->n && st == TAF_OK; first += n) {
		n = block(first, j->l->n);
		st = get(j, first, n, &x, e);
		for (at = 0; !over && at < n && st == TAF_OK; at += part) {
			/*
			 * each point may be a passage, until there
			 * are as many as are wanted
			 */
			const uint64_t left = how->count > 0 ? how->count - j->found : n;

			part = left > 0 && left < n - at ? (size_t)left : n - at;
			st = make_room(j, left > 0 ? part : 0, e);
			if (st == TAF_OK)
				over = taf_passages_find(&s, how, x + at, first + at,
				    part, j->peak);
			j->found = s.found;
		}
	}
	return st;
}

/* A line in memory: the parts of its scratch. */
static void
lay_out(struct job *j)
{
	const size_t most = (size_t)most_peaks(j->l->how, j->l->n);

	j->sides = j->l->scratch;
	j->peak = (struct taf_peak *)(void *)(j->sides + 2 * most);
	j->some = j->peak + most;
	j->numbers = (size_t *)(void *)(j->some + block_tops(j->l->n));
}

enum taf_status
taf_peaking_line(const struct taf_peaking_line *l, bool measure,
    const struct taf_peak **peak, size_t *found, struct taf_err *e)
{
	struct job j = { .l = l };
	enum taf_status st;

	*found = 0;
	if (l->x != NULL) {
		lay_out(&j);
	} else {
		/* peaks say what is read again, and how many are kept */
		taf_need_again(TAF_NEED_MOST);
		taf_need_map(TAF_NEED_MOST);
		j.piece = l->scratch;
		j.some = j.piece->some;
		j.peak = l->peaks->p;
	}
	st = l->how->edges != 0 ? find_passages(&j, e) : find_peaks(&j, measure, e);
	*peak = j.peak;
	*found = j.found;
	return st;
}
