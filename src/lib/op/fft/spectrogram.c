/* SPDX-License-Identifier: ISC */
#include "op/fft/spectrogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/frequency.h"
#include "array/region.h"
#include "base/buf.h"
#include "base/str.h"
#include "kernel/fft/fft.h"
#include "kernel/fft/spectra.h"
#include "kernel/func/func.h"
#include "stream/lines_private.h"
#include "stream/windows.h"

/* Decibels of squares that are 0, or have lost digits. */
#define FAINT (-2889)

enum { LITTLE = 1 << 20 };	/* bytes for blocks beside the scratch, at least */

/* Blocks and frequencies of a line. */
struct cut {
	struct taf_blocks_cut of;
	uint64_t length;		/* points that are transformed */
	/* of the frequencies that are kept, and how many */
	uint64_t first, n;
	bool pair;			/* points are complex */
};

static enum taf_status
cut_blocks(const struct taf_spectrogram_intent *want, const struct taf_array *in,
    struct cut *c, struct taf_err *e)
{
	if (taf_blocks_cut(&want->blocks, in, &c->of, e) != TAF_OK)
		return e->code;
	c->length = want->pad > 0 ? want->pad : c->of.points;
	if (c->length < c->of.points)
		return taf_fail(e, TAF_EDATA,
		    "a block has %llu points, more than the %llu of --pad",
		    (unsigned long long)c->of.points,
		    (unsigned long long)c->length);
	return TAF_OK;
}

/* Only some frequencies are kept, which are dimension 1. */
static enum taf_status
crop(const struct taf_spectrogram_intent *want, struct taf_array *a, struct cut *c,
    struct taf_err *e)
{
	struct taf_dim *const d = &a->dim[0];
	double low, high;
	uint64_t k;

	c->first = 0;
	c->n = d->n;
	if (!want->keep.crop)
		return TAF_OK;
	if (taf_amount_along(&want->keep.range[0], a, 1, false, &low, e) != TAF_OK ||
	    taf_amount_along(&want->keep.range[1], a, 1, false, &high, e) != TAF_OK)
		return e->code;
	c->n = 0;
	for (k = 0; k < d->n; k++) {
		const double f = d->start + (double)k * d->step;

		if (f >= low && f <= high && c->n++ == 0)
			c->first = k;
	}
	if (c->n == 0)
		return taf_fail(e, TAF_EDATA,
		    "no frequency from %s to %s is among %s to %s",
		    taf_amount_typed(&want->keep.range[0]).s,
		    taf_amount_typed(&want->keep.range[1]).s, taf_brief(d->start).s,
		    taf_brief(d->start + (double)(d->n - 1) * d->step).s);
	d->start += (double)c->first * d->step;
	d->n = c->n;
	return TAF_OK;
}

static enum taf_status
value_unit(const struct taf_spectrogram_intent *want, struct taf_array *a,
    struct taf_err *e)
{
	switch (want->result) {
	case TAF_SPECTRAL_DENSITY:
		return taf_frequency_power(a, 1, e);
	case TAF_SPECTRAL_POWER:
		return taf_frequency_power(a, 0, e);
	case TAF_SPECTRAL_DB:
		return taf_attr_set(a, "unit", TAF_OF_ARRAY, 0, "dB", e);
	case TAF_SPECTRAL_PHASE:
	case TAF_SPECTRAL_COMPLEX:
	case TAF_SPECTRAL_AMPLITUDE:
		break;
	}
	return TAF_OK;
}

/* Dimension 1 gets it from dimension k. */
static enum taf_status
same_attr(struct taf_array *a, const char *key, unsigned k, struct taf_err *e)
{
	return taf_attr_set(a, key, TAF_OF_DIM, 1, taf_attr_get(a, key, TAF_OF_DIM, k),
	    e);
}

