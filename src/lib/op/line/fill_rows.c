/* SPDX-License-Identifier: ISC */
#include "op/line/fill_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "stream/tiles.h"

enum {
	PLANE = 1024 * 1024,	/* bytes of lines side by side that are worth it */
	ROWS = 4 * PLANE,	/* bytes of rows at a time */
	ALSO = 16,		/* rows for what is known of lines */
	FEW = 256		/* of so many elements one is better read by itself */
};

/* Rows from place at of a line on. */
struct piece {
	uint64_t at;
	size_t rows;
	bool more;			/* the lines go on */
	const unsigned char *in;
	struct taf_numbers_at before, behind;	/* in the scratch, as the next */
	bool *filled;
	uint64_t left;
};

struct job {
	const struct taf_fill *how;
	void (*inside)(const struct taf_fill *how, uint64_t first, size_t n,
	    bool *filled);
	struct taf_cut cut;
	size_t size, inner, most;	/* most: rows at a time */
	uint64_t o, at;			/* of the next rows */
	/*
	 * The last numbers of lines that the last row, which is kept, has NaN of; the
	 * next ones of those that were looked for.
	 */
	struct taf_numbers_at before, behind;
	unsigned char *last;
	bool *filled;
	size_t *open;			/* lines whose next number is looked for */
	unsigned char *row;
	struct piece piece[TAF_THREADS_MOST];
};

static uint64_t
rows_at_a_time(const struct taf_fill *how, const struct taf_cut *cut, size_t size)
{
	const uint64_t share = taf_memory_share(how->service->memory, TAF_MANY);
	const uint64_t rows = (share < ROWS ? share : ROWS) / (cut->inner * size);

	return rows < 1 ? 1 : rows < cut->len ? rows : cut->len;
}

bool
taf_fill_by_rows(const struct taf_fill *how)
{
	const struct taf_cut cut = taf_array_cut(how->a, how->dim);
	const size_t size = taf_type_size(how->a->type);
	uint64_t row, bytes;

	return cut.inner > 1 && taf_reader_plain(how->r) &&
	    taf_mul(cut.inner, size, &row) &&
	    row <= taf_memory_share(how->service->memory, TAF_MANY) &&
	    cut.len > PLANE / row &&
	    taf_mul(2 * rows_at_a_time(how, &cut, size) + ALSO, row, &bytes) &&
	    bytes <= taf_memory_share(how->service->memory, TAF_BATCH);
}

static unsigned
threads_for(const struct taf_fill *how, const struct job *j)
{
	const uint64_t each = (2 * j->most + ALSO) * j->inner * j->size;

	return taf_threads_some(how->service->memory, taf_threads(how->service), each,
	    each);
}

static void
set(const struct job *j, const struct taf_numbers_at *to, size_t k, const void *element,
    uint64_t at)
{
	if (at != TAF_GAP_NONE)
		memcpy((unsigned char *)to->element + k * j->size, element, j->size);
	to->at[k] = at;
}

static void
copy(const struct job *j, const struct taf_numbers_at *to,
    const struct taf_numbers_at *from, size_t k)
{
	set(j, to, k, (const unsigned char *)from->element + k * j->size, from->at[k]);
}

static bool
is_number(const struct job *j, const unsigned char *row, size_t k)
{
	return taf_gaps_number(row + k * j->size, j->how->a->type, 1) == 0;
}

static size_t
next_nan(const struct job *j, const unsigned char *row, size_t k)
{
	return taf_gaps_nan(row, j->how->a->type, j->inner, k);
}

/* Keep those of n open lines whose element in this row, or NULL, is NaN. */
static enum taf_status
look_at(struct job *j, size_t *n, uint64_t place, struct taf_err *e)
{
	const uint64_t first = (j->o * j->cut.len + place) * j->inner;
	const bool few = *n < j->inner / FEW;
	enum taf_status st = TAF_OK;
	size_t i, left = 0;

	if (!few)
		st = taf_reader_at(j->how->r, j->row, first, j->inner, e);
	for (i = 0; i < *n && st == TAF_OK; i++) {
		const size_t k = j->open[i];
		unsigned char *p = j->row + k * j->size;

		if (few)
			st = taf_reader_at(j->how->r, p, first + k, 1, e);
		if (is_number(j, j->row, k))
			set(j, &j->behind, k, p, place);
		else
			j->open[left++] = k;
	}
	*n = left;
	return st;
}

