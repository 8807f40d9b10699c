/* SPDX-License-Identifier: ISC */
#include "op/fft/analytic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/frequency.h"
#include "base/buf.h"
#include "base/num.h"
#include "kernel/fft/fft.h"
#include "kernel/fft/quadrature.h"
#include "kernel/func/func.h"
#include "kernel/line/phase.h"
#include "kernel/number/nan.h"
#include "op/fft/analytic_long.h"
#include "op/fft/longline.h"
#include "stream/lines_private.h"
#include "stream/windows.h"

enum taf_status
taf_analytic_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	const struct taf_analytic_intent *want = intent;
	enum taf_status st;

	(void)plan;
	if (taf_type_is_pair(in->type) && (want->result == TAF_ANALYTIC_SIGNAL ||
	    want->result == TAF_ANALYTIC_QUADRATURE))
		return taf_fail(e, TAF_EDATA,
		    "elements are %s, so they are analytic: take --envelope, --phase or --frequency",
		    taf_type_name(in->type));
	st = taf_windows_shape(out, in, want->dim, e);
	if (st != TAF_OK)
		return st;
	out->type = want->result == TAF_ANALYTIC_SIGNAL ?
	    taf_type_computed_pair(in->type) : taf_type_computed(in->type);
	if (want->result == TAF_ANALYTIC_PHASE)
		return taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, "rad", e);
	if (want->result != TAF_ANALYTIC_FREQUENCY)
		return TAF_OK;
	if (in->dim[want->dim - 1].n < 2)
		return taf_fail(e, TAF_EDATA, "dimension %u: one point has no frequency",
		    want->dim);
	st = taf_frequency_check(in, want->dim, e);
	return st == TAF_OK ? taf_frequency_unit(out, want->dim, TAF_OF_ARRAY, e) : st;
}

void
taf_analytic_quadrature(double *pairs, uint64_t first, size_t n, uint64_t len)
{
	size_t i;

	for (i = 0; i < n; i++, pairs += 2) {
		/* frequencies 0 and len / 2 have none */
		const bool none = first + i == 0 || 2 * (first + i) == len;
		const double re = pairs[0];

		pairs[0] = none ? 0 : pairs[1];
		pairs[1] = none ? 0 : -re;
	}
}

/* Of a number that is infinite, which may have overflowed, there is no phase. */
static void
phases(double *to, const double *re, const double *im, size_t n)
{
	size_t i;

	taf_func_atan2(to, im, re, n);
	for (i = 0; i < n; i++)
		if (isinf(re[i]) || isinf(im[i]))
			to[i] = (double)NAN;
}

static void
frequencies(double *to, const struct taf_analytic_part *p, double step)
{
	double phase[TAF_ANALYTIC_PIECE + 2 * TAF_ANALYTIC_MARGIN];
	double all[TAF_ANALYTIC_PIECE + 2 * TAF_ANALYTIC_MARGIN];

	phases(phase, p->re, p->im, p->points);
	taf_phase_frequency(all, phase, p->points, step);
	memcpy(to, all + p->first, p->n * sizeof *to);
}

void
taf_analytic_results(const struct taf_analytic_job *how, double *to,
    const struct taf_analytic_part *p)
{
	const double *const re = p->re + p->first, *const im = p->im + p->first;
	size_t k;

	switch (how->want->result) {
	case TAF_ANALYTIC_SIGNAL:
		for (k = 0; k < p->n; k++) {
			to[2 * k] = re[k];
			to[2 * k + 1] = im[k];
		}
		break;
	case TAF_ANALYTIC_QUADRATURE:
		memcpy(to, im, p->n * sizeof *to);
		break;
	case TAF_ANALYTIC_ENVELOPE:
		taf_func_hypot(to, re, im, p->n);
		break;
	case TAF_ANALYTIC_PHASE:
		phases(to, re, im, p->n);
		break;
	case TAF_ANALYTIC_FREQUENCY:
		frequencies(to, p, how->along->a->dim[how->along->dim - 1].step);
		break;
	}
}

enum taf_scaling
taf_analytic_scaling(enum taf_analytic result)
{
	return result == TAF_ANALYTIC_PHASE || result == TAF_ANALYTIC_FREQUENCY ?
	    TAF_SCALING_NONE : TAF_SCALING_ONCE;
}