/* a, the array that comes, becomes the one that goes. */
static enum taf_status
settle(const struct taf_spectrogram_intent *want, struct taf_array *a, struct cut *c,
    struct taf_err *e)
{
	const unsigned dim = want->blocks.dim;
	struct taf_frequencies f = { 0 };
	struct taf_dim *time = &a->dim[dim];
	enum taf_status st;

	memset(c, 0, sizeof *c);
	c->pair = taf_type_is_pair(a->type);
	if (a->ndim == TAF_MAX_DIM)
		return taf_fail(e, TAF_EDATA, "%u dimensions are all that there may be",
		    a->ndim);
	st = cut_blocks(want, a, c, e);
	if (st == TAF_OK)
		st = taf_array_insert_dim(a, 1, a->dim[dim - 1], e);
	if (st != TAF_OK)
		return st;
	taf_blocks_times(&c->of, time);
	st = same_attr(a, "label", dim + 1, e);
	if (st == TAF_OK)
		st = same_attr(a, "unit", dim + 1, e);
	f.points = f.length = c->length;
	f.half = !c->pair;
	f.rotated = c->pair;
	if (st == TAF_OK)
		st = taf_frequency_to(a, 1, &f, false, e);
	if (st == TAF_OK)
		st = crop(want, a, c, e);
	if (st == TAF_OK)
		st = value_unit(want, a, e);
	if (want->wide)
		a->type = taf_type_is_pair(a->type) ? TAF_COMPLEX128 : TAF_FLT64;
	a->type = want->result == TAF_SPECTRAL_COMPLEX ? taf_type_computed_pair(a->type) :
	    taf_type_computed(a->type);
	a->code = TAF_CODE_GENERIC;
	taf_array_unmap(a);
	return st == TAF_OK ? taf_array_check(a, e) : st;
}

enum taf_status
taf_spectrogram_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e)
{
	struct cut c;

	(void)in, (void)plan;
	return settle(intent, out, &c, e);
}

struct job {
	const struct taf_spectrogram_intent *want;
	const struct taf_along *along;
	struct cut c;
	struct taf_spectra *spectra;	/* of blocks side by side, or NULL */
	struct taf_fft *fft;		/* of blocks alone */
	double *taper;
	double scale;			/* of what is not a square */
	struct taf_spectral_line line;
	bool narrow;			/* blocks side by side are flt32 */
};

/* What a thread has for blocks that come alone, in front of what transforms need. */
struct workspace {
	double *block, *x, *y, *all;
	void *scratch;
};

static struct workspace
workspace_of(const struct job *j, void *scratch)
{
	const size_t n = 2 * ((size_t)j->c.length + 1);
	double *const v = scratch;

	if (j->spectra != NULL)
		return (struct workspace){ .scratch = scratch };
	return (struct workspace){ v, v + n, v + 2 * n, v + 3 * n, v + 4 * n };
}

/* Bytes of that. */
static size_t
scratch_of(const struct job *j)
{
	return j->spectra != NULL ? taf_spectra_scratch(j->spectra) :
	    taf_fft_scratch(j->fft) + 8 * ((size_t)j->c.length + 1) * sizeof(double);
}

static void
remove_mean(double *v, size_t n, unsigned parts)
{
	unsigned part;
	size_t i;

	for (part = 0; part < parts; part++) {
		double sum = 0;

		for (i = 0; i < n; i++)
			sum += v[i * parts + part];
		sum /= (double)n;
		for (i = 0; i < n; i++)
			v[i * parts + part] -= sum;
	}
}

