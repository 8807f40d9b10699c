/* SPDX-License-Identifier: ISC */
#include "array/frequency.h"

#include <stdio.h>
#include <string.h>

#include "array/unit.h"
#include "base/num.h"
#include "base/str.h"

static const char *const keys[] = { "fft_n", "fft_start", "fft_step", "fft_label",
    "fft_unit",
	"fft_real", "fft_origin" };
enum { NKEYS = sizeof keys / sizeof keys[0] };

/* A number that needs no quotes. */
static enum taf_status
set_number(struct taf_array *a, const char *key, unsigned k, const char *text,
    struct taf_err *e)
{
	const enum taf_status st = taf_attr_set(a, key, TAF_OF_DIM, k, text, e);

	if (st == TAF_OK)
		taf_attr_bare(a, key, TAF_OF_DIM, k);
	return st;
}

/* The label that Madagascar gives to the other side. */
static enum taf_status
turn_label(struct taf_array *a, unsigned k, struct taf_err *e)
{
	static const char *const pairs[][2] = { { "Time", "Frequency" }, { "time",
		"frequency" }, { "Frequency", "Time" }, { "frequency", "time" } };
	const char *label = taf_attr_get(a, "label", TAF_OF_DIM, k);
	unsigned i;

	if (label == NULL)
		return TAF_OK;
	for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (strcmp(label, pairs[i][0]) == 0)
			return taf_attr_set(a, "label", TAF_OF_DIM, k, pairs[i][1], e);
	return taf_attr_set(a, "label", TAF_OF_DIM, k, "Wavenumber", e);
}

enum taf_status
taf_frequency_check(const struct taf_array *a, unsigned k, struct taf_err *e)
{
	const double step = a->dim[k - 1].step;

	if (taf_is_finite(step) && taf_is_finite(1 / step))
		return TAF_OK;
	return taf_fail(e, TAF_EDATA, "dimension %u: a step of %s has no frequencies", k,
	    taf_brief(step).s);
}

enum taf_status
taf_frequency_unit(struct taf_array *a, unsigned k, enum taf_scope of, struct taf_err *e)
{
	struct taf_buf unit = { 0 };
	enum taf_status st = taf_unit_inverse(&unit,
	    taf_attr_get(a, "unit", TAF_OF_DIM, k), e);

	if (st == TAF_OK)
		st = taf_attr_set(a, "unit", of, of == TAF_OF_DIM ? k : 0,
		    unit.len > 0 ? unit.data : NULL, e);
	taf_buf_free(&unit);
	return st;
}

/* What the inverse needs. */
static enum taf_status
keep(struct taf_array *a, unsigned k, const struct taf_frequencies *f, struct taf_err *e)
{
	char count[32];
	enum taf_status st;

	snprintf(count, sizeof count, "%llu", (unsigned long long)f->points);
	st = set_number(a, keys[0], k, count, e);
	if (st == TAF_OK)
		st = set_number(a, keys[1], k, taf_f64(f->start).s, e);
	if (st == TAF_OK)
		st = set_number(a, keys[2], k, taf_f64(f->step).s, e);
	if (st == TAF_OK)
		st = taf_attr_set(a, keys[3], TAF_OF_DIM, k,
		    taf_attr_get(a, "label", TAF_OF_DIM, k), e);
	if (st == TAF_OK)
		st = taf_attr_set(a, keys[4], TAF_OF_DIM, k,
		    taf_attr_get(a, "unit", TAF_OF_DIM, k), e);
	if (st == TAF_OK && f->half)
		st = set_number(a, keys[5], k, "1", e);
	if (st == TAF_OK && f->origin)
		st = set_number(a, keys[6], k, "1", e);
	return st;
}

/* What Madagascar's programs keep, under NAME_n1 and so on, is no longer true. */
static enum taf_status
forget(struct taf_array *a, unsigned k, const char *name, struct taf_err *e)
{
	static const char *const parts[] = { "n", "o", "label" };
	enum taf_status st = TAF_OK;
	char key[32];
	unsigned i;

	for (i = 0; i < 3 && st == TAF_OK; i++) {
		snprintf(key, sizeof key, "%s_%s%u", name, parts[i], k);
		st = taf_attr_set(a, key, TAF_OF_ARRAY, 0, NULL, e);
	}
	return st;
}

enum taf_status
taf_frequency_to(struct taf_array *a, unsigned k, struct taf_frequencies *f, bool back,
    struct taf_err *e)
{
	struct taf_dim *const d = &a->dim[k - 1];
	const double step = 1 / ((double)f->length * d->step);
	enum taf_status st = TAF_OK;

