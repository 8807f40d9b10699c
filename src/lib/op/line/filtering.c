/* SPDX-License-Identifier: ISC */
#include "op/line/filtering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf_private.h"
#include "base/need.h"
#include "base/num.h"
#include "base/str.h"
#include "io/spool.h"
#include "io/temp.h"
#include "kernel/line/smooth.h"
#include "kernel/number/nan.h"
#include "kernel/number/recode_private.h"
#include "stream/lines_private.h"
#include "stream/tiles.h"
#include "stream/transpose.h"
#include "stream/values.h"
#include "stream/windows.h"

enum {
	BLOCK = 1024,		/* results of weights at a time */
	PIECE = 64 * 1024,	/* points of a long line */
	LEAST = 4 * 1024,	/* the same where the memory is small */
	LONG = 1 << 22,		/* a line of more points goes in pieces in any memory */
	MARGIN = 3 * (2 * TAF_FILTER_SECTIONS + 1)
};

struct job {
	const struct taf_along *along;
	struct taf_filter filter;		/* at rest */
	struct taf_reach reach;
	/* more than 1 if there is memory for some at once */
	size_t lines;
	/* of points before a result, its own, and behind */
	double *weight;
	size_t before, behind;
};

/* A frequency in cycles a point. */
static enum taf_status
cycles(const struct taf_array *a, unsigned dim, const struct taf_amount *f, double *to,
    struct taf_err *e)
{
	const double step = a->dim[dim - 1].step < 0 ? -a->dim[dim - 1].step :
	    a->dim[dim - 1].step;

	if (taf_amount_along(f, a, dim, true, to, e) != TAF_OK)
		return e->code;
	*to *= step;
	return *to > 0 && *to < 0.5 ? TAF_OK :
	    taf_fail(e, TAF_EDATA,
	    "dimension %u: frequency %s: those of steps of %s are below %s",
	    dim, taf_amount_typed(f).s,
	    taf_brief(step).s, taf_brief(0.5 / step).s);
}

static enum taf_status
design(const struct taf_filtering_how *how, const struct taf_array *a,
    struct taf_filter *f, struct taf_err *e)
{
	const unsigned dim = how->dim;
	struct taf_pass_band p = how->band;
	enum taf_status st = TAF_OK;
	double at;
	size_t k;

	memset(f, 0, sizeof *f);
	if (how->ntaps > 0)
		return TAF_OK;
	p.low = p.high = 0;
	if (how->low.value > 0)
		st = cycles(a, dim, &how->low, &p.low, e);
	if (how->high.value > 0 && st == TAF_OK)
		st = cycles(a, dim, &how->high, &p.high, e);
	if (st == TAF_OK && p.high > 0 && p.low >= p.high)
		st = taf_fail(e, TAF_EDATA, "dimension %u: frequency %s is not below %s",
		    dim, taf_amount_typed(&how->low).s, taf_amount_typed(&how->high).s);
	if (st == TAF_OK && (p.low > 0 || p.high > 0))
		f->n = taf_filter_design(&p, f->section);
	for (k = 0; k < how->notches && st == TAF_OK; k++) {
		st = cycles(a, dim, &how->notch[k].f, &at, e);
		/* what is stopped must not reach over all frequencies */
		if (st == TAF_OK && at / how->notch[k].q >= 0.5)
			st = taf_fail(e, TAF_EDATA,
			    "dimension %u: a notch as wide as all frequencies", dim);
		if (st == TAF_OK)
			f->section[f->n++] = taf_filter_notch(at, how->notch[k].q);
	}
	return st;
}

enum taf_status
taf_filtering_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	const struct taf_filtering_how *how = intent;
	const unsigned dim = how->dim;
	struct taf_filter f;
	size_t margin;

	(void)plan;
	if (taf_windows_shape(out, in, dim, e) != TAF_OK ||
	    design(how, in, &f, e) != TAF_OK)
		return e->code;
	margin = how->ntaps > 0 ? 3 * how->ntaps : taf_filter_margin(&f);
	return how->causal || in->dim[dim - 1].n > margin ? TAF_OK :
	    taf_fail(e, TAF_EDATA,
	    "dimension %u: %llu points, and more than %zu are needed to filter both ways",
	    dim, (unsigned long long)in->dim[dim - 1].n, margin);
}