/* The results of a block, in d->all from first on: the part that is kept. */
static const double *
spectrum(const struct job *j, const struct workspace *d, const double *points)
{
	const struct taf_spectrogram_intent *want = j->want;
	const bool complex = want->result == TAF_SPECTRAL_COMPLEX;
	const size_t parts = j->c.pair ? 2 : 1, out = complex ? 2 : 1;
	double *const kept = d->all + j->c.first * out;
	const size_t n = (size_t)j->c.n * out;
	size_t i;

	if (want->remove_mean) {
		memcpy(d->block, points, (size_t)j->c.of.points * parts * sizeof *points);
		remove_mean(d->block, (size_t)j->c.of.points, (unsigned)parts);
		points = d->block;
	}
	taf_spectral_before(&j->line, d->x, points);
	taf_fft_lines(j->fft, d->y, d->x, 1, d->scratch);
	taf_spectral_after(&j->line, d->all, d->y);
	for (i = 0; i < n && complex; i++)
		kept[i] *= j->scale;
	if (want->result == TAF_SPECTRAL_DB) {
		taf_func_log10(kept, kept, n);
		for (i = 0; i < n; i++)
			kept[i] *= 10;
	}
	return kept;
}

/* Squares of a type, times a scale, of blocks that are short enough. */
static enum taf_status
open_spectra(struct job *j, double scale, struct taf_err *e)
{
	const struct taf_spectrogram_intent *want = j->want;
	const struct cut *c = &j->c;
	const double factor = sqrt(scale);
	struct taf_spectra_want spectra = { .points = (size_t)c->of.points,
		.skip = (size_t)c->of.skip, .length = (size_t)c->length,
		.weight = j->taper,
		.remove_mean = want->remove_mean, .first = (size_t)c->first,
		.twice = want->result != TAF_SPECTRAL_AMPLITUDE, .n = (size_t)c->n };
	size_t i;

	/* a block has no next one, in memory */
	if (c->of.skip > SIZE_MAX)
		spectra.skip = spectra.points;
	spectra.narrow = j->along->out->type == TAF_FLT32 &&
	    (want->result == TAF_SPECTRAL_DENSITY || want->result == TAF_SPECTRAL_POWER);
	for (i = 0; i < c->of.points; i++)
		j->taper[i] *= factor;
	j->narrow = spectra.narrow;
	return taf_spectra_open(&j->spectra, &spectra, e);
}

/* Squares of flt64 do not reach as far as amplitudes. */
static bool
side_by_side(const struct job *j)
{
	const enum taf_spectral result = j->want->result;

	return !j->c.pair && result != TAF_SPECTRAL_COMPLEX &&
	    (result != TAF_SPECTRAL_AMPLITUDE || j->along->out->type == TAF_FLT32) &&
	    taf_spectra_fit((size_t)j->c.length);
}

static enum taf_status
open_job(struct job *j, struct taf_err *e)
{
	const struct taf_spectrogram_intent *want = j->want;
	const struct taf_fft_want fft = { .n = (size_t)j->c.length,
		.kind = j->c.pair ? TAF_FFT_COMPLEX : TAF_FFT_REAL };
	struct taf_spectral_line *const l = &j->line;
	const struct taf_along *along = j->along;
	double sum = 0, squares = 0, step = along->a->dim[along->dim - 1].step;
	size_t i;

	if (!taf_memory_fits(j->along->service->memory, j->c.length, 192))
		return taf_fail(e, TAF_EDATA,
		    "a block of %llu points needs more memory than -m allows",
		    (unsigned long long)j->c.length);
	l->points = (size_t)j->c.of.points;
	l->length = (size_t)j->c.length;
	l->half = !j->c.pair;
	l->rotated = j->c.pair;
	j->taper = taf_alloc(l->points, sizeof *j->taper);
	if (j->taper == NULL)
		return taf_fail_mem(e);
	taf_taper(j->taper, l->points, want->taper, want->periodic);
	for (i = 0; i < l->points; i++) {
		sum += j->taper[i];
		squares += j->taper[i] * j->taper[i];
	}
	l->taper = j->taper;
	l->result = want->result == TAF_SPECTRAL_COMPLEX ||
	    want->result == TAF_SPECTRAL_AMPLITUDE ? want->result : TAF_SPECTRAL_DENSITY;
	l->scale = want->result == TAF_SPECTRAL_DENSITY ? (step < 0 ? -step : step) /
	    squares : 1 / (sum * sum);
	if (want->result == TAF_SPECTRAL_AMPLITUDE)
		l->scale = 1 / sum;
	j->scale = 1 / sum;
	if (l->half)
		l->both = taf_spectral_both(l->result);
	return side_by_side(j) ? open_spectra(j, want->result == TAF_SPECTRAL_AMPLITUDE ?
	    j->scale * j->scale : l->scale, e) :
	    taf_fft_open(&j->fft, &fft, e);
}

