/* SPDX-License-Identifier: ISC */
#include "op/line/filtering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/need.h"
#include "base/num.h"
#include "base/str.h"
#include "io/spool.h"
#include "kernel/line/smooth.h"
#include "kernel/number/nan.h"
#include "kernel/number/recode_private.h"
#include "stream/lines_private.h"
#include "stream/transpose.h"
#include "stream/values.h"
#include "stream/windows.h"

enum {
	BLOCK = 1024,		/* results of weights at a time */
	PIECE = 16 * 1024,	/* points of a long line */
	LONG = 1 << 22,		/* points from which on a line is one, whatever fits */
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

/* A line that is larger than the memory, on its way through files. */
struct passing {
	const struct taf_along *along;
	struct taf_out *to;		/* or NULL: to how's writer */
	struct taf_filter filter;
	struct taf_values *values;
	uint64_t len, line;		/* of a line; its number */
	size_t margin;
	double *x;			/* PIECE points, with a margin before */
	unsigned char *stored;		/* as many results */
	double last[MARGIN + 1];	/* points of the line that came last */
	bool wild;			/* not all points of the line are finite */
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

/* Forward, with both extensions, to a file. */
static enum taf_status
pass_forward(struct passing *p, struct taf_out *to, struct taf_err *e)
{
	const size_t margin = p->margin, keep = margin + 1;
	enum taf_status st = TAF_OK;
	double *x = p->x + margin;
	uint64_t at;
	size_t n;

	p->wild = false;
	/* the line is longer than a piece, and a piece is than the margin */
	for (at = 0; at < p->len && st == TAF_OK; at += n) {
		n = p->len - at < PIECE ? (size_t)(p->len - at) : PIECE;
		st = taf_values_get(p->values, x, n, e);
		if (st != TAF_OK)
			return st;
		p->wild = p->wild || !taf_all_finite(x, n, 1, false);
		if (n >= keep) {
			memcpy(p->last, x + (n - keep), keep * sizeof *x);
		} else {
			memmove(p->last, p->last + n, (keep - n) * sizeof *x);
			memcpy(p->last + (keep - n), x, n * sizeof *x);
		}
		if (at == 0) {
			mirror_about(p->x, x, margin, true);
			taf_filter_settle(&p->filter, p->x[0]);
			taf_filter_forward(&p->filter, p->x, margin);
			st = taf_out_write(to, p->x, margin * sizeof *x, e);
		}
		taf_filter_forward(&p->filter, x, n);
		if (st == TAF_OK)
			st = taf_out_write(to, x, n * sizeof *x, e);
	}
	mirror_about(x, p->last, margin, false);
	taf_filter_forward(&p->filter, x, margin);
	return st == TAF_OK ? taf_out_write(to, x, margin * sizeof *x, e) : st;
}

/* Backward, from that file to another one, which gets the results of the line alone. */
static enum taf_status
pass_backward(struct passing *p, const struct taf_in *from, struct taf_out *to,
    struct taf_err *e)
{
	const enum taf_type type = taf_along_type(p->along, p->along->out);
	const struct taf_recode back = { .from = TAF_FLT64, .to = type };
	const size_t osize = taf_type_size(type);
	const uint64_t all = p->len + 2 * p->margin;
	enum taf_status st;
	uint64_t left, base;
	double *x = p->x;
	size_t n, good;