struct job {
	const struct taf_analytic_job *how;
	struct taf_fft *to, *back;
	size_t n, length;	/* of a line, and of its transforms */
	double *taps;		/* transform of what lines are convolved with, or NULL */
};

/* Results of a line, of which im are the imaginary parts. */
static void
results(const struct job *j, const double *line, const double *im, double *to)
{
	enum { PIECE = TAF_ANALYTIC_PIECE, MARGIN = TAF_ANALYTIC_MARGIN };
	const size_t words = j->how->want->result == TAF_ANALYTIC_SIGNAL ? 2 : 1;
	struct taf_unwrap u = { 0, 0 };
	size_t at, n, from, left;

	for (at = 0; at < j->n; at += n) {
		n = j->n - at < PIECE ? j->n - at : PIECE;
		from = at > MARGIN ? at - MARGIN : 0;
		left = j->n - at - n < MARGIN ? j->n - at - n : MARGIN;
		taf_analytic_results(j->how, to + words * at,
		    &(struct taf_analytic_part){ line + from, im + from,
		    at + n + left - from, at - from, n });
	}
	u.last = j->n > 0 ? to[0] : 0;
	if (j->how->want->unwrap)
		taf_phase_unwrap(&u, to, j->n);
}

/* Bytes that a thread needs for a line: frequencies, imaginary parts, and transforms. */
static size_t
scratch_of(const struct job *j)
{
	const size_t to = taf_fft_scratch(j->to), back = taf_fft_scratch(j->back);

	return 2 * (j->length + 2) * sizeof(double) + (to > back ? to : back);
}

/* The transform of what lines are convolved with. */
static enum taf_status
plan_taps(struct job *j, struct taf_err *e)
{
	double *const work = malloc(j->length * sizeof *work + taf_fft_scratch(j->to));

	j->taps = taf_alloc(j->length + 2, sizeof *j->taps);
	if (work == NULL || j->taps == NULL) {
		free(work);
		return taf_fail_mem(e);
	}
	taf_quadrature_taps(work, 0, j->length, j->n, j->length);
	taf_fft_lines(j->to, j->taps, work, 1, work + j->length);
	free(work);
	return TAF_OK;
}

/* The imaginary parts of a line, from its frequencies x, for which there is space. */
static void
quadrature(const struct job *j, double *im, double *x, const double *in, void *scratch)
{
	if (j->taps != NULL) {
		memcpy(im, in, j->n * sizeof *im);
		memset(im + j->n, 0, (j->length - j->n) * sizeof *im);
		taf_fft_lines(j->to, x, im, 1, scratch);
		taf_quadrature_times(x, j->taps, j->length / 2 + 1);
	} else {
		taf_fft_lines(j->to, x, in, 1, scratch);
		taf_analytic_quadrature(x, 0, j->n / 2 + 1, j->n);
	}
	taf_fft_lines(j->back, im, x, 1, scratch);
}

static enum taf_status
line(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	const struct job *j = ctx;
	const size_t out = j->n * (j->how->want->result == TAF_ANALYTIC_SIGNAL ? 2 : 1);
	double *const x = l->scratch, *const im = x + j->length + 2;
	size_t i;

	(void)e;
	for (i = 0; i < l->lines; i++) {
		const double *const in = (const double *)l->in + i * j->n;

		quadrature(j, im, x, in, im + j->length + 2);
		results(j, in, im, (double *)l->out + i * out);
	}
	return TAF_OK;
}

/* *fit says whether lines fit the memory; else nothing was done. */
static enum taf_status
run(struct job *j, bool *fit, struct taf_err *e)
{
	const struct taf_analytic_job *how = j->how;
	const struct taf_fft_want forward = { .n = j->length, .kind = TAF_FFT_REAL };
	const struct taf_fft_want inverse = { .n = j->length, .kind = TAF_FFT_HALF };
	const struct taf_along *l = how->along;
	const struct taf_lines lines = { .r = l->r, .a = l->a, .dim = l->dim,
	    .as = TAF_FLT64, .out = l->out, .w = l->w,
	    .give = how->want->result == TAF_ANALYTIC_SIGNAL ? TAF_COMPLEX128 : TAF_FLT64,
	    .line = line, .ctx = j, .memory = l->service->memory,
	    .threads = taf_threads(l->service),
	    .scaling = taf_analytic_scaling(how->want->result) };
	struct taf_need need = { 0 };

	if (taf_fft_open(&j->to, &forward, e) != TAF_OK ||
	    taf_fft_open(&j->back, &inverse, e) != TAF_OK ||
	    (j->length > j->n && plan_taps(j, e) != TAF_OK))
		return e->code;
	need.scratch = scratch_of(j);
	*fit = taf_lines_fit(&lines, &need);
	return *fit ? taf_lines_with(&lines, &need, e) : TAF_OK;
}

