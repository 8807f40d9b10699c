#include "op/transform_long.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/number/nan.h"
#include "kernel/number/recode.h"
#include "op/longline.h"
#include "stream/relay.h"
#include "stream/transpose.h"
#include "stream/values.h"

enum {
	PART = 512,		/* points whose weights are made at once */
	/* results that a thread makes at a time, where memory allows */
	PIECE = 16 * 1024
};

struct desk {
	uint64_t first;
	size_t n;
	double *results, *origin;
	void *out;
	bool wild;			/* not all results are finite */
};

struct job {
	const struct taf_transform_long *t;
	/* t, where lines come together in a file */
	struct taf_transform_long turned;
	struct taf_reader *r;		/* of lines along dimension 1 */
	struct taf_recode in;
	size_t esize, osize;
	uint64_t base;			/* the first element of the line */
	uint64_t count, next;		/* results of a line */
	size_t piece;
	struct taf_longline *line;
	struct taf_longline_want want;
	bool wild;			/* and neither are all its points */
	struct desk desk[TAF_RELAY_MOST];
};

static void
to_doubles(void *v, size_t n)
{
	float f;

	while (n-- > 0) {
		memcpy(&f, (char *)v + n * sizeof f, sizeof f);
		((double *)v)[n] = (double)f;
	}
}

/* Element number at of the lines is at src, and does not fit what lines come as. */
static enum taf_status
misfit(const struct job *j, const void *src, uint64_t at, struct taf_err *e)
{
	const struct taf_cut cut = taf_array_cut(j->t->in, j->t->dim);
	const uint64_t line = at / cut.len;

	return taf_recode_misfit(&j->in, src, taf_array_place(j->t->in,
	    (line / cut.inner * cut.len + at % cut.len) * cut.inner +
	    line % cut.inner).s, e);
}

/* n values of the line.  Where it is of flt32, they are rounded at once, as in memory. */
static enum taf_status
fetch(const struct job *j, double *to, uint64_t at, size_t n, struct taf_err *e)
{
	const size_t parts = taf_type_is_pair(j->in.to) ? 2 : 1;
	unsigned char raw[PART * 16];
	enum taf_status st = TAF_OK;
	size_t some, good;

	if (taf_recode_is_copy(&j->in) && !j->t->line.narrow)
		return taf_reader_at(j->r, to, j->base + at, n, e);
	for (; n > 0 && st == TAF_OK; n -= some, at += some, to += parts * some) {
		some = sizeof raw / j->esize < n ? sizeof raw / j->esize : n;
		st = taf_reader_at(j->r, raw, j->base + at, some, e);
		if (st != TAF_OK)
			break;
		good = taf_recode(&j->in, to, raw, some, NULL);
		if (good < some)
			st = misfit(j, raw + good * j->esize, j->base + at + good, e);
		if (j->t->line.narrow)
			to_doubles(to, parts * some);
	}
	return st;
}

static void
weigh(const struct job *j, double *v, uint64_t first, size_t n)
{
	const size_t parts = taf_type_is_pair(j->in.to) ? 2 : 1;
	double weight[PART];
	size_t at, i, some;

	for (at = 0; at < n; at += some) {
		some = n - at < PART ? n - at : PART;
		taf_taper_part(weight, first + at, some, j->t->line.points, j->t->taper);
		for (i = 0; i < parts * some; i++)
			v[parts * at + i] *= weight[i / parts];
	}
}

static enum taf_status
get_points(const struct job *j, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const size_t parts = taf_type_is_pair(j->in.to) ? 2 : 1;
	const uint64_t points = j->t->line.points;
	const size_t some = first >= points ? 0 : points - first < n ?
	    (size_t)(points - first) : n;
	enum taf_status st = some > 0 ? fetch(j, to, first, some, e) : TAF_OK;

	if (st == TAF_OK && j->t->taper != TAF_TAPER_BOXCAR)
		weigh(j, to, first, some);
	memset(to + parts * some, 0, parts * (n - some) * sizeof *to);
	return st;
}

/*
 * The frequency behind the highest positive one, if the negative ones come before them.
 */
static uint64_t
rotation(const struct taf_spectral_line *l)
{
	return l->rotated ? l->length - l->length / 2 : l->length;
}