/* What a line has been through: sections, or, after they overflowed, smaller ones. */
struct course {
	double state[TAF_FILTER_SECTIONS][2];
	bool smaller;
};

enum { SMALLER = 64 };		/* by so many powers of 2 */

/* The results of w from smaller points, and the state behind them. */
static void
filter_smaller(const struct taf_window *w, struct taf_filter *f, double *out)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		out[i] = taf_scale(w->in[w->at - w->first + i], -SMALLER);
	taf_filter_forward(f, out, w->n);
}

/* The same where what is not smaller overflows: out has results up to there. */
static enum taf_status
go_on_smaller(const struct job *j, const struct taf_window *w, struct taf_err *e)
{
	struct course *const course = w->state;
	struct taf_filter f = j->filter;
	double *const smaller = taf_alloc(w->n, sizeof *smaller);
	bool all = course->smaller;
	size_t i, k;

	if (smaller == NULL)
		return taf_fail_mem(e);
	for (i = 0; i < f.n; i++)
		for (k = 0; k < 2; k++)
			f.state[i][k] = taf_scale(course->state[i][k],
			    course->smaller ? 0 : -SMALLER);
	filter_smaller(w, &f, smaller);
	for (i = 0; i < w->n; i++) {
		all = all || !isfinite(w->out[i]);
		if (!all)
			continue;
		w->out[i] = taf_scale(smaller[i], SMALLER);
		if (isfinite(smaller[i]) && !isfinite(w->out[i]))
			break;
	}
	free(smaller);
	memcpy(course->state, f.state, sizeof f.state);
	course->smaller = true;
	return i == w->n ? TAF_OK : taf_window_overflow(j->along, w, i, e);
}

/* A line on its way through the filter, whose state is that of the line. */
static enum taf_status
forward(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	struct job *j = ctx;
	struct taf_filter f = j->filter;
	struct course *const course = w->state;

	if (course->smaller)
		return go_on_smaller(j, w, e);
	memcpy(f.state, course->state, sizeof f.state);
	memcpy(w->out, w->in + (w->at - w->first), w->n * sizeof *w->out);
	taf_filter_forward(&f, w->out, w->n);
	if (!taf_all_finite(w->out, w->n, 1, false) ||
	    !taf_all_finite(f.state, 2 * f.n, 1, false))
		return go_on_smaller(j, w, e);
	memcpy(course->state, f.state, sizeof f.state);
	return TAF_OK;
}

static enum taf_status
both(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	const struct job *j = ctx;
	struct taf_filter f = j->filter;
	size_t i, n;

	(void)e;
	for (i = 0; i < l->lines; i += n) {
		n = j->lines > 1 ? l->lines : 1;
		taf_filter_both(&f, (double *)l->out + i * l->out_len,
		    (const double *)l->in + i * l->in_len, l->in_len, n, l->scratch);
	}
	return TAF_OK;
}

/*
 * Long lines, in pieces: forward, where the states before all pieces are kept, and then
 * backward, where each piece goes forward once more.  So what came out forward lies in no
 * file, and pieces go forward on other threads than that which goes backward.
 */
struct passing {
	const struct taf_along *along;
	const struct taf_array *a;	/* the lines, along its first dimension */
	struct taf_recode recode, stored;
	const struct taf_filter *rest;	/* at rest; what threads copy */
	struct taf_filter filter;	/* of what goes in order */
	uint64_t len, pieces, all;	/* points and pieces of a line; pieces of all */
	size_t most;			/* points of a piece */
	uint64_t next;			/* piece */
	uint64_t piece[TAF_THREADS_MOST];	/* of each slot */
	bool back;
	size_t margin;
	double last[MARGIN + 1];	/* points of the line that came last */
	bool wild;			/* not all points of the line are finite */
	/* states before pieces; of lines, on the way back, whether they are wild, too */
	struct taf_store before, end;
};

/* margin points beyond an end: x is the margin + 1 points there, mirrored at the end. */
static void
mirror_about(double *out, const double *x, size_t margin, bool front)
{
	size_t i;

	for (i = 0; i < margin; i++)
		out[i] = front ? 2 * x[0] - x[margin - i] : 2 * x[margin] -
		    x[margin - 1 - i];
}

/* Numbers that a state has. */
static size_t
state_numbers(const struct passing *p)
{
	return 2 * p->filter.n;
}

