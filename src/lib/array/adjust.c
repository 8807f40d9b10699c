/* SPDX-License-Identifier: ISC */
#include "array/adjust.h"

#include <stdbool.h>
#include <string.h>

#include "array/region.h"
#include "array/word.h"
#include "base/num.h"

/* The number that follows DIM=, or the two of a span. */
static enum taf_status
read_numbers(const struct taf_array *a, enum taf_adjust what, unsigned dim,
    const char *arg, double v[2], struct taf_err *e)
{
	const char *value = strchr(arg, '=') + 1;
	enum taf_status st;

	if (what == TAF_ADJUST_SPAN)
		st = taf_quantities(a, dim, arg, v, e);
	else if (what == TAF_ADJUST_SCALE && !taf_parse_f64(value, strlen(value), v))
		st = taf_fail(e, TAF_EUSAGE, "%s: not DIM=NUMBER", arg);
	else
		st = taf_quantity(a, dim, arg, value, strlen(value), v, e);
	if (st != TAF_OK)
		return st;
	if (!taf_is_finite(v[0]) || !taf_is_finite(v[1]))
		return taf_fail(e, TAF_EUSAGE, "%s: not a finite number", arg);
	if ((what == TAF_ADJUST_SCALE || what == TAF_ADJUST_STEP) && v[0] == 0)
		return taf_fail(e, TAF_EUSAGE, "%s: 0 would make all grid points one",
		    arg);
	if (what == TAF_ADJUST_SPAN && v[0] == v[1])
		return taf_fail(e, TAF_EUSAGE,
		    "%s: a span of 0 would make all grid points one", arg);
	return TAF_OK;
}

static enum taf_status
set_grid(struct taf_dim *d, enum taf_adjust what, unsigned dim, const double v[2],
    struct taf_err *e)
{
	const bool step = what == TAF_ADJUST_SCALE || what == TAF_ADJUST_STEP ||
	    what == TAF_ADJUST_SPAN;

	if (what == TAF_ADJUST_SPAN && d->n < 2)
		return taf_fail(e, TAF_EDATA, "dimension %u: %llu points span nothing",
		    dim, (unsigned long long)d->n);
	if (what == TAF_ADJUST_SHIFT)
		d->start += v[0];
	else if (what == TAF_ADJUST_SCALE)
		d->start *= v[0];
	else if (what != TAF_ADJUST_STEP)
		d->start = v[0];
	if (what == TAF_ADJUST_SCALE)
		d->step *= v[0];
	else if (what == TAF_ADJUST_STEP)
		d->step = v[0];
	else if (what == TAF_ADJUST_SPAN)
		d->step = (v[1] - v[0]) / (double)(d->n - 1);
	/*
	 * finite operands can still overflow, or vanish; what
	 * is not set may be mended later
	 */
	if ((what != TAF_ADJUST_STEP && !taf_is_finite(d->start)) ||
	    (step && (!taf_is_finite(d->step) || d->step == 0)))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: its grid would not be finite", dim);
	return TAF_OK;
}

static enum taf_status
adjust_dim(struct taf_array *a, enum taf_adjust what, const char *arg, struct taf_err *e)
{
	const char *eq = strchr(arg, '=');
	double v[2] = { 0, 0 };
	unsigned dim;

	if (eq == NULL)
		return taf_fail(e, TAF_EUSAGE, "%s: not DIM=..., with DIM from 1 to %d",
		    arg, (int)TAF_MAX_DIM);
	if (taf_dim_read(a, arg, (size_t)(eq - arg), &dim, e) != TAF_OK ||
	    (a != NULL && taf_dim_there(a, dim, e) != TAF_OK))
		return e->code;
	if (what == TAF_ADJUST_LABEL || what == TAF_ADJUST_UNIT)
		return a == NULL ? TAF_OK : taf_attr_set(a,
		    what == TAF_ADJUST_LABEL ? "label" : "unit", TAF_OF_DIM, dim,
		    eq[1] != '\0' ? eq + 1 : NULL, e);
	if (read_numbers(a, what, dim, arg, v, e) != TAF_OK)
		return e->code;
	return a == NULL ? TAF_OK : set_grid(&a->dim[dim - 1], what, dim, v, e);
}

/* An array without a mapping has the one that changes nothing. */
static enum taf_status
adjust_values(struct taf_array *a, enum taf_adjust what, const char *arg,
    struct taf_err *e)
{
	double v, slope, intercept;

	if (!taf_parse_f64(arg, strlen(arg), &v) || !taf_is_finite(v))
		return taf_fail(e, TAF_EUSAGE, "%s: not a finite number", arg);
	if (what == TAF_ADJUST_VALUE_SCALE && v == 0)
		return taf_fail(e, TAF_EUSAGE, "%s: 0 would make all values one", arg);
	if (a == NULL)
		return TAF_OK;
	if (taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA,
		    "complex elements have no mapping: use tafmath");
	slope = taf_array_mapped(a) ? a->slope : 1;
	intercept = taf_array_mapped(a) ? a->intercept : 0;
	if (what == TAF_ADJUST_SLOPE)
		slope = v;
	else if (what == TAF_ADJUST_INTERCEPT)
		intercept = v;
	else if (what == TAF_ADJUST_VALUE_SHIFT)
		intercept += v;
	else
		slope *= v;
	if (what == TAF_ADJUST_VALUE_SCALE)
		intercept *= v;
	if (!taf_is_finite(slope) || !taf_is_finite(intercept))
		return taf_fail(e, TAF_EDATA, "the mapping would not be finite");
	if (slope == 0 && what == TAF_ADJUST_VALUE_SCALE && a->slope != 0)
		return taf_fail(e, TAF_EDATA, "the slope of the mapping would be 0");
	a->slope = slope;
	a->intercept = intercept;
	return TAF_OK;
}

enum taf_status
taf_adjust(struct taf_array *a, enum taf_adjust what, const char *arg, struct taf_err *e)
{
	if (what < TAF_ADJUST_SLOPE)
		return adjust_dim(a, what, arg, e);
	if (what < TAF_ADJUST_VALUE_UNIT)
		return adjust_values(a, what, arg, e);
	return a == NULL ? TAF_OK : taf_attr_set(a, "unit", TAF_OF_ARRAY, 0,
	    arg[0] != '\0' ? arg : NULL, e);
}
