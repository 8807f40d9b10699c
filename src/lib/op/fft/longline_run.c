/* SPDX-License-Identifier: ISC */
#include "op/fft/longline_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/need.h"
#include "kernel/number/recode_private.h"
#include "stream/tiles.h"
#include "stream/values.h"

enum { PART = 512 };		/* points that are converted at once */

struct taf_longpoints {
	const struct job *j;
	int bits;		/* they are so many powers of 2 smaller */
};

struct job {
	const struct taf_longrun *how;
	struct taf_reader *r;		/* of lines along dimension 1 */
	struct taf_out *to;		/* of results; the writer's where it is NULL */
	struct taf_recode in, back;
	size_t esize, osize, parts, results;	/* numbers of a point, and of a result */
	uint64_t len, count;		/* points and results of a line */
	/* the first element of the line, and its number */
	uint64_t base, line;
	uint64_t next;
	/* small: the same line of smaller points, once it is needed */
	struct taf_longpoints points, smaller;
	struct taf_longline *whole, *small;
	bool wild;			/* not all points of the line are finite */
	double *again;			/* what smaller points give */
};

/* The place of point at of the present line in an array of the shape of a. */
static struct taf_place_text
place(const struct job *j, const struct taf_array *a, uint64_t at)
{
	const struct taf_cut cut = taf_array_cut(a, j->how->along->dim);

	return taf_array_place(a, (j->line / cut.inner * cut.len + at) * cut.inner +
	    j->line % cut.inner);
}

enum taf_status
taf_longpoints_get(const struct taf_longpoints *p, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	const struct job *j = p->j;
	const bool narrow = taf_type_computed(j->in.to) == TAF_FLT32;
	unsigned char raw[PART * 16], made[PART * 16];
	enum taf_status st = TAF_OK;
	size_t good, i, some;

	if (taf_recode_is_copy(&j->in) && !narrow && n > 0) {
		st = taf_reader_at(j->r, to, j->base + first, n, e);
		if (st == TAF_OK && p->bits != 0)
			taf_scale_down(to, to, j->parts * n, false, p->bits);
		return st;
	}
	for (; n > 0 && st == TAF_OK; n -= some, first += some, to += j->parts * some) {
		some = n < PART ? n : PART;
		st = taf_reader_at(j->r, raw, j->base + first, some, e);
		if (st != TAF_OK)
			break;
		good = taf_recode(&j->in, made, raw, some, NULL);
		if (good < some)
			st = taf_recode_misfit(&j->in, raw + good * j->esize,
			    place(j, j->how->along->a, first + good).s, e);
		if (p->bits != 0)
			taf_scale_down(made, made, j->parts * some, narrow, p->bits);
		for (i = 0; i < j->parts * some && narrow; i++) {
			float f;

			memcpy(&f, made + i * sizeof f, sizeof f);
			to[i] = (double)f;
		}
		if (!narrow)
			memcpy(to, made, j->parts * some * sizeof *to);
	}
	return st;
}

/* Numbers that wait in the scratch to be stored as another type. */
static size_t
made(const struct job *j)
{
	return taf_recode_is_copy(&j->back) ? 0 : j->results * j->how->piece;
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	const size_t piece = j->how->piece;

	t->scratch_size = (made(j) + TAF_LONGRUN_WORK * (piece + TAF_LONGRUN_MORE)) *
	    sizeof(double);
	return taf_tile_piece(t, 0, &j->next, j->next < j->how->stop ? j->how->stop :
	    j->count, piece);
}

/* Where the results of a tile are made: what the rest of its scratch is for follows. */
static double *
results_of(const struct job *j, const struct taf_tile *t)
{
	return made(j) == 0 ? (double *)(void *)t->stored : t->scratch;
}

static enum taf_status
make(struct job *j, const struct taf_tile *t, const struct taf_longpoints *points,
    double *to, struct taf_err *e)
{
	const struct taf_longpiece p = { .points = points, .first = t->out.first,
		.n = t->out.n, .line = points == &j->points ? j->whole : j->small,
		.to = to, .work = (double *)t->scratch + made(j) };
	const enum taf_status st = j->how->make(j->how->ctx, &p, e);

	(void)taf_one_nan(to, t->out.n * j->results, false);
	return st;
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;

	return make(j, t, &j->points, results_of(j, t), e);
}

/* Is one not finite?  No signal at all has -inf decibels. */
static bool
is_wild(const double *v, size_t n, enum taf_scaling scaling)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!isfinite(v[i]) && !(scaling == TAF_SCALING_DB && v[i] < 0))
			return true;
	return false;
}

static enum taf_status
look_at_points(struct job *j, struct taf_err *e)
{
	double points[2 * PART];
	enum taf_status st = TAF_OK;
	uint64_t at;
	size_t n;

	for (at = 0; at < j->len && st == TAF_OK && !j->wild; at += n) {
		n = j->len - at < PART ? (size_t)(j->len - at) : PART;
		st = taf_longpoints_get(&j->points, points, at, n, e);
		j->wild = !taf_all_finite(points, n * j->parts, 1, false);
	}
	return st;
}

