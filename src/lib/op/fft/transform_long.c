/* SPDX-License-Identifier: ISC */
#include "op/fft/transform_long.h"

#include <string.h>

#include "op/fft/longline_run.h"

enum {
	PART = 512,		/* points whose weights are made at once */
	/* results that a thread makes at a time, where memory allows */
	PIECE = 16 * 1024
};

/* The points of a line, as its transform takes them. */
struct source {
	const struct taf_transform_long *t;
	const struct taf_longpoints *points;
};

struct job {
	const struct taf_transform_long *t;
	struct source source[2];	/* of the points, and of smaller ones */
};

static size_t
parts_of(const struct taf_transform_long *t)
{
	return t->kind == TAF_FFT_REAL ? 1 : 2;
}

/* How many of n from first on are below end. */
static size_t
below(uint64_t end, uint64_t first, size_t n)
{
	return first >= end ? 0 : end - first < n ? (size_t)(end - first) : n;
}

static void
weigh(const struct taf_transform_long *t, double *v, uint64_t first, size_t n)
{
	const size_t parts = parts_of(t);
	double weight[PART];
	size_t at, i, some;

	for (at = 0; at < n; at += some) {
		some = n - at < PART ? n - at : PART;
		taf_taper_part(weight, first + at, some, t->line.points, t->taper);
		for (i = 0; i < parts * some; i++)
			v[parts * at + i] *= weight[i / parts];
	}
}

static enum taf_status
get_points(const struct source *s, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	const size_t parts = parts_of(s->t), some = below(s->t->line.points, first, n);
	const enum taf_status st = taf_longpoints_get(s->points, to, first, some, e);

	if (st == TAF_OK && s->t->taper != TAF_TAPER_BOXCAR)
		weigh(s->t, to, first, some);
	memset(to + parts * some, 0, parts * (n - some) * sizeof *to);
	return st;
}

/* How many frequencies are not negative: those behind them come first, if rotated. */
static uint64_t
rotation(const struct taf_spectral_line *l)
{
	return l->rotated ? l->length - l->length / 2 : l->length;
}

/* Frequencies, in the order of a transform. */
static enum taf_status
get_frequencies(const struct source *s, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	const struct taf_spectral_line *l = &s->t->line;
	const uint64_t middle = rotation(l);
	const size_t low = below(middle, first, n);
	enum taf_status st = taf_longpoints_get(s->points, to,
	    first + (l->length - middle), low, e);

	if (st == TAF_OK)
		st = taf_longpoints_get(s->points, to + 2 * low, first + low - middle,
		    n - low, e);
	if (st == TAF_OK && s->t->origin)
		taf_spectral_turn_back(to, l, s->t->start, (size_t)first, n);
	return st;
}

static enum taf_status
get(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct source *s = ctx;

	return s->t->line.inverse ? get_frequencies(s, to, first, n, e) :
	    get_points(s, to, first, n, e);
}

static enum taf_status
open_line(void *ctx, const struct taf_longpoints *p, struct taf_longline **l,
    struct taf_err *e)
{
	struct job *j = ctx;
	const struct taf_transform_long *t = j->t;
	struct source *const s = &j->source[j->source[0].points != NULL &&
	    j->source[0].points != p];
	const struct taf_service *service = t->along->service;

	*s = (struct source){ t, p };
	return taf_longline_open(l, &(struct taf_longline_want){ .service = service,
	    .n = t->line.length, .kind = t->kind, .inverse = t->line.inverse,
	    .single = t->line.narrow, .narrow = t->line.narrow,
	    .memory = service->memory, .threads = taf_threads(service), .get = get,
	    .ctx = s }, e);
}

/* n numbers to flt32 in their place, and back. */
static void
to_floats(double *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const float f = (float)v[i];

		memcpy((char *)v + i * sizeof f, &f, sizeof f);
	}
}

static void
to_doubles(double *v, size_t n)
{
	float f;

	while (n-- > 0) {
		memcpy(&f, (char *)v + n * sizeof f, sizeof f);
		v[n] = (double)f;
	}
}

static enum taf_status
make(void *ctx, const struct taf_longpiece *p, struct taf_err *e)
{
	const struct taf_transform_long *t = ((struct job *)ctx)->t;
	const struct taf_spectral_line *l = &t->line;
	const uint64_t low = l->length - rotation(l);
	const uint64_t k = l->inverse ? p->first :
	    p->first < low ? p->first + rotation(l) : p->first - low;
	const size_t results = t->kind == TAF_FFT_HALF ||
	    l->result != TAF_SPECTRAL_COMPLEX ? 1 : 2;
	double *const x = p->work, *const origin = x + 2 * p->n + 2;
	/* pieces begin at even points */
	struct taf_spectral_line part = { .points = p->n, .length = p->n,
	    .half = t->kind == TAF_FFT_HALF, .inverse = l->inverse,
	    .between = l->between, .narrow = l->narrow, .result = l->result,
	    .scale = l->scale, .both = l->both, .first = (size_t)k, .whole = l->length };
	enum taf_status st;

	st = taf_longline_get(p->line, x, k, p->n, e);
	if (st != TAF_OK)
		return st;
	if (t->origin && !l->inverse) {
		taf_spectral_origin_part(origin, l, t->start, (size_t)k, p->n);
		part.origin = origin;
	}
	/* as lines in memory are: rounded to flt32 between the steps */
	if (l->narrow)
		to_floats(x, (t->kind == TAF_FFT_HALF ? 1 : 2) * p->n);
	taf_spectral_after(&part, p->to, x);
	if (l->narrow)
		to_doubles(p->to, results * p->n);
	return TAF_OK;
}

enum taf_status
taf_transform_long(const struct taf_transform_long *t, struct taf_err *e)
{
	const uint64_t piece = taf_memory_share(t->along->service->memory, TAF_MANY) /
	    TAF_LONGRUN_POINT;
	const bool pair = taf_type_is_pair(t->along->a->type);
	struct job j = { .t = t };
	const struct taf_longrun run = { .along = t->along, .to = t->to,
		.as = t->line.narrow ? (pair ? TAF_COMPLEX : TAF_FLT32) :
		pair ? TAF_COMPLEX128 : TAF_FLT64,
		.scaling = taf_spectral_scaling(t->line.result),
		/* an even one */
		.piece = piece > PIECE ? PIECE : (size_t)(piece / 2 + 1) * 2,
		/* a piece has negative frequencies, or others */
		.stop = t->line.inverse ? 0 : t->line.length - rotation(&t->line),
		.open = open_line, .make = make, .ctx = &j };

	return taf_longrun(&run, e);
}

double
taf_transform_long_weights(const struct taf_transform_long *t)
{
	const uint64_t n = t->line.points;
	const bool squared = t->line.result == TAF_SPECTRAL_DENSITY;
	double weight[PART], sum = 0;
	uint64_t at;
	size_t i, some;

	if (t->taper == TAF_TAPER_BOXCAR)
		return (double)n;
	for (at = 0; at < n; at += some) {
		some = n - at < PART ? (size_t)(n - at) : PART;
		taf_taper_part(weight, at, some, n, t->taper);
		for (i = 0; i < some; i++)
			sum += weight[i] * (squared ? weight[i] : 1);
	}
	return sum;
}
