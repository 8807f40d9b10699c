/* SPDX-License-Identifier: ISC */
#include "op/fft/toning.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "kernel/fft/fft.h"
#include "stream/relay.h"
#include "stream/windows.h"

enum {
	LITTLE = 1 << 20,	/* bytes for points and tables of blocks, at least */
	BATCH = 64,		/* blocks whose regions are looked up at once */
	LEAST_BINS = 24,	/* that tell of noise */
	COLUMNS = 3		/* of a table of regions: place, centre, half width */
};

/* Rounding of bounds that are meant to be multiples of 1/T, in parts of it. */
#define SLACK 1e-9

static const char rows[] =
    "frequency,sigma,amplitude,slope,slope-sigma,phase,noise,ratio,misfit";

enum taf_status
taf_toning_known_parse(void *to, const char *text, struct taf_err *e)
{
	struct taf_toning_known *const known = to;
	const char *at = text;

	for (known->n = 0;; at++) {
		const size_t n = strcspn(at, ",");

		if (known->n == TAF_TONE_KNOWN)
			return taf_fail(e, TAF_EUSAGE, "%s: more than %d frequencies",
			    text, TAF_TONE_KNOWN);
		if (!taf_amount_read(&known->line[known->n], at, n) ||
		    !taf_is_finite(known->line[known->n].value))
			return taf_fail(e, TAF_EUSAGE, "%s: not F[,F...]", text);
		known->n++;
		at += n;
		if (*at == '\0')
			return TAF_OK;
	}
}

enum taf_status
taf_toning_noise_parse(void *to, const char *text, struct taf_err *e)
{
	struct taf_toning_noise *const noise = to;
	uint64_t i;
	unsigned k;

	noise->given = true;
	taf_tabular_free(&noise->table);
	if (taf_parse_f64(text, strlen(text), &noise->density)) {
		if (!taf_is_finite(noise->density) || noise->density < 0)
			return taf_fail(e, TAF_EUSAGE, "%s: not a density", text);
		return TAF_OK;
	}
	if (taf_tabular_read(text, "densities", 0, &noise->table, e) != TAF_OK)
		return e->code;
	for (k = 1; k < noise->table.a.ndim; k++)
		if (noise->table.a.dim[k].n != 1)
			return taf_fail(e, TAF_EDATA,
			    "%s: densities along several dimensions", text);
	for (i = 0; i < noise->table.a.dim[0].n; i++)
		if (!taf_is_finite(noise->table.v[i]) || noise->table.v[i] < 0)
			return taf_fail(e, TAF_EDATA, "%s: row %llu: %s is no density",
			    text, (unsigned long long)i + 1,
			    taf_brief(noise->table.v[i]).s);
	if (!taf_is_finite(noise->table.a.dim[0].step) || noise->table.a.dim[0].step == 0)
		return taf_fail(e, TAF_EDATA, "%s: the step of its grid is %s", text,
		    taf_brief(noise->table.a.dim[0].step).s);
	return TAF_OK;
}

enum taf_status
taf_toning_region_parse(void *to, const char *text, struct taf_err *e)
{
	struct taf_tabular *const t = to;
	const double *v;
	size_t n, i, k;

	taf_tabular_free(t);
	if (taf_tabular_read(text, "numbers", 0, t, e) != TAF_OK)
		return e->code;
	v = t->v;
	n = (size_t)t->a.dim[0].n;
	if (t->a.ndim < 2 || t->a.dim[1].n != COLUMNS ||
	    taf_array_count(&t->a) != COLUMNS * t->a.dim[0].n)
		return taf_fail(e, TAF_EDATA,
		    "%s: dimension 2 has length %llu, not %d: place, centre, half width",
		    text, t->a.ndim < 2 ? 1 : (unsigned long long)t->a.dim[1].n, COLUMNS);
	for (i = 0; i < n; i++) {
		for (k = 0; k < COLUMNS; k++)
			if (!taf_is_finite(v[k * n + i]))
				return taf_fail(e, TAF_EDATA,
				    "%s: row %zu: number %zu is not finite", text, i + 1,
				    k + 1);
		if (i > 0 && !(v[i] > v[i - 1]))
			return taf_fail(e, TAF_EDATA,
			    "%s: row %zu: place %s is not behind %s", text, i + 1,
			    taf_brief(v[i]).s, taf_brief(v[i - 1]).s);
		if (!(v[2 * n + i] > 0))
			return taf_fail(e, TAF_EDATA,
			    "%s: row %zu: half width %s is not above 0", text, i + 1,
			    taf_brief(v[2 * n + i]).s);
	}
	return TAF_OK;
}

