/* SPDX-License-Identifier: ISC */
#include "array/uniform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"

enum { BLOCK = 1024 };		/* coordinates at a time */

static bool
read_some(const struct taf_coordinates *c, uint64_t from, size_t n, double *x)
{
	size_t i;

	if (!c->read(c->ctx, from, n, x))
		return false;
	for (i = 0; i < n; i++) {
		if (x[i] == c->missing[0] || x[i] == c->missing[1])
			return false;
		x[i] += x[i] < 0 ? c->wrap : 0;
	}
	return true;
}

/* The step with the fewest digits that the coordinates cannot be told from. */
static double
short_step(double step, double slack)
{
	char digits[TAF_DECIMAL_MAX + 8];
	int k;

	for (k = 0; k < 16; k++) {
		double x;

		(void)snprintf(digits, sizeof digits, "%.*e", k, step);
		if (taf_parse_f64(digits, strlen(digits), &x) && fabs(x - step) <= slack)
			return x;
	}
	return step;
}

/* Are all coordinates those of the grid, but for slack? */
static bool
on_grid(const struct taf_coordinates *c, double start, double step, double slack)
{
	double x[BLOCK];
	uint64_t at, k;

	for (at = 0; at < c->n; at += k) {
		const size_t n = (size_t)(c->n - at < BLOCK ? c->n - at : BLOCK);

		if (!read_some(c, at, n, x))
			return false;
		for (k = 0; k < n; k++)
			if (!(fabs(x[k] - (start + (double)(at + k) * step)) <= slack))
				return false;
	}
	return true;
}

/* How far a coordinate may be rounded, as a part of the largest. */
static double
rounding(const struct taf_coordinates *c)
{
	return taf_type_facts(c->type)->kind != TAF_FLOAT ? 0 : c->half ? 0x1p-10 :
	    c->type == TAF_FLT32 ? 0x1p-23 : 0x1p-52;
}

static bool
find_stored(const struct taf_coordinates *c, double *start, double *step)
{
	double ends[2] = { 0, 0 }, slack = rounding(c), most, exact;

	if (c->n > 0 && (!read_some(c, 0, 1, &ends[0]) ||
	    !read_some(c, c->n - 1, 1, &ends[1])))
		return false;
	if (!taf_is_finite(ends[0]) || !taf_is_finite(ends[1]) ||
	    !taf_is_finite(ends[1] - ends[0]))
		return false;
	/* whole numbers are exact up to there */
	most = fabs(ends[0]) > fabs(ends[1]) ? fabs(ends[0]) : fabs(ends[1]);
	if (slack == 0 && most > 0x1p53)
		return false;
	slack *= most;
	if (c->grid != NULL && on_grid(c, c->grid[0], c->grid[1], 4 * slack)) {
		*start = c->grid[0];
		*step = c->grid[1];
		return true;
	}
	*start = ends[0];
	*step = 1;
	if (c->n < 2)
		return c->n == 1;
	exact = (ends[1] - ends[0]) / (double)(c->n - 1);
	if (exact == 0)
		return false;
	*step = short_step(exact, slack / (double)(c->n - 1));
	if (on_grid(c, *start, *step, 4 * slack))
		return true;
	*step = exact;
	return on_grid(c, *start, exact, 4 * slack);
}

bool
taf_uniform(const struct taf_coordinates *c, struct taf_dim *d)
{
	double start, step;

	if (!find_stored(c, &start, &step))
		return false;
	if (c->mapped) {
		start = c->intercept + c->slope * start;
		if (c->n > 1)
			step = short_step(c->slope * step,
			    fabs(c->slope * step) * 0x1p-52);
		if (!taf_is_finite(start) || !taf_is_finite(step) || step == 0)
			return false;
	}
	d->start = start;
	d->step = step;
	return true;
}

void
taf_uniform_remark(struct taf_str *to, const bool *odd, unsigned n)
{
	unsigned k, some = 0;

	for (k = 0; k < n; k++)
		some += odd[k];
	taf_str_puts(to, some > 1 ? "dimensions " : "dimension ");
	for (some = 0, k = 0; k < n; k++)
		if (odd[k])
			taf_str_printf(to, "%s%u", some++ > 0 ? ", " : "", k + 1);
	taf_str_printf(to, ": coordinates that are not uniform: %s", some > 1 ?
	    "these dimensions count from 1" : "this dimension counts from 1");
}