	st = taf_out_region(to, p->len * osize, &base, e);
	for (left = all; left > p->margin && st == TAF_OK; left -= n) {
		/* what is behind the line first, and nothing of what is before it */
		n = left == all ? p->margin : left - p->margin < PIECE ?
		    (size_t)(left - p->margin) : PIECE;
		st = taf_in_pread(from, x, n * sizeof *x, (left - n) * sizeof *x, e);
		if (st != TAF_OK)
			return st;
		if (left == all)
			taf_filter_settle(&p->filter, x[n - 1]);
		taf_filter_backward(&p->filter, x, n);
		if (left == all)
			continue;
		if (!taf_one_nan(x, n, false) && !p->wild)
			return taf_recode_overflow(TAF_FLT64, "", e);
		good = taf_recode(&back, p->stored, x, n, NULL);
		if (good < n)
			return taf_recode_misfit(&back, x + good,
			    taf_along_place(p->along, p->along->out, p->line,
			    left - n - p->margin + good).s, e);
		st = taf_out_pwrite(to, p->stored, n * osize,
		    base + (left - n - p->margin) * osize, e);
	}
	return st;
}

static enum taf_status
pass(struct passing *p, struct taf_err *e)
{
	struct taf_spool spool = { .fd = -1 };
	struct taf_in *there = NULL, *back = NULL;
	enum taf_status st = TAF_OK;

	if (taf_need_asked() != NULL) {
		taf_need_file((p->len + p->margin) * sizeof *p->x +
		    p->len * taf_type_size(taf_along_type(p->along, p->along->out)));
		return taf_need_end(0, e);
	}
	st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = pass_forward(p, spool.out, e);
	st = taf_spool_end(&spool, st, "temporary file", &there, e);
	if (st != TAF_OK)
		return st;
	st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = pass_backward(p, there, spool.out, e);
	st = taf_spool_end(&spool, st, "temporary file", &back, e);
	taf_in_close(there);
	if (st != TAF_OK)
		return st;
	st = p->to != NULL ? taf_out_copy(p->to, back, p->len *
	    taf_type_size(taf_along_type(p->along, p->along->out)), e) :
	    taf_writer_move(p->along->w, back, p->len, e);
	taf_in_close(back);
	p->line++;
	return st;
}

/* All lines of r's array a along its first dimension, each through files. */
static enum taf_status
run_lines(void *ctx, struct taf_reader *r, const struct taf_array *a, struct taf_out *to,
    struct taf_err *e)
{
	struct passing *p = ctx;
	uint64_t left = taf_array_count(a) / p->len;
	struct taf_recode recode;
	enum taf_status st = taf_values_plan(&recode, a, TAF_FLT64, false, false, e);

	p->to = to;
	if (st == TAF_OK)
		st = taf_values_open(&p->values, r, a, NULL, &recode, e);
	for (; left > 0 && st == TAF_OK; left--)
		st = pass(p, e);
	taf_values_close(p->values);
	return st;
}

static enum taf_status
run_files(const struct taf_along *l, const struct job *j, struct taf_err *e)
{
	struct passing *p = calloc(1, sizeof *p);
	const struct taf_transposed lines = { .along = l, .lines = run_lines, .ctx = p };
	enum taf_status st;

	if (p == NULL)
		return taf_fail_mem(e);
	p->along = l;
	p->len = l->a->dim[l->dim - 1].n;
	p->filter = j->filter;
	p->margin = taf_filter_margin(&j->filter);
	p->x = taf_alloc(PIECE + MARGIN, sizeof *p->x);
	p->stored = taf_alloc(PIECE, taf_type_size(taf_along_type(l, l->out)));
	st = p->x == NULL || p->stored == NULL ? taf_fail_mem(e) :
	    taf_transposed(&lines, e);
	free(p->x);
	free(p->stored);
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
	/* a line takes six times as many bytes at most; a long one is no faster so */
	if (len > LONG || !taf_mul(len + 2 * taf_filter_margin(&j->filter), 6 * sizeof(double),
	    &bytes) || bytes > memory)
		return run_files(l, j, e);
	j->lines = bytes / 6 <= taf_memory_share(memory, TAF_MANY) /
	    lines.threads ? 2 : 1;
	need.scratch = taf_filter_scratch(&j->filter, (size_t)len, j->lines) *
	    sizeof(double);
	return taf_lines_fit(&lines, &need) ? taf_lines_with(&lines, &need, e) :
	    run_files(l, j, e);
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