enum taf_status
taf_toning_points_parse(void *to, const char *text, struct taf_err *e)
{
	const struct taf_blocks *const blocks = to;
	const enum taf_status st = taf_blocks_points(to, text, e);

	if (st == TAF_OK && blocks->length.value < TAF_TONING_LEAST)
		return taf_fail(e, TAF_EUSAGE, "%s: a block has at least %d points", text,
		    TAF_TONING_LEAST);
	return st;
}

enum taf_status
taf_toning_crop_parse(void *to, const char *text, struct taf_err *e)
{
	const struct taf_amount *const r = ((struct taf_blocks_range *)to)->range;
	const enum taf_status st = taf_blocks_crop(to, text, e);

	if (st == TAF_OK && r[0].text == NULL && r[1].text == NULL &&
	    r[0].value == r[1].value)
		return taf_fail(e, TAF_EUSAGE, "%s: not LO:HI", text);
	return st;
}

/* What is wanted of the blocks of an array. */
struct plan {
	struct taf_blocks_cut cut;
	struct taf_tone_want tone;
	double known[TAF_TONE_KNOWN];
	double nyquist;
	struct taf_tone_noise noise;
	double constant[1];
	struct taf_dim time;		/* of the middles of blocks */
};

/* The frequencies that are looked at: inside those that there are. */
static enum taf_status
plan_look(const struct taf_toning_intent *want, const struct taf_array *in,
    struct plan *p, struct taf_err *e)
{
	const unsigned dim = want->blocks.dim;
	const double t = (double)p->cut.points * fabs(p->tone.step);
	const double least = p->tone.pair ? -p->nyquist : 0;
	const double per = (double)p->cut.points /
	    (double)taf_fft_fast(2 * p->cut.points);
	double low = 1 / t, high = p->nyquist - 1 / t;
	size_t bins;

	if (p->tone.pair) {
		low = -p->nyquist;
		high = p->nyquist;
	}
	if (want->look.crop &&
	    (taf_amount_along(&want->look.range[0], in, dim, true, &low, e) != TAF_OK ||
	    taf_amount_along(&want->look.range[1], in, dim, true, &high, e) != TAF_OK))
		return e->code;
	if (!(low < high) || high < least || low > p->nyquist ||
	    taf_tone_bins(t / per, low < least ? least : low,
	    high > p->nyquist ? p->nyquist : high) == 0)
		return taf_fail(e, TAF_EDATA,
		    "no frequency from %s to %s is among %s to %s, %s apart",
		    taf_brief(low).s, taf_brief(high).s,
		    taf_brief(least).s, taf_brief(p->nyquist).s, taf_brief(per / t).s);
	p->tone.low = low < least ? least : low;
	p->tone.high = high > p->nyquist ? p->nyquist : high;
	bins = taf_tone_bins(t, p->tone.low, p->tone.high);
	/* of pairs the first and the last are one */
	if (bins > p->cut.points)
		bins = (size_t)p->cut.points;
	if (bins < LEAST_BINS && !want->noise.given)
		return taf_fail(e, TAF_EDATA,
		    "%zu frequencies that are 1/T apart say too little of the noise: %d do, or --noise",
		    bins, LEAST_BINS);
	return TAF_OK;
}

static enum taf_status
plan_known(const struct taf_toning_intent *want, const struct taf_array *in,
    struct plan *p, struct taf_err *e)
{
	const double apart = 1 / ((double)p->cut.points * fabs(p->tone.step));
	const double least = p->tone.pair ? -p->nyquist : 0;
	double *const f = p->known;
	size_t k, i;

	for (k = 0; k < want->known.n; k++) {
		const struct taf_amount *const m = &want->known.line[k];

		if (taf_amount_along(m, in, want->blocks.dim, true, &f[k], e) != TAF_OK)
			return e->code;
		if (!(f[k] > least && f[k] < p->nyquist))
			return taf_fail(e, TAF_EDATA,
			    "a line at %s is not between %s and %s",
			    taf_amount_typed(m).s, taf_brief(least).s,
			    taf_brief(p->nyquist).s);
		for (i = 0; i < k; i++)
			if (fabs(f[k] - f[i]) < apart * (1 - SLACK))
				return taf_fail(e, TAF_EDATA,
				    "lines at %s and %s are nearer than 1/T, %s",
				    taf_brief(f[i]).s, taf_brief(f[k]).s,
				    taf_brief(apart).s);
	}
	p->tone.known = f;
	p->tone.nknown = want->known.n;
	return TAF_OK;
}