static double *
state_before(const struct passing *p, uint64_t piece)
{
	return (double *)p->before.p + piece * state_numbers(p);
}

static double *
state_behind(const struct passing *p, uint64_t line)
{
	return (double *)p->end.p + line * (state_numbers(p) + 1);
}

static bool
next_piece(void *ctx, struct taf_tile *t)
{
	struct passing *p = ctx;
	const uint64_t line = p->next / p->pieces, of = p->next % p->pieces;
	const uint64_t piece = p->back ? p->pieces - 1 - of : of;
	const uint64_t left = p->len - piece * p->most;

	if (p->next == p->all)
		return false;
	p->piece[t->slot] = line * p->pieces + piece;
	p->next++;
	t->in[0] = t->out = (struct taf_runs){ .first = line * p->len + piece * p->most,
	    .runs = 1, .n = left < p->most ? (size_t)left : p->most };
	t->scratch_size = p->most * sizeof(double);
	return true;
}

/* Points as flt64, and on the way back forward. */
static enum taf_status
work_piece(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	const struct passing *p = ctx;
	const uint64_t piece = p->piece[t->slot];
	const size_t good = taf_recode(&p->recode, t->scratch, t->raw[0], t->in[0].n,
	    NULL);
	struct taf_filter f;

	if (good < t->in[0].n)
		return taf_recode_misfit(&p->recode, t->raw[0] + good *
		    taf_type_size(p->a->type), taf_along_place(p->along, p->along->a,
		    piece / p->pieces, piece % p->pieces * p->most + good).s, e);
	if (!p->back)
		return TAF_OK;
	f = *p->rest;
	memcpy(f.state, state_before(p, piece), state_numbers(p) * sizeof(double));
	taf_filter_forward(&f, t->scratch, t->in[0].n);
	return TAF_OK;
}

/* The extension behind a line, forward and then backward. */
static void
turn(struct passing *p, uint64_t line)
{
	double x[MARGIN], *const to = state_behind(p, line);

	mirror_about(x, p->last, p->margin, false);
	taf_filter_forward(&p->filter, x, p->margin);
	taf_filter_settle(&p->filter, x[p->margin - 1]);
	taf_filter_backward(&p->filter, x, p->margin);
	memcpy(to, p->filter.state, state_numbers(p) * sizeof *to);
	to[state_numbers(p)] = p->wild ? 1 : 0;
}

static enum taf_status
give_forward(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct passing *p = ctx;
	const uint64_t piece = p->piece[t->slot], of = piece % p->pieces;
	const size_t n = t->in[0].n, keep = p->margin + 1;
	double *const x = t->scratch, ahead[MARGIN];

	(void)e;
	/* the first piece is longer than the margin */
	if (of == 0) {
		p->wild = false;
		mirror_about(ahead, x, p->margin, true);
		taf_filter_settle(&p->filter, ahead[0]);
		taf_filter_forward(&p->filter, ahead, p->margin);
	}
	memcpy(state_before(p, piece), p->filter.state, state_numbers(p) * sizeof *x);
	p->wild = p->wild || !taf_all_finite(x, n, 1, false);
	if (n >= keep) {
		memcpy(p->last, x + (n - keep), keep * sizeof *x);
	} else {
		memmove(p->last, p->last + n, (keep - n) * sizeof *x);
		memcpy(p->last + (keep - n), x, n * sizeof *x);
	}
	taf_filter_forward(&p->filter, x, n);
	if (of == p->pieces - 1)
		turn(p, piece / p->pieces);
	return TAF_OK;
}

static enum taf_status
give_backward(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct passing *p = ctx;
	const uint64_t line = p->piece[t->slot] / p->pieces;
	const uint64_t of = p->piece[t->slot] % p->pieces;
	const double *const behind = state_behind(p, line);
	const size_t n = t->out.n;
	double *const x = t->scratch;
	size_t good;

	if (of == p->pieces - 1)
		memcpy(p->filter.state, behind, state_numbers(p) * sizeof *x);
	taf_filter_backward(&p->filter, x, n);
	if (!taf_one_nan(x, n, false) && behind[state_numbers(p)] == 0)
		return taf_recode_overflow(TAF_FLT64, "", e);
	good = taf_recode(&p->stored, t->stored, x, n, NULL);
	return good == n ? TAF_OK : taf_recode_misfit(&p->stored, x + good,
	    taf_along_place(p->along, p->along->out, line, of * p->most + good).s, e);
}

