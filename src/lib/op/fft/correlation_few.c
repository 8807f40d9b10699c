/* SPDX-License-Identifier: ISC */
/* Few lags of long lines: transforms of pieces of both are multiplied and added up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "array/region.h"
#include "kernel/number/nan.h"
#include "kernel/number/recode_private.h"
#include "op/fft/correlation.h"
#include "stream/tiles.h"
#include "stream/values.h"

enum { CHUNK = 4096 };		/* doubles that are passed over at a time */

/* An array whose lines come one after the other, point by point. */
struct lane {
	struct taf_reader *r, *again;
	const struct taf_array *a;
	struct taf_values *v;
	uint64_t at, len;		/* of the present line */
	size_t parts;
	struct taf_norm norm;		/* of the points so far */
};

struct piece {
	struct taf_correlate_workspace workspace;
	double *x[2];			/* points of a and of b, in the scratch */
	struct taf_stretch p[2];
	struct taf_spectrum s[2];
	bool last;			/* of its line */
	struct taf_power by;		/* then */
};

struct job {
	const struct taf_correlation *how;
	const struct taf_correlate *c;
	struct lane lane[2];
	uint64_t line, lines;		/* that b is taken of */
	uint64_t given;			/* results so far */
	uint64_t at, end;		/* of b's points in this line, that are wanted */
	const struct piece *before;	/* the last that was read, of this line */
	double *sum, *results;
	unsigned char *stored;
	int64_t *marks;
	double doubt;
	bool whole;
	struct piece piece[TAF_THREADS_MOST];
};

static enum taf_status
open_values(struct lane *l, struct taf_reader *r, struct taf_err *e)
{
	struct taf_recode how;

	taf_values_close(l->v);
	l->v = NULL;
	if (taf_values_plan(&how, l->a, l->parts == 2 ? TAF_COMPLEX128 : TAF_FLT64, false,
	    false, e) != TAF_OK)
		return e->code;
	return taf_values_open(&l->v, r, l->a, NULL, &how, e);
}

/* Points of the present line, from where it is. */
static enum taf_status
get(struct job *j, struct lane *l, double *to, size_t n, struct taf_err *e)
{
	const enum taf_status st = n > 0 ? taf_values_get(l->v, to, n, e) : TAF_OK;

	l->at += n;
	if (st == TAF_OK && j->how->want->normalize)
		taf_norm_add(&l->norm, to, n * l->parts);
	return st;
}

static enum taf_status
pass_to(struct job *j, struct lane *l, uint64_t at, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	double scratch[CHUNK];
	uint64_t n;

	while (l->at < at && st == TAF_OK) {
		n = at - l->at < CHUNK / 2 ? at - l->at : CHUNK / 2;
		st = get(j, l, scratch, (size_t)n, e);
	}
	return st;
}

/* The next line of a, and b's, which for each is the same one or its own. */
static enum taf_status
begin_line(struct job *j, struct taf_err *e)
{
	const struct taf_correlate *c = j->c;
	const int64_t high = c->lo + (int64_t)c->lags - 1;
	struct lane *b = &j->lane[1];

	j->at = high < 0 ? (uint64_t)-high : 0;
	j->end = (int64_t)c->len[1] < (int64_t)c->len[0] - c->lo ? c->len[1] :
	    (uint64_t)((int64_t)c->len[0] - c->lo);
	j->before = NULL;
	for (unsigned k = 0; k < 2; k++) {
		j->lane[k].at = 0;
		j->lane[k].norm = (struct taf_norm){ 0 };
	}
	if (j->how->plan->each || j->lines == 1)
		return TAF_OK;
	taf_reader_close(b->again);
	b->again = NULL;
	if (taf_reader_again(&b->again, b->r, b->a, e) != TAF_OK)
		return e->code;
	return open_values(b, b->again, e);
}

/* Points of a from first on and before end: some were read with the piece before. */
static enum taf_status
get_a(struct job *j, struct piece *b, uint64_t first, uint64_t end, struct taf_err *e)
{
	struct lane *l = &j->lane[0];
	enum taf_status st = TAF_OK;
	const size_t n = (size_t)(end - first);
	size_t kept = 0;

	if (l->at > first && j->before != NULL) {
		/* in another piece, or further behind in this one */
		kept = (size_t)(l->at - first);
		memmove(b->x[0], j->before->x[0] + l->parts *
		    (size_t)(first - j->before->p[0].first),
		    kept * l->parts * sizeof *b->x[0]);
	}
	st = pass_to(j, l, first, e);
	if (st == TAF_OK)
		st = get(j, l, b->x[0] + kept * l->parts, n - kept, e);
	b->p[0] = (struct taf_stretch){ b->x[0], first, n, l->parts == 2 };
	j->before = b;
	return st;
}

