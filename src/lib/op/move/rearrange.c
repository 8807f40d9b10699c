/* SPDX-License-Identifier: ISC */
#include "op/move/rearrange.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/need.h"
#include "kernel/move/gather.h"
#include "stream/service.h"
#include "stream/tiles.h"

enum {
	SLAB = 256 * 1024,	/* bytes in which points are put in order in memory */
	PIECE = 1024 * 1024,	/* bytes of the result that a thread makes at a time */
	NEAR = 16 * 1024,	/* bytes between points that are not worth a read each */
	SHORT = 4		/* points; runs that are shorter are taken by index */
};

/*
 * Dimensions that stay as they are make one level with their neighbours; level 0 is of
 * elements.
 */
struct level {
	uint64_t in, out;		/* points */
	const struct taf_points *points;	/* NULL: as they are */
	/* bytes of a point in the input and in the result */
	size_t from, to;
	/* from where each point comes, if runs are short */
	size_t *index;
	bool below;			/* a point of it goes as it is */
};

struct slot {
	unsigned char *raw, *apart, *out;	/* of the tile */
	/* the piece: the place of its line, its first slab */
	uint64_t outer, first;
	size_t n;			/* its slabs */
};

/*
 * A slab is a point of level line: what is put in order in memory.  Lines of slabs are
 * cut into pieces, which are neighbours in the result.
 */
struct job {
	const struct taf_rearrange *how;
	size_t esize;
	unsigned nlevels, line;
	struct level level[TAF_MAX_DIM + 2];
	uint64_t lines;			/* of the result */
	/* slabs of a piece; bytes of a slot's room for spans */
	size_t piece, apart;
	uint64_t outer, first;		/* of the next piece */
	bool empty;			/* the input: all points are new */
	bool in_order;			/* slabs are read as they come */
	uint64_t passed;		/* slabs that have come so far */
	unsigned char *fill;		/* a slab of new points, if there are any */
	struct slot slot[TAF_THREADS_MOST];
};

static bool
has_new(const struct taf_points *p)
{
	size_t k;

	for (k = 0; k < p->runs; k++)
		if (p->run[k].from == TAF_POINT_NEW)
			return true;
	return false;
}

/* Do its points go up, none of them twice? */
static bool
goes_up(const struct taf_points *p)
{
	uint64_t next = 0;
	size_t k;

	for (k = 0; k < p->runs; k++) {
		const struct taf_point_run *r = &p->run[k];
		const uint64_t n = taf_point_run_length(p, k);

		if (r->from == TAF_POINT_NEW)
			continue;
		if (r->from < next || (n > 1 && r->step < 1))
			return false;
		next = r->from + (n - 1) * (uint64_t)r->step + 1;
	}
	return true;
}

/* The levels, from the dimensions; a last one, of one point, is behind them. */
static void
find_levels(struct job *j)
{
	const struct taf_arrangement *a = j->how->as;
	struct level *l = j->level;
	unsigned k, n = 0;

	for (k = 0; k < a->ndim; k++) {
		const struct taf_points *p = a->points[k].run != NULL ? &a->points[k] :
		    NULL;

		if (p == NULL && n > 0 && l[n - 1].points == NULL)
			l[n - 1].in = l[n - 1].out *= a->n[k];
		else if (p != NULL || a->n[k] != 1)
			l[n++] = (struct level){ .in = a->n[k], .points = p,
			    .out = p != NULL ? p->count : a->n[k] };
	}
	l[n++] = (struct level){ .in = 1, .out = 1 };
	j->nlevels = n;
}

/* Are many of its points taken one by one? */
static bool
scattered(const struct level *l)
{
	return l->points != NULL && l->points->count / SHORT < l->points->runs &&
	    l->points->runs > SHORT && !has_new(l->points);
}

/*
 * How many levels are put in order in memory: those that fit it; and those whose points
 * would be read in too small parts, if memory has room for them.
 */
