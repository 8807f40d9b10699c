/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/fft/spectral.h"

#include <math.h>
#include <string.h>

#include "kernel/fft/fft_numbers.h"
#include "kernel/func/func.h"
#include "kernel/number/fast.h"

enum { BLOCK = 256 };

static size_t
word(const struct taf_spectral_line *l)
{
	return l->narrow ? sizeof(float) : sizeof(double);
}

static TAF_INLINE void
multiply(void *v, size_t i, double by, bool narrow)
{
	float *const x = (float *)v + i;
	double *const y = (double *)v + i;

	if (narrow)
		*x = (float)((double)*x * by);
	else
		*y *= by;
}

static TAF_INLINE void
weigh_parts(void *v, const double *restrict weight, size_t n, size_t parts, bool narrow)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < parts; k++)
			multiply(v, parts * i + k, weight[i], narrow);
}

/* n numbers, or n pairs, multiplied by weights. */
TAF_WIDE_VOID(weigh, (void *v, const double *restrict weight, size_t n, bool pairs,
    bool narrow), (v, weight, n, pairs, narrow))
{
	if (pairs && narrow)
		weigh_parts(v, weight, n, 2, true);
	else if (pairs)
		weigh_parts(v, weight, n, 2, false);
	else if (narrow)
		weigh_parts(v, weight, n, 1, true);
	else
		weigh_parts(v, weight, n, 1, false);
}

/* n pairs multiplied by others, or, with back, by their conjugates. */
static void
rotate(void *v, const double *by, size_t n, bool narrow, bool back)
{
	double re, im;
	size_t i;

	for (i = 0; i < n; i++, by += 2) {
		const double s = back ? -by[1] : by[1];
		double a, b;

		taf_fft_take_pairs(&re, &im, v, i, 1, narrow);
		a = re * by[0];
		a -= im * s;
		b = re * s;
		b += im * by[0];
		taf_fft_give_pairs(v, i, &a, &b, 1, 1, narrow);
	}
}

void
taf_spectral_before(const struct taf_spectral_line *l, void *to, const void *from)
{
	const size_t size = word(l) * (l->half && !l->inverse ? 1 : 2), n = l->length;
	const size_t low = n / 2;

	if (!l->inverse) {
		memcpy(to, from, l->points * size);
		memset((char *)to + l->points * size, 0, (n - l->points) * size);
		if (l->taper != NULL)
			weigh(to, l->taper, l->points, size > word(l), l->narrow);
		return;
	}
	if (l->half) {
		memcpy(to, from, (n / 2 + 1) * size);
	} else if (l->rotated) {
		memcpy(to, (const char *)from + low * size, (n - low) * size);
		memcpy((char *)to + (n - low) * size, from, low * size);
	} else {
		memcpy(to, from, n * size);
	}
	if (l->origin != NULL)
		rotate(to, l->origin, l->half ? n / 2 + 1 : n, l->narrow, true);
}

/* The parts of n pairs, as doubles. */
TAF_WIDE_VOID(take, (double *restrict re, double *restrict im, const void *restrict from,
    size_t n, bool narrow), (re, im, from, n, narrow))
{
	taf_fft_take_pairs(re, im, from, 0, n, narrow);
}

TAF_WIDE_VOID(squares, (double *restrict re, const double *restrict im, size_t n,
    double scale), (re, im, n, scale))
{
	for (size_t i = 0; i < n; i++)
		re[i] = (re[i] * re[i] + im[i] * im[i]) * scale;
}

/* Squares of what is smaller than this are 0, or have lost digits. */
#define QUIET 0x1p-480

double
taf_spectral_both(enum taf_spectral result)
{
	return result == TAF_SPECTRAL_COMPLEX || result == TAF_SPECTRAL_PHASE ? 1 : 2;
}

/*
 * n numbers, or pairs, of the frequencies from first on: those that stand for a negative
 * one, too, are multiplied.
 */
static void
both_halves(const struct taf_spectral_line *l, void *v, size_t first, size_t n,
    size_t parts, bool narrow)
{
	const size_t whole = l->whole != 0 ? l->whole : l->length;
	const size_t end = (whole + 1) / 2;
	const size_t from = first == 0 ? 1 : 0;
	const size_t to = first + n < end ? n : end > first ? end - first : 0;
	size_t i;

	if (l->both == 0)
		return;
	for (i = from * parts; i < to * parts; i++)
		multiply(v, i, l->both, narrow);
}

/* 10 log10 of the power, of a block of pairs in re, whose first is a frequency. */
static void
decibels(const struct taf_spectral_line *l, double *re, double *im, size_t first,
    size_t n)
{
	double less[BLOCK];
	size_t i;

	for (i = 0; i < n; i++) {
		const bool quiet = fabs(re[i]) < QUIET && fabs(im[i]) < QUIET;

		less[i] = quiet ? TAF_LOUDER_DB : 0;
		re[i] *= quiet ? TAF_LOUDER : 1;
		im[i] *= quiet ? TAF_LOUDER : 1;
	}
	squares(re, im, n, 1);
	both_halves(l, re, first, n, 1, false);
	taf_func_log10(re, re, n);
	for (i = 0; i < n; i++)
		re[i] = 10 * re[i] - less[i];
}

