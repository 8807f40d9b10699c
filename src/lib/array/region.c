/* SPDX-License-Identifier: ISC */
#include "array/region.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "array/columns.h"
#include "base/num.h"

bool
taf_dim_number(const char *s, size_t n, unsigned *dim)
{
	uint64_t v;

	if (!taf_parse_u64(s, n, &v) || v < 1 || v > TAF_MAX_DIM)
		return false;
	*dim = (unsigned)v;
	return true;
}

enum taf_status
taf_dim_parse(const char *arg, const char *form, unsigned *dim, const char **value,
    struct taf_err *e)
{
	const char *eq = strchr(arg, '=');

	if (eq == NULL || !taf_dim_number(arg, (size_t)(eq - arg), dim))
		return taf_fail(e, TAF_EUSAGE, "%s: not %s, with DIM from 1 to %d",
		    arg, form, (int)TAF_MAX_DIM);
	*value = eq + 1;
	return TAF_OK;
}

enum taf_status
taf_axis_parse(const char *arg, unsigned *dim, double *start, double *step,
    struct taf_err *e)
{
	const char *v, *colon;
	enum taf_status st = taf_dim_parse(arg, "DIM=START:STEP", dim, &v, e);

	if (st != TAF_OK)
		return st;
	colon = strchr(v, ':');
	if (colon == NULL || !taf_parse_f64(v, (size_t)(colon - v), start) ||
	    !taf_parse_f64(colon + 1, strlen(colon + 1), step) ||
	    !taf_is_finite(*start) || !taf_is_finite(*step) || *step == 0)
		return taf_fail(e, TAF_EUSAGE,
		    "%s: not DIM=START:STEP, finite and the step not 0", arg);
	return TAF_OK;
}

bool
taf_list_parse(const char *arg, uint64_t *v, unsigned most, unsigned *n)
{
	unsigned count = 0;

	for (;;) {
		size_t len = strcspn(arg, ",");

		if (count == most || !taf_parse_u64(arg, len, &v[count]))
			return false;
		count++;
		if (arg[len] == '\0')
			break;
		arg += len + 1;
	}
	*n = count;
	return true;
}

enum taf_status
taf_dims_commas(uint64_t number, const struct taf_array *a, struct taf_err *e)
{
	const unsigned most = a != NULL ? a->ndim : 9;
	char digits[24], list[2 * sizeof digits];
	const size_t n = (size_t)snprintf(digits, sizeof digits, "%llu",
	    (unsigned long long)number);
	size_t i;

	for (i = 0; i < n; i++) {
		const unsigned k = (unsigned)(digits[i] - '0');

		if (n < 2 || k < 1 || k > most ||
		    strchr(digits + i + 1, digits[i]) != NULL)
			return TAF_OK;
		list[2 * i] = digits[i];
		list[2 * i + 1] = i + 1 < n ? ',' : '\0';
	}
	return a == NULL ? taf_fail(e, TAF_EUSAGE,
	    "%s: dimensions are separated by commas, as %s", digits, list) :
	    taf_fail(e, TAF_EDATA,
	    "dimension %s: the array has %u (dimensions are separated by commas, as %s)",
	    digits, most, list);
}

enum taf_status
taf_dims_there(const struct taf_array *a, const unsigned *dim, unsigned n,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	unsigned k;

	if (n == 1 && dim[0] > a->ndim)
		st = taf_dims_commas(dim[0], a, e);
	for (k = 0; k < n && st == TAF_OK; k++)
		st = taf_dim_there(a, dim[k], e);
	return st;
}

enum taf_status
taf_dims_parse(const char *arg, unsigned dim[TAF_MAX_DIM], unsigned *n, struct taf_err *e)
{
	uint64_t v[TAF_MAX_DIM];
	bool seen[TAF_MAX_DIM + 1] = { false };
	unsigned k;

	if (!taf_list_parse(arg, v, TAF_MAX_DIM, n))
		return taf_fail(e, TAF_EUSAGE, "%s: not a list of dimensions, as 1,3",
		    arg);
	for (k = 0; k < *n; k++) {
		if (v[k] > TAF_MAX_DIM && taf_dims_commas(v[k], NULL, e) != TAF_OK)
			return e->code;
		if (v[k] < 1 || v[k] > TAF_MAX_DIM)
			return taf_fail(e, TAF_EUSAGE, "%s: not a dimension, 1 to %d",
			    arg, (int)TAF_MAX_DIM);
		if (seen[v[k]])
			return taf_fail(e, TAF_EUSAGE, "%s: dimension %u is named twice",
			    arg, (unsigned)v[k]);
		seen[v[k]] = true;
		dim[k] = (unsigned)v[k];
	}
	return TAF_OK;
}

