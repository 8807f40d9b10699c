/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/fft/spectra.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/buf.h"
#include "kernel/fft/fft.h"
#include "kernel/fft/fft_twiddle.h"
#include "kernel/fft/spectra_private.h"

enum {
	MOST = 8192,		/* points: the rows of more are too many for the cache */
	/* a prime up to which a step costs less than twice the points */
	QUICK = 31,
	/* numbers that are laid out at once, if blocks are short */
	LAID = 8192,
	APART = 16		/* numbers between planes */
};

static const struct taf_spectra_typed *
typed(bool narrow)
{
	return narrow ? &taf_spectra_flt32 : &taf_spectra_flt64;
}

/* The smallest and the largest prime factor of n, above 1. */
static void
factors(size_t n, size_t *least, size_t *most)
{
	size_t p;

	*least = *most = 0;
	for (p = 2; n > 1; p++) {
		if (p * p > n)
			p = n;
		while (n % p == 0) {
			*least = *least == 0 ? p : *least;
			*most = p;
			n /= p;
		}
	}
}

bool
taf_spectra_fit(size_t length)
{
	size_t least, most;

	if (length < 2 || length > MOST)
		return false;
	factors(length, &least, &most);
	if (most <= TAF_FFT_ODD)
		return true;
	factors(length / most, &least, &most);
	return most <= TAF_FFT_ODD;
}

static void *
twiddles(bool narrow, size_t count, size_t step, size_t n)
{
	double *v = taf_alloc(count, 2 * sizeof *v);
	void *made = NULL;

	if (v != NULL) {
		taf_twiddles(v, count, 0, step, n);
		made = taf_fft_table(v, 2 * count, narrow);
	}
	free(v);
	return made;
}

/* Its powers are all numbers below the prime p. */
static size_t
generator(size_t p)
{
	size_t g, power, order;

	for (g = 2;; g++) {
		for (power = g, order = 1; power != 1; order++)
			power = power * g % p;
		if (order == p - 1)
			return g;
	}
}

/* The transform of the sequence that points of f are convolved with, divided by 2 far. */
static enum taf_status
plan_kernel(struct taf_power *f, bool narrow, size_t back, struct taf_err *e)
{
	const struct taf_fft_want want = { .n = f->far, .kind = TAF_FFT_REAL };
	const size_t r = f->radix;
	double *v = calloc(2 * f->far + 2, sizeof *v), *out, twiddle[2];
	struct taf_fft *fft = NULL;
	size_t k, i, at;
	void *scratch = NULL;

	if (taf_fft_open(&fft, &want, e) == TAF_OK)
		scratch = aligned_alloc(64, (taf_fft_scratch(fft) + 63) / 64 * 64);
	if (v == NULL || scratch == NULL) {
		taf_fft_close(fft);
		free(scratch);
		free(v);
		return taf_fail_mem(e);
	}
	out = v + f->far;
	for (i = 0, at = 1; i < r - 1; i++, at = at * back % r) {
		taf_twiddles(twiddle, 1, at, 0, r);
		v[i] = (twiddle[0] + twiddle[1]) / (2 * (double)f->far);
		/* from a point to one before it */
		if (i > 0)
			v[f->far - (r - 1) + i] = v[i];
	}
	taf_fft_lines(fft, out, v, 1, scratch);
	for (k = 0; k <= f->far; k += f->far)
		out[k] *= 2;
	f->kernel = taf_fft_table(out, f->far + 2, narrow);
	taf_fft_close(fft);
	free(scratch);
	free(v);
	return f->kernel != NULL ? TAF_OK : taf_fail_mem(e);
}

/* The first step as a convolution. */
static enum taf_status
plan_far(struct taf_power *f, bool narrow, struct taf_err *e)
{
	const size_t r = f->radix, m = f->m, g = generator(r);
	size_t least, most, q, p, at, back = 1;
	enum taf_status st;

	factors(r - 1, &least, &most);
	f->far = r - 1;
	if (most > QUICK)
		for (f->far = (size_t)taf_fft_fast(2 * r - 3); f->far % 2 != 0;)
			f->far = (size_t)taf_fft_fast(f->far + 1);
	f->frequency = taf_alloc(r, sizeof *f->frequency);
	if (f->frequency == NULL)
		return taf_fail_mem(e);
	for (q = 0, at = 1; q < r - 1; q++, at = at * g % r) {
		if (at * g % r == 1)
			back = at;
		for (p = 0; p < m; p++)
			f->row[p + m * at] = (q / 2 + q % 2 * (f->far / 2)) * m + p;
	}
	for (q = 0, at = 1; q < r / 2; q++, at = at * back % r)
		f->frequency[q] = at;
	for (p = 0; p < m; p++)
		f->row[p] = f->far * m + p;
	f->rows = (f->far + 1) * m;
	f->far_twiddle = twiddles(narrow, f->far / 4 + 1, 1, f->far);
	st = f->far_twiddle == NULL ? taf_fail_mem(e) :
	    taf_fft_steps_open(&f->pairs, f->far / 2, narrow, e);
	return st == TAF_OK ? plan_kernel(f, narrow, back, e) : st;
}