/* Their phases, in re: what has overflowed has none. */
static void
phases(double *re, const double *im, size_t n)
{
	bool wild[BLOCK];
	size_t i;

	for (i = 0; i < n; i++)
		wild[i] = isinf(re[i]) || isinf(im[i]);
	taf_func_atan2(re, im, re, n);
	for (i = 0; i < n; i++)
		re[i] = wild[i] ? (double)NAN : re[i];
}

/* Results of a block of pairs in re, whose first is a frequency. */
static void
result(const struct taf_spectral_line *l, double *re, double *im, size_t first, size_t n)
{
	const double scale = l->scale != 0 ? l->scale : 1;
	size_t i;

	if (l->result == TAF_SPECTRAL_PHASE) {
		phases(re, im, n);
		return;
	}
	/* before squares, which do not reach as far */
	for (i = 0; i < n && l->result != TAF_SPECTRAL_DENSITY; i++) {
		re[i] *= scale;
		im[i] *= scale;
	}
	if (l->result == TAF_SPECTRAL_DB) {
		decibels(l, re, im, first, n);
		return;
	}
	if (l->result == TAF_SPECTRAL_AMPLITUDE)
		taf_func_hypot(re, re, im, n);
	else
		squares(re, im, n, l->result == TAF_SPECTRAL_DENSITY ? scale : 1);
	both_halves(l, re, first, n, 1, false);
}

static void
make_real(const struct taf_spectral_line *l, void *to, const void *from, size_t n)
{
	double re[BLOCK], im[BLOCK];
	size_t at, i, part;

	for (at = 0; at < n; at += part) {
		part = n - at < BLOCK ? n - at : BLOCK;
		take(re, im, (const char *)from + at * 2 * word(l), part, l->narrow);
		result(l, re, im, l->first + at, part);
		if (!l->narrow)
			memcpy((double *)to + at, re, part * sizeof *re);
		for (i = 0; i < part && l->narrow; i++)
			((float *)to)[at + i] = (float)re[i];
	}
}

void
taf_spectral_after(const struct taf_spectral_line *l, void *to, void *from)
{
	const size_t n = l->half ? l->length / 2 + 1 : l->length;
	const size_t pair = 2 * word(l), real = word(l);
	const size_t size = l->result == TAF_SPECTRAL_COMPLEX ? pair : real;
	const size_t low = l->rotated ? l->length / 2 : 0;
	size_t i;

	if (l->inverse) {
		memcpy(to, from, l->points * (l->half ? real : pair));
		if (l->between)
			for (i = 2; i < 2 * l->points; i += i % 2 == 0 ? 1 : 3)
				multiply(to, i, -1, l->narrow);
		return;
	}
	if (l->origin != NULL)
		rotate(from, l->origin, n, l->narrow, false);
	if (l->result != TAF_SPECTRAL_COMPLEX) {
		make_real(l, to, from, n - low);
		if (low == 0)
			return;
		/* the negative ones go first */
		memmove((char *)to + low * size, to, (n - low) * size);
		make_real(l, to, (char *)from + (n - low) * pair, low);
		return;
	}
	both_halves(l, from, l->first, n, 2, l->narrow);
	memcpy((char *)to + low * size, from, (n - low) * size);
	memcpy(to, (char *)from + (n - low) * size, low * size);
}

/* The rest of x / n, for x of any size. */
static double
rest(double x, double n)
{
	const double whole = 4503599627370496;	/* from here on all numbers are */
	double q = x / n;

	if (-whole < q && q < whole)
		q = (double)(long long)q;
	return x - q * n;
}

void
taf_spectral_origin_part(double *pairs, const struct taf_spectral_line *l, double start,
    size_t first, size_t n)
{
	const double length = (double)l->length, shift = rest(start, length);
	size_t i;

	for (i = first; i < first + n; i++, pairs += 2) {
		/* frequencies behind the middle are negative */
		const double k = 2 * i < l->length ||
		    l->half ? (double)i : (double)i - length;
		const double turns = rest(k * shift, length) / length;
		const double angle = -0x1.921fb54442d18p+2 * turns;

		taf_func_cos(pairs, &angle, 1);
		taf_func_sin(pairs + 1, &angle, 1);
	}
}

void
taf_spectral_turn_back(double *pairs, const struct taf_spectral_line *l, double start,
    size_t first, size_t n)
{
	double by[2 * BLOCK];
	size_t at, some;

	for (at = 0; at < n; at += some) {
		some = n - at < BLOCK ? n - at : BLOCK;
		taf_spectral_origin_part(by, l, start, first + at, some);
		rotate(pairs + 2 * at, by, some, false, true);
	}
}

void
taf_spectral_origin(double *pairs, const struct taf_spectral_line *l, double start)
{
	taf_spectral_origin_part(pairs, l, start, 0, l->length);
}

enum taf_scaling
taf_spectral_scaling(enum taf_spectral result)
{
	switch (result) {
	case TAF_SPECTRAL_POWER:
	case TAF_SPECTRAL_DENSITY:
		return TAF_SCALING_TWICE;
	case TAF_SPECTRAL_DB:
		return TAF_SCALING_DB;
	case TAF_SPECTRAL_PHASE:
		return TAF_SCALING_NONE;
	case TAF_SPECTRAL_COMPLEX:
	case TAF_SPECTRAL_AMPLITUDE:
		break;
	}
	return TAF_SCALING_ONCE;
}
