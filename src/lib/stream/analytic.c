#include "stream/analytic.h"

#include <stdlib.h>
#include <string.h>

#include "array/unit.h"
#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "kernel/fft.h"
#include "kernel/func.h"
#include "kernel/phase.h"
#include "kernel/nan.h"
#include "stream/analytic_long.h"
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
	double *x, *y;		/* pairs */
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
	d->x = taf_alloc(j->n + 1, 2 * sizeof *d->x);
	d->y = taf_alloc(j->n + 1, 2 * sizeof *d->y);
	return d->room != NULL && d->x != NULL && d->y != NULL ? TAF_OK : taf_fail_mem(e);
}

/* The analytic signal of a line in d->y. */
static void
make(const struct job *j, const struct desk *d, const double *line)
{
	const size_t n = j->n, half = n / 2 + 1;
	size_t k;

	taf_fft_lines(j->to, d->x, line, 1, d->room);
	/* frequencies below 0 are left out, those that have a mirror count twice */
	for (k = 2; k < 2 * ((n + 1) / 2); k++)
		d->x[k] *= 2;
	memset(d->x + 2 * half, 0, 2 * (n - half) * sizeof *d->x);
	taf_fft_lines(j->back, d->y, d->x, 1, d->room);
	for (k = 0; k < n; k++)
		d->y[2 * k] = line[k];
}

static void
results(const struct job *j, const struct desk *d, double *to)
{
	const struct taf_analytic_intent *want = j->how->want;
	const size_t n = j->n;
	double *const re = d->x, *const im = d->x + n;
	size_t k;

	if (want->result == TAF_ANALYTIC_SIGNAL) {
		memcpy(to, d->y, 2 * n * sizeof *to);
		return;
	}
	for (k = 0; k < n; k++) {
		re[k] = d->y[2 * k];
		im[k] = d->y[2 * k + 1];
	}
	if (want->result == TAF_ANALYTIC_QUADRATURE) {
		memcpy(to, im, n * sizeof *to);
		return;
	}
	if (want->result == TAF_ANALYTIC_ENVELOPE) {
		taf_func_hypot(to, re, im, n);
		return;
	}
	taf_func_atan2(to, im, re, n);
	if (want->unwrap || want->result == TAF_ANALYTIC_FREQUENCY) {
		struct taf_unwrap u = { 0, n > 0 ? to[0] : 0 };

		taf_phase_unwrap(&u, to, n);
	}
	if (want->result == TAF_ANALYTIC_FREQUENCY) {
		memcpy(re, to, n * sizeof *to);
		taf_phase_frequency(to, re, n, j->how->in->dim[want->dim - 1].step);
	}
}

static enum taf_status
line(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	struct job *j = ctx;
	struct desk *d = &j->desk[l->thread];
	const size_t out = j->n * (j->how->want->result == TAF_ANALYTIC_SIGNAL ? 2 : 1);
	size_t i;

	if (d->y == NULL && open_desk(j, d, e) != TAF_OK)
		return e->code;
	for (i = 0; i < l->lines; i++) {
		double *const to = (double *)l->out + i * out;

		make(j, d, (const double *)l->in + i * j->n);
		results(j, d, to);
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
	const struct taf_fft_want inverse = { .n = j->n, .inverse = true };
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
	need = j->room + 4 * (j->n + 1) * sizeof(double);
	if (need > lines.memory / 2)
		return run_long(j, e);
	if (lines.threads > lines.memory / 2 / need)
		lines.threads = (unsigned)(lines.memory / 2 / need);
	lines.memory -= need * lines.threads;
	return taf_lines_fit(&lines) ? taf_lines(&lines, e) : run_long(j, e);
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
	    j->n > how->service->memory / 64)
		st = run_long(j, e);
	else
		st = run(j, e);
	for (k = 0; k < TAF_RELAY_MOST; k++) {
		free(j->desk[k].room);
		free(j->desk[k].x);
		free(j->desk[k].y);
	}
	taf_fft_close(j->to);
	taf_fft_close(j->back);
	free(j);
	return st;
}
