/*
 * What exp and its kin share: x is k ln 2 + r, |r| <= ln 2 / 2, and r a sum of two; then
 * e^x = 2^k e^r.
 */
#ifndef TAF_KERNEL_FUNC_FUNC_EXP_H
#define TAF_KERNEL_FUNC_FUNC_EXP_H

#ifndef __cplusplus

#include "kernel/func/func_block.h"

struct taf_func_reduced {
	double k;
	struct taf_two r;
};

static TAF_INLINE struct taf_func_reduced
taf_func_reduce(double x)
{
	/* of ln 2 the first 42 bits, whose products with k are exact, and the rest */
	const double first = 0x1.62e42fefa38p-1, rest = 0x1.ef35793c7673p-45;
	struct taf_func_reduced d;
	double a, b;

	d.k = taf_func_round(x * 0x1.71547652b82fep+0);
	a = x - d.k * first;
	b = d.k * rest;
	d.r.hi = a - b;
	d.r.lo = (a - d.r.hi) - b;
	return d;
}

/* (e^r - 1 - r - r^2 / 2) / r^3 */
static TAF_INLINE double
taf_func_exp_cubic(double r)
{
	const double s = r * r, t = s * s;

	return ((0x1.5555555555556p-3 + r * 0x1.5555555555556p-5) +
	    s * (0x1.111111111070ap-7 + r * 0x1.6c16c16c15f3ep-10)) +
	    t * (((0x1.a01a01a9031f9p-13 + r * 0x1.a01a01a8a0ab9p-16) +
	    s * (0x1.71de0a391da77p-19 + r * 0x1.27e4d64a53366p-22)) +
	    t * (0x1.af3f0f70f32a2p-26 + r * 0x1.1f7ca2e74bef6p-29));
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

#endif
