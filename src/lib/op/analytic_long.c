#include "op/analytic_long.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/func/func.h"
#include "kernel/line/phase.h"
#include "kernel/number/nan.h"
#include "kernel/number/recode.h"
#include "op/longline.h"
#include "stream/relay.h"
#include "stream/transpose.h"
#include "stream/values.h"

enum {
	PART = 512,		/* points that are converted at once */
	/* an even number of points that a thread takes at a time */
	PIECE = TAF_ANALYTIC_PIECE,
	MARGIN = TAF_ANALYTIC_MARGIN
};

/* Points from first on, n of them; real and imaginary parts from there - margin on. */
struct desk {
	uint64_t first, from;
	size_t n, points;
	double re[PIECE + 2 * MARGIN], im[2 * (PIECE + 2 * MARGIN + 2)], out[2 * PIECE];
};

struct job {
	const struct taf_analytic_job *how;
	struct taf_reader *r;		/* of lines along dimension 1 */
	struct taf_out *to;		/* of results; the writer's where it is NULL */
	struct taf_recode in;
	uint64_t len, base, next;
	struct taf_longline *there, *back;
	struct taf_unwrap unwrap;
	struct taf_longline_want want;	/* of the points */
	bool wild;			/* not all points of the line are finite */
	struct desk *desk[TAF_RELAY_MOST];
};

void
taf_analytic_frequencies(double *im, double *re, size_t points, double step)
{
	struct taf_unwrap u = { 0, 0 };

	taf_func_atan2(re, im, re, points);
	u.last = re[0];
	taf_phase_unwrap(&u, re, points);
	taf_phase_frequency(im, re, points, step);
}

static enum taf_status
get_points(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct job *j = ctx;
	double raw[PART];
	enum taf_status st = TAF_OK;
	size_t some;

	for (; n > 0 && st == TAF_OK; n -= some, first += some, to += some) {
		some = n < PART ? n : PART;
		st = taf_reader_at(j->r, raw, j->base + first, some, e);
		/* any integer and any float is the double next to it */
		if (st == TAF_OK)
			(void)taf_recode(&j->in, to, raw, some, NULL);
	}
	return st;
}

/* Frequencies of the imaginary part: a quarter of a turn behind; 0 and n/2 have none. */
static enum taf_status
get_turned(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct job *j = ctx;
	const enum taf_status st = taf_longline_get(j->there, to, first, n, e);
	size_t i;

	for (i = 0; i < n && st == TAF_OK; i++) {
		const bool none = first + i == 0 || 2 * (first + i) == j->len;
		const double re = to[2 * i];

		to[2 * i] = none ? 0 : to[2 * i + 1];
		to[2 * i + 1] = none ? 0 : -re;
	}
	return st;
}

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *j = ctx;
	struct desk *d = j->desk[slot];
	uint64_t end;

	*more = j->next < j->len;
	if (!*more)
		return TAF_OK;
	if (d == NULL)
		d = j->desk[slot] = malloc(sizeof *d);
	if (d == NULL)
		return taf_fail_mem(e);
	d->first = j->next;
	d->n = j->len - j->next < PIECE ? (size_t)(j->len - j->next) : PIECE;
	j->next += d->n;
	d->from = d->first > MARGIN ? d->first - MARGIN : 0;
	end = j->len - j->next > MARGIN ? j->next + MARGIN : j->len;
	d->points = (size_t)(end - d->from);
	return TAF_OK;
}

