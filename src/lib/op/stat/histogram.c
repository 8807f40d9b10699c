/* SPDX-License-Identifier: ISC */
#include "op/stat/histogram.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/need.h"
#include "base/str.h"
#include "kernel/number/convert_private.h"
#include "kernel/stat/hist.h"
#include "op/number/cast.h"
#include "stream/lines.h"
#include "stream/tiles.h"

enum {
	BLOCK = 64 * 1024,		/* elements */
	TABLE = 64 * 1024,		/* elements that are worth a table of bins */
	BINS = 100,			/* where no number is given */
	MOST = 1 << 30			/* bins */
};

struct job {
	const struct taf_histogram *h;
	struct taf_bins bins;
	uint64_t at, count;
	uint64_t *counts[TAF_THREADS_MOST];
};

/* As the kernel wants to know it. */
static struct taf_bins
bins_of(const struct taf_histogram *h, const struct taf_array *a)
{
	const double map[2] = { a->intercept, a->slope };
	struct taf_bins b;

	b = taf_bins_plan(h->edge, h->n, a->type, taf_array_mapped(a) ? map : NULL);
	b.bin_of = h->bin_of;
	return b;
}

/* The span of bins of some width: multiples of it, or a range that has so many. */
static enum taf_status
span(const struct taf_histogram *h, double low, double high, double *first, uint64_t *n,
    struct taf_err *e)
{
	const double from = low / h->width, to = high / h->width;
	double count;

	/* beyond that neighbours are not told apart */
	if (!(from > -0x1p52 && to < 0x1p52))
		return taf_fail(e, TAF_EDATA,
		    "a width of %s is too small for values from %s to %s",
		    taf_f64(h->width).s, taf_brief(low).s, taf_brief_beside(high, low).s);
	*first = (double)(int64_t)from;
	*first -= *first > from;
	count = (double)(int64_t)to;
	count -= count > to;
	count += 1 - *first;
	if (!(count < MOST))
		return taf_fail(e, TAF_EDATA, "%s bins are too many", taf_brief(count).s);
	/* quotients and products are rounded: no value may lie outside for that */
	if (*first * h->width > low) {
		*first -= 1;
		count += 1;
	}
	if ((*first + count) * h->width <= high)
		count += 1;
	*n = (uint64_t)count;
	return TAF_OK;
}

/*
 * Bins for integers, where none are asked for: each of as many whole numbers as the
 * others, with edges between them, where doubles hold these.
 */
static void
whole_bins(double *low, double *high, uint64_t *n)
{
	const uint64_t numbers = (uint64_t)(*high - *low) + 1;
	const uint64_t width = (numbers + BINS - 1) / BINS;

	*n = (numbers + width - 1) / width;
	*low -= 0.5;
	*high = *low + (double)(*n * width);
}

static enum taf_status
open_bins(struct taf_histogram *h, uint64_t n, struct taf_err *e)
{
	const uint64_t each = (2 + taf_threads(h->service)) * sizeof *h->count;

	if (n >= MOST || !taf_memory_fits(h->service->memory, n, each))
		return taf_fail(e, TAF_EDATA, "%llu bins need more memory than -m allows",
		    (unsigned long long)n);
	h->n = (size_t)n;
	h->edge = taf_alloc(h->n + 1, sizeof *h->edge);
	h->count = calloc(h->n + 3, sizeof *h->count);
	return h->edge != NULL && h->count != NULL ? TAF_OK : taf_fail_mem(e);
}

/* As much as an integer may have lost when it became this number. */
static double
rounded(double x)
{
	return x >= 0x1p53 ? x * DBL_EPSILON : x <= -0x1p53 ? -x * DBL_EPSILON : 0;
}

/* The range that bins shall have, where none is given: as numpy has it. */
static enum taf_status
find_range(const struct taf_histogram *h, struct taf_reader *r, const struct taf_array *a,
    double *low, double *high, struct taf_err *e)
{
	struct taf_range range;
	enum taf_status st;

	if (taf_array_count(a) == 0)
		return taf_fail(e, TAF_EDATA, "there are no values: --range is needed");
	st = taf_range_of(r, a, taf_threads(h->service), &range, e);
	if (st != TAF_OK)
		return st;
	if (range.finite == 0)
		return taf_fail(e, TAF_EDATA, "no value is finite: --range is needed");
	*low = range.min;
	*high = range.max;
	/* of large integers these are rounded, and the range has all of them */
	if (a->type == TAF_INT64 || a->type == TAF_UINT64) {
		*low -= rounded(*low);
		*high += rounded(*high);
	}
	return TAF_OK;
}

static enum taf_status
choose_bins(struct taf_histogram *h, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e)
{
	const bool narrow = a->type == TAF_FLT32 && !taf_array_mapped(a);
	const bool whole = taf_type_is_int(a->type) && !taf_array_mapped(a);
	double low = h->low, high = h->high, first = 0;
	uint64_t n = h->bins > 0 ? h->bins : BINS;
	const bool multiples = h->width > 0 && !h->ranged;
	enum taf_status st = TAF_OK;
	bool good;

	if (!h->ranged)
		st = find_range(h, r, a, &low, &high, e);
	if (st == TAF_OK && multiples) {
		st = span(h, low, high, &first, &n, e);
	} else if (st == TAF_OK && !h->ranged && h->bins == 0 && whole &&
	    low >= -0x1p51 && high <= 0x1p51) {
		whole_bins(&low, &high, &n);
	} else if (low == high) {
		low -= 0.5;
		high += 0.5;
	}
	if (st == TAF_OK)
		st = open_bins(h, n, e);
	if (st != TAF_OK)
		return st;
	good = multiples ? taf_bins_multiples(h->edge, h->n, first, h->width) :
	    taf_bins_between(h->edge, h->n, low, high, narrow);
	return good ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "values from %s to %s cannot be cut into %llu bins",
	    taf_brief_beside(low, high).s, taf_brief_beside(high, low).s,
	    (unsigned long long)n);
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;

	return taf_tile_piece(t, 1, &j->at, j->count, BLOCK);
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	uint64_t **count = &j->counts[t->slot];

	if (*count == NULL && (*count = calloc(j->h->n + 3, sizeof **count)) == NULL)
		return taf_fail_mem(e);
	taf_bins_count(&j->bins, *count, t->raw[0], t->out.n);
	return TAF_OK;
}