static enum taf_status
run_way(struct passing *p, struct taf_reader *r, struct taf_out *to, struct taf_err *e)
{
	const size_t esize = taf_type_size(p->a->type);
	const size_t osize = taf_type_size(p->stored.to);
	const struct taf_service *service = p->along->service;
	const struct taf_tiles tiles = { .r = &r, .esize = &esize, .nin = 1, .to = to,
	    .osize = osize, .count = taf_array_count(p->a), .scattered = true, .ctx = p,
	    .threads = taf_threads_some(service->memory, taf_threads(service), 0,
	    p->most * (esize + osize + sizeof(double))), .next = next_piece,
	    .work = work_piece, .give = p->back ? give_backward : give_forward };

	p->next = 0;
	return taf_tiles(&tiles, e);
}

/* On the way back, to the writer: nothing of it, should a result not fit its type. */
static enum taf_status
run_refusing(struct passing *p, struct taf_reader *r, struct taf_err *e)
{
	struct taf_spool spool = { .fd = -1 };
	struct taf_in *in = NULL;
	enum taf_status st = taf_spool_begin(&spool, e);
	bool planned;

	if (st == TAF_OK)
		st = run_way(p, r, spool.out, e);
	planned = taf_need_goes_on(st, e);
	st = taf_spool_end(&spool, planned ? TAF_OK : st, "temporary file", &in, e);
	if (st == TAF_OK)
		st = planned ? taf_need_end(0, e) :
		    taf_writer_move(p->along->w, in, taf_array_count(p->a), e);
	taf_in_close(in);
	return st;
}

/* All lines of r's array a along its first dimension. */
static enum taf_status
run_lines(void *ctx, struct taf_reader *r, const struct taf_array *a, struct taf_out *to,
    struct taf_err *e)
{
	struct passing *p = ctx;
	const uint64_t lines = taf_array_count(a) / p->len;
	const uint64_t share = taf_memory_share(p->along->service->memory, TAF_BATCH);
	const size_t state = state_numbers(p) * sizeof(double);
	enum taf_status st = taf_values_plan(&p->recode, a, TAF_FLT64, false, false, e);

	p->a = a;
	for (p->most = PIECE; p->most > LEAST && p->most > share / (4 * sizeof(double));)
		p->most /= 2;
	p->pieces = (p->len - 1) / p->most + 1;
	p->all = lines * p->pieces;
	if (p->all == 0)
		return st;
	taf_need_again(taf_array_bytes(a));
	if (st == TAF_OK)
		st = taf_store_grow(&p->before, p->all, state, share, e);
	if (st == TAF_OK)
		st = taf_store_grow(&p->end, lines, state + sizeof(double), share, e);
	if (st == TAF_OK)
		st = run_way(p, r, NULL, e);
	if (taf_need_goes_on(st, e))
		st = TAF_OK;
	p->back = true;
	if (st == TAF_OK)
		st = to != NULL ? run_way(p, r, to, e) : run_refusing(p, r, e);
	taf_store_free(&p->before);
	taf_store_free(&p->end);
	return st;
}

static enum taf_status
run_pieces(const struct taf_along *l, const struct job *j, struct taf_err *e)
{
	struct passing *p = calloc(1, sizeof *p);
	const struct taf_transposed lines = { .along = l, .lines = run_lines, .ctx = p };
	enum taf_status st;

	if (p == NULL)
		return taf_fail_mem(e);
	p->along = l;
	p->len = l->a->dim[l->dim - 1].n;
	p->rest = &j->filter;
	p->filter = j->filter;
	p->margin = taf_filter_margin(&j->filter);
	p->stored = (struct taf_recode){ .from = TAF_FLT64,
	    .to = taf_along_type(l, l->out) };
	st = taf_transposed(&lines, e);
	free(p);
	return st;
}

