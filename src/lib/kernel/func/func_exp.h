/* SPDX-License-Identifier: ISC */
/*
 * What exp and its kin share: x is k ln 2 + r, |r| <= ln 2 / 2, and r a sum of two; then
 * e^x = 2^k e^r.
 */
#ifndef TAF_KERNEL_FUNC_FUNC_EXP_H
#define TAF_KERNEL_FUNC_FUNC_EXP_H

#include "kernel/func/func_block.h"

struct taf_func_reduced {
	double k;
	struct taf_two r;
};

static TAF_INLINE struct taf_func_reduced
taf_func_reduce(double x)
{
	struct taf_func_reduced d;
	double a, b;

	d.k = taf_func_round(x * TAF_FUNC_LOG2E);
	a = x - d.k * TAF_FUNC_LN2_FIRST;
	b = d.k * TAF_FUNC_LN2_REST;
	d.r.hi = a - b;
	d.r.lo = (a - d.r.hi) - b;
	return d;
}

/* (e^r - 1 - r - r^2 / 2) / r^3 */
static TAF_INLINE double
taf_func_exp_cubic(double r)
{
	const double *const c = taf_func_exp_c;
	const double s = r * r, t = s * s;

	return ((c[0] + r * c[1]) +
	    s * (c[2] + r * c[3])) +
	    t * (((c[4] + r * c[5]) +
	    s * (c[6] + r * c[7])) +
	    t * (c[8] + r * c[9]));
}

/* e^r - 1 - r.hi with the cubic of r.hi */
static TAF_INLINE double
taf_func_exp_tail(struct taf_two r, double cubic)
{
	const double s = r.hi * r.hi;

	return (r.lo + r.lo * r.hi) + (0.5 * s + (s * r.hi) * cubic);
}

/* y 2^k for a whole k of -2044 to 2046; it rounds once. */
static TAF_INLINE double
taf_func_scale(double y, double k)
{
	const double half = taf_func_round(0.5 * k);

	return y * taf_func_power(half) * taf_func_power(k - half);
}

/* y = 2^k e^r, r = hi + lo */
static TAF_INLINE void
taf_func_exp_rows(double *y, const double *k, const double *hi, const double *lo,
    size_t n)
{
	TAF_FUNC_ROWS cubic[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++)
		cubic[i] = taf_func_exp_cubic(hi[i]);
	for (size_t i = 0; i < n; i++) {
		const struct taf_two r = { hi[i], lo[i] }, s = taf_func_sum(1, r.hi);

		y[i] = taf_func_scale(s.hi + (s.lo + taf_func_exp_tail(r, cubic[i])),
		    k[i]);
	}
}

#endif