static void
find_line(struct job *j, uint64_t memory)
{
	uint64_t from = j->esize, to = j->esize;
	unsigned k;

	for (k = 0; k + 1 < j->nlevels; k++) {
		struct level *l = &j->level[k];
		const bool held = scattered(l) && from < NEAR;
		const uint64_t share = taf_memory_share(memory, held ? TAF_HELD :
		    TAF_BATCH);
		const uint64_t most = held || share < SLAB ? share : SLAB;
		const uint64_t larger = from > to ? from : to;
		const uint64_t length = l->in > l->out ? l->in : l->out;

		if (length > most / larger)
			break;
		l->from = (size_t)from;
		l->to = (size_t)to;
		from *= l->in > 0 ? l->in : 1;
		to *= l->out;
	}
	j->line = k;
	for (; k < j->nlevels; k++) {
		j->level[k].from = (size_t)from;
		j->level[k].to = (size_t)to;
	}
}

/* What is known of the levels within a slab, and what they need. */
static enum taf_status
prepare_slab(struct job *j, struct taf_err *e)
{
	bool below = true, fill = false;
	unsigned k;
	size_t i, m;

	for (k = 0; k < j->nlevels; k++) {
		struct level *l = &j->level[k];
		const struct taf_points *p = l->points;

		l->below = below;
		if (k < j->line)
			below = below && p == NULL;
		fill = fill || (p != NULL && has_new(p));
		if (k >= j->line || !scattered(l))
			continue;
		l->index = taf_alloc((size_t)l->out, sizeof *l->index);
		if (l->index == NULL)
			return taf_fail_mem(e);
		for (i = 0, m = 0; m < p->runs; m++)
			for (; i < p->run[m + 1].at; i++)
				l->index[i] =
				    (size_t)(p->run[m].from + (i - p->run[m].at) *
				    (uint64_t)p->run[m].step);
	}
	if (!fill)
		return TAF_OK;
	j->fill = taf_alloc(1, j->level[j->line].to);
	if (j->fill == NULL)
		return taf_fail_mem(e);
	memcpy(j->fill, j->how->as->fill, j->esize);
	taf_gather_spread(j->fill, j->esize, j->level[j->line].to / j->esize);
	return TAF_OK;
}

/* Is a point of it one point of the level below, again and again? */
static bool
repeats(const struct level *l)
{
	const struct taf_points *p = l[-1].points;

	return p != NULL && p->runs == 1 && p->run[0].step == 0 && l[-1].in == 1 &&
	    p->run[0].from == 0 && l[-1].below;
}

/* Levels below k of a slab. */
static void
put_in_order(const struct job *j, unsigned k, unsigned char *to,
    const unsigned char *from)
{
	const struct level *l = &j->level[k], *m = l - 1;
	const struct taf_points *p;
	size_t i, n, r;

	if (l->below) {
		memcpy(to, from, l->to);
		return;
	}
	p = m->points;
	if (p == NULL && k > 1 && repeats(m)) {
		taf_gather_each(to, from, m[-1].to, (size_t)m->out, (size_t)m[-1].out);
		return;
	}
	if (p == NULL) {
		for (i = 0; i < m->out; i++)
			put_in_order(j, k - 1, to + i * m->to, from + i * m->from);
		return;
	}
	if (m->index != NULL && m->below) {
		taf_gather(to, from, m->to, m->index, (size_t)m->out);
		return;
	}
	for (r = 0; r < p->runs; r++, to += n * m->to) {
		const int64_t step = p->run[r].step;
		const bool new = p->run[r].from == TAF_POINT_NEW;
		const unsigned char *s = new ? from : from + p->run[r].from * m->from;

		n = (size_t)taf_point_run_length(p, r);
		if (new) {
			memcpy(to, j->fill, n * m->to);
		} else if (step == 0) {
			put_in_order(j, k - 1, to, s);
			taf_gather_spread(to, m->to, n);
		} else if (m->below && step == 1) {
			memcpy(to, s, n * m->to);
		} else if (m->below && step == -1) {
			taf_gather_reverse(to, s - (n - 1) * m->from, m->to, n);
		} else {
			for (i = 0; i < n; i++)
				put_in_order(j, k - 1, to + i * m->to,
				    s + (int64_t)i * step * (int64_t)m->from);
		}
	}
}

