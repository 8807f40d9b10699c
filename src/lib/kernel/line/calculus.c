/* SPDX-License-Identifier: ISC */
#include "kernel/line/calculus.h"

#include <string.h>

#include "config.h"
#include "kernel/number/fast.h"

enum { BLOCK = 512 };		/* results at a time */

TAF_WIDE_VOID(subtract, (double *restrict out, const double *restrict x, size_t apart,
    size_t n), (out, x, apart, n))
{
	size_t i;

	for (i = 0; i < n; i++)
		out[i] = x[i + apart] - x[i];
}

void
taf_differences(double *out, const double *x, size_t n)
{
	subtract(out, x, 1, n);
}

/* The slope at the first of three points, or, with sign -1, at the last, which p is. */
static double
end_slope(const double *p, int sign, double step)
{
	return sign * ((4 * p[sign] - 3 * p[0]) - p[2 * sign]) / (2 * step);
}

void
taf_gradient(double *out, uint64_t at, size_t n, const struct taf_points_at *points,
    double step, bool rough)
{
	const double *x = points->p + (at - points->first);
	const uint64_t last = points->len - 1;

	if (last == 1) {
		for (; n > 0; n--)
			*out++ = (points->p[1] - points->p[0]) / step;
		return;
	}
	if (at == 0) {
		*out++ = end_slope(x++, 1, step);
		at++;
		n--;
	}
	if (n > 0 && at + n == last + 1) {
		n--;
		out[n] = end_slope(x + n, -1, step);
	}
	if (n == 0)
		return;
	subtract(out, x - 1, 2, n);
	taf_divide(out, n, 2 * step, rough);
}

/* What is summed between point i and the next; six times the integral of the parabola. */
static double
simpson(const struct taf_points_at *points, uint64_t i)
{
	const double *x = points->p + (i - points->first);

	if (points->len == 2)
		return 6 * (x[0] + x[1]);
	return i % 2 == 0 && i + 2 < points->len ? (5 * x[0] + 8 * x[1]) - x[2] :
	    (8 * x[0] + 5 * x[1]) - x[-1];
}

TAF_WIDE_VOID(scale_and_shift, (double *y, size_t n, double by, double start),
    (y, n, by, start))
{
	size_t i;

	for (i = 0; i < n; i++)
		y[i] = start + by * y[i];
}

/* What the points from place at on add to the sum, n of them; lent, or in scratch. */
static const double *
addends(enum taf_rule rule, double *scratch, uint64_t at, size_t n,
    const struct taf_points_at *points)
{
	const double *x = points->p + (at - points->first);
	size_t i;

	if (rule == TAF_RULE_SUM || (rule == TAF_RULE_TRAPEZOID && at > 0))
		return x;
	if (rule == TAF_RULE_TRAPEZOID) {
		memcpy(scratch, x, n * sizeof *x);
		scratch[0] /= 2;
		return scratch;
	}
	for (i = 0; i < n; i++)
		scratch[i] = at + i > 0 ? simpson(points, at + i - 1) : 0;
	return scratch;
}

void
taf_integrate(const struct taf_integral *how, struct taf_running *sum, double *out,
    uint64_t at, size_t n, const struct taf_points_at *points)
{
	const bool half = how->rule == TAF_RULE_TRAPEZOID;
	const double scale = how->rule == TAF_RULE_SIMPSON ? how->step / 12 : how->step;
	double scratch[BLOCK];
	size_t part;

	for (; n > 0; n -= part, at += part, out += part) {
		part = BLOCK - (size_t)(at % BLOCK);
		part = part < n ? part : n;
		/* half of a point is in its own result, all of it in the next one */
		taf_running(sum, out, addends(how->rule, scratch, at, part, points), at,
		    part, half);
		if (at == 0 && half)
			out[0] = 0;
		scale_and_shift(out, part, scale, how->start);
	}
}

void
taf_integrate_pass(enum taf_rule rule, struct taf_running *sum, uint64_t at, size_t n,
    const struct taf_points_at *points)
{
	double scratch[BLOCK];
	size_t part;

	for (; n > 0; n -= part, at += part) {
		part = BLOCK - (size_t)(at % BLOCK);
		part = part < n ? part : n;
		taf_running_pass(sum, addends(rule, scratch, at, part, points), at, part);
	}
}