/* The first numbers behind rows that end in NaN: each gap is walked along once. */
static enum taf_status
look_behind(struct job *j, struct piece *b, struct taf_err *e)
{
	const unsigned char *last = b->in + (b->rows - 1) * j->inner * j->size;
	const uint64_t end = b->at + b->rows;
	enum taf_status st = TAF_OK;
	uint64_t place;
	size_t n = 0, k;

	for (k = next_nan(j, last, 0); k < j->inner; k = next_nan(j, last, k + 1))
		if (j->behind.at[k] < end)
			j->open[n++] = k;
	for (place = end; n > 0 && place < j->cut.len && st == TAF_OK; place++)
		st = look_at(j, &n, place, e);
	while (n > 0)
		j->behind.at[j->open[--n]] = TAF_GAP_NONE;
	for (k = next_nan(j, last, 0); k < j->inner; k = next_nan(j, last, k + 1))
		copy(j, &b->behind, &j->behind, k);
	return st;
}

/* The last number before these rows of line k. */
static void
last_number(const struct job *j, const struct piece *b, const struct taf_numbers_at *to,
    size_t k)
{
	if (b->at == 0)
		to->at[k] = TAF_GAP_NONE;
	else if (is_number(j, j->last, k))
		set(j, to, k, j->last + k * j->size, b->at - 1);
	else if (to != &j->before)
		copy(j, to, &j->before, k);
}

/* What is known before these rows, and before the next ones. */
static void
look_before(struct job *j, struct piece *b)
{
	const size_t row = j->inner * j->size;
	const unsigned char *last = b->in + (b->rows - 1) * row;
	size_t i, k;

	for (k = next_nan(j, b->in, 0); k < j->inner; k = next_nan(j, b->in, k + 1))
		last_number(j, b, &b->before, k);
	for (k = next_nan(j, last, 0); b->more && k < j->inner;
	    k = next_nan(j, last, k + 1)) {
		for (i = b->rows - 1; i > 0 && !is_number(j, b->in + (i - 1) * row, k); )
			i--;
		if (i > 0)
			set(j, &j->before, k, b->in + (i - 1) * row + k * j->size,
			    b->at + i - 1);
		else
			last_number(j, b, &j->before, k);
	}
	memcpy(j->last, last, row);
}

static void
begin_lines(struct job *j)
{
	size_t k;

	for (k = 0; k < j->inner; k++)
		j->behind.at[k] = 0;
	if (j->inside != NULL)
		j->inside(j->how, j->o * j->inner, j->inner, j->filled);
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct piece *b = &j->piece[t->slot];
	const uint64_t rest = j->cut.len - j->at;

	if (j->o == j->cut.outer)
		return false;
	b->at = j->at;
	b->rows = rest < j->most ? (size_t)rest : j->most;
	b->more = b->rows < rest;
	t->out = (struct taf_runs){ .first = (j->o * j->cut.len + j->at) * j->inner,
		.n = b->rows * j->inner, .runs = 1 };
	t->in[0] = t->out;
	t->scratch_size = j->inner * (2 * j->size + 2 * sizeof *b->before.at +
	    sizeof *b->filled);
	return true;
}

/* The parts of the scratch, those of larger members first. */
static void
lay_out(struct job *j, const struct taf_tile *t)
{
	struct piece *b = &j->piece[t->slot];
	uint64_t *const at = t->scratch;
	unsigned char *const element = (unsigned char *)(at + 2 * j->inner);

	b->in = t->raw[0];
	b->before = (struct taf_numbers_at){ .at = at, .element = element };
	b->behind = (struct taf_numbers_at){ .at = at + j->inner,
		.element = element + j->inner * j->size };
	b->filled = (bool *)(element + 2 * j->inner * j->size);
}