/* The line of the input that one of the result comes from; TAF_POINT_NEW if none. */
static uint64_t
source_line(const struct job *j, uint64_t outer)
{
	uint64_t line = 0, stride = 1;
	unsigned k;

	if (j->empty)
		return TAF_POINT_NEW;
	for (k = j->line + 1; k < j->nlevels; k++) {
		const struct level *l = &j->level[k];
		uint64_t i = outer % l->out;

		outer /= l->out;
		if (l->points != NULL) {
			const struct taf_point_run *r =
			    &l->points->run[taf_points_find(l->points, i)];

			if (r->from == TAF_POINT_NEW)
				return TAF_POINT_NEW;
			i = r->from + (i - r->at) * (uint64_t)r->step;
		}
		line += i * stride;
		stride *= l->in;
	}
	return line;
}

/* n slabs of the input, from number first on. */
static enum taf_status
read_slabs(struct job *j, void *to, uint64_t first, size_t n, struct taf_err *e)
{
	const size_t each = j->level[j->line].from / j->esize;
	enum taf_status st;

	if (!j->in_order)
		return taf_reader_at(j->how->r, to, first * each, n * each, e);
	st = taf_reader_skip(j->how->r, (first - j->passed) * each, e);
	if (st != TAF_OK)
		return st;
	j->passed = first + n;
	return taf_reader_read(j->how->r, to, n * each, e);
}

/* Slabs of the input, going up. */
struct climb {
	uint64_t first, step;
	size_t n;
};

static enum taf_status
read_apart(struct job *j, struct slot *m, unsigned char *to, const struct climb *c,
    struct taf_err *e)
{
	const size_t slab = j->level[j->line].from;
	const uint64_t step = c->step;
	uint64_t first = c->first;
	enum taf_status st = TAF_OK;
	size_t part, i, n = c->n;

	for (; n > 0 && st == TAF_OK; n -= part, first += part * step) {
		part = j->apart / slab > step ?
		    (size_t)((j->apart / slab - 1) / step + 1) : 1;
		part = part < n ? part : n;
		if (part == 1 || step == 1) {
			part = step == 1 ? n : 1;
			st = read_slabs(j, to, first, part, e);
		} else {
			st = read_slabs(j, m->apart, first, (part - 1) * (size_t)step + 1,
			    e);
			for (i = 0; i < part && st == TAF_OK; i++)
				memcpy(to + i * slab, m->apart + i * (size_t)step * slab,
				    slab);
		}
		to += part * slab;
	}
	return st;
}

/* A part of a piece: n slabs of one run, from slab at of the piece on. */
struct part {
	size_t at, n;
	uint64_t from;
	int64_t step;
};

/* The next part behind p; false at the end of the piece. */
static bool
next_part(const struct job *j, const struct slot *m, struct part *p, size_t *run)
{
	const struct taf_points *points = j->level[j->line].points;
	const struct taf_point_run *r;
	uint64_t i;

	p->at += p->n;
	if (p->at == m->n)
		return false;
	i = m->first + p->at;
	if (points == NULL) {
		*p = (struct part){ p->at, m->n - p->at, i, 1 };
		return true;
	}
	*run = p->at == 0 ? taf_points_find(points, i) : *run + 1;
	r = &points->run[*run];
	p->n = r[1].at - i < m->n - p->at ? (size_t)(r[1].at - i) : m->n - p->at;
	p->step = r->step;
	p->from = r->from == TAF_POINT_NEW ? r->from :
	    r->from + (i - r->at) * (uint64_t)r->step;
	return true;
}

/*
 * What a piece needs, each slab once: into raw, or right into the result if slabs go as
 * they are and in this order.
 */
static enum taf_status
fetch(struct job *j, struct slot *m, struct taf_err *e)
{
	const struct level *l = &j->level[j->line];
	const uint64_t line = source_line(j, m->outer);
	struct part p = { 0 };
	enum taf_status st = TAF_OK;
	unsigned char *raw = m->raw;
	size_t run = 0;

	while (st == TAF_OK && line != TAF_POINT_NEW && next_part(j, m, &p, &run)) {
		const bool direct = l->below && p.step >= 0;
		const size_t n = p.step == 0 ? 1 : p.n;
		const uint64_t step = (uint64_t)(p.step < 0 ? -p.step : p.step);
		uint64_t first = line * l->in + p.from;

		if (p.from == TAF_POINT_NEW)
			continue;
		if (p.step < 0)
			first -= (n - 1) * step;
		st = read_apart(j, m, direct ? m->out + p.at * l->to : raw,
		    &(struct climb){ first, step > 0 ? step : 1, n }, e);
		raw += direct ? 0 : n * l->from;
	}
	return st;
}

