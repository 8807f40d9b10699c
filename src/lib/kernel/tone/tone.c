/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/tone/tone.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/fft/fft_twiddle.h"
#include "kernel/func/func.h"
#include "kernel/tone/tone_private.h"

enum {
	WIDE = TAF_TONE_LANES,
	/* a block of more numbers is computed alone */
	LONG = 8192,
	ALIGN = 64,
	SHORT = 64,		/* points of a block that is not mixed down */
	/* rotations and angles of tone_pass.c */
	CARRIED = 8
};

static size_t
lanes_of(const struct taf_tone_want *want)
{
	return want->points * (want->pair ? 2 : 1) > LONG ? 1 : WIDE;
}

static double
duration_of(const struct taf_tone_want *want)
{
	return (double)want->points * fabs(want->step);
}

size_t
taf_tone_bins(double duration, double low, double high)
{
	const double first = taf_tone_above(low * duration - 1e-9);
	const double last = taf_tone_below(high * duration + 1e-9);

	return last >= first ? (size_t)(last - first) + 1 : 0;
}

size_t
taf_tone_bytes(const struct taf_tone_want *want)
{
	const size_t parts = want->pair ? 2 : 1, lanes = lanes_of(want);
	const size_t fixed = parts * (want->nknown * 2 + 1);
	/* rows of points, spectra and tables of both transforms, columns */
	const size_t each = (6 * lanes + fixed + 40) * parts * sizeof(double);

	return want->points > SIZE_MAX / 2 / each ? SIZE_MAX : want->points * each;
}

static enum taf_status
open_power(const struct taf_tone *t, struct taf_tone_power *p, size_t length,
    struct taf_err *e)
{
	const struct taf_fft_want fft = { .n = length,
		.kind = t->parts == 2 ? TAF_FFT_COMPLEX : TAF_FFT_REAL };
	const struct taf_spectra_want want = { .points = t->points, .skip = t->points,
		.length = length, .weight = t->weight, .n = length / 2 + 1 };

	p->length = length;
	p->bins = t->parts == 2 ? length : length / 2 + 1;
	return t->parts == 1 && t->lanes == TAF_SPECTRA_LANES &&
	    taf_spectra_fit(length) ? taf_spectra_open(&p->spectra, &want, e) :
	    taf_fft_open(&p->fft, &fft, e);
}

/* The sum of products of two fixed columns, by weight. */
static double
inner(const struct taf_tone *t, const double *a, const double *b)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < t->rows; i++)
		sum += t->weight[i / t->parts] * a[i] * b[i];
	return sum;
}

/* The column behind t->fixed becomes one more of these, unless they explain it. */
static void
join(struct taf_tone *t)
{
	double *const a = t->fixed + t->nfixed * t->rows;
	const double before = inner(t, a, a);
	unsigned again;
	double scale;
	size_t k, i;

	for (again = 0; again < 2; again++)
		for (k = 0; k < t->nfixed; k++) {
			const double *b = t->fixed + k * t->rows;
			const double part = inner(t, a, b);

			for (i = 0; i < t->rows; i++)
				a[i] -= part * b[i];
		}
	scale = inner(t, a, a);
	if (!(scale > 1e-12 * before))
		return;
	scale = 1 / sqrt(scale);
	for (i = 0; i < t->rows; i++)
		a[i] *= scale;
	t->nfixed++;
}

/* Two columns of a line: cosine and sine, or the exponential and i times that. */
static void
join_line(struct taf_tone *t, double bin)
{
	double c[SHORT], s[SHORT];
	unsigned which;
	size_t at, i, n;

	for (which = 0; which < 2; which++) {
		double *to = t->fixed + t->nfixed * t->rows;

		for (at = 0; at < t->points; at += n) {
			n = t->points - at < SHORT ? t->points - at : SHORT;
			for (i = 0; i < n; i++)
				c[i] = s[i] = TAF_TONE_TURN * bin * t->time[at + i];
			taf_func_cos(c, c, n);
			taf_func_sin(s, s, n);
			for (i = 0; i < n; i++, to += t->parts) {
				to[0] = which == 0 ? c[i] : -s[i];
				if (t->parts == 2)
					to[1] = which == 0 ? s[i] : c[i];
			}
		}
		join(t);
	}
}

static enum taf_status
make_fixed(struct taf_tone *t, struct taf_err *e)
{
	const size_t most = t->parts + 2 * t->want.nknown;
	size_t k, i;

	t->fixed = taf_alloc(most * t->rows + 1, sizeof *t->fixed);
	t->known = taf_alloc(t->want.nknown + 1, sizeof *t->known);
	if (t->fixed == NULL || t->known == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < t->parts; k++) {
		double *const to = t->fixed + t->nfixed * t->rows;

		for (i = 0; i < t->rows; i++)
			to[i] = i % t->parts == k;
		join(t);
	}
	for (k = 0; k < t->want.nknown; k++) {
		t->known[k] = t->want.known[k] * t->duration *
		    (t->parts == 2 ? t->sign : 1);
		join_line(t, t->known[k]);
	}
	return TAF_OK;
}

