/* SPDX-License-Identifier: ISC */
#include "op/line/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "op/line/fill_rows.h"
#include "stream/compute.h"
#include "stream/lines.h"
#include "stream/relay.h"

enum { PIECE = 128 * 1024 };	/* elements of a long line */

struct job {
	const struct taf_fill *how;
	size_t size;
	uint64_t left[TAF_THREADS_MOST];	/* NaN, by thread */
	bool *filled[TAF_THREADS_MOST];	/* room for which lines are, by thread */
	size_t room[TAF_THREADS_MOST];
};

/* Is point i of dimension k, from 0, in the region? */
static bool
is_in(const struct taf_region *r, unsigned k, uint64_t i)
{
	return i >= r->first[k] && (i - r->first[k]) % r->step[k] == 0 &&
	    (i - r->first[k]) / r->step[k] < r->count[k];
}

/* n points, from at on, of a line along dimension 1: those of the region are filled. */
static void
fill_run(const struct job *j, unsigned char *p, uint64_t at, size_t n)
{
	const struct taf_fill *how = j->how;
	const struct taf_region *r = how->region;
	const uint64_t step = r->step[0], end = r->first[0] + (r->count[0] - 1) * step +
	    1;
	const uint64_t first = at <= r->first[0] ? r->first[0] :
	    at + (step - (at - r->first[0]) % step) % step;
	const uint64_t last = end < at + n ? end : at + n;
	uint64_t i;

	if (first >= last)
		return;
	if (how->how == TAF_FILL_NAN) {
		taf_gaps_set(p + (first - at) * j->size, how->a->type,
		    (size_t)(last - first), (size_t)step, how->element);
		return;
	}
	for (i = first; i < last; i += step)
		memcpy(p + (i - at) * j->size, how->element, j->size);
}

static enum taf_status
fill_block(void *ctx, const struct taf_block *b, struct taf_err *e)
{
	const struct job *j = ctx;
	const struct taf_array *a = j->how->a;
	unsigned char *p = b->out;
	uint64_t first = b->first;
	size_t n, done;

	(void)e;
	memcpy(p, b->in[0], b->n * j->size);
	for (done = 0; done < b->n; done += n, first += n) {
		const uint64_t len = a->dim[0].n, at = first % len;
		uint64_t line = first / len;
		bool inside = true;
		unsigned k;

		n = len - at < b->n - done ? (size_t)(len - at) : b->n - done;
		for (k = 1; k < a->ndim; k++) {
			inside = inside && is_in(j->how->region, k, line % a->dim[k].n);
			line /= a->dim[k].n;
		}
		if (inside)
			fill_run(j, p + done * j->size, at, n);
	}
	return TAF_OK;
}

/* A line of this number; nothing of it is in part where it lies beside the region. */
static struct taf_gap_line
begin_line(const struct taf_fill *how, uint64_t line)
{
	const struct taf_region *r = how->region;
	const unsigned dim = how->dim - 1;
	struct taf_gap_line m = { .type = how->a->type, .how = how->rule,
	    .part = { r->first[dim], r->step[dim], r->count[dim] } };
	unsigned k;

	for (k = 0; k < how->a->ndim; k++) {
		if (k == dim)
			continue;
		if (!is_in(r, k, line % how->a->dim[k].n))
			m.part.count = 0;
		line /= how->a->dim[k].n;
	}
	return m;
}

static enum taf_status
fill_gaps_lines(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	struct job *j = ctx;
	unsigned char *p = l->out;
	size_t i;

	(void)e;
	memcpy(p, l->in, l->lines * l->in_len * j->size);
	for (i = 0; i < l->lines; i++, p += l->in_len * j->size) {
		struct taf_gap_line m = begin_line(j->how, l->first + i);

		if (m.part.count > 0)
			j->left[l->thread] += taf_gaps_fill(&m, p, 0, l->in_len);
	}
	return TAF_OK;
}

/* Does the region hold all points of the dimensions that lines do not run along? */
static bool
in_all_lines(const struct taf_fill *how)
{
	bool all = true;
	unsigned k;

	for (k = 0; k < how->a->ndim; k++)
		all = all && (k == how->dim - 1 || how->region->count[k] ==
		    how->a->dim[k].n);
	return all;
}

/* Which of n lines from a number on are in the region. */
static void
which_lines(const struct taf_fill *how, uint64_t first, size_t n, bool *filled)
{
	size_t i;

	for (i = 0; i < n; i++)
		filled[i] = begin_line(how, first + i).part.count > 0;
}

/* Lines side by side. */
static enum taf_status
fill_gaps_beside(void *ctx, const struct taf_beside *l, struct taf_err *e)
{
	struct job *j = ctx;
	const struct taf_region *r = j->how->region;
	const unsigned dim = j->how->dim - 1;
	struct taf_gap_lines m = { .type = j->how->a->type, .how = j->how->rule,
	    .part = { r->first[dim], r->step[dim], r->count[dim] }, .in = l->in,
	    .out = l->out, .lines = l->lines, .len = l->in_len, .in_step = l->in_step,
	    .out_step = l->out_step };
	bool **filled = &j->filled[l->thread];

	if (!in_all_lines(j->how)) {
		if (j->room[l->thread] < l->lines) {
			free(*filled);
			*filled = taf_alloc(l->lines, sizeof **filled);
			j->room[l->thread] = *filled != NULL ? l->lines : 0;
		}
		if (*filled == NULL)
			return taf_fail_mem(e);
		which_lines(j->how, l->first, l->lines, *filled);
		m.filled = *filled;
	}
	j->left[l->thread] += taf_gaps_fill_beside(&m);
	return TAF_OK;
}