/* Points of a in a piece. */
static size_t
points_of_a(const struct taf_correlate *c)
{
	return (size_t)(c->block + c->lags);
}

/* Numbers that a piece has: points of both, and a spectrum. */
static uint64_t
numbers_of(const struct job *j)
{
	return j->lane[0].parts * points_of_a(j->c) + j->lane[1].parts * j->c->block +
	    2 * taf_correlate_pairs(j->c);
}

static bool
next(void *ctx, struct taf_tile *t)
{
	const struct job *j = ctx;

	t->out = (struct taf_runs){ .n = (size_t)j->c->block, .runs = 1 };
	t->scratch_size = (size_t)numbers_of(j) * sizeof(double);
	return j->line < j->lines;
}

static enum taf_status
open_piece(const struct job *j, struct piece *b, const struct taf_tile *t,
    struct taf_err *e)
{
	b->x[0] = t->scratch;
	b->x[1] = b->x[0] + j->lane[0].parts * points_of_a(j->c);
	b->s[0].pairs = b->x[1] + j->lane[1].parts * j->c->block;
	if (b->s[1].pairs == NULL && taf_correlate_workspace_open(&b->workspace, j->c,
	    e) != TAF_OK)
		return e->code;
	b->s[1].pairs = b->workspace.y;
	return TAF_OK;
}

static enum taf_status
pass(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct piece *b = &j->piece[t->slot];
	struct lane *lane = j->lane;
	const struct taf_correlate *c = j->c;
	enum taf_status st = open_piece(j, b, t, e);
	int64_t first, end;
	uint64_t n;

	if (st == TAF_OK && j->at == j->end)
		st = begin_line(j, e);
	if (st != TAF_OK)
		return st;
	n = j->end - j->at < c->block ? j->end - j->at : c->block;
	first = (int64_t)j->at + c->lo;
	end = (int64_t)(j->at + n + c->lags) - 1 + c->lo;
	st = get_a(j, b, first < 0 ? 0 : (uint64_t)first,
	    end < (int64_t)c->len[0] ? (uint64_t)end : c->len[0], e);
	if (st == TAF_OK)
		st = pass_to(j, &lane[1], j->at, e);
	if (st == TAF_OK)
		st = get(j, &lane[1], b->x[1], (size_t)n, e);
	b->p[1] = (struct taf_stretch){ b->x[1], j->at, (size_t)n, lane[1].parts == 2 };
	j->at += n;
	b->last = j->at == j->end;
	b->by = (struct taf_power){ 1, 0 };
	if (!b->last)
		return st;
	j->line++;
	for (unsigned k = 0; k < 2 && st == TAF_OK; k++)
		st = pass_to(j, &lane[k], lane[k].len, e);
	if (j->how->want->normalize)
		b->by = taf_norm_product(&lane[0].norm, &lane[1].norm);
	return st;
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct piece *b = &j->piece[t->slot];
	const int64_t at = (int64_t)b->p[1].first + j->c->lo;

	(void)e;
	taf_correlate_spectrum(j->c, &b->workspace, &b->p[0],
	    (size_t)((int64_t)b->p[0].first - at), &b->s[0]);
	taf_correlate_spectrum(j->c, &b->workspace, &b->p[1], 0, &b->s[1]);
	return TAF_OK;
}

/* The results of a line. */
static enum taf_status
end_line(struct job *j, struct piece *b, struct taf_err *e)
{
	const struct taf_correlate *c = j->c;
	const struct taf_correlate_sum sum = { j->sum, j->whole && j->doubt < 0.5,
		j->marks, b->by };
	const struct taf_recode back = { .from = c->pairs ? TAF_COMPLEX128 : TAF_FLT64,
	    .to = j->how->out->type };
	const size_t n = (size_t)c->lags, parts = c->pairs ? 2 : 1;
	size_t good;

	taf_correlate_sum(c, &b->workspace, &sum, j->results);
	(void)taf_one_nan(j->results, n * parts, false);
	/* what an infinite number takes part in is NaN */
	good = taf_infinite(j->results, n * parts, false, TAF_SCALING_ONCE);
	if (good < n * parts)
		return taf_recode_overflow(back.from,
		    taf_array_place(j->how->out, j->given + good / parts).s, e);
	good = taf_recode(&back, j->stored, j->results, n, NULL);
	if (good < n)
		return taf_recode_misfit(&back, (const unsigned char *)j->results +
		    good * taf_type_size(back.from),
		    taf_array_place(j->how->out, j->given + good).s, e);
	j->given += n;
	return taf_writer_put(j->how->w, j->stored, n, e);
}