/* Which bins of the residuals lie inside what is looked at, and away from known lines. */
static enum taf_status
make_quiet(struct taf_tone *t, struct taf_err *e)
{
	const double n = (double)t->points;
	size_t k, i;

	t->quiet = taf_alloc(t->rest.bins, sizeof *t->quiet);
	if (t->quiet == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < t->rest.bins; k++) {
		const double bin = t->parts == 2 && 2 * k >= t->points ?
		    (double)k - n : (double)k;
		bool good = bin >= t->low - 1e-9 && bin <= t->high + 1e-9;

		if (t->parts == 2)
			good = good && fabs(bin) > 1;
		for (i = 0; i < t->want.nknown && good; i++) {
			double d = fabs(bin - t->known[i]);

			if (t->parts == 2 && d > n / 2)
				d = fabs(d - n);
			good = d > 1.5;
		}
		t->quiet[k] = good;
	}
	return TAF_OK;
}

/* What the weights alone say: their sums, and the sigma of a tone by itself. */
static void
sum_weights(struct taf_tone *t)
{
	double u2 = 0, wu2 = 0, wu4 = 0, mean, y2 = 0, wy = 0;
	const double few = t->parts == 1 ? 1 : 0.5;
	size_t i;

	for (i = 0; i < t->points; i++) {
		const double w = t->weight[i], u = t->time[i];

		t->sum += w;
		t->squares += w * w;
		u2 += w * w * u * u;
		wu2 += w * u * u;
		wu4 += w * u * u * u * u;
	}
	mean = wu2 / t->sum;
	for (i = 0; i < t->points; i++) {
		const double y = t->time[i] * t->time[i] - mean;

		y2 += t->weight[i] * t->weight[i] * y * y;
		wy += t->weight[i] * y * y;
	}
	t->moment[0] = t->sum;
	t->moment[1] = wu2;
	t->moment[2] = wu4;
	t->apart[0] = wu2;
	t->apart[1] = wy;
	t->loose[0] = few * sqrt(2 * u2) / (TAF_TONE_TURN * wu2);
	t->loose[1] = few * sqrt(2 * y2) / (TAF_TONE_TURN / 2 * wy);
}

/* How a block is cut for the first steps. */
static void
plan_parts(struct taf_tone *t)
{
	for (t->each = 4; t->points > t->each * TAF_TONE_FEW;)
		t->each *= 2;
	t->few = (t->points + t->each - 1) / t->each;
}

/* The steps of K. E. Batcher's odd-even merge sort. */
static void
plan_sort(struct taf_tone *t)
{
	const size_t n = TAF_TONE_NOISE_BINS;
	size_t p, k, j, i;

	for (p = 1; p < n; p *= 2)
		for (k = p; k > 0; k /= 2)
			for (j = k % p; j + k < n; j += 2 * k)
				for (i = j; i < j + k && i + k < n; i++) {
					if (i / (2 * p) != (i + k) / (2 * p))
						continue;
					t->sort[t->nsort][0] = (unsigned char)i;
					t->sort[t->nsort++][1] = (unsigned char)(i + k);
				}
}

static size_t
rounded(size_t numbers)
{
	return (numbers + ALIGN / sizeof(double) - 1) / (ALIGN / sizeof(double)) *
	    (ALIGN / sizeof(double));
}

/* Parts of the scratch memory, from base on, or where that is NULL only their size. */
static size_t
lay_out(const struct taf_tone *t, double *base, struct taf_tone_group *g)
{
	const size_t lanes = t->lanes, count = t->want.count, parts = t->parts;
	const size_t cols = TAF_TONE_COLUMNS * count;
	const size_t bins = t->start.bins > t->rest.bins ? t->start.bins : t->rest.bins;
	const size_t length = t->start.length > t->rest.length ? t->start.length :
	    t->rest.length;
	const size_t angles = (2 * t->restarts + 1) * lanes * count;
	const size_t chunk = TAF_TONE_CHUNK * parts * lanes;
	const size_t products = cols * (cols + 1) / 2 + t->nfixed * cols;
	const bool alone = t->start.fft != NULL || t->rest.fft != NULL;
	const struct {
		double **to;
		size_t n;
	} part[] = {
		{ &g->y, t->rows * lanes }, { &g->r, t->rows * lanes },
		{ &g->power, bins * lanes }, { &g->angle, angles },
		{ &g->cosine, angles }, { &g->sine, angles },
		{ &g->carry, count * CARRIED * lanes }, { &g->column, cols * chunk },
		{ &g->weighed, cols * chunk }, { &g->chunk, 2 * chunk },
		{ &g->tt, cols * (cols + 1) / 2 * lanes },
		{ &g->ft, t->nfixed * cols * lanes }, { &g->kept, products * lanes },
		{ &g->tr, cols * lanes },
		{ &g->fr, t->nfixed * lanes }, { &g->rr, lanes },
		{ &g->vector, 2 * count * (t->nfixed + cols) * lanes },
		{ &g->few, 6 * t->few * lanes },
		{ &g->line, alone ? length * parts + 2 : 0 },
		{ &g->spectrum, alone ? 2 * length + 2 : 0 },
	};
	size_t at = 0, k;

	for (k = 0; k < sizeof part / sizeof part[0]; k++) {
		if (base != NULL)
			*part[k].to = base + at;
		at += rounded(part[k].n);
	}
	if (base != NULL)
		g->fft = base + at;
	return at;
}

