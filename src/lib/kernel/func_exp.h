/*
 * What exp and its kin share: x is k ln 2 + r, |r| <= ln 2 / 2, and r a sum of two doubles;
 * then e^x = 2^k e^r.
 */
#ifndef TAF_KERNEL_FUNC_EXP_H
#define TAF_KERNEL_FUNC_EXP_H

#include "kernel/func_block.h"

/* C alone: C++ did not know such constants before 2017. */
#ifndef __cplusplus

struct taf_func_reduced {
	double k;
	struct taf_two r;
};

static inline struct taf_func_reduced
taf_func_reduce(double x)
{
	/* of ln 2 the first 42 bits, whose products with k are exact, and the rest */
	const double first = 0x1.62e42fefa38p-1, rest = 0x1.ef35793c7673p-45;
	struct taf_func_reduced d;
	double a, b;

	d.k = (x * 0x1.71547652b82fep+0 + TAF_FUNC_WHOLE) - TAF_FUNC_WHOLE;
	a = x - d.k * first;
	b = d.k * rest;
	d.r.hi = a - b;
	d.r.lo = (a - d.r.hi) - b;
	return d;
}

/* e^r - 1 - r.hi, which is small */
static inline double
taf_func_exp_tail(struct taf_two r)
{
	const double x = r.hi, s = x * x;
	const double cubic = (0x1.5555555555556p-3 + x * 0x1.5555555555556p-5) +
	    s * ((0x1.111111111070ap-7 + x * 0x1.6c16c16c15f3ep-10) +
	    s * ((0x1.a01a01a9031f9p-13 + x * 0x1.a01a01a8a0ab9p-16) +
	    s * ((0x1.71de0a391da77p-19 + x * 0x1.27e4d64a53366p-22) +
	    s * (0x1.af3f0f70f32a2p-26 + x * 0x1.1f7ca2e74bef6p-29))));

	return (r.lo + r.lo * x) + (0.5 * s + s * (x * cubic));
}

/* y 2^k for a whole k of -2044 to 2046; it rounds once. */
static inline double
taf_func_scale(double y, double k)
{
	const double half = (k * 0.5 + TAF_FUNC_WHOLE) - TAF_FUNC_WHOLE;

	return y * taf_func_power(half) * taf_func_power(k - half);
}

/* 2^k e^r */
static inline double
taf_func_exp_of(double k, struct taf_two r)
{
	const struct taf_two s = taf_func_sum(1, r.hi);

	return taf_func_scale(s.hi + (s.lo + taf_func_exp_tail(r)), k);
}

#endif

#endif
