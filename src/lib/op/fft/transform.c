/* SPDX-License-Identifier: ISC */
#include "op/fft/transform.h"

#include <stdlib.h>
#include <string.h>

#include "array/columns.h"
#include "array/frequency.h"
#include "array/region.h"
#include "array/unit.h"
#include "base/buf.h"
#include "base/endian.h"
#include "base/need.h"
#include "io/spool.h"
#include "kernel/fft/fft.h"
#include "kernel/fft/spectral.h"
#include "op/fft/longline.h"
#include "op/fft/transform_long.h"
#include "stream/lines_private.h"

/* One dimension. */
struct step {
	unsigned dim;
	struct taf_frequencies f;
	enum taf_fft_kind kind;
	bool last;
	struct taf_array in, out;	/* shapes and types alone */
};

static bool
lengthen(const struct taf_transform_intent *want, uint64_t n, uint64_t *length)
{
	*length = n;
	if (want->pad == TAF_PAD_TO)
		*length = want->length;
	if (n > (uint64_t)1 << 48)
		return false;
	if (want->pad == TAF_PAD_FAST)
		*length = taf_fft_fast(n);
	if (want->pad == TAF_PAD_POW2)
		for (*length = 1; *length < n; )
			*length *= 2;
	return *length <= (uint64_t)1 << 48;
}

/* The type of numbers, or of pairs, that are made of some. */
static enum taf_type
computed(const struct taf_transform_intent *want, enum taf_type t, bool pairs)
{
	if (want->wide)
		return pairs ? TAF_COMPLEX128 : TAF_FLT64;
	return pairs ? taf_type_computed_pair(t) : taf_type_computed(t);
}

/* Dimension s->dim of a, whose elements are of a type, to frequencies. */
static enum taf_status
forward(const struct taf_transform_intent *want, struct taf_array *a, struct step *s,
    struct taf_err *e)
{
	const struct taf_dim *const d = &a->dim[s->dim - 1];
	const bool pair = taf_type_is_pair(a->type);

	if (d->n == 0)
		return taf_fail(e, TAF_EDATA, "dimension %u has no points", s->dim);
	s->f.points = d->n;
	if (!lengthen(want, d->n, &s->f.length))
		return taf_fail(e, TAF_EDATA, "dimension %u: its length is too large",
		    s->dim);
	if (s->f.length < d->n)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u has %llu points, more than the %llu of --pad",
		    s->dim, (unsigned long long)d->n,
		    (unsigned long long)s->f.length);
	s->f.half = !pair;
	s->f.rotated = pair && !want->no_shift;
	s->f.origin = want->origin;
	s->kind = pair ? TAF_FFT_COMPLEX : TAF_FFT_REAL;
	a->type = computed(want, a->type, true);
	return taf_frequency_to(a, s->dim, &s->f, want->result == TAF_SPECTRAL_COMPLEX,
	    e);
}

static enum taf_status
backward(const struct taf_transform_intent *want, struct taf_array *a, struct step *s,
    struct taf_err *e)
{
	enum taf_status st;

	if (a->dim[s->dim - 1].n == 0)
		return taf_fail(e, TAF_EDATA, "dimension %u has no points", s->dim);
	if (!taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA,
		    "elements are %s: an inverse takes complex ones, once the half of real ones is transformed, nothing more",
		    taf_type_name(a->type));
	st = taf_frequency_from(a, s->dim, want->real && s->last, &s->f, e);
	s->kind = s->f.half ? TAF_FFT_HALF : TAF_FFT_COMPLEX;
	a->type = computed(want, a->type, !s->f.half);
	return st;
}

/* The next dimension: a becomes the array behind it. */
static enum taf_status
plan_step(const struct taf_transform_intent *want, unsigned k, struct taf_array *a,
    struct step *s, struct taf_err *e)
{
	enum taf_status st;

