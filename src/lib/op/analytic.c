#include "op/analytic.h"

#include <stdlib.h>
#include <string.h>

#include "array/unit.h"
#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "kernel/fft/fft.h"
#include "kernel/func/func.h"
#include "kernel/line/phase.h"
#include "kernel/number/nan.h"
#include "op/analytic_long.h"
#include "op/longline.h"
#include "stream/lines.h"
#include "stream/relay.h"
#include "stream/windows.h"

static enum taf_status
frequency_unit(struct taf_array *a, unsigned dim, struct taf_err *e)
{
	struct taf_buf unit = { 0 };
	enum taf_status st = taf_unit_inverse(&unit,
	    taf_attr_get(a, "unit", TAF_OF_DIM, dim), e);

	if (st == TAF_OK)
		st = taf_attr_set(a, "unit", TAF_OF_ARRAY, 0,
		    unit.len > 0 ? unit.data : NULL, e);
	taf_buf_free(&unit);
	return st;
}

enum taf_status
taf_analytic_resolve(const struct taf_analytic_intent *want, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e)
{
	const struct taf_dim *d;
	enum taf_status st = taf_windows_shape(out, in, want->dim, e);

	if (st != TAF_OK)
		return st;
	if (want->result == TAF_ANALYTIC_SIGNAL)
		out->type = out->type == TAF_FLT32 ? TAF_COMPLEX : TAF_COMPLEX128;
	if (want->result == TAF_ANALYTIC_PHASE)
		return taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, "rad", e);
	if (want->result != TAF_ANALYTIC_FREQUENCY)
		return TAF_OK;
	d = &in->dim[want->dim - 1];
	if (d->n < 2)
		return taf_fail(e, TAF_EDATA, "dimension %u: one point has no frequency",
		    want->dim);
	if (!taf_is_finite(d->step) || !taf_is_finite(1 / d->step))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: a step of %s has no frequencies", want->dim,
		    taf_brief(d->step).s);
	return frequency_unit(out, want->dim, e);
}

/* What a thread needs for a line. */
struct desk {
	void *room;
	double *x;		/* frequencies, later two rows of points */
	double *im;		/* imaginary parts */
};

struct job {
	const struct taf_analytic_job *how;
	struct taf_fft *to, *back;
	size_t n, room;
	struct desk desk[TAF_RELAY_MOST];
};

static enum taf_status
open_desk(const struct job *j, struct desk *d, struct taf_err *e)
{
	d->room = aligned_alloc(64, j->room);
	d->x = taf_alloc(j->n + 2, 2 * sizeof *d->x);
	d->im = taf_alloc(j->n, sizeof *d->im);
	return d->room != NULL && d->x != NULL && d->im != NULL ? TAF_OK :
	    taf_fail_mem(e);
}

/* The imaginary parts: a quarter of a turn behind; frequencies 0 and n/2 have none. */
static void
make(const struct job *j, const struct desk *d, const double *line)
{
	size_t k;

	taf_fft_lines(j->to, d->x, line, 1, d->room);
	for (k = 0; k <= j->n / 2; k++) {
		const bool none = k == 0 || 2 * k == j->n;
		const double re = d->x[2 * k];

		d->x[2 * k] = none ? 0 : d->x[2 * k + 1];
		d->x[2 * k + 1] = none ? 0 : -re;
	}
	taf_fft_lines(j->back, d->im, d->x, 1, d->room);
}

/* As lines that do not fit the memory have them: piece by piece. */
static void
frequencies(const struct job *j, const struct desk *d, const double *line, double *to)
{
	enum { PIECE = TAF_ANALYTIC_PIECE, MARGIN = TAF_ANALYTIC_MARGIN };
	const double step = j->how->in->dim[j->how->want->dim - 1].step;
	double re[PIECE + 2 * MARGIN], im[PIECE + 2 * MARGIN];
	size_t at, n, from, points;

	for (at = 0; at < j->n; at += n) {
		n = j->n - at < PIECE ? j->n - at : PIECE;
		from = at > MARGIN ? at - MARGIN : 0;
		points = (j->n - at - n > MARGIN ? at + n + MARGIN : j->n) - from;
		memcpy(re, line + from, points * sizeof *re);
		memcpy(im, d->im + from, points * sizeof *im);
		taf_analytic_frequencies(im, re, points, step);
		memcpy(to + at, im + (at - from), n * sizeof *to);
	}
}

