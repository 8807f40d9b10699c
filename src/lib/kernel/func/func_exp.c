/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/func/func.h"
#include "kernel/func/func_exp.h"

TAF_FUNC_LOOP(exp_loop)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const struct taf_func_reduced d = taf_func_reduce(
		    taf_func_clamp(x[i], -746, 710));

		k[i] = d.k;
		hi[i] = d.r.hi;
		lo[i] = d.r.lo;
	}
	taf_func_exp_rows(y, k, hi, lo, n);
}

/* r = (x - k) ln 2: the product of the first parts is exact */
TAF_FUNC_LOOP(exp2_loop)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const double v = taf_func_clamp(x[i], -1076, 1025);
		const double whole = taf_func_round(v);
		const double f = v - whole, head = taf_func_head(f);
		const struct taf_two r = taf_func_sum(head * TAF_FUNC_LN2_HEAD,
		    head * TAF_FUNC_LN2_TAIL + (f - head) * TAF_FUNC_LN2);

		k[i] = whole;
		hi[i] = r.hi;
		lo[i] = r.lo;
	}
	taf_func_exp_rows(y, k, hi, lo, n);
}

/* 2^k (e^r - 2^-k); 1 - 2^-k is exact but for large k, where its rest counts */
TAF_FUNC_LOOP(expm1_loop)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK],
	    cubic[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const struct taf_func_reduced d = taf_func_reduce(
		    taf_func_clamp(x[i], -40, 710));

		k[i] = d.k;
		hi[i] = d.r.hi;
		lo[i] = d.r.lo;
	}
	for (size_t i = 0; i < n; i++)
		cubic[i] = taf_func_exp_cubic(hi[i]);
	for (size_t i = 0; i < n; i++) {
		const struct taf_two r = { hi[i], lo[i] };
		const double less = taf_func_power(-taf_func_clamp(k[i], -60, 60));
		const double one = 1 - less, rest = (1 - one) - less;
		const struct taf_two s = taf_func_sum(one, r.hi);

		y[i] = taf_func_sign(taf_func_scale(
		    s.hi + (s.lo + (rest + taf_func_exp_tail(r, cubic[i]))), k[i]), x[i]);
	}
}

/*
 * The hyperbolic functions of |x|: e^r and e^-r have the same cosh r - 1 and, but for its
 * sign, sinh r.
 */
struct hyperbolic {
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], r[TAF_FUNC_BLOCK];
	double cosh[TAF_FUNC_BLOCK];	/* cosh r - 1 */
	double sinh[TAF_FUNC_BLOCK];	/* sinh r - r, where r is but the larger part */
};

static TAF_INLINE void
hyperbolic(struct hyperbolic *h, const double *x, double most, size_t n)
{
	TAF_FUNC_ROWS lo[TAF_FUNC_BLOCK];
	const double *c = taf_func_cosh_c;

	for (size_t i = 0; i < n; i++) {
		const struct taf_func_reduced d = taf_func_reduce(
		    taf_func_clamp(taf_func_abs(x[i]), 0, most));

		h->k[i] = d.k;
		h->r[i] = d.r.hi;
		lo[i] = d.r.lo;
	}
	for (size_t i = 0; i < n; i++) {
		const double r = h->r[i], z = r * r, w = z * z;

		h->cosh[i] = 0.5 * z +
		    (w * ((c[1] + z * c[2]) +
		    w * ((c[3] + z * c[4]) +
		    w * c[5])) + r * lo[i]);
	}
	c = taf_func_sinh_c;
	for (size_t i = 0; i < n; i++) {
		const double r = h->r[i], z = r * r, w = z * z;

		h->sinh[i] = r * (z * ((c[0] + z * c[1]) +
		    w * ((c[2] + z * c[3]) +
		    w * (c[4] + z * c[5])))) +
		    (lo[i] + lo[i] * (0.5 * z));
	}
}

/* 2^-2k */
static TAF_INLINE double
inverse(double k)
{
	return taf_func_power(-2 * taf_func_clamp(k, 0, 60));
}

/* 2^-k (e^x + e^-x) */
static TAF_INLINE struct taf_two
cosh_of(const struct hyperbolic *h, size_t i)
{
	const double less = inverse(h->k[i]), one = 1 + less, rest = (1 - one) + less;
	const struct taf_two s = taf_func_sum(one, h->r[i]);

	return taf_func_sum(s.hi, s.lo + (rest +
	    (h->cosh[i] * one + (h->sinh[i] * (1 - less) - less * h->r[i]))));
}

/* 2^-k (e^x - e^-x); half of it where k is 0 */
static TAF_INLINE struct taf_two
sinh_of(const struct hyperbolic *h, size_t i)
{
	const uint64_t small = taf_func_mask(h->k[i] == 0);
	const double less = taf_func_choose(small, 0, inverse(h->k[i]));
	const double one = taf_func_choose(small, 0, 1 - less);
	const double rest = taf_func_choose(small, 0, (1 - one) - less);
	const struct taf_two s = taf_func_sum(one, h->r[i]);

	return taf_func_sum(s.hi, s.lo + (rest +
	    (h->cosh[i] * one + (h->sinh[i] * (1 + less) + less * h->r[i]))));
}

TAF_FUNC_LOOP(sinh_loop)
{
	struct hyperbolic h;

	hyperbolic(&h, x, 711, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t small = taf_func_mask(h.k[i] == 0);
		const double k = taf_func_choose(small, 0, h.k[i] - 1);

		y[i] = taf_func_sign(taf_func_scale(sinh_of(&h, i).hi, k), x[i]);
	}
}

TAF_FUNC_LOOP(cosh_loop)
{
	struct hyperbolic h;

	hyperbolic(&h, x, 711, n);
	for (size_t i = 0; i < n; i++)
		y[i] = taf_func_scale(cosh_of(&h, i).hi, h.k[i] - 1);
}

/* The same ends at 20, where it is 1 but for 2^-56. */
TAF_FUNC_LOOP(tanh_loop)
{
	struct hyperbolic h;
	struct taf_two s, c, q;
	TAF_FUNC_ROWS low[TAF_FUNC_BLOCK];

	hyperbolic(&h, x, 20, n);
	for (size_t i = 0; i < n; i++) {
		const double half = taf_func_choose(taf_func_mask(h.k[i] == 0), 0.5, 1);

		s = sinh_of(&h, i);
		c = cosh_of(&h, i);
		h.r[i] = s.hi;
		h.sinh[i] = s.lo;
		h.cosh[i] = half * c.hi;
		low[i] = half * c.lo;
	}
	for (size_t i = 0; i < n; i++) {
		q = taf_func_quotient((struct taf_two){ h.r[i], h.sinh[i] },
		    (struct taf_two){ h.cosh[i], low[i] });
		y[i] = taf_func_sign(q.hi + q.lo, x[i]);
	}
}

TAF_FUNC(exp, NULL)
TAF_FUNC(exp2, NULL)
TAF_FUNC(expm1, NULL)
TAF_FUNC(sinh, NULL)
TAF_FUNC(cosh, NULL)
TAF_FUNC(tanh, NULL)