static enum taf_status
plan_noise(const struct taf_toning_intent *want, struct plan *p, struct taf_err *e)
{
	const struct taf_tabular *const table = &want->noise.table;
	double first, last, slack;

	p->tone.noise = want->noise.given ? &p->noise : NULL;
	if (table->v == NULL) {
		p->constant[0] = want->noise.density;
		p->noise = (struct taf_tone_noise){ p->constant, 1, 0, 1 };
		return TAF_OK;
	}
	p->noise = (struct taf_tone_noise){ table->v, (size_t)table->a.dim[0].n,
		table->a.dim[0].start, table->a.dim[0].step };
	first = p->noise.start;
	last = first + (double)(p->noise.n - 1) * p->noise.step;
	if (first > last) {
		slack = first;
		first = last;
		last = slack;
	}
	slack = SLACK * (fabs(first) + fabs(last));
	if (p->tone.low < first - slack || p->tone.high > last + slack)
		return taf_fail(e, TAF_EDATA,
		    "the noise is known from %s to %s, not from %s to %s",
		    taf_brief(first).s, taf_brief(last).s, taf_brief(p->tone.low).s,
		    taf_brief(p->tone.high).s);
	return TAF_OK;
}

static enum taf_status
settle(const struct taf_toning_intent *want, const struct taf_array *in, struct plan *p,
    struct taf_err *e)
{
	enum taf_status st;

	memset(p, 0, sizeof *p);
	st = taf_blocks_cut(&want->blocks, in, &p->cut, e);
	if (st != TAF_OK)
		return st;
	if (p->cut.points < TAF_TONING_LEAST)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: a block of %llu points: there have to be %d",
		    want->blocks.dim, (unsigned long long)p->cut.points,
		    TAF_TONING_LEAST);
	p->time = in->dim[want->blocks.dim - 1];
	p->tone.step = p->time.step;
	p->tone.points = (size_t)p->cut.points;
	p->tone.pair = taf_type_is_pair(in->type);
	p->tone.count = want->count;
	p->tone.chance = want->chance;
	p->nyquist = 0.5 / fabs(p->tone.step);
	taf_blocks_times(&p->cut, &p->time);
	st = plan_look(want, in, p, e);
	if (st == TAF_OK)
		st = plan_known(want, in, p, e);
	return st == TAF_OK ? plan_noise(want, p, e) : st;
}

enum taf_status
taf_toning_resolve(const void *intent, const struct taf_array *in, struct taf_array *out,
    void *plan, struct taf_err *e)
{
	const struct taf_toning_intent *want = intent;
	struct plan p;
	enum taf_status st = settle(want, in, &p, e);

	(void)plan;
	if (st == TAF_OK && out->ndim + 2 > TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA,
		    "%u dimensions and two more: there may be %d", out->ndim,
		    TAF_MAX_DIM);
	if (st != TAF_OK)
		return st;
	out->type = TAF_FLT64;
	out->code = TAF_CODE_GENERIC;
	taf_array_unmap(out);
	out->dim[want->blocks.dim - 1] = p.time;
	st = taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, NULL, e);
	if (st == TAF_OK)
		st = taf_array_insert_dim(out, 1, (struct taf_dim){ want->count, 1, 1 },
		    e);
	if (st == TAF_OK)
		st = taf_array_insert_dim(out, 1, (struct taf_dim){ TAF_TONE_ROWS, 1, 1 },
		    e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "tone/rows", TAF_OF_ARRAY, 0, rows, e);
	return st == TAF_OK ? taf_array_check(out, e) : st;
}

struct job {
	const struct taf_toning_intent *want;
	const struct taf_along *along;
	struct plan p;
	struct taf_tone *tone;
	double *taper;
	struct taf_array flat;		/* lines of tables, as windows have them */
	struct taf_tone_count count[TAF_THREADS_MOST];
};

static void
span(const void *ctx, uint64_t at, uint64_t n, uint64_t to[2])
{
	taf_blocks_span(&((const struct job *)ctx)->p.cut, at, n, to);
}

/* What is looked at of a block whose middle is here; NaN outside of the table. */
static void
region_at(const struct job *j, double place, double to[2])
{
	const struct taf_tabular *const table = &j->want->region;
	const size_t n = (size_t)table->a.dim[0].n;
	const double *const v = table->v;
	const double least = 1 / ((double)j->p.cut.points * fabs(j->p.tone.step));
	size_t low = 0, high = n - 1;
	double part = 0, centre, half;

	to[0] = to[1] = (double)NAN;
	if (!(place >= v[0] && place <= v[high]))
		return;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (v[middle] <= place)
			low = middle;
		else
			high = middle;
	}
	if (high > low)
		part = (place - v[low]) / (v[high] - v[low]);
	centre = v[n + low] + part * (v[n + high] - v[n + low]);
	half = v[2 * n + low] + part * (v[2 * n + high] - v[2 * n + low]);
	half = half < least ? least : half;
	to[0] = centre - half;
	to[1] = centre + half;
}