static void
results(const struct job *j, const struct desk *d, const double *line, double *to)
{
	const struct taf_analytic_intent *want = j->how->want;
	const size_t n = j->n;
	struct taf_unwrap u = { 0, 0 };
	size_t k;

	switch (want->result) {
	case TAF_ANALYTIC_SIGNAL:
		for (k = 0; k < n; k++) {
			to[2 * k] = line[k];
			to[2 * k + 1] = d->im[k];
		}
		break;
	case TAF_ANALYTIC_QUADRATURE:
		memcpy(to, d->im, n * sizeof *to);
		break;
	case TAF_ANALYTIC_ENVELOPE:
		taf_func_hypot(to, line, d->im, n);
		break;
	case TAF_ANALYTIC_PHASE:
		taf_func_atan2(to, d->im, line, n);
		u.last = n > 0 ? to[0] : 0;
		if (want->unwrap)
			taf_phase_unwrap(&u, to, n);
		break;
	case TAF_ANALYTIC_FREQUENCY:
		frequencies(j, d, line, to);
		break;
	}
}

static enum taf_status
line(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	struct job *j = ctx;
	struct desk *d = &j->desk[l->thread];
	const size_t out = j->n * (j->how->want->result == TAF_ANALYTIC_SIGNAL ? 2 : 1);
	size_t i;

	if (d->im == NULL && open_desk(j, d, e) != TAF_OK)
		return e->code;
	for (i = 0; i < l->lines; i++) {
		const double *const in = (const double *)l->in + i * j->n;

		make(j, d, in);
		results(j, d, in, (double *)l->out + i * out);
	}
	return TAF_OK;
}

/* Lines that do not fit the memory. */
static enum taf_status
run_long(struct job *j, struct taf_err *e)
{
	taf_fft_close(j->to);
	taf_fft_close(j->back);
	j->to = j->back = NULL;
	return taf_analytic_long(j->how, e);
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_analytic_job *how = j->how;
	const struct taf_fft_want forward = { .n = j->n, .kind = TAF_FFT_REAL };
	const struct taf_fft_want inverse = { .n = j->n, .kind = TAF_FFT_HALF };
	struct taf_lines lines = { .r = how->r, .a = how->in, .dim = how->want->dim,
	    .as = TAF_FLT64, .out = how->out, .w = how->w,
	    .give = how->want->result == TAF_ANALYTIC_SIGNAL ? TAF_COMPLEX128 : TAF_FLT64,
	    .line = line, .ctx = j, .memory = how->service->memory,
	    .threads = taf_threads(how->service),
	    .scaling = how->want->result == TAF_ANALYTIC_PHASE ||
	    how->want->result == TAF_ANALYTIC_FREQUENCY ? TAF_SCALING_NONE :
	    TAF_SCALING_ONCE };
	uint64_t need;

	if (taf_fft_open(&j->to, &forward, e) != TAF_OK ||
	    taf_fft_open(&j->back, &inverse, e) != TAF_OK)
		return e->code;
	j->room = taf_fft_room(j->to) > taf_fft_room(j->back) ? taf_fft_room(j->to) :
	    taf_fft_room(j->back);
	j->room = (j->room + 63) / 64 * 64;
	need = j->room + 3 * (j->n + 2) * sizeof(double);
	if (need > lines.memory / 2)
		return run_long(j, e);
	if (lines.threads > lines.memory / 2 / need)
		lines.threads = (unsigned)(lines.memory / 2 / need);
	lines.memory -= need * lines.threads;
	return taf_lines_fit(&lines, NULL) ? taf_lines(&lines, e) : run_long(j, e);
}

enum taf_status
taf_analytic(const struct taf_analytic_job *how, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;
	unsigned k;

	if (j == NULL)
		return taf_fail_mem(e);
	j->how = how;
	if (!taf_to_size(how->in->dim[how->want->dim - 1].n, &j->n) ||
	    j->n > TAF_LONGLINE || j->n > how->service->memory / 64 ||
	    taf_fft_tables(&(struct taf_fft_want){ .n = j->n, .kind = TAF_FFT_REAL }) >
	    how->service->memory / 8)
		st = run_long(j, e);
	else
		st = run(j, e);
	for (k = 0; k < TAF_RELAY_MOST; k++) {
		free(j->desk[k].room);
		free(j->desk[k].x);
		free(j->desk[k].im);
	}
	taf_fft_close(j->to);
	taf_fft_close(j->back);
	free(j);
	return st;
}
