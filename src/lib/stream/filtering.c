#include "stream/filtering.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "kernel/nan.h"
#include "kernel/smooth.h"
#include "stream/lines.h"
#include "stream/relay.h"
#include "stream/windows.h"

enum { BLOCK = 1024 };	/* results of weights at a time */

struct job {
	struct taf_filter filter;		/* at rest */
	struct taf_reach reach;
	double *room[TAF_RELAY_MOST];
	double *weight;				/* of points before a result, its own, and behind */
	size_t before, behind;
};

/* A frequency in cycles a point. */
static enum taf_status
cycles(const struct taf_array *a, unsigned dim, double f, double *to, struct taf_err *e)
{
	const double step = a->dim[dim - 1].step < 0 ? -a->dim[dim - 1].step :
	    a->dim[dim - 1].step;

	*to = f * step;
	return *to > 0 && *to < 0.5 ? TAF_OK : taf_fail(e, TAF_EDATA, "dimension %u: frequency "
	    "%s: those of steps of %s are below %s", dim, taf_f64(f).s, taf_f64(step).s,
	    taf_f64(0.5 / step).s);
}

static enum taf_status
design(const struct taf_filtering_how *how, const struct taf_array *a, unsigned dim,
    struct taf_filter *f, struct taf_err *e)
{
	struct taf_passage p = how->passage;
	enum taf_status st = TAF_OK;
	double at;
	size_t k;

	memset(f, 0, sizeof *f);
	if (how->ntaps > 0)
		return TAF_OK;
	if (p.low > 0)
		st = cycles(a, dim, p.low, &p.low, e);
	if (p.high > 0 && st == TAF_OK)
		st = cycles(a, dim, p.high, &p.high, e);
	if (st == TAF_OK && (p.low > 0 || p.high > 0))
		f->n = taf_filter_design(&p, f->section);
	for (k = 0; k < how->notches && st == TAF_OK; k++) {
		st = cycles(a, dim, how->notch[k].f, &at, e);
		/* what is stopped must not reach over all frequencies */
		if (st == TAF_OK && at / how->notch[k].q >= 0.5)
			st = taf_fail(e, TAF_EDATA, "dimension %u: a notch as wide as all frequencies",
			    dim);
		if (st == TAF_OK)
			f->section[f->n++] = taf_filter_notch(at, how->notch[k].q);
	}
	return st;
}

enum taf_status
taf_filtering_shape(const struct taf_filtering_how *how, struct taf_array *out,
    const struct taf_array *in, unsigned dim, struct taf_err *e)
{
	struct taf_filter f;
	size_t margin;

	if (taf_windows_shape(out, in, dim, e) != TAF_OK || design(how, in, dim, &f, e) != TAF_OK)
		return e->code;
	margin = how->ntaps > 0 ? 3 * how->ntaps : taf_filter_margin(&f);
	return how->causal || in->dim[dim - 1].n > margin ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "dimension %u: %llu points, and more than %zu are needed to filter both ways", dim,
	    (unsigned long long)in->dim[dim - 1].n, margin);
}

static void
span(const void *ctx, uint64_t at, uint64_t n, uint64_t bounds[2])
{
	const struct job *j = ctx;

	taf_reach_span(&j->reach, at, n, bounds);
}

/* A line on its way through the filter, whose state is that of the line. */
static enum taf_status
forward(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	struct job *j = ctx;
	struct taf_filter f = j->filter;

	(void)e;
	memcpy(f.state, w->state, sizeof f.state);
	memcpy(w->out, w->in + (w->at - w->first), w->n * sizeof *w->out);
	taf_filter_forward(&f, w->out, w->n);
	memcpy(w->state, f.state, sizeof f.state);
	return TAF_OK;
}

static enum taf_status
both(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	struct job *j = ctx;
	double **room = &j->room[l->thread], *out = l->out;
	const double *in = l->in;
	size_t i;

	if (*room == NULL)
		*room = taf_alloc(l->in_len + 2 * taf_filter_margin(&j->filter), sizeof **room);
	if (*room == NULL)
		return taf_fail_mem(e);
	for (i = 0; i < l->lines; i++, in += l->in_len, out += l->out_len) {
		struct taf_filter f = j->filter;

		taf_filter_both(&f, out, in, l->in_len, *room);
		taf_make_one_nan(out, l->out_len);
	}
	return TAF_OK;
}

