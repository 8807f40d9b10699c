#include "config.h"

#include "kernel/fast.h"
#include "kernel/func.h"
#include "kernel/func_block.h"

/*
 * exp and its kin: x is k ln 2 + r, |r| <= ln 2 / 2, and r a sum of two doubles; then
 * e^x = 2^k e^r.
 */
static const double per_ln2 = 0x1.71547652b82fep+0;
/* ln 2, the first with 42 bits: its products with k are exact */
static const double ln2_hi = 0x1.62e42fefa38p-1, ln2_lo = 0x1.ef35793c7673p-45;

struct reduced {
	double k;
	struct taf_two r;
};

static inline struct reduced
reduce(double x)
{
	struct reduced d;
	double a, b;

	d.k = (x * per_ln2 + TAF_FUNC_WHOLE) - TAF_FUNC_WHOLE;
	a = x - d.k * ln2_hi;
	b = d.k * ln2_lo;
	d.r.hi = a - b;
	d.r.lo = (a - d.r.hi) - b;
	return d;
}

/* e^r - 1 - r - r^2 / 2 = r^3 cubic(r). */
static inline double
cubic(double r)
{
	const double s = r * r;

	return (0x1.5555555555556p-3 + r * 0x1.5555555555556p-5) +
	    s * ((0x1.111111111070ap-7 + r * 0x1.6c16c16c15f3ep-10) +
	    s * ((0x1.a01a01a9031f9p-13 + r * 0x1.a01a01a8a0ab9p-16) +
	    s * ((0x1.71de0a391da77p-19 + r * 0x1.27e4d64a53366p-22) +
	    s * (0x1.af3f0f70f32a2p-26 + r * 0x1.1f7ca2e74bef6p-29))));
}

/* y 2^k for -2044 <= k <= 2046. */
static inline double
scale(double y, double k)
{
	const double half = (k * 0.5 + TAF_FUNC_WHOLE) - TAF_FUNC_WHOLE;

	return y * taf_func_power(half) * taf_func_power(k - half);
}

static inline double
exp_one(double x)
{
	struct reduced d;
	struct taf_two s;
	double z;

	x = taf_func_choose(taf_func_mask(x < -746), -746, x);
	x = taf_func_choose(taf_func_mask(x > 710), 710, x);
	d = reduce(x);
	z = d.r.hi * d.r.hi;
	s = taf_func_sum(1, d.r.hi);
	return scale(s.hi + (s.lo + ((d.r.lo + d.r.lo * d.r.hi) +
	    (0.5 * z + z * (d.r.hi * cubic(d.r.hi))))), d.k);
}

TAF_FAST_VOID(exp_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++)
		y[i] = exp_one(x[i]);
}

void
taf_func_exp(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, exp_loop, NULL);
}