static enum taf_status
count_all(struct taf_histogram *h, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e)
{
	const size_t esize = taf_type_size(a->type);
	struct job j = { .h = h, .bins = bins_of(h, a), .count = taf_array_count(a) };
	/* what comes once is counted, and not kept */
	const struct taf_tiles tiles = { .r = &r, .esize = &esize, .nin = 1,
		.count = j.count,
		.scattered = !h->once || !h->ranged || taf_reader_plain(r),
		.threads = taf_threads_for(taf_threads(h->service), j.count / BLOCK),
		.ctx = &j, .next = next, .work = work };
	enum taf_status st;
	unsigned t;
	size_t k;

	taf_need_beside(tiles.threads * (h->n + 3) * sizeof **j.counts);
	st = taf_tiles(&tiles, e);
	for (t = 0; t < TAF_THREADS_MOST; t++) {
		for (k = 0; j.counts[t] != NULL && k < h->n + 3; k++)
			h->count[k] += j.counts[t][k];
		free(j.counts[t]);
	}
	return st;
}

enum taf_status
taf_histogram_count(struct taf_histogram *h, struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e)
{
	enum taf_status st;
	struct taf_bins b;

	taf_need_again((h->ranged ? 0 : taf_array_bytes(a)) +
	    (h->once ? 0 : taf_array_bytes(a)));
	st = choose_bins(h, r, a, e);

	if (st != TAF_OK)
		return st;
	if (taf_bins_patterns(a->type) > 0 && taf_array_count(a) > TABLE) {
		h->bin_of = taf_alloc(taf_bins_patterns(a->type), sizeof *h->bin_of);
		if (h->bin_of == NULL)
			return taf_fail_mem(e);
		b = bins_of(h, a);
		taf_bins_table(&b, h->bin_of);
	}
	return count_all(h, r, a, e);
}

enum taf_type
taf_histogram_type(const struct taf_histogram *h)
{
	return h->density ? TAF_FLT64 : TAF_INT64;
}

/* From counts, with those outside, to results. */
static void
give(const struct taf_histogram *h, const uint64_t *count, void *out)
{
	double *part = out;
	int64_t *whole = out;
	uint64_t total = 0, sum = 0;
	size_t k;

	for (k = 1; k <= h->n; k++)
		total += count[k];
	for (k = 0; k < h->n; k++) {
		sum = (h->cumulative ? sum : 0) + count[k + 1];
		if (!h->density)
			whole[k] = (int64_t)sum;
		else if (h->cumulative)
			part[k] = (double)sum / (double)total;
		else
			part[k] = (double)sum / (h->edge[k + 1] - h->edge[k]) /
			    (double)total;
	}
}

enum taf_status
taf_histogram_put(const struct taf_histogram *h, struct taf_writer *w, struct taf_err *e)
{
	void *out = taf_alloc(h->n, sizeof(double));
	enum taf_status st;

	if (out == NULL)
		return taf_fail_mem(e);
	give(h, h->count, out);
	st = taf_writer_put(w, out, h->n, e);
	free(out);
	return st;
}

struct by_line {
	const struct taf_histogram *h;
	struct taf_bins bins;
	uint64_t *count[TAF_THREADS_MOST];
};

static enum taf_status
count_lines(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	struct by_line *j = ctx;
	const size_t n = j->h->n, in = l->in_len * taf_type_size(j->bins.type);
	uint64_t **count = &j->count[l->thread];
	const unsigned char *from = l->in;
	double *to = l->out;
	size_t i;

	if (*count == NULL)
		*count = taf_alloc(n + 3, sizeof **count);
	if (*count == NULL)
		return taf_fail_mem(e);
	for (i = 0; i < l->lines; i++, from += in, to += n) {
		memset(*count, 0, (n + 3) * sizeof **count);
		taf_bins_count(&j->bins, *count, from, l->in_len);
		give(j->h, *count, to);
	}
	return TAF_OK;
}

enum taf_status
taf_histogram_lines(const struct taf_histogram *h, struct taf_reader *r,
    const struct taf_array *a, unsigned dim, const struct taf_array *out,
    struct taf_writer *w, struct taf_err *e)
{
	struct by_line j = { .h = h, .bins = bins_of(h, a) };
	const struct taf_lines how = { .r = r, .a = a, .dim = dim, .as = a->type,
	    .stored = true, .out = out, .w = w, .give = taf_histogram_type(h),
	    .line = count_lines, .ctx = &j, .memory = h->service->memory,
	    .threads = taf_threads(h->service) };
	enum taf_status st;
	unsigned t;

	taf_need_beside(how.threads * (h->n + 3) * sizeof **j.count);
	st = taf_lines(&how, e);
	for (t = 0; t < TAF_THREADS_MOST; t++)
		free(j.count[t]);
	return st;
}

void
taf_histogram_free(struct taf_histogram *h)
{
	free(h->edge);
	free(h->count);
	free(h->bin_of);
	h->edge = NULL;
	h->count = NULL;
	h->bin_of = NULL;
}