/* Lines that are analytic as they come. */
struct pairs {
	const struct taf_analytic_job *how;
	struct taf_reach reach;
};

enum { ROOM = TAF_ANALYTIC_PIECE + 2 * TAF_ANALYTIC_MARGIN };	/* of each part */

static enum taf_status
window(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	enum { PIECE = TAF_ANALYTIC_PIECE, MARGIN = TAF_ANALYTIC_MARGIN };
	const struct pairs *j = ctx;
	double *const re = w->scratch, *const im = re + ROOM;
	struct taf_unwrap *const u = w->state;
	size_t at, n, place, from, end, i;

	(void)e;
	for (at = 0; at < w->n; at += n) {
		n = w->n - at < PIECE ? w->n - at : PIECE;
		place = (size_t)(w->at - w->first) + at;
		from = place > MARGIN ? place - MARGIN : 0;
		end = w->n_in - place - n < MARGIN ? w->n_in : place + n + MARGIN;
		for (i = from; i < end; i++) {
			re[i - from] = w->in[2 * i];
			im[i - from] = w->in[2 * i + 1];
		}
		taf_analytic_results(j->how, w->out + at, &(struct taf_analytic_part){
		    re, im, end - from, place - from, n });
	}
	if (u != NULL && w->at == 0)
		u->last = w->out[0];
	if (u != NULL)
		taf_phase_unwrap(u, w->out, w->n);
	return TAF_OK;
}

static enum taf_status
run_pairs(const struct taf_analytic_job *how, struct taf_err *e)
{
	const struct taf_along *l = how->along;
	struct pairs j = { how, { l->a->dim[l->dim - 1].n, TAF_ANALYTIC_MARGIN,
	    TAF_ANALYTIC_MARGIN } };
	const size_t scratch = 2 * ROOM * sizeof(double);
	const struct taf_windows windows = { .along = l, .reach = &j.reach,
	    .memory = taf_memory_for(l->service->memory, 2 * scratch),
	    .need.scratch = scratch, .window = window, .ctx = &j, .blocks = true,
	    .state_size = how->want->unwrap ? sizeof(struct taf_unwrap) : 0,
	    /* phases are right at once, and to unwrap them twice would be wrong */
	    .scaling = how->want->result == TAF_ANALYTIC_ENVELOPE ? TAF_SCALING_ONCE :
	    TAF_SCALING_UNKNOWN };

	return taf_windows(&windows, e);
}

/* Bytes of tables that are as long as a line. */
static size_t
tables(const struct job *j)
{
	const struct taf_fft_want want = { .n = j->n, .kind = TAF_FFT_REAL };

	return j->length > j->n ? (j->length + 2) * sizeof(double) :
	    taf_fft_tables(&want);
}

enum taf_status
taf_analytic(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_analytic_intent *want = m->intent;
	const struct taf_along along = taf_move_along(m, want->dim);
	const struct taf_analytic_job how = { want, &along };
	const uint64_t most = taf_memory_share(m->service->memory, TAF_BATCH);
	const uint64_t n = m->in->dim[want->dim - 1].n;
	struct job j = { .how = &how, .n = (size_t)n,
	    .length = taf_quadrature_length(n) };
	enum taf_status st = TAF_OK;
	bool fit;

	j.length = j.length > 0 ? j.length : j.n;
	fit = n <= TAF_LONGLINE && n <= most / sizeof(double) && tables(&j) <= most / 2;
	if (taf_type_is_pair(m->in->type))
		return run_pairs(&how, e);
	if (fit)
		st = run(&j, &fit, e);
	taf_fft_close(j.to);
	taf_fft_close(j.back);
	free(j.taps);
	return st == TAF_OK && !fit ? taf_analytic_long(&how, e) : st;
}