/* Frequencies, in the order of a transform. */
static enum taf_status
get_frequencies(const struct job *j, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	const struct taf_spectral_line *l = &j->t->line;
	const uint64_t middle = rotation(l);
	const size_t low = first >= middle ? 0 : middle - first < n ?
	    (size_t)(middle - first) : n;
	enum taf_status st = TAF_OK;
	size_t at, i, some;
	double by[2 * PART];

	if (low > 0)
		st = fetch(j, to, first + (l->length - middle), low, e);
	if (low < n && st == TAF_OK)
		st = fetch(j, to + 2 * low, first + low - middle, n - low, e);
	for (at = 0; at < n && j->t->origin; at += some) {
		some = n - at < PART ? n - at : PART;
		taf_spectral_origin_part(by, l, j->t->start, (size_t)first + at, some);
		for (i = 0; i < some; i++) {
			double *const x = to + 2 * (at + i), re = x[0], im = x[1];

			x[0] = re * by[2 * i] + im * by[2 * i + 1];
			x[1] = im * by[2 * i] - re * by[2 * i + 1];
		}
	}
	return st;
}

static enum taf_status
get(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct job *j = ctx;

	return j->t->line.inverse ? get_frequencies(j, to, first, n, e) :
	    get_points(j, to, first, n, e);
}

static enum taf_status
take(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct job *j = ctx;
	struct desk *d = &j->desk[slot];
	const uint64_t middle = j->t->line.length - rotation(&j->t->line);
	uint64_t end = j->next + j->piece;

	(void)e;
	*more = j->next < j->count;
	d->first = j->next;
	/* a piece has negative frequencies, or others */
	if (!j->t->line.inverse && d->first < middle && end > middle)
		end = middle;
	end = end < j->count ? end : j->count;
	d->n = (size_t)(end - d->first);
	j->next = end;
	return TAF_OK;
}

/* In their place. */
static void
to_floats(double *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const float f = (float)v[i];

		memcpy((char *)v + i * sizeof f, &f, sizeof f);
	}
}

/* What is made of n frequencies from k on. */
static void
make(const struct job *j, const struct desk *d, uint64_t k)
{
	const struct taf_spectral_line *l = &j->t->line;
	struct taf_spectral_line part = { .points = d->n, .length = d->n,
	    .result = l->result, .scale = l->scale, .both = l->both, .first = (size_t)k,
	    .whole = l->length };

	if (j->t->origin) {
		taf_spectral_origin_part(d->origin, l, j->t->start, (size_t)k, d->n);
		part.origin = d->origin;
	}
	/* as lines in memory are: rounded to flt32 between the steps */
	part.narrow = l->narrow;
	if (part.narrow)
		to_floats(d->results, 2 * d->n);
	taf_spectral_after(&part, d->out, d->results);
	if (part.narrow)
		to_doubles(d->out, d->n * (l->result == TAF_SPECTRAL_COMPLEX ? 2 : 1));
}

static enum taf_status
work(void *ctx, unsigned slot, struct taf_err *e)
{
	const struct job *j = ctx;
	struct desk *d = &((struct job *)ctx)->desk[slot];
	const struct taf_spectral_line *l = &j->t->line;
	const enum taf_type type = j->t->out->type;
	const size_t parts = taf_type_is_pair(type) ? 2 : 1;
	const uint64_t low = l->length - rotation(l);
	const uint64_t k = l->inverse ? d->first :
	    d->first < low ? d->first + rotation(l) : d->first - low;
	enum taf_status st;
	size_t i;

	if (d->results == NULL) {
		d->results = taf_alloc(j->piece + 1, 2 * sizeof(double));
		d->origin = taf_alloc(j->piece, 2 * sizeof(double));
		d->out = taf_alloc(j->piece, 2 * sizeof(double));
	}
	if (d->results == NULL || d->origin == NULL || d->out == NULL)
		return taf_fail_mem(e);
	st = taf_longline_get(j->line, d->results, k, d->n, e);
	if (st != TAF_OK)
		return st;
	d->wild = !taf_all_finite(d->results, d->n * (j->t->kind == TAF_FFT_HALF ? 1 : 2),
	    1, false);
	if (l->inverse)
		memcpy(d->out, d->results, d->n * parts * sizeof(double));
	/* pieces begin at even points */
	if (l->inverse && l->between)
		taf_spectral_alternate(d->out, d->n, false);
	if (!l->inverse)
		make(j, d, k);
	(void)taf_one_nan(d->out, d->n * parts, false);
	if (!d->wild && taf_infinite(d->out, d->n * parts, false,
	    taf_spectral_scaling(l->result)) < d->n * parts)
		return taf_recode_overflow(TAF_FLT64, "", e);
	for (i = 0; i < d->n * parts && (type == TAF_FLT32 || type == TAF_COMPLEX); i++) {
		const double value = ((double *)d->out)[i];
		const float f = (float)value;

		if (isfinite(value) && !isfinite(f))
			return taf_recode_overflow(type, "", e);
		memcpy((char *)d->out + i * sizeof f, &f, sizeof f);
	}
	return TAF_OK;
}