/* The twiddles between the first step, of an odd radix, and those behind it. */
static enum taf_status
plan_twiddles(struct taf_power *f, bool narrow, struct taf_err *e)
{
	const size_t half = f->radix / 2;
	double *v = taf_alloc(f->m, 2 * half * sizeof *v);
	size_t p;

	if (v == NULL)
		return taf_fail_mem(e);
	for (p = 0; p < f->m; p++)
		taf_twiddles(v + 2 * p * half, half, p, p, f->n);
	f->twiddle = taf_fft_table(v, 2 * f->m * half, narrow);
	free(v);
	f->root = twiddles(narrow, f->radix, 1, f->radix);
	return f->twiddle != NULL && f->root != NULL ? TAF_OK : taf_fail_mem(e);
}

static void
close_power(struct taf_power *f)
{
	if (f == NULL)
		return;
	taf_fft_steps_close(&f->steps);
	taf_fft_steps_close(&f->pairs);
	free(f->twiddle);
	free(f->root);
	free(f->far_twiddle);
	free(f->kernel);
	free(f->frequency);
	free(f->row);
	close_power(f->rest);
	free(f);
}

static enum taf_status
plan_power(struct taf_power **to, bool narrow, size_t n, size_t stride, struct taf_err *e)
{
	struct taf_power *f = *to = calloc(1, sizeof *f);
	size_t least, most, j;
	enum taf_status st;

	if (f == NULL)
		return taf_fail_mem(e);
	f->n = f->rows = n;
	f->stride = stride;
	f->row = taf_alloc(n, sizeof *f->row);
	if (f->row == NULL)
		return taf_fail_mem(e);
	factors(n, &least, &most);
	if (n % 2 != 0 || most > TAF_FFT_ODD)
		f->radix = (unsigned)(most > TAF_FFT_ODD ? most : least);
	f->m = f->radix > 0 ? n / f->radix : 1;
	for (j = 0; j < n; j++)
		f->row[j] = f->radix > 0 ? j : j / 2 + j % 2 * (n / 2);
	if (f->radix == 0) {
		f->twiddle = twiddles(narrow, n / 4 + 1, 1, n);
		return f->twiddle == NULL ? taf_fail_mem(e) :
		    taf_fft_steps_open(&f->steps, n / 2, narrow, e);
	}
	st = plan_twiddles(f, narrow, e);
	if (st == TAF_OK && f->radix > TAF_FFT_ODD)
		st = plan_far(f, narrow, e);
	if (st == TAF_OK && f->m > 1)
		st = taf_fft_steps_open(&f->steps, f->m, narrow, e);
	return st == TAF_OK && f->m > 1 ?
	    plan_power(&f->rest, narrow, f->m, stride * f->radix, e) : st;
}

/* Rows of pairs that a step needs. */
static size_t
plane_rows(const struct taf_power *f)
{
	const size_t behind = f->radix == 0 ? f->n / 2 + 1 : f->m * (f->radix / 2);
	const size_t far = f->far / 2 * f->m;

	return far > behind ? far : behind;
}

static enum taf_status
plan(struct taf_spectra *s, struct taf_err *e)
{
	const struct taf_spectra_want *want = &s->want;
	const size_t lanes = typed(want->narrow)->lanes,
	    over = (want->points - 1) / want->skip;
	const size_t rows = want->skip < want->points ? want->skip : want->points;
	double *v = taf_alloc(want->points, sizeof *v);
	size_t j;

	if (v == NULL)
		return taf_fail_mem(e);
	for (j = 0; j < want->points; j++)
		v[j] = want->weight[j] * (want->twice ? 0x1.6a09e667f3bcdp+0 : 1);
	s->weight = taf_fft_table(v, want->points, want->narrow);
	free(v);
	if (s->weight == NULL)
		return taf_fail_mem(e);
	if (plan_power(&s->power, want->narrow, want->length, 1, e) != TAF_OK)
		return e->code;
	s->batch = lanes;
	while ((s->batch + over) * rows < LAID)
		s->batch *= 2;
	/* whole vectors for the last blocks, and rows not a power of 2 apart */
	s->wide = (s->batch + over + lanes - 1) / lanes * lanes + lanes;
	s->laid = rows * s->wide;
	s->rows = s->power->rows * lanes;
	s->result = (want->length / 2 + 1 + lanes) * lanes;
	s->plane = plane_rows(s->power) * lanes + APART;
	return TAF_OK;
}

enum taf_status
taf_spectra_open(struct taf_spectra **to, const struct taf_spectra_want *want,
    struct taf_err *e)
{
	struct taf_spectra *s = calloc(1, sizeof *s);
	enum taf_status st;

	*to = NULL;
	if (s == NULL)
		return taf_fail_mem(e);
	s->want = *want;
	st = plan(s, e);
	if (st == TAF_OK)
		*to = s;
	else
		taf_spectra_close(s);
	return st;
}

void
taf_spectra_close(struct taf_spectra *s)
{
	if (s == NULL)
		return;
	close_power(s->power);
	free(s->weight);
	free(s);
}

size_t
taf_spectra_scratch(const struct taf_spectra *s)
{
	const struct taf_spectra_typed *t = typed(s->want.narrow);
	const size_t lanes = t->lanes;
	/* rows of a convolution's sums, and those that steps behind steps take */
	const size_t more = 2 * s->power->rows * lanes;

	return (s->laid + s->rows + s->result + 6 * s->plane + more) * (64 / lanes) + 64;
}

void
taf_spectra_blocks(const struct taf_spectra *s, const struct taf_spectra_part *part)
{
	struct taf_spectra_part aligned = *part;

	aligned.scratch = (char *)part->scratch +
	    (64 - (uintptr_t)part->scratch % 64) % 64;
	typed(s->want.narrow)->blocks(s, &aligned);
}