enum taf_status
taf_dim_there(const struct taf_array *a, unsigned dim, struct taf_err *e)
{
	return dim <= a->ndim ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "dimension %u: the array has %u", dim, a->ndim);
}

/* An index: digits with an optional sign, or "end", which is 0, the last element. */
static bool
parse_index(const char *s, size_t n, int64_t *v)
{
	if (n == 3 && memcmp(s, "end", 3) == 0) {
		*v = 0;
		return true;
	}
	return taf_parse_i64(s, n, v);
}

/* Can it be what a point is called? */
static bool
is_name(const char *s)
{
	return ((s[0] >= 'A' && s[0] <= 'Z') || (s[0] >= 'a' && s[0] <= 'z')) &&
	    strcmp(s, "end") != 0;
}

/* What is wrong in place of bounds by indices, and what it would be. */
static enum taf_status
no_bounds(const char *arg, const char *v, struct taf_err *e)
{
	static const char form[] = "not DIM=LO:HI[:STEP] or DIM=INDEX";

	if (strchr(v, ',') != NULL)
		return taf_fail(e, TAF_EUSAGE, "%s: %s (tafselect takes a list)", arg,
		    form);
	if (strchr(v, '.') != NULL && strstr(v, "..") == NULL)
		return taf_fail(e, TAF_EUSAGE, "%s: %s (-g takes values of the grid)",
		    arg, form);
	return taf_fail(e, TAF_EUSAGE, "%s: %s%s", arg, form,
	    strchr(v, ':') == NULL || strpbrk(v, "[(") != NULL ? ", as 1=2:5" : "");
}

enum taf_status
taf_bounds_index(struct taf_bounds *b, const char *arg, struct taf_err *e)
{
	const char *v, *colon, *second = NULL;
	struct taf_bound d;
	enum taf_status st;
	size_t n;
	unsigned k;

	st = taf_dim_parse(arg, "DIM=LO:HI[:STEP] or DIM=INDEX", &k, &v, e);
	if (st != TAF_OK)
		return st;
	d = b->dim[k - 1];
	if (d.by_index)
		return taf_fail(e, TAF_EUSAGE, "%s: dimension %u is bounded twice", arg,
		    k);
	d.by_index = true;
	d.step = 1;
	n = strcspn(v, ":");
	colon = v[n] == ':' ? v + n : NULL;
	d.has_lo = n > 0;
	if (colon == NULL && is_name(v)) {
		d.name = v;
		d.step = 0;
		goto done;
	}
	if ((n > 0 && !parse_index(v, n, &d.lo)) || (n == 0 && colon == NULL))
		goto bad;
	if (colon == NULL) {
		d.has_hi = true;
		d.hi = d.lo;
	} else {
		v = colon + 1;
		n = strcspn(v, ":");
		second = v[n] == ':' ? v + n : NULL;
		d.has_hi = n > 0;
		if (n > 0 && !parse_index(v, n, &d.hi))
			goto bad;
	}
	if (second != NULL && (!taf_parse_u64(second + 1, strlen(second + 1), &d.step) ||
	    d.step < 1))
		return taf_fail(e, TAF_EUSAGE,
		    "%s: not a step of 1 or more: %s (tafreverse turns an order round)", arg,
		    second + 1);
done:
	b->dim[k - 1] = d;
	if (k > b->most)
		b->most = k;
	return TAF_OK;
bad:
	return no_bounds(arg, strchr(arg, '=') + 1, e);
}