	f->start = d->start;
	f->step = d->step;
	if (!taf_is_finite(d->start) || d->step == 0 || !taf_is_finite(step) || step == 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: a grid of start %s and step %s has no frequencies",
		    k, taf_brief(d->start).s, taf_brief(d->step).s);
	/* another transform may have been before, and its inverse, in Madagascar */
	st = forget(a, k, "fft", e);
	if (st == TAF_OK)
		st = forget(a, k, "fft3", e);
	if (st == TAF_OK && back)
		st = keep(a, k, f, e);
	if (st == TAF_OK)
		st = turn_label(a, k, e);
	if (st == TAF_OK)
		st = taf_frequency_unit(a, k, TAF_OF_DIM, e);
	d->n = f->half ? f->length / 2 + 1 : f->length;
	d->start = f->rotated ? -(double)(f->length / 2) * step : 0;
	d->step = step;
	return st;
}

/* A number of an attribute; false where there is none. */
static bool
number(const struct taf_array *a, const char *key, enum taf_scope scope, unsigned k,
    double *v)
{
	const char *text = taf_attr_get(a, key, scope, k);

	return text != NULL && taf_parse_f64(text, strlen(text), v);
}

/* As Madagascar's programs write numbers. */
static bool
six_digits(double v, const char *text)
{
	char six[32];

	snprintf(six, sizeof six, "%.6g", v);
	return strcmp(six, text) == 0;
}

/*
 * The step of points whose frequencies have a step of six digits: of those that make
 * these digits the one with the fewest of its own.
 */
static double
foreign_step(uint64_t length, double frequency)
{
	const double step = 1 / ((double)length * frequency);
	char six[32], text[32];
	double v = step;
	int digits;

	snprintf(six, sizeof six, "%.6g", frequency);
	if (!taf_parse_f64(six, strlen(six), &v) || !taf_same_bits(v, frequency))
		return step;
	for (digits = 1; digits <= 6; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, step);
		if (taf_parse_f64(text, strlen(text), &v) &&
		    six_digits(1 / ((double)length * v), six))
			return v;
	}
	return step;
}

/*
 * Points of a transform whose length is known.  sffft1 writes their number with six
 * digits, and there may be several of the same.
 */
static enum taf_status
foreign_points(const struct taf_array *a, const char *key, unsigned k,
    struct taf_frequencies *f, struct taf_err *e)
{
	const char *text = taf_attr_get(a, key, TAF_OF_ARRAY, 0);
	double n;

	if (taf_parse_u64(text, strlen(text), &f->points))
		return TAF_OK;
	f->points = f->length;
	if (!taf_parse_f64(text, strlen(text), &n) || n < 1000000)
		return TAF_OK;
	if (six_digits((double)f->length, text) &&
	    !six_digits((double)(f->length - 1), text))
		return TAF_OK;
	return taf_fail(e, TAF_EDATA,
	    "dimension %u: %s=%s is rounded: \"tafput %s=N\" says how many points", k,
	    key, text, key);
}

/* It is understood; f->length and the step of the frequencies are known. */
static enum taf_status
foreign(struct taf_array *a, unsigned k, const char *name, struct taf_frequencies *f,
    struct taf_err *e)
{
	char key[32];
	const char *label;
	enum taf_status st;

	snprintf(key, sizeof key, "%s_n%u", name, k);
	st = foreign_points(a, key, k, f, e);
	f->step = foreign_step(f->length, a->dim[k - 1].step);
	snprintf(key, sizeof key, "%s_o%u", name, k);
	if (!number(a, key, TAF_OF_ARRAY, 0, &f->start))
		f->start = 0;
	snprintf(key, sizeof key, "%s_label%u", name, k);
	label = taf_attr_get(a, key, TAF_OF_ARRAY, 0);
	if (label != NULL && st == TAF_OK)
		st = taf_attr_set(a, "label", TAF_OF_DIM, k, label, e);
	return st == TAF_OK ? forget(a, k, name, e) : st;
}

/* Label and unit as they were, and no attributes of the way back. */
static enum taf_status
put_back(struct taf_array *a, unsigned k, struct taf_err *e)
{
	enum taf_status st = taf_attr_set(a, "label", TAF_OF_DIM, k,
	    taf_attr_get(a, keys[3], TAF_OF_DIM, k), e);
	unsigned i;

	if (st == TAF_OK)
		st = taf_attr_set(a, "unit", TAF_OF_DIM, k,
		    taf_attr_get(a, keys[4], TAF_OF_DIM, k), e);
	for (i = 0; i < NKEYS && st == TAF_OK; i++)
		st = taf_attr_set(a, keys[i], TAF_OF_DIM, k, NULL, e);
	return st;
}