	memset(s, 0, sizeof *s);
	/* back they go the other way round: the real one comes last */
	s->dim = want->dim[want->inverse ? want->ndims - 1 - k : k];
	s->last = k + 1 == want->ndims;
	s->in.type = a->type;
	s->in.intercept = a->intercept;
	s->in.slope = a->slope;
	s->in.ndim = a->ndim;
	memcpy(s->in.dim, a->dim, sizeof a->dim);
	st = taf_dims_there(a, want->dim, want->ndims, e);
	if (st == TAF_OK)
		st = want->inverse ? backward(want, a, s, e) : forward(want, a, s, e);
	if (st == TAF_OK && s->last && want->result != TAF_SPECTRAL_COMPLEX)
		a->type = computed(want, a->type, false);
	taf_array_unmap(a);
	s->out = s->in;
	taf_array_unmap(&s->out);
	s->out.type = a->type;
	s->out.dim[s->dim - 1] = a->dim[s->dim - 1];
	if (st == TAF_OK)
		st = taf_array_check(&s->out, e);
	return st;
}

/* The unit of the values. */
static enum taf_status
result_unit(const struct taf_transform_intent *want, struct taf_array *a,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	switch (want->result) {
	case TAF_SPECTRAL_COMPLEX:
	case TAF_SPECTRAL_AMPLITUDE:
		return TAF_OK;
	case TAF_SPECTRAL_PHASE:
		return taf_attr_set(a, "unit", TAF_OF_ARRAY, 0, "rad", e);
	case TAF_SPECTRAL_DB:
		return taf_attr_set(a, "unit", TAF_OF_ARRAY, 0, "dB", e);
	case TAF_SPECTRAL_POWER:
	case TAF_SPECTRAL_DENSITY:
		break;
	}
	st = taf_frequency_power(a, want->result == TAF_SPECTRAL_DENSITY ? want->dim[0] :
	    0, e);
	for (k = 1; k < want->ndims && want->result == TAF_SPECTRAL_DENSITY &&
	    st == TAF_OK; k++)
		st = taf_unit_along(a, want->dim[k], -1, e);
	return st;
}

enum taf_status
taf_transform_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	const struct taf_transform_intent *want = intent;
	enum taf_status st = TAF_OK;
	struct step s;
	unsigned k;

	(void)in, (void)plan;
	for (k = 0; k < want->ndims && st == TAF_OK; k++)
		st = plan_step(want, k, out, &s, e);
	for (k = 0; k < want->ndims; k++)
		if (want->dim[k] == 2)
			taf_columns_drop(out);
	return st == TAF_OK && !want->inverse ? result_unit(want, out, e) : st;
}

struct job {
	const struct taf_transform_intent *want;
	const struct step *s;
	struct taf_fft *fft;
	struct taf_spectral_line line;
	enum taf_type as;		/* of what lines come as */
	double *taper, *origin;
	double scale;			/* of results */
	bool narrow, plain;		/* plain: nothing but the transform */
	bool beside;			/* lines may be transformed side by side */
	size_t word;
};

/* Bytes of a line before or behind its transform. */
static size_t
line_bytes(const struct job *j)
{
	return j->plain ? 0 : 2 * ((size_t)j->s->f.length + 1) * j->word;
}

/* Bytes that a thread needs for a line. */
static size_t
scratch_of(const struct job *j)
{
	const size_t one = taf_fft_scratch(j->fft);
	const size_t side = j->beside ? taf_fft_side_scratch(j->fft) : 0;

	return 2 * line_bytes(j) + (one > side ? one : side);
}

static enum taf_status
transform_lines(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	const struct job *j = ctx;
	const size_t in_size = l->in_len * taf_type_size(j->as);
	const size_t out_size = l->out_len * taf_type_size(j->s->out.type);
	char *const x = l->scratch, *const y = x + line_bytes(j);
	void *const scratch = y + line_bytes(j);
	size_t k;

	(void)e;
	if (j->plain) {
		taf_fft_lines(j->fft, l->out, l->in, l->lines, scratch);
		return TAF_OK;
	}
	for (k = 0; k < l->lines; k++) {
		taf_spectral_before(&j->line, x, (const char *)l->in + k * in_size);
		taf_fft_lines(j->fft, y, x, 1, scratch);
		taf_spectral_after(&j->line, (char *)l->out + k * out_size, y);
	}
	return TAF_OK;
}