static enum taf_status
pass(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct piece *b = &j->piece[t->slot];
	enum taf_status st = TAF_OK;

	lay_out(j, t);
	if (j->at == 0)
		begin_lines(j);
	if (b->more && j->how->rule != TAF_GAP_PREVIOUS)
		st = look_behind(j, b, e);
	if (st != TAF_OK)
		return st;
	look_before(j, b);
	/* the next lines may begin before these rows are done */
	if (j->inside != NULL)
		memcpy(b->filled, j->filled, j->inner * sizeof *b->filled);
	j->at += b->rows;
	if (!b->more) {
		j->at = 0;
		j->o++;
	}
	return TAF_OK;
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct piece *b = &j->piece[t->slot];
	const struct taf_region *r = j->how->region;
	const unsigned dim = j->how->dim - 1;
	struct taf_gap_lines m = { .type = j->how->a->type, .how = j->how->rule,
	    .part = { r->first[dim], r->step[dim], r->count[dim] }, .in = b->in,
	    .out = t->stored, .lines = j->inner, .len = b->rows, .in_step = j->inner,
	    .out_step = j->inner, .filled = j->inside != NULL ? b->filled : NULL,
	    .at = b->at, .before = b->before };

	(void)e;
	if (b->more && m.how != TAF_GAP_PREVIOUS)
		m.behind = b->behind;
	b->left += taf_gaps_fill_beside(&m);
	return TAF_OK;
}

static bool
open_numbers(const struct job *j, struct taf_numbers_at *of)
{
	of->element = taf_alloc(j->inner, j->size);
	of->at = taf_alloc(j->inner, sizeof *of->at);
	return of->element != NULL && of->at != NULL;
}

static void
close_numbers(struct taf_numbers_at *of)
{
	free(of->element);
	free(of->at);
}

static enum taf_status
open_job(struct job *j, struct taf_err *e)
{
	const size_t row = j->inner * j->size;
	bool good = open_numbers(j, &j->before) && open_numbers(j, &j->behind);

	j->last = taf_alloc(1, row);
	j->row = taf_alloc(1, row);
	j->filled = taf_alloc(j->inner, sizeof *j->filled);
	j->open = taf_alloc(j->inner, sizeof *j->open);
	good = good && j->last != NULL && j->row != NULL && j->filled != NULL &&
	    j->open != NULL;
	return good ? taf_reader_random(j->how->r, e) : taf_fail_mem(e);
}

static void
close_job(struct job *j, uint64_t *left)
{
	unsigned k;

	close_numbers(&j->before);
	close_numbers(&j->behind);
	free(j->last);
	free(j->row);
	free(j->filled);
	free(j->open);
	for (k = 0; k < TAF_THREADS_MOST; k++)
		*left += j->piece[k].left;
}

enum taf_status
taf_fill_rows(const struct taf_fill *how,
    void (*inside)(const struct taf_fill *how, uint64_t first, size_t n, bool *filled),
    uint64_t *left, struct taf_err *e)
{
	struct job j = { .how = how, .inside = inside,
	    .cut = taf_array_cut(how->a, how->dim),
	    .size = taf_type_size(how->a->type) };
	struct taf_tiles tiles = { .r = &how->r, .esize = &j.size, .nin = 1,
		.w = how->w, .osize = j.size, .record = 1,
		.count = taf_array_count(how->a), .ctx = &j, .next = next, .pass = pass,
		.work = work };
	enum taf_status st;

	j.inner = (size_t)j.cut.inner;
	j.most = (size_t)rows_at_a_time(how, &j.cut, j.size);
	tiles.threads = threads_for(how, &j);
	st = open_job(&j, e);
	if (st == TAF_OK)
		st = taf_tiles(&tiles, e);
	close_job(&j, left);
	return st;
}
