#include "config.h"

#include "kernel/func/func.h"
#include "kernel/func/func_exp.h"

/* erf a / a for a up to 1, by z = a^2 */
static TAF_INLINE double
erf_over(double z)
{
	const double w = z * z, v = w * w;

	return 1 + (((0x1.06eba8214db69p-3 + z * -0x1.812746b0379fdp-2) +
	    w * (0x1.ce2f21a04362dp-4 + z * -0x1.b82ce312abefep-6)) +
	    v * (((0x1.565bcd1298e4ep-8 + z * -0x1.c02db49af9cp-11) +
	    w * (0x1.f9a3353627a02p-14 + z * -0x1.f4d3334ee5f9bp-17)) +
	    v * (((0x1.b9ee921c02d1dp-20 + z * -0x1.5f98079b4240ep-23) +
	    w * (0x1.fc773c0eb5541p-27 + z * -0x1.4673ff4f2fa77p-30)) +
	    v * 0x1.2968906b00aa2p-34)));
}

/* (1 + 2 a) e^(a^2) erfc a for a of 1/2 to 28, by t = (a - 4) / (a + 4) */
static TAF_INLINE struct taf_two
erfc_factor(double t)
{
	const double w = t * t, v = w * w, u = v * v;
	const double a = (t * -0x1.1df1ad154a271p-3 +
	    w * (0x1.f7f5df66fc0cfp-7 + t * 0x1.16ecefcfa368cp-4)) +
	    v * ((-0x1.9ddb23c3df7cp-4 + t * 0x1.7fee004e5660fp-4) +
	    w * (-0x1.0fb06dff2028bp-4 + t * 0x1.3079eded58485p-5));
	const double b = ((-0x1.0962385d83d08p-6 + t * 0x1.49c6753f34f6bp-8) +
	    w * (-0x1.8d4abc08142c9p-11 + t * -0x1.a1e1194b9fd77p-13)) +
	    v * ((0x1.3be2851df8c3dp-13 + t * -0x1.9920c9197ff3fp-16) +
	    w * (-0x1.78e779b97a9bep-17 + t * 0x1.7d207f34c3828p-18));
	const double c = ((0x1.4e8a42c646594p-22 + t * -0x1.a3c58d1114b3bp-21) +
	    w * (0x1.e8c775ef1a242p-25 + t * 0x1.3e87fb6ca1bb2p-24)) +
	    v * -0x1.2760d92ed9529p-27;

	return taf_func_sum(0x1.3ba5916e9fd7fp+0, a + u * (b + u * c));
}

/* small = erf |x| up to 1, large = erfc |x| from 1/2 on */
static TAF_INLINE void
both(double *small, double *large, const double *restrict x, size_t n)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK],
	    rest[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_clamp(taf_func_abs(x[i]), 0, 1);

		small[i] = a * erf_over(a * a);
	}
	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_clamp(taf_func_abs(x[i]), 0.5, 28);

		const struct taf_two q = taf_func_quotient(
		    erfc_factor((a - 4) / (a + 4)), taf_func_any_sum(1, 2 * a));

		large[i] = q.hi;
		rest[i] = q.lo;
	}
	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_clamp(taf_func_abs(x[i]), 0.5, 28);
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

		large[i] = taf_func_scale(e.hi * large[i] +
		    (e.hi * rest[i] + e.lo * large[i]), k[i]);
	}
}

TAF_FUNC_LOOP(erf_loop)
{
	TAF_FUNC_ROWS small[TAF_FUNC_BLOCK], large[TAF_FUNC_BLOCK];

	both(small, large, x, n);
	for (size_t i = 0; i < n; i++) {
		const double v = taf_func_choose(taf_func_mask(taf_func_abs(x[i]) > 1),
		    1 - large[i], small[i]);

		y[i] = taf_func_sign(v, x[i]);
	}
}

TAF_FUNC_LOOP(erfc_loop)
{
	TAF_FUNC_ROWS small[TAF_FUNC_BLOCK], large[TAF_FUNC_BLOCK];

	both(small, large, x, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t left = taf_func_mask(x[i] < 0);
		const double a = taf_func_choose(left, 2 - large[i], large[i]);
		const double b = taf_func_choose(left, 1 + small[i], 1 - small[i]);

		y[i] = taf_func_choose(taf_func_mask(taf_func_abs(x[i]) > 0.5), a, b);
	}
}

void
taf_func_erf(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, erf_loop, NULL);
}

void
taf_func_erfc(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, erfc_loop, NULL);
}
