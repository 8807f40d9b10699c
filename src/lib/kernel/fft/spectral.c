#include "config.h"

#include "kernel/fft/spectral.h"

#include <math.h>
#include <string.h>

#include "kernel/func/func.h"
#include "kernel/number/fast.h"

enum { BLOCK = 256 };

static size_t
word(const struct taf_spectral_line *l)
{
	return l->narrow ? sizeof(float) : sizeof(double);
}

/* n numbers, or n pairs, multiplied by weights. */
TAF_WIDE_VOID(weigh_wide, (double *restrict v, const double *restrict weight, size_t n,
    bool pairs), (v, weight, n, pairs))
{
	if (pairs) {
		for (size_t i = 0; i < n; i++) {
			v[2 * i] *= weight[i];
			v[2 * i + 1] *= weight[i];
		}
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i] *= weight[i];
}

TAF_WIDE_VOID(weigh_narrow, (float *restrict v, const double *restrict weight, size_t n,
    bool pairs), (v, weight, n, pairs))
{
	if (pairs) {
		for (size_t i = 0; i < n; i++) {
			v[2 * i] = (float)((double)v[2 * i] * weight[i]);
			v[2 * i + 1] = (float)((double)v[2 * i + 1] * weight[i]);
		}
		return;
	}
	for (size_t i = 0; i < n; i++)
		v[i] = (float)((double)v[i] * weight[i]);
}

/* n pairs multiplied by others, or, with back, by their conjugates. */
static void
turn(void *v, const double *by, size_t n, bool narrow, bool back)
{
	size_t i;

	for (i = 0; i < n; i++, by += 2) {
		const double s = back ? -by[1] : by[1];
		double re, im;

		if (narrow) {
			float *const x = (float *)v + 2 * i;

			re = (double)x[0] * by[0];
			re -= (double)x[1] * s;
			im = (double)x[0] * s;
			im += (double)x[1] * by[0];
			x[0] = (float)re;
			x[1] = (float)im;
		} else {
			double *const x = (double *)v + 2 * i;

			re = x[0] * by[0];
			re -= x[1] * s;
			im = x[0] * s;
			im += x[1] * by[0];
			x[0] = re;
			x[1] = im;
		}
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
		if (l->taper != NULL && l->narrow)
			weigh_narrow(to, l->taper, l->points, size > word(l));
		else if (l->taper != NULL)
			weigh_wide(to, l->taper, l->points, size > word(l));
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
		turn(to, l->origin, l->half ? n / 2 + 1 : n, l->narrow, true);
}

/* The parts of n pairs, as doubles. */
TAF_WIDE_VOID(take, (double *restrict re, double *restrict im, const void *restrict from,
    size_t n, bool narrow), (re, im, from, n, narrow))
{
	const float *const f = from;
	const double *const d = from;

	if (narrow) {
		for (size_t i = 0; i < n; i++) {
			re[i] = (double)f[2 * i];
			im[i] = (double)f[2 * i + 1];
		}
		return;
	}
	for (size_t i = 0; i < n; i++) {
		re[i] = d[2 * i];
		im[i] = d[2 * i + 1];
	}
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
		if (narrow)
			((float *)v)[i] = (float)((double)((float *)v)[i] * l->both);
		else
			((double *)v)[i] *= l->both;
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

	if (l->inverse) {
		memcpy(to, from, l->points * (l->half ? real : pair));
		if (l->between)
			taf_spectral_alternate(to, l->points, l->narrow);
		return;
	}
	if (l->origin != NULL)
		turn(from, l->origin, n, l->narrow, false);
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

void
taf_spectral_alternate(void *pairs, size_t n, bool narrow)
{
	size_t i;

	for (i = 2; i < 2 * n; i += i % 2 == 0 ? 1 : 3)
		if (narrow)
			((float *)pairs)[i] = -((float *)pairs)[i];
		else
			((double *)pairs)[i] = -((double *)pairs)[i];
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
		turn(pairs + 2 * at, by, some, false, true);
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