static enum taf_status
run_both(const struct taf_filtering *how, struct job *j, struct taf_err *e)
{
	const uint64_t len = how->a->dim[how->dim - 1].n, memory = how->service->memory;
	struct taf_lines lines = { .r = how->r, .a = how->a, .dim = how->dim, .as = TAF_FLT64,
	    .out = how->out, .w = how->w, .give = TAF_FLT64, .line = both, .ctx = j };
	unsigned threads = taf_threads(how->service), k;
	uint64_t bytes;
	enum taf_status st;

	if (!taf_mul(len + 2 * taf_filter_margin(&j->filter), sizeof(double), &bytes) ||
	    bytes > memory / 2)
		return taf_fail(e, TAF_EDATA, "dimension %u: a line of %llu elements needs more "
		    "memory than -m allows", how->dim, (unsigned long long)len);
	if (threads > TAF_RELAY_MOST)
		threads = TAF_RELAY_MOST;
	while (threads > 1 && bytes > memory / 4 / threads)
		threads--;
	lines.threads = threads;
	lines.memory = memory - threads * bytes;
	st = taf_lines(&lines, e);
	for (k = 0; k < TAF_RELAY_MOST; k++)
		free(j->room[k]);
	return st;
}

/* Sums of weighted points. */
static enum taf_status
weigh(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	struct job *j = ctx;
	const size_t others = j->before + j->behind;
	const struct taf_points_at points = { w->in, w->first, w->n_in, j->reach.len };
	double **room = &j->room[w->thread];
	size_t done, n;

	if (*room == NULL)
		*room = taf_alloc(BLOCK + others, sizeof **room);
	if (*room == NULL)
		return taf_fail_mem(e);
	for (done = 0; done < w->n; done += n) {
		n = w->n - done < BLOCK ? w->n - done : BLOCK;
		taf_convolve(w->out + done, taf_edge_extend(&points, j->behind > 0 ? TAF_EDGE_ODD :
		    TAF_EDGE_ZERO, (int64_t)(w->at + done) - (int64_t)j->before, n + others, *room),
		    n, j->weight, others + 1);
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
run_weights(const struct taf_filtering *how, struct job *j, struct taf_err *e)
{
	const size_t n = how->how->ntaps;
	struct taf_service service = *how->service;
	const struct taf_windows windows = { .service = &service, .r = how->r, .a = how->a,
	    .dim = how->dim, .out = how->out, .w = how->w, .span = span, .window = weigh,
	    .ctx = j };
	const uint64_t bytes = (BLOCK + 4 * (uint64_t)n) * sizeof(double);
	enum taf_status st;
	unsigned k;

	service.jobs = taf_threads(how->service);
	while (service.jobs > 1 && bytes > service.memory / 2 / service.jobs)
		service.jobs--;
	if (bytes > service.memory / 2)
		return taf_fail(e, TAF_EDATA, "%zu weights need more memory than -m allows", n);
	service.memory -= bytes * service.jobs;
	j->before = n - 1;
	j->behind = how->how->causal ? 0 : n - 1;
	j->reach.before = j->before;
	j->reach.behind = j->behind;
	j->weight = taf_alloc(2 * n, sizeof *j->weight);
	if (j->weight == NULL)
		return taf_fail_mem(e);
	make_weights(how->how, j);
	st = taf_windows(&windows, e);
	for (k = 0; k < TAF_RELAY_MOST; k++)
		free(j->room[k]);
	free(j->weight);
	return st;
}

enum taf_status
taf_filtering(const struct taf_filtering *how, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	const struct taf_windows windows = { .service = how->service, .r = how->r, .a = how->a,
	    .dim = how->dim, .out = how->out, .w = how->w, .span = span, .window = forward,
	    .state_size = sizeof j->filter.state, .ctx = j };
	enum taf_status st;

	if (j == NULL)
		return taf_fail_mem(e);
	j->reach.len = how->a->dim[how->dim - 1].n;
	st = design(how->how, how->a, how->dim, &j->filter, e);
	if (st == TAF_OK && how->how->ntaps > 0)
		st = run_weights(how, j, e);
	else if (st == TAF_OK)
		st = how->how->causal ? taf_windows(&windows, e) : run_both(how, j, e);
	free(j);
	return st;
}
