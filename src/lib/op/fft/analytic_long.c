/* SPDX-License-Identifier: ISC */
#include "op/fft/analytic_long.h"

#include <string.h>

#include "base/need.h"
#include "kernel/fft/quadrature.h"
#include "kernel/line/phase.h"
#include "op/fft/longline_run.h"

enum { PIECE = TAF_ANALYTIC_PIECE, MARGIN = TAF_ANALYTIC_MARGIN, SOME = 512 };

_Static_assert((int)TAF_QUADRATURE_MOST <= (int)TAF_LONGLINE,
    "transforms are those of memory");

struct job {
	const struct taf_analytic_job *how;
	uint64_t len, length;		/* of a line, and of its transforms */
	struct taf_longline *taps;	/* of what lines are convolved with, or NULL */
	struct taf_unwrap unwrap;
};

/* A line, and its frequencies, of which those of the imaginary part are made. */
struct source {
	const struct job *j;
	const struct taf_longpoints *points;
	struct taf_longline *there;
};

static enum taf_status
get_taps(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct job *j = ctx;

	(void)e;
	taf_quadrature_taps(to, (size_t)first, n, (size_t)j->len, (size_t)j->length);
	return TAF_OK;
}

/* Points, and zeros behind them. */
static enum taf_status
get_points(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct source *s = ctx;
	const uint64_t left = first < s->j->len ? s->j->len - first : 0;
	const size_t some = left < n ? (size_t)left : n;

	memset(to + some, 0, (n - some) * sizeof *to);
	return some == 0 ? TAF_OK : taf_longpoints_get(s->points, to, first, some, e);
}

/* Pairs times those of the taps. */
static enum taf_status
convolve(const struct job *j, double *pairs, uint64_t first, size_t n, struct taf_err *e)
{
	double taps[2 * SOME + 2];
	enum taf_status st = TAF_OK;
	size_t at, some;

	for (at = 0; at < n && st == TAF_OK; at += some) {
		some = n - at < SOME ? n - at : SOME;
		st = taf_longline_get(j->taps, taps, first + at, some, e);
		if (st == TAF_OK)
			taf_quadrature_times(pairs + 2 * at, taps, some);
	}
	return st;
}

static enum taf_status
get_quadrature(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct source *s = ctx;
	const enum taf_status st = taf_longline_get(s->there, to, first, n, e);

	if (st != TAF_OK)
		return st;
	if (s->j->taps != NULL)
		return convolve(s->j, to, first, n, e);
	taf_analytic_quadrature(to, first, n, s->j->len);
	return TAF_OK;
}

static enum taf_status
open_line(void *ctx, const struct taf_longpoints *p, struct taf_longline **l,
    struct taf_err *e)
{
	struct job *j = ctx;
	const struct taf_service *service = j->how->along->service;
	struct source s = { .j = j, .points = p };
	struct taf_longline_want want = { .service = service, .n = j->length,
	    .kind = TAF_FFT_REAL,
	    .narrow = taf_type_computed(j->how->along->out->type) == TAF_FLT32,
	    .memory = service->memory, .threads = taf_threads(service), .get = get_taps,
	    .ctx = j };
	enum taf_status st = TAF_OK;

	if (j->length > j->len && j->taps == NULL)
		st = taf_longline_open(&j->taps, &want, e);
	if (taf_need_goes_on(st, e))
		st = TAF_OK;
	want.get = get_points;
	want.ctx = &s;
	if (st == TAF_OK)
		st = taf_longline_open(&s.there, &want, e);
	if (taf_need_goes_on(st, e))
		st = TAF_OK;
	want.kind = TAF_FFT_HALF;
	want.get = get_quadrature;
	if (st == TAF_OK)
		st = taf_longline_open(l, &want, e);
	taf_longline_close(s.there);
	return st;
}

static enum taf_status
make(void *ctx, const struct taf_longpiece *p, struct taf_err *e)
{
	const struct job *j = ctx;
	const uint64_t from = p->first > MARGIN ? p->first - MARGIN : 0;
	const uint64_t left = j->len - p->first - p->n;
	const size_t before = (size_t)(p->first - from);
	const size_t points = before + p->n + (left < MARGIN ? (size_t)left : MARGIN);
	double *const re = p->work, *const im = re + p->n + 2 * MARGIN;
	enum taf_status st = taf_longpoints_get(p->points, re, from, points, e);

	if (st == TAF_OK)
		st = taf_longline_get(p->line, im, from, points, e);
	if (st == TAF_OK)
		taf_analytic_results(j->how, p->to, &(struct taf_analytic_part){ re, im,
		    points, before, p->n });
	return st;
}

static void
join(void *ctx, double *results, uint64_t first, size_t n)
{
	struct job *j = ctx;

	if (first == 0)
		j->unwrap = (struct taf_unwrap){ 0, results[0] };
	taf_phase_unwrap(&j->unwrap, results, n);
}

enum taf_status
taf_analytic_long(const struct taf_analytic_job *how, struct taf_err *e)
{
	const uint64_t len = how->along->a->dim[how->along->dim - 1].n;
	struct job j = { .how = how, .len = len, .length = taf_quadrature_length(len) };
	const struct taf_longrun run = { .along = how->along,
		.as = TAF_FLT64, .scaling = taf_analytic_scaling(how->want->result),
		.piece = PIECE, .open = open_line, .make = make,
		.join = how->want->unwrap ? join : NULL, .ctx = &j };
	enum taf_status st;

	j.length = j.length > 0 ? j.length : len;
	/* the real parts are the points */
	taf_need_again(taf_array_bytes(how->along->a) * (PIECE + 2 * MARGIN) / PIECE);
	st = taf_longrun(&run, e);
	taf_longline_close(j.taps);
	return st;
}