static enum taf_status
give(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct piece *b = &j->piece[t->slot];
	const struct taf_marks marks = { 0, j->c->lags, j->marks };
	enum taf_status st = TAF_OK;

	taf_correlate_add(j->c, j->sum, &b->s[0], &b->s[1]);
	j->whole = j->whole && b->s[0].whole && b->s[1].whole;
	j->doubt += taf_correlate_doubt(j->c, &b->s[0], &b->s[1],
	    sqrt((double)b->p[0].n * (double)b->p[1].n));
	for (unsigned k = 0; k < 2; k++)
		if (!b->s[k].finite)
			taf_correlate_mark(j->c, &b->p[k], k == 1, &marks);
	if (!b->last)
		return TAF_OK;
	st = end_line(j, b, e);
	memset(j->sum, 0, 2 * taf_correlate_pairs(j->c) * sizeof *j->sum);
	memset(j->marks, 0, (size_t)(j->c->lags + 1) * sizeof *j->marks);
	j->whole = true;
	j->doubt = 0;
	return st;
}

static uint64_t
piece_need(const struct job *j)
{
	return taf_correlate_need(j->c) + sizeof(double) * numbers_of(j);
}

static void
close_job(struct job *j)
{
	struct taf_correlate c = *j->c;

	for (unsigned k = 0; k < TAF_THREADS_MOST; k++)
		taf_correlate_workspace_close(&j->piece[k].workspace);
	for (unsigned k = 0; k < 2; k++) {
		taf_values_close(j->lane[k].v);
		taf_reader_close(j->lane[k].again);
	}
	free(j->sum);
	free(j->results);
	free(j->stored);
	free(j->marks);
	taf_correlate_close(&c);
	free(j);
}

static enum taf_status
open_lanes(struct job *j, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	for (unsigned k = 0; k < 2 && st == TAF_OK; k++) {
		struct lane *l = &j->lane[k];

		l->r = j->how->r[k];
		l->a = j->how->in[k];
		l->len = j->c->len[k];
		l->parts = taf_type_is_pair(l->a->type) ? 2 : 1;
		/* one line for all is read again and again */
		if (k == 1 && !j->how->plan->each && j->lines > 1)
			st = taf_reader_random(l->r, e);
		else
			st = open_values(l, l->r, e);
	}
	return st;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	struct taf_tiles tiles = { .ctx = j, .next = next, .pass = pass, .work = work,
		.give = give };
	const size_t lags = (size_t)j->c->lags, pairs = taf_correlate_pairs(j->c);
	const uint64_t own = 16 * (pairs + 3 * lags);
	enum taf_status st = open_lanes(j, e);
	uint64_t need, memory;

	if (st != TAF_OK)
		return st;
	need = piece_need(j);
	memory = taf_memory_for(j->how->service->memory, 2 * (own > need ? own : need));
	if ((own > need ? own : need) > taf_memory_share(memory, TAF_HELD))
		return taf_correlation_no_memory(j->how, e);
	tiles.threads = taf_threads_some(memory, taf_threads(j->how->service), own, need);
	j->sum = calloc(pairs, 2 * sizeof *j->sum);
	j->results = taf_alloc(lags, 2 * sizeof *j->results);
	j->stored = taf_alloc(lags, taf_type_size(j->how->out->type));
	j->marks = calloc(lags + 1, sizeof *j->marks);
	if (j->sum == NULL || j->results == NULL || j->stored == NULL || j->marks == NULL)
		return taf_fail_mem(e);
	return taf_tiles(&tiles, e);
}

enum taf_status
taf_correlation_few(const struct taf_correlation *how, struct taf_err *e)
{
	struct taf_correlate c = how->plan->lengths;
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;

	if (j == NULL)
		return taf_fail_mem(e);
	j->how = how;
	j->c = &c;
	j->whole = true;
	j->lines = taf_array_count(how->in[0]) / c.len[0];
	st = taf_correlate_open(&c, e);
	if (st == TAF_OK)
		st = run(j, e);
	close_job(j);
	return st;
}