enum taf_status
taf_bounds_grid(struct taf_bounds *b, const char *arg, struct taf_err *e)
{
	struct taf_bound *d;
	const char *v, *colon;
	enum taf_status st;
	double lo = 0, hi = 0, swap;
	unsigned k;

	st = taf_dim_parse(arg, "DIM=LO:HI", &k, &v, e);
	if (st != TAF_OK)
		return st;
	d = &b->dim[k - 1];
	if (d->by_grid)
		return taf_fail(e, TAF_EUSAGE, "%s: dimension %u is bounded twice", arg,
		    k);
	colon = strchr(v, ':');
	if (colon == NULL || (colon > v && !taf_parse_f64(v, (size_t)(colon - v), &lo)) ||
	    (colon[1] != '\0' && !taf_parse_f64(colon + 1, strlen(colon + 1), &hi)) ||
	    !(lo == lo) || !(hi == hi))
		return taf_fail(e, TAF_EUSAGE, "%s: not DIM=LO:HI%s", arg,
		    strchr(v, ' ') != NULL ? ": no blank stands before a unit" :
		    colon == NULL ? ": there is no colon" : "");
	/* a side that is left out is open */
	if (colon == v)
		lo = -DBL_MAX * 2;
	if (colon[1] == '\0')
		hi = DBL_MAX * 2;
	if (lo > hi) {
		swap = lo;
		lo = hi;
		hi = swap;
	}
	d->by_grid = true;
	d->grid_lo = lo;
	d->grid_hi = hi;
	if (k > b->most)
		b->most = k;
	return TAF_OK;
}

/* Position of an index, 1 to n where it is inside, else below 1 or above n. */
static int64_t
from_left(int64_t i, uint64_t n)
{
	return i > 0 ? i : (int64_t)n + i;
}

static enum taf_status
by_index(const struct taf_bound *d, unsigned k, uint64_t n, struct taf_region *r,
    struct taf_err *e)
{
	int64_t lo = d->has_lo ? from_left(d->lo, n) : 1;
	int64_t hi = d->has_hi ? from_left(d->hi, n) : (int64_t)n;

	if (n == 0 || lo > (int64_t)n || hi < 1)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: index %lld: there are %llu points", k + 1,
		    (long long)(hi >= 1 ? lo : d->has_hi ? d->hi : hi),
		    (unsigned long long)n);
	if (lo > hi)
		return taf_fail(e, TAF_EDATA, lo != d->lo ?
		    "dimension %u: lower bound %lld is above %lld: %lld counts from the right, the first is 1" :
		    "dimension %u: lower bound %lld is above %lld", k + 1, (long long)lo,
		    (long long)hi, (long long)d->lo);
	if (lo < 1)
		lo = 1;
	if (hi > (int64_t)n)
		hi = (int64_t)n;
	r->first[k] = (uint64_t)lo - 1;
	r->step[k] = d->step;
	r->count[k] = (uint64_t)(hi - lo) / d->step + 1;
	return TAF_OK;
}

/* Is point i (0-based) of dimension d inside, a millionth of a step allowed? */
static bool
inside(const struct taf_bound *b, const struct taf_dim *d, uint64_t i)
{
	double v = d->start + (double)i * d->step;
	double slack = 1e-6 * (d->step < 0 ? -d->step : d->step);

	return v >= b->grid_lo - slack && v <= b->grid_hi + slack;
}

static enum taf_status
outside_grid(const struct taf_bound *b, const struct taf_dim *d, unsigned k,
    struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA,
	    "dimension %u: no grid point lies within %.7g to %.7g: the grid goes from %.7g to %.7g",
	    k + 1, b->grid_lo, b->grid_hi, d->start,
	    d->start + (double)(d->n > 0 ? d->n - 1 : 0) * d->step);
}

/*
 * Cut first, count, step to the points inside: the grid is monotonic, so the points
 * inside are a run, whose ends a bisection finds without trusting a quotient.
 */
static enum taf_status
by_grid(const struct taf_bound *b, const struct taf_dim *d, unsigned k,
    struct taf_region *r, struct taf_err *e)
{
	bool rising = d->step >= 0;
	uint64_t lo = 0, hi = r->count[k], first, end;