/* n slabs from those that were fetched; if they go as they are, to has them already. */
static void
put_slabs(const struct job *j, unsigned char *to, const unsigned char *raw, size_t n,
    bool down)
{
	const struct level *l = &j->level[j->line];
	size_t i;

	if (l->below && down)
		taf_gather_reverse(to, raw, l->to, n);
	if (l->below)
		return;
	if (!down && repeats(l)) {
		taf_gather_each(to, raw, l->from, n, (size_t)l[-1].out);
		return;
	}
	for (i = 0; i < n; i++)
		put_in_order(j, j->line, to + i * l->to,
		    raw + (down ? n - 1 - i : i) * l->from);
}

/* The piece of the result from what was fetched. */
static void
arrange(const struct job *j, struct slot *m)
{
	const struct level *l = &j->level[j->line];
	const bool none = source_line(j, m->outer) == TAF_POINT_NEW;
	const unsigned char *raw = m->raw;
	struct part p = { 0 };
	size_t run = 0;

	while (next_part(j, m, &p, &run)) {
		unsigned char *to = m->out + p.at * l->to;
		const size_t n = p.step == 0 ? 1 : p.n;

		if (none || p.from == TAF_POINT_NEW) {
			memcpy(to, j->fill, l->to);
			taf_gather_spread(to, l->to, p.n);
			continue;
		}
		put_slabs(j, to, raw, n, p.step < 0);
		if (p.step == 0)
			taf_gather_spread(to, l->to, p.n);
		if (!l->below || p.step < 0)
			raw += n * l->from;
	}
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[t->slot];
	const struct level *l = &j->level[j->line];
	const size_t each = l->to / j->esize;

	if (j->outer == j->lines)
		return false;
	m->outer = j->outer;
	m->first = j->first;
	m->n = l->out - j->first < j->piece ? (size_t)(l->out - j->first) : j->piece;
	j->first += m->n;
	if (j->first == l->out) {
		j->first = 0;
		j->outer++;
	}
	t->out = (struct taf_runs){ .first = (m->outer * l->out + m->first) * each,
		.n = m->n * each, .runs = 1 };
	t->scratch_size = j->piece * l->from + j->apart;
	return true;
}

static enum taf_status
pass(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct slot *m = &j->slot[t->slot];

	m->raw = t->scratch;
	m->apart = m->raw + j->piece * j->level[j->line].from;
	m->out = t->stored;
	return fetch(j, m, e);
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	const enum taf_status st = j->in_order ? TAF_OK : pass(ctx, t, e);

	if (st == TAF_OK)
		arrange(j, &j->slot[t->slot]);
	return st;
}

/* How the work is cut; how many threads share the memory. */
static unsigned
plan(struct job *j)
{
	unsigned threads = taf_threads_for(j->how->threads, UINT64_MAX);
	const struct level *l = &j->level[j->line];
	uint64_t each = j->how->memory / threads, pieces;
	unsigned k;

	j->lines = 1;
	for (k = j->line + 1; k < j->nlevels; k++)
		j->lines *= j->level[k].out;
	each = each / 4 < PIECE ? each / 4 : PIECE;
	j->piece = (size_t)(each / (l->from > l->to ? l->from : l->to));
	if (j->piece < 1)
		j->piece = 1;
	if (j->piece > l->out)
		j->piece = (size_t)l->out;
	j->apart = l->from <= NEAR ? (size_t)(each > NEAR ? each : NEAR) : 1;
	/* a span is of one line */
	if (l->in < j->apart / l->from)
		j->apart = (size_t)l->in * l->from;
	pieces = (l->out - 1) / j->piece + 1;
	if (pieces < threads && pieces * j->lines < threads)
		threads = (unsigned)(pieces * j->lines);
	return taf_threads_some(j->how->memory, threads, 0, 2 * j->piece * l->from);
}