static enum taf_status
give(void *ctx, unsigned slot, struct taf_err *e)
{
	struct job *j = ctx;
	const struct desk *d = &j->desk[slot];

	if (d->wild && !j->wild && taf_longline_overflow(&j->want, e) != TAF_OK)
		return e->code;
	j->wild = d->wild;
	return j->t->to != NULL ? taf_out_write(j->t->to, d->out, d->n * j->osize, e) :
	    taf_writer_put(j->t->w, d->out, d->n, e);
}

/* One line, from base on. */
static enum taf_status
run_line(struct job *j, struct taf_err *e)
{
	const struct taf_transform_long *t = j->t;
	const struct taf_relay relay = { j, take, work, give };
	enum taf_status st;

	j->want = (struct taf_longline_want){ .service = t->service,
	    .n = t->line.length, .kind = t->kind, .inverse = t->line.inverse,
	    .single = t->line.narrow,
	    .narrow = t->line.narrow, .memory = t->service->memory,
	    .threads = taf_threads(t->service), .get = get, .ctx = j };
	/* first there is progress in its files */
	taf_watch_end(t->service);
	st = taf_longline_open(&j->line, &j->want, e);
	if (st != TAF_OK)
		return st;
	j->next = 0;
	j->wild = false;
	taf_watch(t->service, t->to == NULL ? t->w : NULL, t->to, j->count * j->osize);
	st = taf_relay(&relay, j->want.threads, e);
	taf_longline_close(j->line);
	return st;
}

/* Lines of array a along its first dimension. */
static enum taf_status
run_lines(struct job *j, const struct taf_array *a, struct taf_err *e)
{
	const uint64_t len = a->dim[0].n;
	uint64_t left = taf_array_count(a) / len;
	enum taf_status st = taf_reader_random(j->r, e);
	unsigned k;

	if (st == TAF_OK)
		st = taf_values_plan(&j->in, a, taf_type_is_pair(a->type) ?
		    taf_type_computed_pair(a->type) : taf_type_computed(a->type), false,
		    false, e);
	for (j->base = 0; left > 0 && st == TAF_OK; left--, j->base += len)
		st = run_line(j, e);
	for (k = 0; k < TAF_RELAY_MOST; k++) {
		free(j->desk[k].results);
		free(j->desk[k].origin);
		free(j->desk[k].out);
	}
	return st;
}

/* Lines along the first dimension; results go to to, unless it is NULL. */
static enum taf_status
run_turned(void *ctx, struct taf_reader *r, const struct taf_array *a, struct taf_out *to,
    struct taf_err *e)
{
	struct job *j = ctx;

	j->turned = *j->t;
	j->turned.to = to;
	j->t = &j->turned;
	j->r = r;
	return run_lines(j, a, e);
}

enum taf_status
taf_transform_long(const struct taf_transform_long *t, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	const struct taf_transposed turned = { .service = t->service, .r = t->r,
	    .in = t->in, .out = t->out, .dim = t->dim, .w = t->w, .to = t->to,
	    .lines = run_turned, .ctx = j };
	const uint64_t piece = t->service->memory / 1024;
	enum taf_status st;

	if (j == NULL)
		return taf_fail_mem(e);
	j->t = t;
	j->esize = taf_type_size(t->in->type);
	j->osize = taf_type_size(t->out->type);
	j->count = t->out->dim[t->dim - 1].n;
	/* an even one */
	j->piece = piece > PIECE ? PIECE : (size_t)(piece / 2 + 1) * 2;
	st = taf_transposed(&turned, e);
	free(j);
	return st;
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