/* Noise and amplitude of finite points may be too large for flt64. */
static enum taf_status
check(const struct job *j, const struct taf_window *w, struct taf_err *e)
{
	const size_t all = w->n * j->p.tone.count;
	struct taf_along along = *j->along;
	size_t i;

	along.out = &j->flat;
	for (i = 0; i < all; i++) {
		const double *const row = w->out + i * TAF_TONE_ROWS;

		if (fabs(row[TAF_TONE_AMPLITUDE]) > DBL_MAX ||
		    row[TAF_TONE_NOISE] > DBL_MAX)
			return taf_window_overflow(&along, w, i / j->p.tone.count, e);
	}
	return TAF_OK;
}

static enum taf_status
window(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	struct job *j = ctx;
	const size_t parts = j->p.tone.pair ? 2 : 1, skip = (size_t)j->p.cut.skip;
	const bool moves = j->want->region.v != NULL;
	double region[2 * BATCH];
	struct taf_tone_part part = { .skip = skip, .scratch = w->scratch,
		.region = moves ? region : NULL, .count = &j->count[w->thread] };
	size_t at, i;

	for (at = 0; at < w->n; at += part.blocks) {
		part.blocks = w->n - at < BATCH ? w->n - at : BATCH;
		for (i = 0; i < part.blocks && moves; i++)
			region_at(j, j->p.time.start + (double)(w->at + at + i) *
			    j->p.time.step, region + 2 * i);
		part.from = w->in + at * skip * parts;
		part.to = w->out + at * TAF_TONE_ROWS * j->p.tone.count;
		taf_tone_blocks(j->tone, &part);
	}
	return check(j, w, e);
}

static enum taf_status
open_job(struct job *j, struct taf_err *e)
{
	const struct taf_toning_intent *want = j->want;
	const uint64_t bytes = taf_tone_bytes(&j->p.tone);

	if (bytes > taf_memory_for(j->along->service->memory, bytes))
		return taf_fail(e, TAF_EDATA,
		    "a block of %llu points needs more memory than -m allows",
		    (unsigned long long)j->p.cut.points);
	j->taper = taf_alloc(j->p.tone.points, sizeof *j->taper);
	if (j->taper == NULL)
		return taf_fail_mem(e);
	taf_taper(j->taper, j->p.tone.points, want->taper, false);
	j->p.tone.weight = j->taper;
	return taf_tone_open(&j->tone, &j->p.tone, e);
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_along *const l = j->along;
	const struct taf_need need = { .scratch = taf_tone_scratch(j->tone) };
	/* what one block needs is there, however small the bound */
	const uint64_t memory = taf_memory_for(taf_memory_share(l->service->memory,
	    TAF_HELD), LITTLE) + need.scratch;
	const struct taf_along along = { l->service, l->r, l->a, l->dim, &j->flat, l->w,
	    false };
	const struct taf_windows windows = { .along = &along, .memory = memory,
	    .need = need, .span = span, .window = window, .ctx = j,
	    .record = TAF_TONE_ROWS * j->want->count };

	/* tables are records: their dimensions are not there */
	j->flat = (struct taf_array){ .type = TAF_FLT64, .ndim = l->a->ndim };
	memcpy(j->flat.dim, l->a->dim, sizeof j->flat.dim);
	j->flat.dim[l->dim - 1].n = j->p.cut.blocks;
	taf_array_unmap(&j->flat);
	return taf_windows(&windows, e);
}

static void
remark(const struct job *j)
{
	const unsigned long long all = (unsigned long long)taf_array_count(&j->flat);
	struct taf_tone_count sum = { 0, 0 };
	unsigned k;

	for (k = 0; k < TAF_THREADS_MOST; k++) {
		sum.without += j->count[k].without;
		sum.wrong += j->count[k].wrong;
	}
	if (sum.without > 0)
		taf_remark(j->along->service,
		    "%llu of %llu blocks have no tone above noise", sum.without, all);
	if (sum.wrong > 0)
		taf_remark(j->along->service,
		    "%llu of %llu blocks have NaN or infinities", sum.wrong, all);
}

enum taf_status
taf_toning(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_toning_intent *want = m->intent;
	const struct taf_along along = taf_move_along(m, want->blocks.dim);
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;

	if (j == NULL)
		return taf_fail_mem(e);
	j->want = want;
	j->along = &along;
	st = settle(want, m->in, &j->p, e);
	if (st == TAF_OK)
		st = open_job(j, e);
	if (st == TAF_OK)
		st = run(j, e);
	if (st == TAF_OK)
		remark(j);
	taf_tone_close(j->tone);
	free(j->taper);
	free(j);
	return st;
}
