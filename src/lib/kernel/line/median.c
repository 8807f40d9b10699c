/* SPDX-License-Identifier: ISC */
#include "kernel/line/median.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "kernel/stat/sort.h"

/* Windows of so many points are kept in order themselves; of others, bits by rank. */
enum { FEW = 192 };

/*
 * What lies between two middles; without -0, of which it depends on the past where it is.
 */
static double
middle(double a, double b)
{
	return a == b ? a + 0.0 : a * 0.5 + b * 0.5;
}

/* Points in order, NaN as infinities. */
struct few {
	double *s;
	size_t n, nans;
};

static void
few_in(struct few *w, double x)
{
	size_t i = w->n++;

	w->nans += x != x;
	x = x == x ? x : (double)INFINITY;
	for (; i > 0 && w->s[i - 1] > x; i--)
		w->s[i] = w->s[i - 1];
	w->s[i] = x;
}

static void
few_out(struct few *w, double x)
{
	size_t i = 0;

	w->nans -= x != x;
	x = x == x ? x : (double)INFINITY;
	while (w->s[i] < x)
		i++;
	for (w->n--; i < w->n; i++)
		w->s[i] = w->s[i + 1];
}

/* One comes in the place of another. */
static void
few_swap(struct few *w, double in, double out)
{
	double *s = w->s;
	size_t i = 0;

	w->nans += in != in;
	w->nans -= out != out;
	in = in == in ? in : (double)INFINITY;
	out = out == out ? out : (double)INFINITY;
	/* without a branch: as many as there are */
	for (size_t k = 0; k < w->n; k++)
		i += s[k] < out;
	for (; i + 1 < w->n && s[i + 1] < in; i++)
		s[i] = s[i + 1];
	for (; i > 0 && s[i - 1] > in; i--)
		s[i] = s[i - 1];
	s[i] = in;
}

static void
by_few(const struct taf_median *how, double *out, size_t n, double *scratch)
{
	struct few w = { scratch, 0, 0 };
	size_t i, low = how->begin, high = low;

	for (i = 0; i < n; i++) {
		const size_t from = i > how->begin ? i : how->begin;
		const size_t to = i + how->width < how->end ? i + how->width : how->end;

		if (low + 1 == from && high + 1 == to) {
			few_swap(&w, how->x[high++], how->x[low++]);
		} else {
			while (high < to)
				few_in(&w, how->x[high++]);
			while (low < from)
				few_out(&w, how->x[low++]);
		}
		out[i] = w.nans > 0 ? (double)NAN :
		    middle(w.s[(w.n - 1) / 2], w.s[w.n / 2]);
	}
}

enum { LEVELS = 6 };	/* of words of 64 bits, each of them for 64 of the level below */

/*
 * Which ranks are in the window: bit i of a level says whether word i of the level below
 * is not 0.  at is the rank of one of them, and below so many come before it.
 */
struct ranks {
	uint64_t *level[LEVELS];
	unsigned levels;
	size_t at, below, n;
};

/* The next rank behind, or before, i that is there; one is. */
static size_t
next(const struct ranks *r, size_t i)
{
	unsigned l = 0;
	uint64_t w;

	for (;; l++, i /= 64) {
		w = i % 64 == 63 ? 0 : r->level[l][i / 64] & ~UINT64_C(0) << (i % 64 + 1);
		if (w != 0)
			break;
	}
	for (i = i / 64 * 64 + (size_t)taf_low_bit(w); l > 0; l--)
		i = 64 * i + (size_t)taf_low_bit(r->level[l - 1][i]);
	return i;
}

static size_t
previous(const struct ranks *r, size_t i)
{
	unsigned l = 0;
	uint64_t w;

	for (;; l++, i /= 64) {
		w = r->level[l][i / 64] & ~(~UINT64_C(0) << i % 64);
		if (w != 0)
			break;
	}
	for (i = i / 64 * 64 + (size_t)taf_top_bit(w); l > 0; l--)
		i = 64 * i + (size_t)taf_top_bit(r->level[l - 1][i]);
	return i;
}

static void
rank_in(struct ranks *r, size_t i)
{
	unsigned l;
	size_t k = i;

	for (l = 0; l < r->levels; l++, k /= 64)
		r->level[l][k / 64] |= UINT64_C(1) << k % 64;
	if (r->n++ == 0)
		r->at = i;
	else
		r->below += i < r->at;
}

static void
rank_out(struct ranks *r, size_t i)
{
	unsigned l;
	size_t k = i;

	if (i == r->at && r->n > 1) {
		const bool last = r->below == r->n - 1;

		r->at = last ? previous(r, i) : next(r, i);
		r->below -= last;
	} else {
		r->below -= i < r->at;
	}
	r->n--;
	for (l = 0; l < r->levels; l++, k /= 64) {
		r->level[l][k / 64] &= ~(UINT64_C(1) << k % 64);
		if (r->level[l][k / 64] != 0)
			break;
	}
}

/* Go to the lower middle. */
static void
rank_settle(struct ranks *r)
{
	for (; r->below > (r->n - 1) / 2; r->below--)
		r->at = previous(r, r->at);
	for (; r->below < (r->n - 1) / 2; r->below++)
		r->at = next(r, r->at);
}

/* Words of all levels for n ranks. */
static size_t
words(size_t n)
{
	size_t all = 0;

	do {
		n = (n + 63) / 64;
		all += n;
	} while (n > 1);
	return all;
}

static void
by_ranks(const struct taf_median *how, double *out, size_t n, double *scratch)
{
	const size_t all = how->end - how->begin;
	const struct taf_sort sort = taf_sort_plan(TAF_FLT64, NULL, false, true, all);
	const double *x = how->x + how->begin;
	int64_t *number = (void *)scratch, *rank = number + all;
	void *records = rank + all;
	struct ranks r = { .levels = 0 };
	uint64_t *word = (void *)((unsigned char *)records + 2 * all * sort.record);
	size_t i, k, low = 0, high = 0, nans = 0;

	taf_sort_make(&sort, records, x, all, 0);
	taf_sort_records(&sort, records, (unsigned char *)records + all * sort.record,
	    all);
	taf_sort_give(&sort, number, records, all);
	for (i = 0; i < all; i++)
		rank[--number[i]] = (int64_t)i;
	memset(word, 0, words(all) * sizeof *word);
	k = all;
	do {
		k = (k + 63) / 64;
		r.level[r.levels++] = word;
		word += k;
	} while (k > 1);
	for (i = 0; i < n; i++) {
		const size_t from = i > how->begin ? i - how->begin : 0;
		const size_t to = i + how->width < how->end ? i + how->width -
		    how->begin : all;

		for (; high < to; high++) {
			rank_in(&r, (size_t)rank[high]);
			nans += x[high] != x[high];
		}
		for (; low < from; low++) {
			rank_out(&r, (size_t)rank[low]);
			nans -= x[low] != x[low];
		}
		rank_settle(&r);
		out[i] = nans > 0 ? (double)NAN : middle(x[number[r.at]],
		    r.n % 2 == 0 ? x[number[next(&r, r.at)]] : x[number[r.at]]);
	}
}

size_t
taf_median_scratch(size_t width, size_t n)
{
	const size_t all = n + width - 1;

	/* numbers and ranks, records twice */
	return width <= FEW ? width + 1 : 2 * all + 4 * all + words(all);
}

void
taf_median(const struct taf_median *how, double *out, size_t n, double *scratch)
{
	if (how->width <= FEW)
		by_few(how, out, n, scratch);
	else
		by_ranks(how, out, n, scratch);
}