static void
make_frequencies(const struct job *j, struct desk *d)
{
	const struct taf_analytic_job *how = j->how;

	taf_analytic_frequencies(d->im, d->re, d->points,
	    how->in->dim[how->want->dim - 1].step);
	memcpy(d->out, d->im + (d->first - d->from), d->n * sizeof *d->out);
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct job *j = ctx;
	struct desk *d = ((struct job *)ctx)->desk[slot];
	const double *re, *im;
	enum taf_status st;
	size_t i;

	st = get_points(ctx, d->re, d->from, d->points, e);
	if (st == TAF_OK)
		st = taf_longline_get(j->back, d->im, d->from, d->points, e);
	if (st != TAF_OK)
		return st;
	re = d->re + (d->first - d->from);
	im = d->im + (d->first - d->from);
	switch (j->how->want->result) {
	case TAF_ANALYTIC_SIGNAL:
		for (i = 0; i < d->n; i++) {
			d->out[2 * i] = re[i];
			d->out[2 * i + 1] = im[i];
		}
		break;
	case TAF_ANALYTIC_QUADRATURE:
		memcpy(d->out, im, d->n * sizeof *im);
		break;
	case TAF_ANALYTIC_ENVELOPE:
		taf_func_hypot(d->out, re, im, d->n);
		break;
	case TAF_ANALYTIC_PHASE:
		taf_func_atan2(d->out, im, re, d->n);
		break;
	case TAF_ANALYTIC_FREQUENCY:
		make_frequencies(j, d);
		break;
	}
	return TAF_OK;
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	struct desk *d = j->desk[slot];
	const enum taf_type type = j->how->out->type;
	const size_t words = d->n * (taf_type_is_pair(type) ? 2 : 1);
	size_t i;

	if (j->how->want->unwrap) {
		if (d->first == 0)
			j->unwrap = (struct taf_unwrap){ 0, d->out[0] };
		taf_phase_unwrap(&j->unwrap, d->out, d->n);
	}
	if (!taf_one_nan(d->out, words, false) && !j->wild) {
		if (taf_longline_overflow(&j->want, e) != TAF_OK)
			return e->code;
		j->wild = true;
	}
	for (i = 0; i < words && (type == TAF_FLT32 || type == TAF_COMPLEX); i++) {
		const float f = (float)d->out[i];

		if (isfinite(d->out[i]) && !isfinite(f))
			return taf_recode_overflow(type, "", e);
		memcpy((char *)d->out + i * sizeof f, &f, sizeof f);
	}
	return j->to != NULL ?
	    taf_out_write(j->to, d->out, d->n * taf_type_size(type), e) :
	    taf_writer_put(j->how->w, d->out, d->n, e);
}

static enum taf_status
run_line(struct job *j, struct taf_err *e)
{
	const struct taf_service *service = j->how->service;
	struct taf_longline_want want = { .service = service, .n = j->len,
	    .kind = TAF_FFT_REAL,
	    .narrow = j->how->out->type == TAF_FLT32 || j->how->out->type == TAF_COMPLEX,
	    .memory = service->memory, .threads = taf_threads(service), .get = get_points,
	    .ctx = j };
	const struct taf_relay relay = { j, take, work, give };
	unsigned threads = want.threads, most =
	    (unsigned)(service->memory / sizeof(struct desk));
	enum taf_status st;

	j->want = want;
	/* first there is progress in its files */
	taf_watch_end(service);
	st = taf_longline_open(&j->there, &want, e);
	want.kind = TAF_FFT_HALF;
	want.inverse = true;
	want.get = get_turned;
	if (st == TAF_OK)
		st = taf_longline_open(&j->back, &want, e);
	taf_longline_close(j->there);
	j->there = NULL;
	j->next = 0;
	j->wild = false;
	threads = threads < most ? threads : most > 1 ? most : 1;
	taf_watch(service, j->to == NULL ? j->how->w : NULL, j->to,
	    j->len * taf_type_size(j->how->out->type));
	if (st == TAF_OK)
		st = taf_relay(&relay, threads, e);
	taf_longline_close(j->back);
	j->back = NULL;
	return st;
}

/* All lines of r's array a, along its first dimension. */
static enum taf_status
run_lines(void *ctx, struct taf_reader *r, const struct taf_array *a, struct taf_out *to,
    struct taf_err *e)
{
	struct job *j = ctx;
	uint64_t left = taf_array_count(a) / j->len;
	enum taf_status st = taf_reader_random(r, e);

	j->r = r;
	j->to = to;
	if (st == TAF_OK)
		st = taf_values_plan(&j->in, a, TAF_FLT64, false, false, e);
	for (; left > 0 && st == TAF_OK; left--) {
		st = run_line(j, e);
		j->base += j->len;
	}
	return st;
}

enum taf_status
taf_analytic_long(const struct taf_analytic_job *how, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	const struct taf_transposed turned = { .service = how->service, .r = how->r,
	    .in = how->in, .out = how->out, .dim = how->want->dim, .w = how->w,
	    .lines = run_lines, .ctx = j };
	enum taf_status st;
	unsigned k;

	if (j == NULL)
		return taf_fail_mem(e);
	j->how = how;
	j->len = how->in->dim[how->want->dim - 1].n;
	st = taf_transposed(&turned, e);
	for (k = 0; k < TAF_RELAY_MOST; k++)
		free(j->desk[k]);
	free(j);
	return st;
}
