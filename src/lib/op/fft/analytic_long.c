/* SPDX-License-Identifier: ISC */
#include "op/fft/analytic_long.h"

#include "base/need.h"
#include "kernel/line/phase.h"
#include "op/fft/longline_run.h"

enum { PIECE = TAF_ANALYTIC_PIECE, MARGIN = TAF_ANALYTIC_MARGIN };

struct job {
	const struct taf_analytic_job *how;
	uint64_t len;
	struct taf_unwrap unwrap;
};

/* A line, and its frequencies, of which those of the imaginary part are made. */
struct source {
	const struct taf_longpoints *points;
	uint64_t len;
	struct taf_longline *there;
};

static enum taf_status
get_points(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	return taf_longpoints_get(((struct source *)ctx)->points, to, first, n, e);
}

static enum taf_status
get_quadrature(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct source *s = ctx;
	const enum taf_status st = taf_longline_get(s->there, to, first, n, e);

	if (st == TAF_OK)
		taf_analytic_quadrature(to, first, n, s->len);
	return st;
}

static enum taf_status
open_line(void *ctx, const struct taf_longpoints *p, struct taf_longline **l,
    struct taf_err *e)
{
	const struct job *j = ctx;
	const struct taf_service *service = j->how->along->service;
	struct source s = { .points = p, .len = j->len };
	struct taf_longline_want want = { .service = service, .n = j->len,
	    .kind = TAF_FFT_REAL,
	    .narrow = taf_type_computed(j->how->along->out->type) == TAF_FLT32,
	    .memory = service->memory, .threads = taf_threads(service), .get = get_points,
	    .ctx = &s };
	enum taf_status st = taf_longline_open(&s.there, &want, e);

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
	struct job j = { .how = how, .len = how->along->a->dim[how->along->dim - 1].n };
	const struct taf_longrun run = { .along = how->along,
		.as = TAF_FLT64, .scaling = taf_analytic_scaling(how->want->result),
		.piece = PIECE, .open = open_line, .make = make,
		.join = how->want->unwrap ? join : NULL, .ctx = &j };

	/* the real parts are the points */
	taf_need_again(taf_array_bytes(how->along->a) * (PIECE + 2 * MARGIN) / PIECE);
	return taf_longrun(&run, e);
}