static bool
has(const struct taf_array *a, const char *name, unsigned k)
{
	char key[32];

	snprintf(key, sizeof key, "%s_n%u", name, k);
	return taf_attr_get(a, key, TAF_OF_ARRAY, 0) != NULL;
}

static enum taf_status
no_transform(unsigned k, const char *why, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA,
	    "dimension %u: not the frequencies of a transform: %s", k, why);
}

/* By our own attributes. */
static enum taf_status
from_own(struct taf_array *a, unsigned k, struct taf_frequencies *f, struct taf_err *e)
{
	const struct taf_dim *const d = &a->dim[k - 1];
	const double length = 1 / (f->step * d->step);
	double flag;

	f->half = number(a, keys[5], TAF_OF_DIM, k, &flag) && flag == 1;
	f->origin = number(a, keys[6], TAF_OF_DIM, k, &flag) && flag == 1;
	if (!(length >= 0.5 && length < 0x1p53))
		return no_transform(k, "its step does not fit fft_step", e);
	f->length = (uint64_t)(length + 0.5);
	if (d->n != (f->half ? f->length / 2 + 1 : f->length))
		return no_transform(k, "its length is another one", e);
	return put_back(a, k, e);
}

/* By those of Madagascar's programs, or without any. */
static enum taf_status
from_others(struct taf_array *a, unsigned k, struct taf_frequencies *f, struct taf_err *e)
{
	const struct taf_dim *const d = &a->dim[k - 1];
	const bool fft1 = has(a, "fft", k), fft3 = !fft1 && has(a, "fft3", k);
	enum taf_status st;

	if (d->n > (uint64_t)1 << 52)
		return no_transform(k, "its length", e);
	f->half = fft1 || (f->half && !fft3);
	f->origin = fft1;
	f->length = !f->half ? d->n : d->n > 1 ? 2 * (d->n - 1) : 1;
	f->points = f->length;
	f->step = 1 / ((double)f->length * d->step);
	/* sffft3 puts the middle between two frequencies where their number is odd */
	f->between = fft3 && f->length % 2 == 1;
	st = fft1 || fft3 ? foreign(a, k, fft1 ? "fft" : "fft3", f, e) :
	    turn_label(a, k, e);
	return st == TAF_OK ? taf_frequency_unit(a, k, TAF_OF_DIM, e) : st;
}

enum taf_status
taf_frequency_from(struct taf_array *a, unsigned k, bool real, struct taf_frequencies *f,
    struct taf_err *e)
{
	struct taf_dim *const d = &a->dim[k - 1];
	const bool foreign_keys = has(a, "fft", k) || has(a, "fft3", k);
	double n, first = d->start / d->step, most = 0.25;
	enum taf_status st;

	memset(f, 0, sizeof *f);
	if (d->step == 0 || !taf_is_finite(first) || !taf_is_finite(d->step) ||
	    !taf_is_finite(1 / d->step))
		return no_transform(k, "its step", e);
	/* of both, theirs are the younger: a transform of ours removes them */
	if (!foreign_keys && number(a, keys[0], TAF_OF_DIM, k, &n) &&
	    number(a, keys[1], TAF_OF_DIM, k, &f->start) &&
	    number(a, keys[2], TAF_OF_DIM, k, &f->step)) {
		if (!(n >= 1 && n < 0x1p53))
			return no_transform(k, "fft_n", e);
		f->points = (uint64_t)n;
		st = from_own(a, k, f, e);
	} else {
		f->half = real;
		st = from_others(a, k, f, e);
	}
	if (st != TAF_OK)
		return st;
	f->rotated = !f->half && !f->between && f->length > 1 && first < -0.25;
	if (f->points < 1 || f->points > f->length)
		return no_transform(k, "fft_n is longer", e);
	/* of six digits each, start and step say where the middle is so far */
	if (foreign_keys)
		most += 1e-5 * (double)f->length;
	first += f->between ? (double)f->length / 2 :
	    f->rotated ? (double)(f->length / 2) : 0;
	if (!(first > -most && first < most))
		return no_transform(k, "its start", e);
	d->n = f->points;
	d->start = f->start;
	d->step = f->step;
	return st;
}

enum taf_status
taf_frequency_power(struct taf_array *a, unsigned k, struct taf_err *e)
{
	const char *unit = taf_attr_get(a, "unit", TAF_OF_ARRAY, 0);
	struct taf_buf square = { 0 };
	enum taf_status st = taf_unit_times(&square, unit, unit, e);

	if (st == TAF_OK)
		st = taf_attr_set(a, "unit", TAF_OF_ARRAY, 0,
		    square.len > 0 ? square.data : NULL, e);
	taf_buf_free(&square);
	return st == TAF_OK && k > 0 ? taf_unit_along(a, k, -1, e) : st;
}
