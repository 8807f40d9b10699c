/* SPDX-License-Identifier: ISC */
/* tafsplit - an array in pieces along a dimension, each an array of its own. */
#include "base/need.h"
#include "base/num.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "op/move/split.h"
#include "stream/writer_private.h"

enum { EVERY = 256 };

struct intent {
	unsigned dim;		/* 0: the last */
	uint64_t every;		/* 0: single points, without their dimension */
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "split along this dimension, default the last",
	    SET(DIM, dim) },
	{ EVERY, "every", "N", "pieces of N points, the last may have fewer",
	    SET(NUMBER, every), FROM_1, .wrong = "not a number of 1 or more" },
	{ 0 },
};

static const struct cmd self = {
	"tafsplit", "split arrays into several along a dimension",
	"[-d DIM] [--every N] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

static unsigned
dim_of(const struct intent *want, const struct taf_array *a)
{
	return want->dim != 0 ? want->dim : a->ndim;
}

/* What becomes of the present array. */
struct pieces {
	const struct intent *want;
	const struct taf_service *service;
	struct taf_arrays *all;
	struct taf_writer *w;
	struct taf_array piece;
};

/* Can it be split at all? */
static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct pieces *p = ctx;
	const unsigned dim = dim_of(p->want, a);
	const struct taf_dim *d;

	if (taf_dim_there(a, dim, e) != TAF_OK)
		return e->code;
	d = &a->dim[dim - 1];
	if (d->n == 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: length 0, so there is no piece", dim);
	if (taf_is_finite(d->start) && taf_is_finite(d->step) &&
	    !taf_is_finite(d->start + (double)(d->n - 1) * d->step))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: the last piece would start at infinity", dim);
	return TAF_OK;
}

/* The piece with n points from point first on, from 0. */
static enum taf_status
shape(struct pieces *p, uint64_t first, uint64_t n, struct taf_err *e)
{
	static const char key[] = "split/coordinate";
	const unsigned dim = dim_of(p->want, &p->all->a);
	struct taf_array *a = &p->piece;
	struct taf_dim *d = &a->dim[dim - 1];
	enum taf_status st = taf_array_copy(a, &p->all->a, e);

	if (st != TAF_OK)
		return st;
	d->n = n;
	d->start += (double)first * d->step;
	if (p->want->every != 0)
		return TAF_OK;
	st = taf_attr_set(a, key, TAF_OF_ARRAY, 0, taf_f64(d->start).s, e);
	taf_attr_bare(a, key, TAF_OF_ARRAY, 0);
	/* an array has one dimension at least */
	return st == TAF_OK && a->ndim > 1 ? taf_array_drop_dim(a, dim, e) : st;
}

static enum taf_status
begin(void *ctx, uint64_t first, uint64_t n, struct taf_err *e)
{
	struct pieces *p = ctx;
	const struct taf_array *a = &p->all->a;
	const bool last = first + n == a->dim[dim_of(p->want, a) - 1].n;

	if (shape(p, first, n, e) != TAF_OK || taf_writer_begin(p->w, &p->piece,
	    last ? taf_arrays_more(p->all) : TAF_NEXT_YES, e) != TAF_OK)
		return e->code;
	taf_watch(p->service, p->w, NULL, taf_array_bytes(&p->piece));
	return TAF_OK;
}

static enum taf_status
end(void *ctx, struct taf_err *e)
{
	struct pieces *p = ctx;

	taf_watch_end(p->service);
	return taf_writer_end(p->w, &p->piece, e);
}

/* Elements of a plan go to no piece. */
static enum taf_status
pass(void *ctx, uint64_t first, uint64_t n, struct taf_err *e)
{
	(void)ctx;
	(void)first;
	(void)n;
	(void)e;
	return TAF_OK;
}

/* --plan: each piece is begun, and then it is seen what all of them take. */
static enum taf_status
plan(const struct taf_split *how, struct taf_err *e)
{
	const uint64_t n = how->a->dim[how->dim - 1].n;
	struct taf_split all = *how;
	uint64_t at = 0, piece;
	enum taf_status st;

	for (; at < n; at += piece) {
		piece = how->every < n - at ? how->every : n - at;
		st = how->begin(how->ctx, at, piece, e);
		if (!taf_need_goes_on(st, e))
			return st;
	}
	all.begin = pass;
	st = n > 0 ? taf_split(&all, e) : TAF_OK;
	return taf_need_goes_on(st, e) ? TAF_OK : st;
}

static enum taf_status
split(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct pieces *p = ctx;
	const struct intent *want = p->want;
	const struct taf_split how = { .r = all->r, .a = &all->a,
		.dim = dim_of(want, &all->a), .every = want->every != 0 ? want->every : 1,
		.w = p->w, .begin = begin, .end = end, .ctx = p,
		.service = &run->service };
	enum taf_status st;

	p->all = all;
	if (run->plan)
		return plan(&how, e);
	st = taf_split(&how, e);
	taf_watch_end(&run->service);
	return st == TAF_OK ? taf_reader_finish(all->r, &all->a, e) : st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0, 0 };
	struct pieces pieces = { .want = &want, .service = &run->service };
	struct taf_sink sink;
	enum taf_status st;

	cmd_options(run, &want);
	cmd_input(run);
	cmd_sink(run, &sink);
	st = taf_writer_open(&pieces.w, &sink, &run->err);
	if (st == TAF_OK)
		st = cmd_arrays_each(run, check, split, &pieces, &run->err);
	if (taf_writer_settle(pieces.w, st, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	taf_array_fini(&pieces.piece);
	return cmd_end(run);
}
