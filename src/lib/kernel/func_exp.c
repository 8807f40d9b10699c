#include "kernel/func_exp.h"

#include "config.h"

#include "kernel/fast.h"
#include "kernel/func.h"

/* x between least and most, or NaN */
static inline double
clamp(double x, double least, double most)
{
	x = taf_func_choose(taf_func_mask(x < least), least, x);
	return taf_func_choose(taf_func_mask(x > most), most, x);
}

TAF_FAST_VOID(exp_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const struct taf_func_reduced d = taf_func_reduce(clamp(x[i], -746, 710));

		y[i] = taf_func_exp_of(d.k, d.r);
	}
}

/* r = x ln 2: the products of first parts are exact */
TAF_FAST_VOID(exp2_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const double v = clamp(x[i], -1076, 1025);
		const double k = (v + TAF_FUNC_WHOLE) - TAF_FUNC_WHOLE;
		const double f = v - k, head = taf_func_head(f);

		y[i] = taf_func_exp_of(k, taf_func_sum(head * 0x1.62e42f8p-1,
		    head * 0x1.be8e7bcd5e4f2p-27 + (f - head) * 0x1.62e42fefa39efp-1));
	}
}

/* 2^k (e^r - 2^-k); 1 - 2^-k is exact but for large k, where its rest counts */
TAF_FAST_VOID(expm1_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const struct taf_func_reduced d = taf_func_reduce(clamp(x[i], -40, 710));
		const double less = taf_func_power(-clamp(d.k, -60, 60));
		const double one = 1 - less, rest = (1 - one) - less;
		const struct taf_two s = taf_func_sum(one, d.r.hi);
		const double v = s.hi + (s.lo + (rest + taf_func_exp_tail(d.r)));

		y[i] = taf_func_sign(taf_func_scale(v, d.k), x[i]);
	}
}

/*
 * The hyperbolic functions of |x|: e^r and e^-r have the same cosh r - 1 and, but for its
 * sign, sinh r.
 */
struct hyperbolic {
	double k, less;		/* 2^-2k */
	struct taf_two r;
	double cosh, sinh;	/* cosh r - 1, and sinh r - r.hi */
};

static inline struct hyperbolic
both(double x)
{
	const struct taf_func_reduced d = taf_func_reduce(x);
	const double z = d.r.hi * d.r.hi, w = z * z;
	struct hyperbolic h;

	h.k = d.k;
	h.less = taf_func_power(-2 * clamp(d.k, 0, 60));
	h.r = d.r;
	h.cosh = 0.5 * z + (w * ((0x1.5555555555556p-5 + z * 0x1.6c16c16c15ff2p-10) +
	    w * ((0x1.a01a01a81e4a3p-16 + z * 0x1.27e4d80478246p-22) +
	    w * 0x1.1f790b6b6c56bp-29)) + d.r.hi * d.r.lo);
	h.sinh = d.r.hi * (z * ((0x1.5555555555555p-3 + z * 0x1.1111111111488p-7) +
	    w * ((0x1.a01a019d9498bp-13 + z * 0x1.71de46518e653p-19) +
	    w * (0x1.ae327249b5a5ap-26 + z * 0x1.ace7bf9d342ddp-33)))) +
	    (d.r.lo + d.r.lo * (0.5 * z));
	return h;
}

/* 2^-k (e^x + e^-x) */
static inline struct taf_two
cosh_parts(struct hyperbolic h)
{
	const double one = 1 + h.less, rest = (1 - one) + h.less;
	const struct taf_two s = taf_func_sum(one, h.r.hi);

	return taf_func_sum(s.hi, s.lo + (rest +
	    (h.cosh * one + (h.sinh * (1 - h.less) - h.less * h.r.hi))));
}

/* 2^-k (e^x - e^-x); half of it where k is 0 */
static inline struct taf_two
sinh_parts(struct hyperbolic h)
{
	const uint64_t small = taf_func_mask(h.k == 0);
	const double less = taf_func_choose(small, 0, h.less);
	const double one = taf_func_choose(small, 0, 1 - less);
	const double rest = taf_func_choose(small, 0, (1 - one) - less);
	const struct taf_two s = taf_func_sum(one, h.r.hi);

	return taf_func_sum(s.hi, s.lo + (rest +
	    (h.cosh * one + (h.sinh * (1 + less) + less * h.r.hi))));
}

TAF_FAST_VOID(sinh_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const struct hyperbolic h = both(clamp(taf_func_abs(x[i]), 0, 711));
		const struct taf_two s = sinh_parts(h);
		const double k = taf_func_choose(taf_func_mask(h.k == 0), 0, h.k - 1);

		y[i] = taf_func_sign(taf_func_scale(s.hi, k), x[i]);
	}
}

TAF_FAST_VOID(cosh_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const struct hyperbolic h = both(clamp(taf_func_abs(x[i]), 0, 711));

		y[i] = taf_func_scale(cosh_parts(h).hi, h.k - 1);
	}
}

TAF_FAST_VOID(tanh_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const struct hyperbolic h = both(clamp(taf_func_abs(x[i]), 0, 20));
		const double half = taf_func_choose(taf_func_mask(h.k == 0), 0.5, 1);
		const struct taf_two s = sinh_parts(h), c = cosh_parts(h);
		struct taf_two down;

		down.hi = half * c.hi;
		down.lo = half * c.lo;
		y[i] = taf_func_sign(taf_func_quotient(s, down).hi, x[i]);
	}
}

void
taf_func_exp(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, exp_loop, NULL);
}

void
taf_func_exp2(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, exp2_loop, NULL);
}

void
taf_func_expm1(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, expm1_loop, NULL);
}

void
taf_func_sinh(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, sinh_loop, NULL);
}

void
taf_func_cosh(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, cosh_loop, NULL);
}

void
taf_func_tanh(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, tanh_loop, NULL);
}