/* Results of a line are its spectra. */
static void
span(const void *ctx, uint64_t at, uint64_t n, uint64_t to[2])
{
	const struct cut *c = &((const struct job *)ctx)->c;

	taf_blocks_span(&c->of, at, n, to);
}

/* From the squares of a block to what is asked for. */
static void
finish(const struct job *j, double *v)
{
	const enum taf_spectral result = j->want->result;
	const size_t n = (size_t)j->c.n;
	size_t i;

	for (i = 0; i < n && result == TAF_SPECTRAL_AMPLITUDE; i++) {
		const size_t k = (size_t)j->c.first + i;
		const bool both = k > 0 && 2 * k < j->line.length;

		v[i] = sqrt(v[i]) * (both ? 2 : 1);
	}
	if (result != TAF_SPECTRAL_DB)
		return;
	taf_func_log10(v, v, n);
	for (i = 0; i < n; i++)
		v[i] *= 10;
}

/* Results of blocks of points, one behind the other. */
static void
some_blocks(const struct job *j, const struct workspace *d, const double *in,
    size_t blocks, double *out)
{
	const size_t parts = j->c.pair ? 2 : 1, skip = (size_t)j->c.of.skip * parts;
	const size_t n = (size_t)j->c.n *
	    (j->want->result == TAF_SPECTRAL_COMPLEX ? 2 : 1);
	const struct taf_spectra_part part = { .apart = n, .blocks = blocks, .to = out,
		.from = in, .scratch = d->scratch };
	size_t b;

	if (j->spectra != NULL) {
		taf_spectra_blocks(j->spectra, &part);
		for (b = 0; b < blocks; b++)
			finish(j, out + b * n);
		return;
	}
	for (b = 0; b < blocks; b++)
		memcpy(out + b * n, spectrum(j, d, in + b * skip), n * sizeof *out);
}

/* Results, in decibels, of a block so quiet that squares of its points are 0. */
static enum taf_status
quiet_block(const struct job *j, const struct workspace *d, const double *in, double *out,
    struct taf_err *e)
{
	const size_t points = (size_t)j->c.of.points * (j->c.pair ? 2 : 1);
	const size_t n = (size_t)j->c.n;
	double most = 0, *louder, *results;
	size_t i;

	for (i = 0; i < points; i++)
		most = fabs(in[i]) > most ? fabs(in[i]) : most;
	if (most == 0 || most >= 0x1p-400)
		return TAF_OK;
	louder = taf_alloc(points, sizeof *louder);
	results = taf_alloc(n, sizeof *results);
	for (i = 0; i < points && louder != NULL; i++)
		louder[i] = in[i] * TAF_LOUDER;
	if (louder != NULL && results != NULL)
		some_blocks(j, d, louder, 1, results);
	for (i = 0; i < n && louder != NULL && results != NULL; i++)
		out[i] = out[i] < FAINT ? results[i] - TAF_LOUDER_DB : out[i];
	free(louder);
	free(results);
	return louder != NULL && results != NULL ? TAF_OK : taf_fail_mem(e);
}