static size_t
power_scratch(const struct taf_tone_power *p)
{
	return p->spectra != NULL ? taf_spectra_scratch(p->spectra) :
	    taf_fft_scratch(p->fft);
}

/* Numbers of the scratch memory. */
static void
plan_scratch(struct taf_tone *t)
{
	const size_t a = power_scratch(&t->start), b = power_scratch(&t->rest);
	struct taf_tone_group g;

	t->scratch = lay_out(t, NULL, &g);
	t->fft_scratch = (a > b ? a : b) / sizeof(double) + 1;
}

/* Numbers for each point. */
static enum taf_status
plan_points(struct taf_tone *t, struct taf_err *e)
{
	size_t i;

	t->weight = taf_alloc(t->points, sizeof *t->weight);
	t->time = taf_alloc(t->points, sizeof *t->time);
	if (t->weight == NULL || t->time == NULL)
		return taf_fail_mem(e);
	memcpy(t->weight, t->want.weight, t->points * sizeof *t->weight);
	for (i = 0; i < t->points; i++)
		t->time[i] = ((double)(2 * i) - (double)(t->points - 1)) /
		    (2 * (double)t->points);
	sum_weights(t);
	plan_parts(t);
	return TAF_OK;
}

static enum taf_status
plan(struct taf_tone *t, struct taf_err *e)
{
	const size_t length = (size_t)taf_fft_fast(2 * t->points);
	enum taf_status st = plan_points(t, e);

	if (st == TAF_OK)
		st = make_fixed(t, e);
	if (st == TAF_OK)
		st = open_power(t, &t->start, length, e);
	if (st == TAF_OK)
		st = open_power(t, &t->rest, t->points, e);
	if (st == TAF_OK)
		st = make_quiet(t, e);
	if (st != TAF_OK)
		return st;
	t->mix = taf_alloc(2 * length, 2 * sizeof *t->mix);
	if (t->mix == NULL)
		return taf_fail_mem(e);
	taf_twiddles(t->mix, 2 * length, 0, 1, 2 * length);
	t->restarts = (t->points + TAF_TONE_RESTART - 1) / TAF_TONE_RESTART;
	plan_sort(t);
	plan_scratch(t);
	return TAF_OK;
}

enum taf_status
taf_tone_open(struct taf_tone **to, const struct taf_tone_want *want, struct taf_err *e)
{
	struct taf_tone *t = calloc(1, sizeof *t);
	enum taf_status st;

	*to = NULL;
	if (t == NULL)
		return taf_fail_mem(e);
	t->want = *want;
	t->points = want->points;
	t->parts = want->pair ? 2 : 1;
	t->rows = t->points * t->parts;
	t->lanes = lanes_of(want);
	t->duration = duration_of(want);
	t->sign = want->step < 0 ? -1 : 1;
	t->low = want->low * t->duration;
	t->high = want->high * t->duration;
	if (want->pair && t->sign < 0) {
		t->low = -want->high * t->duration;
		t->high = -want->low * t->duration;
	}
	st = plan(t, e);
	if (st == TAF_OK)
		*to = t;
	else
		taf_tone_close(t);
	return st;
}

void
taf_tone_close(struct taf_tone *t)
{
	if (t == NULL)
		return;
	taf_spectra_close(t->start.spectra);
	taf_spectra_close(t->rest.spectra);
	taf_fft_close(t->start.fft);
	taf_fft_close(t->rest.fft);
	free(t->weight);
	free(t->time);
	free(t->fixed);
	free(t->known);
	free(t->quiet);
	free(t->mix);
	free(t);
}

size_t
taf_tone_scratch(const struct taf_tone *t)
{
	return (t->scratch + t->fft_scratch) * sizeof(double) + 2 * ALIGN;
}

void
taf_tone_blocks(const struct taf_tone *t, const struct taf_tone_part *part)
{
	double *const base = (void *)((char *)part->scratch +
	    (ALIGN - (uintptr_t)part->scratch % ALIGN) % ALIGN);
	struct taf_tone_fit fit;
	struct taf_tone_group g = { .t = t, .fit = &fit, .lanes = t->lanes };
	size_t b;

	lay_out(t, base, &g);
	for (b = 0; b < part->blocks; b += g.lanes)
		taf_tone_search(&g, part, b);
}