static enum taf_status
transform_beside(void *ctx, const struct taf_beside *l, struct taf_err *e)
{
	const struct job *j = ctx;
	const size_t low = j->line.rotated ? j->line.length / 2 : 0;
	const struct taf_fft_side side = { .to = l->out, .from = l->in,
	    .to_step = l->out_step, .from_step = l->in_step, .lines = l->lines,
	    .points = j->line.points, .shift = low };

	(void)e;
	taf_fft_side(j->fft, &side, l->scratch);
	return TAF_OK;
}

/* What is done with a line. */
static void
plan_line(struct job *j)
{
	const struct step *s = j->s;
	struct taf_spectral_line *const l = &j->line;

	l->narrow = j->narrow;
	l->points = (size_t)s->f.points;
	l->length = (size_t)s->f.length;
	l->half = s->f.half;
	l->rotated = s->f.rotated;
	l->inverse = j->want->inverse;
	l->between = s->f.between;
	l->result = s->last ? j->want->result : TAF_SPECTRAL_COMPLEX;
	l->scale = l->result != TAF_SPECTRAL_DENSITY ? 1 :
	    s->f.step < 0 ? -s->f.step : s->f.step;
	if (!l->half)
		return;
	/* what the last step squares, this one multiplies by the root of 2 */
	l->both = s->last ? taf_spectral_both(l->result) :
	    j->want->result == TAF_SPECTRAL_AMPLITUDE ? 2 :
	    j->want->result == TAF_SPECTRAL_POWER ||
	    j->want->result == TAF_SPECTRAL_DB ? 0x1.6a09e667f3bcdp+0 : 1;
	if (l->both == 1)
		l->both = 0;
}

/* Tables of a step. */
static enum taf_status
open_job(struct job *j, struct taf_err *e)
{
	const struct step *s = j->s;
	const struct taf_fft_want fft = { .n = (size_t)s->f.length, .kind = s->kind,
		.inverse = j->want->inverse, .narrow = j->narrow };
	struct taf_spectral_line *const l = &j->line;
	enum taf_status st;

	st = taf_fft_open(&j->fft, &fft, e);
	if (st != TAF_OK)
		return st;
	if (j->want->taper != TAF_TAPER_BOXCAR) {
		j->taper = taf_alloc(l->points, sizeof *j->taper);
		if (j->taper == NULL)
			return taf_fail_mem(e);
		taf_taper(j->taper, l->points, j->want->taper, false);
		l->taper = j->taper;
	}
	if (s->f.origin) {
		j->origin = taf_alloc(l->length, 2 * sizeof *j->origin);
		if (j->origin == NULL)
			return taf_fail_mem(e);
		l->origin = j->origin;
		taf_spectral_origin(j->origin, l, s->f.start / s->f.step);
	}
	j->beside = l->taper == NULL && l->origin == NULL && !l->between &&
	    l->result == TAF_SPECTRAL_COMPLEX && l->both == 0 && taf_fft_has_side(j->fft);
	j->plain = l->points == l->length && !l->rotated && !l->between &&
	    l->taper == NULL && l->origin == NULL && l->result == TAF_SPECTRAL_COMPLEX &&
	    l->both == 0;
	return TAF_OK;
}

/* What results are divided by: the weights, or their squares for a density. */
static double
weights(const struct job *j)
{
	const bool squared = j->want->result == TAF_SPECTRAL_DENSITY;
	double sum = 0;
	size_t i;

	if (j->taper == NULL)
		return (double)j->line.points;
	for (i = 0; i < j->line.points; i++)
		sum += j->taper[i] * (squared ? j->taper[i] : 1);
	return sum;
}

/* Lines that do not fit the memory. */
static enum taf_status
run_long(struct job *j, const struct taf_move *t, const struct taf_lines *lines,
    struct taf_err *e)
{
	const struct step *s = j->s;
	const struct taf_along along = { t->service, lines->r, &s->in, s->dim, &s->out,
		lines->w, false };
	struct taf_transform_long how = { .along = &along, .to = lines->to,
	    .kind = s->kind, .line = j->line,
	    .taper = j->want->taper, .origin = s->f.origin,
	    .start = s->f.start / s->f.step };

	j->scale *= how.line.scale / taf_transform_long_weights(&how);
	how.line.scale = j->scale;
	return taf_transform_long(&how, e);
}