/* What is not finite becomes what smaller points say. */
static enum taf_status
make_again(struct job *j, const struct taf_tile *t, struct taf_err *e)
{
	const enum taf_scaling scaling = j->how->scaling;
	const size_t all = t->out.n * j->results;
	double *const to = results_of(j, t);
	size_t good;

	if (j->small == NULL && (look_at_points(j, e) != TAF_OK || (!j->wild &&
	    j->how->open(j->how->ctx, &j->smaller, &j->small, e) != TAF_OK)))
		return e->code;
	if (j->wild)
		return TAF_OK;
	if (j->again == NULL)
		j->again = taf_alloc(j->how->piece, 2 * sizeof *j->again);
	if (j->again == NULL)
		return taf_fail_mem(e);
	if (make(j, t, &j->smaller, j->again, e) != TAF_OK)
		return e->code;
	good = taf_scale_back(to, j->again, all, false, scaling, j->smaller.bits);
	/* too large even so */
	if (good == all)
		good = taf_infinite(to, all, false, scaling);
	return good == all ? TAF_OK : taf_recode_overflow(j->how->along->out->type,
	    place(j, j->how->along->out, t->out.first + good / j->results).s, e);
}

static enum taf_status
give(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	double *const to = results_of(j, t);
	const size_t n = t->out.n;
	size_t good = n;

	if (!j->wild && is_wild(to, n * j->results, j->how->scaling) &&
	    make_again(j, t, e) != TAF_OK)
		return e->code;
	if (j->how->join != NULL)
		j->how->join(j->how->ctx, to, t->out.first, n);
	if (!taf_recode_is_copy(&j->back))
		good = taf_recode(&j->back, t->stored, to, n, NULL);
	return good == n ? TAF_OK : taf_recode_misfit(&j->back, to + good * j->results,
	    place(j, j->how->along->out, t->out.first + good).s, e);
}

static enum taf_status
run_line(struct job *j, unsigned threads, struct taf_err *e)
{
	const struct taf_along *along = j->how->along;
	const struct taf_tiles tiles = { .w = along->w, .to = j->to, .osize = j->osize,
		.record = 1, .count = j->count, .threads = threads, .ctx = j,
		.next = next, .work = work, .give = give };
	enum taf_status st;

	/* first there is progress in its files */
	taf_watch_end(along->service);
	st = j->how->open(j->how->ctx, &j->points, &j->whole, e);
	if (taf_need_goes_on(st, e))
		st = TAF_OK;
	j->next = 0;
	j->wild = false;
	taf_watch(along->service, j->to == NULL ? along->w : NULL, j->to,
	    j->count * j->osize);
	if (st == TAF_OK)
		st = taf_tiles(&tiles, e);
	taf_longline_close(j->whole);
	taf_longline_close(j->small);
	j->whole = j->small = NULL;
	return st;
}

/* All lines of r's array a, along its first dimension. */
static enum taf_status
run_lines(void *ctx, struct taf_reader *r, const struct taf_array *a, struct taf_out *to,
    struct taf_err *e)
{
	struct job *j = ctx;
	const struct taf_service *service = j->how->along->service;
	const uint64_t lines = taf_array_count(a) / j->len;
	const unsigned threads = taf_threads_some(
	    taf_memory_share(service->memory, TAF_HELD), taf_threads(service), 0,
	    TAF_LONGRUN_POINT * j->how->piece);
	enum taf_status st = taf_reader_random(r, e);

	j->r = r;
	j->to = to;
	if (st == TAF_OK)
		st = taf_values_plan(&j->in, a, j->how->as, false, false, e);
	for (j->line = 0; j->line < lines && st == TAF_OK; j->line++) {
		j->base = j->line * j->len;
		st = run_line(j, threads, e);
	}
	return st;
}

enum taf_status
taf_longrun(const struct taf_longrun *how, struct taf_err *e)
{
	const struct taf_along *along = how->along;
	const enum taf_type from = along->a->type, to = along->out->type;
	const bool narrow = taf_type_computed(to) == TAF_FLT32;
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;

	if (j == NULL)
		return taf_fail_mem(e);
	j->how = how;
	j->esize = taf_type_size(from);
	j->osize = taf_type_size(to);
	j->parts = taf_type_is_pair(from) ? 2 : 1;
	j->results = taf_type_is_pair(to) ? 2 : 1;
	j->len = along->a->dim[along->dim - 1].n;
	j->count = along->out->dim[along->dim - 1].n;
	j->back = (struct taf_recode){ .to = to,
		.from = j->results == 2 ? TAF_COMPLEX128 : TAF_FLT64 };
	j->points = (struct taf_longpoints){ j, 0 };
	/* files of two passes hold flt32 */
	j->smaller = (struct taf_longpoints){ j,
		taf_type_computed(how->as) == TAF_FLT32 ||
		(narrow && j->len > TAF_LONGLINE) ? TAF_SMALLER_FLT32 : TAF_SMALLER };
	st = taf_transposed(&(struct taf_transposed){ .along = along, .to = how->to,
	    .lines = run_lines, .ctx = j }, e);
	free(j->again);
	free(j);
	return st;
}