/* The same, and none of them is the decibels of what is 0 only as a square. */
static enum taf_status
all_blocks(const struct job *j, void *scratch, const double *in, size_t blocks,
    double *out, struct taf_err *e)
{
	const size_t n = (size_t)j->c.n;
	const size_t skip = (size_t)j->c.of.skip * (j->c.pair ? 2 : 1);
	const struct workspace d = workspace_of(j, scratch);
	enum taf_status st = TAF_OK;
	size_t b, i;

	some_blocks(j, &d, in, blocks, out);
	for (b = 0; b < blocks && j->want->result == TAF_SPECTRAL_DB &&
	    st == TAF_OK; b++) {
		for (i = 0; i < n && !(out[b * n + i] < FAINT); i++)
			;
		if (i < n)
			st = quiet_block(j, &d, in + b * skip, out + b * n, e);
	}
	return st;
}

static enum taf_status
window(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	const struct job *j = ctx;
	const struct taf_spectra_part part = { .apart = (size_t)j->c.n, .blocks = w->n,
		.to = w->out32, .from = w->in32, .scratch = w->scratch };

	if (!j->narrow)
		return all_blocks(j, w->scratch, w->in, w->n, w->out, e);
	taf_spectra_blocks(j->spectra, &part);
	return TAF_OK;
}

/* Lines of pairs, or with results that are pairs. */
static enum taf_status
line(void *ctx, const struct taf_line *l, struct taf_err *e)
{
	const struct job *j = ctx;
	const size_t in = l->in_len * (j->c.pair ? 2 : 1), out = (size_t)j->c.of.blocks *
	    (size_t)j->c.n * (j->line.result == TAF_SPECTRAL_COMPLEX ? 2 : 1);
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < l->lines && st == TAF_OK; i++)
		st = all_blocks(j, l->scratch, (const double *)l->in + i * in,
		    (size_t)j->c.of.blocks, (double *)l->out + i * out, e);
	return st;
}

static enum taf_status
run(struct job *j, struct taf_err *e)
{
	const struct taf_along *l = j->along;
	const bool complex = j->want->result == TAF_SPECTRAL_COMPLEX;
	const struct taf_need need = { .scratch = scratch_of(j) };
	/* spectra are records: their dimension is not there */
	struct taf_array flat = { .type = l->out->type, .ndim = l->a->ndim };
	/* what one block needs is there, however small the bound */
	const uint64_t memory = taf_memory_for(taf_memory_share(l->service->memory,
	    TAF_HELD), LITTLE) + need.scratch;
	const struct taf_along along = { l->service, l->r, l->a, l->dim, &flat, l->w,
	    false };
	const struct taf_windows windows = { .along = &along, .memory = memory,
	    .need = need, .span = span, .window = window, .ctx = j,
	    .narrow = j->narrow, .record = (size_t)j->c.n,
	    .scaling = taf_spectral_scaling(j->want->result) };
	const struct taf_lines lines = { .r = l->r, .a = l->a, .dim = l->dim,
	    .as = j->c.pair ? TAF_COMPLEX128 : TAF_FLT64, .out = &flat, .w = l->w,
	    .give = complex ? TAF_COMPLEX128 : TAF_FLT64, .line = line, .ctx = j,
	    .memory = memory, .threads = taf_threads(l->service),
	    .record = (size_t)j->c.n, .scaling = windows.scaling };

	memcpy(flat.dim, l->a->dim, sizeof flat.dim);
	flat.dim[l->dim - 1].n = j->c.of.blocks;
	taf_array_unmap(&flat);
	return complex || j->c.pair ? taf_lines_with(&lines, &need, e) :
	    taf_windows(&windows, e);
}

enum taf_status
taf_spectrogram(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_spectrogram_intent *want = m->intent;
	const struct taf_along along = taf_move_along(m, want->blocks.dim);
	struct job j = { .want = want, .along = &along };
	struct taf_array a = { 0 };
	enum taf_status st = taf_array_copy(&a, m->in, e);

	if (st == TAF_OK)
		st = settle(want, &a, &j.c, e);
	taf_array_fini(&a);
	if (st == TAF_OK)
		st = open_job(&j, e);
	if (st == TAF_OK)
		st = run(&j, e);
	taf_spectra_close(j.spectra);
	taf_fft_close(j.fft);
	free(j.taper);
	return st;
}
