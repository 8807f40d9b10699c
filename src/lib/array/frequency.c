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

static enum taf_status
turn_unit(struct taf_array *a, unsigned k, struct taf_err *e)
{
	struct taf_buf unit = { 0 };
	enum taf_status st = taf_unit_inverse(&unit,
	    taf_attr_get(a, "unit", TAF_OF_DIM, k), e);

	if (st == TAF_OK)
		st = taf_attr_set(a, "unit", TAF_OF_DIM, k,
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
		    "dimension %u: a grid of start %s and step %s has "
		    "no frequencies", k, taf_f64(d->start).s, taf_f64(d->step).s);
	if (back)
		st = keep(a, k, f, e);
	if (st == TAF_OK)
		st = turn_label(a, k, e);
	if (st == TAF_OK)
		st = turn_unit(a, k, e);
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

/* What Madagascar's programs keep, under NAME_n1 and so on; then they are gone. */
static enum taf_status
foreign(struct taf_array *a, unsigned k, const char *name, double *n, double *start,
    struct taf_err *e)
{
	static const char *const parts[] = { "n", "o", "label" };
	char key[32];
	const char *label;
	enum taf_status st = TAF_OK;
	unsigned i;

	snprintf(key, sizeof key, "%s_o%u", name, k);
	if (!number(a, key, TAF_OF_ARRAY, 0, start))
		*start = 0;
	snprintf(key, sizeof key, "%s_label%u", name, k);
	label = taf_attr_get(a, key, TAF_OF_ARRAY, 0);
	if (label != NULL)
		st = taf_attr_set(a, "label", TAF_OF_DIM, k, label, e);
	snprintf(key, sizeof key, "%s_n%u", name, k);
	if (!number(a, key, TAF_OF_ARRAY, 0, n))
		*n = 0;
	for (i = 0; i < 3 && st == TAF_OK; i++) {
		snprintf(key, sizeof key, "%s_%s%u", name, parts[i], k);
		st = taf_attr_set(a, key, TAF_OF_ARRAY, 0, NULL, e);
	}
	return st;
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

enum taf_status
taf_frequency_from(struct taf_array *a, unsigned k, bool real, struct taf_frequencies *f,
    struct taf_err *e)
{
	struct taf_dim *const d = &a->dim[k - 1];
	double n = 0, flag, first = d->start / d->step;
	enum taf_status st = TAF_OK;

	memset(f, 0, sizeof *f);
	if (d->step == 0 || !taf_is_finite(first) || !taf_is_finite(1 / d->step))
		return no_transform(k, "its step", e);
	if (number(a, keys[0], TAF_OF_DIM, k, &n) &&
	    number(a, keys[1], TAF_OF_DIM, k, &f->start) &&
	    number(a, keys[2], TAF_OF_DIM, k, &f->step)) {
		const double length = 1 / (f->step * d->step);

		f->half = number(a, keys[5], TAF_OF_DIM, k, &flag) && flag == 1;
		f->origin = number(a, keys[6], TAF_OF_DIM, k, &flag) && flag == 1;
		if (!(length >= 0.5 && length < 0x1p53))
			return no_transform(k, "its step does not fit fft_step", e);
		f->length = (uint64_t)(length + 0.5);
		if (d->n != (f->half ? f->length / 2 + 1 : f->length))
			return no_transform(k, "its length is another one", e);
		st = put_back(a, k, e);
	} else {
		f->half = real;
		if (has(a, "fft", k)) {
			f->half = f->origin = true;
			st = foreign(a, k, "fft", &n, &f->start, e);
		} else if (has(a, "fft3", k)) {
			f->half = false;
			st = foreign(a, k, "fft3", &n, &f->start, e);
		} else {
			st = turn_label(a, k, e);
		}
		if (st == TAF_OK)
			st = turn_unit(a, k, e);
		if (d->n > (uint64_t)1 << 52)
			return no_transform(k, "its length", e);
		f->length = !f->half ? d->n : d->n > 1 ? 2 * (d->n - 1) : 1;
		f->step = 1 / ((double)f->length * d->step);
		n = n > 0 ? n : (double)f->length;
	}
	/* sffft3 puts the middle between two frequencies where their number is odd */
	f->rotated = !f->half && f->length > 1 && first < -0.25;
	if (!(n >= 1 && n <= (double)f->length))
		return no_transform(k, "fft_n is longer", e);
	flag = first + (f->rotated ? (double)(f->length / 2) : 0);
	if (!(flag > -0.75 && flag < 0.75))
		return no_transform(k, "its start", e);
	f->points = (uint64_t)n;
	d->n = f->points;
	d->start = f->start;
	d->step = f->step;
	return st;
}

enum taf_status
taf_frequency_power(struct taf_array *a, unsigned k, struct taf_err *e)
{
	const char *unit = taf_attr_get(a, "unit", TAF_OF_ARRAY, 0);
	struct taf_buf square = { 0 }, per = { 0 };
	struct taf_buf *result = &square;
	enum taf_status st = taf_unit_times(&square, unit, unit, e);

	if (st == TAF_OK && k > 0) {
		st = taf_unit_per(&per, square.len > 0 ? square.data : NULL,
		    taf_attr_get(a, "unit", TAF_OF_DIM, k), e);
		result = &per;
	}
	if (st == TAF_OK)
		st = taf_attr_set(a, "unit", TAF_OF_ARRAY, 0,
		    result->len > 0 ? result->data : NULL, e);
	taf_buf_free(&square);
	taf_buf_free(&per);
	return st;
}