	if (!(d->start == d->start) || !taf_is_finite(d->step))
		return taf_fail(e, TAF_EDATA, "dimension %u: its grid is not a number",
		    k + 1);
	/* first point that is not before the run */
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;
		struct taf_bound open = *b;

		if (rising)
			open.grid_hi = DBL_MAX * 2;
		else
			open.grid_lo = -DBL_MAX * 2;
		if (inside(&open, d, r->first[k] + mid * r->step[k]))
			hi = mid;
		else
			lo = mid + 1;
	}
	first = lo;
	hi = r->count[k];
	/* first point behind it */
	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (inside(b, d, r->first[k] + mid * r->step[k]))
			lo = mid + 1;
		else
			hi = mid;
	}
	end = lo;
	if (first == end)
		return outside_grid(b, d, k, e);
	r->first[k] += first * r->step[k];
	r->count[k] = end - first;
	return TAF_OK;
}

enum taf_status
taf_bounds_resolve(const struct taf_bounds *b, const struct taf_array *a,
    struct taf_region *r, struct taf_err *e)
{
	unsigned k;

	if (taf_array_sound(a, e) != TAF_OK || taf_dim_there(a, b->most, e) != TAF_OK)
		return e->code;
	r->ndim = a->ndim;
	for (k = 0; k < a->ndim; k++) {
		const struct taf_bound *d = &b->dim[k];
		enum taf_status st = TAF_OK;

		r->first[k] = 0;
		r->step[k] = 1;
		r->count[k] = a->dim[k].n;
		if (d->by_index && d->step == 0) {
			r->count[k] = 1;
			st = taf_columns_find(a, k + 1, d->name, &r->first[k], e);
		} else if (d->by_index) {
			st = by_index(d, k, a->dim[k].n, r, e);
		}
		if (d->by_grid && st == TAF_OK)
			st = by_grid(d, &a->dim[k], k, r, e);
		if (st != TAF_OK)
			return st;
		if (r->count[k] <= 1)
			r->step[k] = 1;
	}
	return TAF_OK;
}

void
taf_region_apply(const struct taf_region *r, struct taf_array *a)
{
	unsigned k;

	for (k = 0; k < r->ndim && k < TAF_MAX_DIM; k++) {
		struct taf_dim *d = &a->dim[k];

		d->n = r->count[k];
		if (r->first[k] > 0)
			d->start += (double)r->first[k] * d->step;
		if (r->step[k] > 1)
			d->step *= (double)r->step[k];
	}
}

enum taf_status
taf_bounds_part(const struct taf_bounds *b, const struct taf_array *whole,
    struct taf_region *r, struct taf_array *part, struct taf_err *e)
{
	enum taf_status st = taf_bounds_resolve(b, whole, r, e);

	*part = *whole;
	if (st == TAF_OK)
		taf_region_apply(r, part);
	return st;
}

void
taf_region_all(struct taf_region *r, const struct taf_array *a)
{
	unsigned k;

	r->ndim = a->ndim;
	for (k = 0; k < a->ndim; k++) {
		r->first[k] = 0;
		r->step[k] = 1;
		r->count[k] = a->dim[k].n;
	}
}

struct taf_place_text
taf_region_place(const struct taf_region *r, uint64_t number)
{
	struct taf_place_text to;
	size_t used = 0;
	unsigned k;

	for (k = 0; k < r->ndim && used + 24 < sizeof to.s && r->count[k] > 0; k++) {
		used += (size_t)snprintf(to.s + used, sizeof to.s - used, "%c%llu",
		    k > 0 ? ',' : '[', (unsigned long long)(r->first[k] +
		    number % r->count[k] * r->step[k] + 1));
		number /= r->count[k];
	}
	(void)snprintf(to.s + used, sizeof to.s - used, "]");
	return to;
}

uint64_t
taf_region_count(const struct taf_region *r)
{
	uint64_t n = 1;
	unsigned k;

	for (k = 0; k < r->ndim; k++)
		n *= r->count[k];
	return n;
}

struct taf_place_text
taf_array_place(const struct taf_array *a, uint64_t number)
{
	struct taf_region all;

	taf_region_all(&all, a);
	return taf_region_place(&all, number);
}
