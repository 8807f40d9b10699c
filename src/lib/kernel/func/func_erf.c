/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/func/func.h"
#include "kernel/func/func_exp.h"

/* erf a - a for a up to 1 */
static TAF_INLINE double
erf_tail(double a)
{
	const double *const c = taf_func_erf_c;
	const double z = a * a, w = z * z, v = w * w;

	return a * (((c[0] + z * c[1]) + w * (c[2] + z * c[3])) +
	    v * (((c[4] + z * c[5]) + w * (c[6] + z * c[7])) +
	    v * (((c[8] + z * c[9]) + w * (c[10] + z * c[11])) + v * c[12])));
}

/* (1 + 2 a) e^(a^2) erfc a for a of 5/8 to 28, by t = (a - 4) / (a + 4) */
static TAF_INLINE struct taf_two
erfc_factor(double t)
{
	const double *const c = taf_func_erfc_c;
	const double w = t * t, v = w * w, u = v * v;
	const double first = (t * c[0] + w * (c[1] + t * c[2])) +
	    v * ((c[3] + t * c[4]) + w * (c[5] + t * c[6]));
	const double second = ((c[7] + t * c[8]) + w * (c[9] + t * c[10])) +
	    v * ((c[11] + t * c[12]) + w * (c[13] + t * c[14]));
	const double third = ((c[15] + t * c[16]) + w * (c[17] + t * c[18])) + v * c[19];

	return taf_func_sum(taf_func_erfc_first[0].hi, taf_func_erfc_first[0].lo +
	    (first + u * (second + u * third)));
}

/* small = erf |x| - |x| up to 1, large + low = erfc |x| from 5/8 on */
static TAF_INLINE void
both(double *small, double *large, double *low, const double *restrict x, size_t n)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK],
	    rest[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		small[i] = erf_tail(taf_func_clamp(taf_func_abs(x[i]), 0, 1));
	}
	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_clamp(taf_func_abs(x[i]), 0.625, 28);

		const struct taf_two q = taf_func_quotient(
		    erfc_factor((a - 4) / (a + 4)), taf_func_any_sum(1, 2 * a));

		large[i] = q.hi;
		rest[i] = q.lo;
	}
	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_clamp(taf_func_abs(x[i]), 0.625, 28);
		const struct taf_two square = taf_func_product(a, a);
		const struct taf_func_reduced d = taf_func_reduce(-square.hi);
		const struct taf_two r = taf_func_sum(d.r.hi, d.r.lo - square.lo);

		k[i] = d.k;
		hi[i] = r.hi;
		lo[i] = r.lo;
	}
	for (size_t i = 0; i < n; i++) {
		const struct taf_two r = { hi[i], lo[i] }, s = taf_func_sum(1, r.hi);
		const struct taf_two e = taf_func_sum(s.hi,
		    s.lo + taf_func_exp_tail(r, taf_func_exp_cubic(r.hi)));

		const struct taf_two p = taf_func_product(e.hi, large[i]);

		const struct taf_two q = taf_func_sum(p.hi,
		    p.lo + (e.hi * rest[i] + e.lo * large[i]));

		large[i] = taf_func_scale(q.hi, k[i]);
		low[i] = taf_func_scale(q.lo, k[i]);
	}
}

TAF_FUNC_LOOP(erf_loop)
{
	TAF_FUNC_ROWS small[TAF_FUNC_BLOCK], large[TAF_FUNC_BLOCK], low[TAF_FUNC_BLOCK];

	both(small, large, low, x, n);
	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_abs(x[i]);
		const struct taf_two s = taf_func_sum(1, -large[i]);
		const double v = taf_func_choose(taf_func_mask(a > 0.75),
		    s.hi + (s.lo - low[i]), a + small[i]);

		y[i] = taf_func_sign(v, x[i]);
	}
}

TAF_FUNC_LOOP(erfc_loop)
{
	TAF_FUNC_ROWS small[TAF_FUNC_BLOCK], large[TAF_FUNC_BLOCK], low[TAF_FUNC_BLOCK];

	both(small, large, low, x, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t left = taf_func_mask(x[i] < 0);
		const double a = taf_func_choose(left, 2 - large[i], large[i]);
		const double near = taf_func_clamp(x[i], -0.625, 0.625);
		const double tail = taf_func_choose(left, small[i], -small[i]);
		const struct taf_two s = taf_func_sum(1, -near);

		y[i] = taf_func_choose(taf_func_mask(taf_func_abs(x[i]) > 0.625), a,
		    s.hi + (s.lo + tail));
	}
}

TAF_FUNC(erf, NULL)

TAF_FUNC(erfc, NULL)