/* Tables; *fits says whether lines are transformed in the memory. */
static enum taf_status
share(struct job *j, struct taf_lines *lines, struct taf_need *need, bool *fits,
    struct taf_err *e)
{
	const uint64_t most = taf_memory_share(lines->memory, TAF_BATCH);
	const struct step *s = j->s;
	enum taf_status st;

	/* before tables are made of a length that a line may not reach */
	*fits = s->f.length <= TAF_LONGLINE &&
	    s->f.length <= most / j->word &&
	    taf_fft_tables(&(struct taf_fft_want){ .n = (size_t)s->f.length,
	    .kind = s->kind }) <= most;
	if (!*fits)
		return TAF_OK;
	st = open_job(j, e);
	if (st != TAF_OK)
		return st;
	need->scratch = scratch_of(j);
	lines->beside = j->beside ? transform_beside : NULL;
	*fits = taf_lines_fit(lines, need);
	return TAF_OK;
}

static void
close_job(struct job *j)
{
	taf_fft_close(j->fft);
	j->fft = NULL;
	free(j->taper);
	free(j->origin);
	j->taper = j->origin = NULL;
}

/* One dimension of r's present array, to w or, where that is NULL, to to. */
static enum taf_status
run_step(const struct taf_move *t, struct job *j, struct taf_reader *r,
    struct taf_out *to, struct taf_err *e)
{
	const struct step *s = j->s;
	const bool pair = taf_type_is_pair(s->in.type);
	struct taf_lines lines = { .r = r, .a = &s->in, .dim = s->dim,
	    .as = computed(j->want, s->in.type, pair), .out = &s->out, .w = t->w,
	    .give = s->out.type,
	    .line = transform_lines, .ctx = j, .memory = t->service->memory,
	    .threads = taf_threads(t->service), .to = to };
	struct taf_need need = { 0 };
	enum taf_status st;
	bool fits;

	j->narrow = taf_type_computed(lines.as) == TAF_FLT32;
	j->word = j->narrow ? sizeof(float) : sizeof(double);
	j->as = lines.as;
	plan_line(j);
	lines.scaling = taf_spectral_scaling(j->line.result);
	st = share(j, &lines, &need, &fits, e);
	if (st == TAF_OK && fits) {
		j->scale *= j->line.scale / weights(j);
		j->line.scale = j->scale;
		st = taf_lines_with(&lines, &need, e);
	} else if (st == TAF_OK) {
		close_job(j);
		j->line.taper = j->line.origin = NULL;
		st = run_long(j, t, &lines, e);
	}
	close_job(j);
	return st;
}

/* To a temporary file, of which *next reads. */
static enum taf_status
to_spool(const struct taf_move *t, struct job *j, struct taf_reader *r,
    struct taf_reader **next, struct taf_err *e)
{
	struct taf_spool spool = { NULL, -1 };
	struct taf_in *in;
	enum taf_status st = taf_spool_begin(&spool, e);

	*next = NULL;
	if (st == TAF_OK)
		st = run_step(t, j, r, spool.out, e);
	taf_need_wait(true);
	if (taf_need_goes_on(st, e))
		st = taf_spool_fill(&spool, taf_array_bytes(&j->s->out), e);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	return st == TAF_OK ? taf_reader_raw(next, in, &j->s->out,
	    taf_host_is_big(), e) : st;
}

enum taf_status
taf_transform(const struct taf_move *t, struct taf_err *e)
{
	const struct taf_transform_intent *want = t->intent;
	struct job j = { .want = want, .scale = 1 };
	struct taf_reader *r = t->r, *next = NULL;
	struct taf_array a = { 0 };
	enum taf_status st = taf_array_copy(&a, t->in, e);
	struct step s;
	unsigned k;

	for (k = 0; k < want->ndims && st == TAF_OK; k++) {
		st = plan_step(want, k, &a, &s, e);
		if (st != TAF_OK)
			break;
		memset(&j.line, 0, sizeof j.line);
		j.s = &s;
		st = s.last ? run_step(t, &j, r, NULL, e) : to_spool(t, &j, r, &next, e);
		if (r != t->r)
			taf_reader_close(r);
		r = next;
	}
	taf_array_fini(&a);
	return st;
}