/*
 * The first number of a line of length n from place at on, in its elements from first on.
 */
static enum taf_status
look_behind(const struct job *j, struct taf_gap_line *m, uint64_t first, uint64_t at,
    uint64_t n, struct taf_err *e)
{
	unsigned char block[8192];
	const size_t most = sizeof block / j->size;
	size_t part, i;

	m->behind.there = false;
	for (m->behind.at = at; m->behind.at < n; m->behind.at += part) {
		part = n - m->behind.at < most ? (size_t)(n - m->behind.at) : most;
		if (taf_reader_at(j->how->r, block, first + m->behind.at, part, e) !=
		    TAF_OK)
			return e->code;
		i = taf_gaps_number(block, m->type, part);
		if (i == part)
			continue;
		m->behind.there = true;
		m->behind.at += i;
		memcpy(m->behind.element, block + i * j->size, j->size);
		break;
	}
	return TAF_OK;
}

/* A line whose elements lie together, in pieces. */
static enum taf_status
fill_gaps_long(struct job *j, uint64_t line, uint64_t n, unsigned char *p,
    struct taf_err *e)
{
	struct taf_gap_line m = begin_line(j->how, line);
	enum taf_status st = TAF_OK;
	uint64_t at;
	size_t part;

	m.behind.at = 0;
	for (at = 0; at < n && st == TAF_OK; at += part) {
		part = n - at < PIECE ? (size_t)(n - at) : PIECE;
		st = taf_reader_at(j->how->r, p, line * n + at, part, e);
		if (st == TAF_OK && m.behind.at < at + part &&
		    taf_gaps_number(p + (part - 1) * j->size, m.type, 1) == 1)
			st = look_behind(j, &m, line * n, at + part, n, e);
		if (st == TAF_OK && m.part.count > 0)
			j->left[0] += taf_gaps_fill(&m, p, at, part);
		if (st == TAF_OK)
			st = taf_writer_put(j->how->w, p, part, e);
	}
	return st;
}

/* Lines that are larger than the memory. */
static enum taf_status
fill_all_gaps_long(struct job *j, const struct taf_cut *cut, struct taf_err *e)
{
	unsigned char *p = taf_alloc(PIECE, j->size);
	enum taf_status st = p == NULL ? taf_fail_mem(e) :
	    taf_reader_random(j->how->r, e);
	uint64_t line;

	for (line = 0; line < cut->outer && st == TAF_OK; line++)
		st = fill_gaps_long(j, line, cut->len, p, e);
	free(p);
	return st == TAF_OK ? taf_reader_skip(j->how->r, taf_reader_left(j->how->r), e) :
	    st;
}

static enum taf_status
fill(struct job *j, struct taf_err *e)
{
	const struct taf_fill *how = j->how;
	const struct taf_lines lines = { .r = how->r, .a = how->a, .dim = how->dim,
	    .as = how->a->type, .stored = true, .out = how->a, .w = how->w,
	    .give = how->a->type, .line = fill_gaps_lines,
	    .beside = fill_gaps_beside, .ctx = j,
	    .memory = how->service->memory, .threads = taf_threads(how->service) };
	const struct taf_cut cut = taf_array_cut(how->a, how->dim);
	const bool large = cut.inner == 1 && cut.len >
	    taf_memory_share(how->service->memory, TAF_BATCH) / j->size;
	enum taf_status st = large ? fill_all_gaps_long(j, &cut, e) :
	    taf_fill_by_rows(how) ? taf_fill_rows(how, in_all_lines(how) ? NULL :
	    which_lines, &j->left[0], e) : taf_lines(&lines, e);
	uint64_t left = 0;
	unsigned k;

	for (k = 0; k < TAF_THREADS_MOST; k++) {
		left += j->left[k];
		free(j->filled[k]);
	}
	if (st == TAF_OK && left > 0)
		taf_remark(how->service, "%llu NaN are left: there is no number to take",
		    (unsigned long long)left);
	return st;
}

enum taf_status
taf_fill(const struct taf_fill *how, struct taf_err *e)
{
	struct job j = { .how = how, .size = taf_type_size(how->a->type) };
	struct taf_array stored = *how->a;
	const struct taf_operand in = { .r = how->r, .a = &stored, .as = how->a->type };
	const struct taf_compute compute = { .in = &in, .nin = 1, .out = &stored,
	    .w = how->w, .as = how->a->type, .block = fill_block, .ctx = &j,
	    .memory = how->service->memory, .threads = taf_threads(how->service) };

	if (how->how != TAF_FILL_ALL && taf_type_is_int(how->a->type))
		return taf_writer_copy(how->w, how->r, taf_reader_left(how->r), e);
	if (how->how == TAF_FILL_GAPS)
		return fill(&j, e);
	taf_array_unmap(&stored);
	return taf_compute(&compute, e);
}