static enum taf_status
run_both(const struct taf_along *l, struct job *j, struct taf_err *e)
{
	const uint64_t len = l->a->dim[l->dim - 1].n, memory = l->service->memory;
	struct taf_lines lines = { .r = l->r, .a = l->a, .dim = l->dim,
	    .as = TAF_FLT64, .out = l->out, .w = l->w, .give = TAF_FLT64,
	    .line = both, .ctx = j, .scaling = TAF_SCALING_ONCE };
	struct taf_need need = { 0 };
	uint64_t bytes;

	lines.threads = taf_threads(l->service);
	lines.memory = memory;
	/* a line takes six times as many bytes at most; a long one is not faster */
	if (len > LONG || !taf_mul(len + 2 * taf_filter_margin(&j->filter),
	    6 * sizeof(double), &bytes) || bytes > memory)
		return run_pieces(l, j, e);
	j->lines = bytes / 6 <= taf_memory_share(memory, TAF_MANY) /
	    lines.threads ? 2 : 1;
	need.scratch = taf_filter_scratch(&j->filter, (size_t)len, j->lines) *
	    sizeof(double);
	return taf_lines_fit(&lines, &need) ? taf_lines_with(&lines, &need, e) :
	    run_pieces(l, j, e);
}

/* Sums of weighted points. */
static enum taf_status
weigh(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	const struct job *j = ctx;
	const size_t others = j->before + j->behind;
	const struct taf_points_at points = { w->in, w->first, w->n_in, j->reach.len };
	size_t done, n;

	(void)e;
	for (done = 0; done < w->n; done += n) {
		n = w->n - done < BLOCK ? w->n - done : BLOCK;
		taf_convolve(w->out + done, taf_edge_extend(&points,
		    j->behind > 0 ? TAF_EDGE_ODD : TAF_EDGE_ZERO,
		    (int64_t)(w->at + done) - (int64_t)j->before, n + others,
		    w->scratch), n,
		    j->weight, others + 1);
	}
	return TAF_OK;
}

/* Both ways is once with the weights of both: those that come out of them forward. */
static void
make_weights(const struct taf_filtering_how *how, struct job *j)
{
	const size_t n = how->ntaps;
	size_t i, k;

	for (i = 0; i < n && how->causal; i++)
		j->weight[i] = how->taps[n - 1 - i];
	for (i = 0; i < n && !how->causal; i++) {
		double sum = 0;

		for (k = 0; k + i < n; k++)
			sum += how->taps[k] * how->taps[k + i];
		j->weight[n - 1 - i] = j->weight[n - 1 + i] = sum;
	}
}

static enum taf_status
run_weights(const struct taf_filtering_how *how, struct job *j, struct taf_err *e)
{
	const size_t n = how->ntaps, others = how->causal ? n - 1 : 2 * (n - 1);
	const uint64_t bytes = (BLOCK + 4 * (uint64_t)n) * sizeof(double);
	const struct taf_windows windows = { .along = j->along,
	    .memory = taf_memory_for(j->along->service->memory, 2 * bytes),
	    .need = { .scratch = (BLOCK + others) * sizeof(double),
		.shared = 2 * n * sizeof(double) }, .reach = &j->reach,
	    .window = weigh, .ctx = j, .blocks = true, .scaling = TAF_SCALING_ONCE };
	enum taf_status st;

	if (bytes > taf_memory_share(windows.memory, TAF_HELD))
		return taf_fail(e, TAF_EDATA,
		    "%zu weights need more memory than -m allows", n);
	j->before = n - 1;
	j->behind = others - j->before;
	j->reach.before = j->before;
	j->reach.behind = j->behind;
	j->weight = taf_alloc(2 * n, sizeof *j->weight);
	if (j->weight == NULL)
		return taf_fail_mem(e);
	make_weights(how, j);
	st = taf_windows(&windows, e);
	free(j->weight);
	return st;
}

enum taf_status
taf_filtering(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_filtering_how *how = m->intent;
	const struct taf_along l = taf_move_parts(m, how->dim);
	struct job j = { .along = &l };
	const struct taf_windows windows = { .along = &l, .reach = &j.reach,
	    .window = forward, .state_size = sizeof(struct course), .ctx = &j,
	    .blocks = true };
	enum taf_status st = design(how, l.a, &j.filter, e);

	j.reach.len = l.a->dim[how->dim - 1].n;
	if (st != TAF_OK)
		return st;
	if (how->ntaps > 0)
		return run_weights(how, &j, e);
	return how->causal ? taf_windows(&windows, e) : run_both(&l, &j, e);
}