/* Slabs that are read for a line of the result, or, above, its lines that are read. */
static uint64_t
wanted(const struct job *j, unsigned k)
{
	const struct level *l = &j->level[k];
	uint64_t sum = 0;
	size_t i;

	for (i = 0; l->points != NULL && i < l->points->runs; i++) {
		const struct taf_point_run *r = &l->points->run[i];
		const uint64_t n = taf_point_run_length(l->points, i);
		const uint64_t step = (uint64_t)(r->step < 0 ? -r->step : r->step);

		if (r->from == TAF_POINT_NEW)
			continue;
		/* once for each piece that has it; and what lies between near ones */
		if (k == j->line && step == 0)
			sum += n / j->piece + 2;
		else
			sum += k == j->line && j->apart / l->from > step ? n * step : n;
	}
	return l->points != NULL ? sum : l->out;
}

/* A plan: what is read at random, maybe several times. */
static void
foresee(const struct job *j)
{
	const uint64_t in = taf_reader_left(j->how->r) * j->esize;
	uint64_t read = j->level[j->line].from;
	unsigned k, top = j->nlevels - 1;

	for (k = j->line; k < j->nlevels; k++)
		read *= wanted(j, k);
	if (!j->in_order && read > in)
		taf_need_again(read - in);
	while (top > 0 && j->level[top].in == 1)
		top--;
	taf_need_wait(j->level[top].points != NULL &&
	    j->level[top].points->run[0].from + 1 == j->level[top].in);
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct level *l = &j->level[j->line];
	struct taf_tiles tiles = { .w = j->how->w, .osize = j->esize, .record = 1,
		.unsure = !taf_reader_sure(j->how->r), .ctx = j, .next = next,
		.work = work };
	enum taf_status st = prepare_slab(j, e);
	unsigned k;

	j->in_order = !taf_reader_plain(j->how->r);
	for (k = j->line; k < j->nlevels; k++)
		j->in_order = j->in_order && (j->level[k].points == NULL ||
		    goes_up(j->level[k].points));
	if (st == TAF_OK && !j->in_order)
		st = taf_reader_random(j->how->r, e);
	tiles.threads = plan(j);
	tiles.count = j->lines * l->out * (l->to / j->esize);
	tiles.pass = j->in_order ? pass : NULL;
	if (taf_need_asked() != NULL)
		foresee(j);
	return st == TAF_OK ? taf_tiles(&tiles, e) : st;
}

enum taf_status
taf_rearrange(const struct taf_rearrange *how, struct taf_err *e)
{
	const struct taf_arrangement *as = how->as;
	struct job *j;
	enum taf_status st;
	unsigned k;

	for (k = 0; k < as->ndim; k++)
		if ((as->points[k].run != NULL ? as->points[k].count : as->n[k]) == 0)
			return TAF_OK;
	j = calloc(1, sizeof *j);
	if (j == NULL)
		return taf_fail_mem(e);
	j->how = how;
	j->esize = taf_type_size(how->type);
	for (k = 0; k < as->ndim; k++)
		j->empty = j->empty || as->n[k] == 0;
	find_levels(j);
	find_line(j, how->memory);
	st = run(j, e);
	for (k = 0; k < j->nlevels; k++)
		free(j->level[k].index);
	free(j->fill);
	free(j);
	return st;
}

void
taf_arrangement_begin(struct taf_arrangement *p, const struct taf_array *a)
{
	taf_arrangement_end(p);
	for (; p->ndim < a->ndim; p->ndim++)
		p->n[p->ndim] = a->dim[p->ndim].n;
}

enum taf_status
taf_arrangement_repeat(struct taf_arrangement *p, unsigned dim, uint64_t n,
    struct taf_err *e)
{
	const unsigned k = dim - 1, behind = p->ndim - k;

	memmove(&p->n[k + 1], &p->n[k], behind * sizeof p->n[0]);
	memmove(&p->points[k + 1], &p->points[k], behind * sizeof p->points[0]);
	p->n[k] = 1;
	p->points[k] = (struct taf_points){ 0 };
	p->ndim++;
	return taf_points_add(&p->points[k], 0, 0, n, e);
}

void
taf_arrangement_end(struct taf_arrangement *p)
{
	unsigned k;

	for (k = 0; k < p->ndim; k++)
		taf_points_free(&p->points[k]);
	p->ndim = 0;
}

enum taf_status
taf_rearrange_move(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_rearrange how = { .as = m->plan, .type = m->in->type, .r = m->r,
		.w = m->w, .memory = m->service->memory,
		.threads = taf_threads(m->service) };

	return taf_rearrange(&how, e);
}
