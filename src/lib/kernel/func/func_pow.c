/* SPDX-License-Identifier: ISC */
#include "config.h"

#include <math.h>

#include "kernel/func/func.h"
#include "kernel/func/func_exp.h"
#include "kernel/func/func_log.h"

/* y = a^b for a = 2^k (1 + f) and |b| <= 2^70; k, f and b may not be y. */
static TAF_INLINE void
power_rows(double *y, const double *k, const double *f, const double *b, size_t n)
{
	TAF_FUNC_ROWS whole[TAF_FUNC_BLOCK], hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	memset(whole, 0, n * sizeof *whole);
	taf_func_log_rows(hi, lo, k, f, whole, n);
	for (size_t i = 0; i < n; i++) {
		const struct taf_two e = taf_func_product(hi[i], b[i]);
		const double rest = e.lo + lo[i] * b[i];

		/* beyond this all is infinite or 0 */
		hi[i] = taf_func_clamp(e.hi, -750, 750);
		lo[i] = taf_func_choose(taf_func_mask(hi[i] == e.hi), rest, 0);
	}
	for (size_t i = 0; i < n; i++) {
		const struct taf_func_reduced d = taf_func_reduce(hi[i]);
		const struct taf_two r = taf_func_sum(d.r.hi, d.r.lo + lo[i]);

		whole[i] = d.k;
		hi[i] = r.hi;
		lo[i] = r.lo;
	}
	taf_func_exp_rows(y, whole, hi, lo, n);
}

/* Whole exponents up to this, and down to its negative, are products. */
enum { SMALL = 8 };

/* y = a^k for |k| of 1 to SMALL, with what products leave; NaN if that is too small. */
static TAF_INLINE void
product_rows(double *y, const double *a, int k, size_t n)
{
	const int most = k < 0 ? -k : k;
	TAF_FUNC_ROWS hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];
	int j;

	memcpy(hi, a, n * sizeof *hi);
	memset(lo, 0, n * sizeof *lo);
	for (j = 1; j < most; j++)
		for (size_t i = 0; i < n; i++) {
			const struct taf_two p = taf_func_product(hi[i], a[i]);

			lo[i] = p.lo + lo[i] * a[i];
			hi[i] = p.hi;
		}
	for (size_t i = 0; i < n && k < 0; i++) {
		const double q = 1 / hi[i];
		const struct taf_two one = taf_func_product(q, hi[i]);

		lo[i] = q * (((1 - one.hi) - one.lo) - q * lo[i]);
		hi[i] = q;
	}
	for (size_t i = 0; i < n; i++) {
		const double base = taf_func_abs(a[i]);
		const uint64_t good = taf_func_mask(base >= 0x1p-118) &
		    taf_func_mask(base <= 0x1p120);
		/* of a square the product is right to the last bit */
		const uint64_t plain = (taf_func_mask(base == 0) & taf_func_mask(k > 0)) |
		    taf_func_mask(k == 1 || k == 2);

		y[i] = taf_func_choose(plain, hi[i],
		    taf_func_choose(good, hi[i] + lo[i], TAF_FUNC_NAN));
	}
}

/* How many of n numbers are k. */
static TAF_INLINE size_t
count(const double *b, double k, size_t n)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += taf_func_mask(b[i] == k) & 1;
	return (size_t)all;
}

/* Negative bases have whole exponents, and the power of an odd one is negative. */
TAF_FUNC_LOOP2(logarithm_loop)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], f[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const double base = taf_func_abs(a[i]);
		const struct taf_func_split p = taf_func_split(base);
		const uint64_t whole = taf_func_mask(taf_func_round(b[i]) == b[i]);
		const uint64_t good = taf_func_normal(base) &
		    taf_func_mask(taf_func_abs(b[i]) < 0x1p51) &
		    (taf_func_mask(a[i] > 0) | whole);

		k[i] = p.k;
		f[i] = taf_func_choose(good, p.f, TAF_FUNC_NAN);
	}
	power_rows(y, k, f, b, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t odd = taf_bits64(b[i] + TAF_FUNC_WHOLE) << 63;

		y[i] = taf_of_bits64(taf_bits64(y[i]) | (taf_bits64(a[i]) & odd));
	}
}

/* An element has the same bits whatever the exponents of its neighbours are. */
TAF_FUNC_LOOP2(pow_loop)
{
	TAF_FUNC_ROWS product[TAF_FUNC_BLOCK];
	int k = taf_func_abs(b[0]) <= SMALL ? (int)b[0] : 0;

	if (k != 0 && count(b, k, n) == n) {
		product_rows(y, a, k, n);
		return;
	}
	logarithm_loop(y, a, b, n);
	for (k = -SMALL; k <= SMALL; k++) {
		if (k == 0 || count(b, k, n) == 0)
			continue;
		product_rows(product, a, k, n);
		for (size_t i = 0; i < n; i++)
			y[i] = taf_func_choose(taf_func_mask(b[i] == k) &
			    taf_func_mask(product[i] == product[i]), product[i], y[i]);
	}
}

/* What has a zero, an infinity, a NaN, a subnormal base or a huge exponent. */
static double
pow_rest(double a, double b)
{
	const double base = taf_func_abs(a), exponent = taf_func_abs(b);
	/* from 2^52 on all are whole, from 2^53 on even */
	const double shifted = exponent >= 0x1p52 ? exponent : exponent + 0x1p52;
	const int whole = exponent >= 0x1p52 || shifted - 0x1p52 == exponent;
	const int odd = whole && exponent < 0x1p53 && (taf_bits64(shifted) & 1) != 0;
	const double sign = odd ? a : 1;
	struct taf_func_split p;
	double y;

	if (b == 0 || a == 1)
		return 1;
	if (a != a || b != b)
		return taf_func_first_nan(a, b);
	if (base == 1 && exponent == TAF_FUNC_INF)
		return 1;
	if (base == 0 || base == TAF_FUNC_INF)
		return taf_func_sign((base == 0) == (b < 0) ? TAF_FUNC_INF : 0, sign);
	if (exponent == TAF_FUNC_INF)
		return (base > 1) == (b > 0) ? TAF_FUNC_INF : 0;
	if (a < 0 && !whole)
		return TAF_FUNC_NAN;
	p = taf_func_split(base < 0x1p-1022 ? base * 0x1p54 : base);
	if (base < 0x1p-1022)
		p.k -= 54;
	/* more of it changes nothing, and would not be finite in products */
	b = taf_func_clamp(b, -0x1p70, 0x1p70);
	power_rows(&y, &p.k, &p.f, &b, 1);
	return taf_func_sign(y, sign);
}

TAF_FUNC2(pow)

/* By a power of two, so that the squares are neither too large nor too small. */
TAF_FUNC_LOOP2(hypot_loop)
{
	TAF_FUNC_ROWS hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK], back[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const double u = taf_func_abs(a[i]), v = taf_func_abs(b[i]);
		const uint64_t more = taf_func_mask(v > u);
		const double p = taf_func_choose(more, v, u);
		const double q = taf_func_choose(more, u, v);
		const uint64_t large = taf_func_mask(p > 0x1p400);
		const uint64_t small = taf_func_mask(p < 0x1p-400);
		const double scale = taf_func_choose(large, 0x1p-650,
		    taf_func_choose(small, 0x1p650, 1));
		const struct taf_two pp = taf_func_product(p * scale, p * scale);
		const struct taf_two qq = taf_func_product(q * scale, q * scale);
		const struct taf_two s = taf_func_sum(pp.hi, qq.hi);

		hi[i] = s.hi;
		lo[i] = s.lo + (pp.lo + qq.lo);
		back[i] = taf_func_choose(large, 0x1p650,
		    taf_func_choose(small, 0x1p-650, 1));
	}
	for (size_t i = 0; i < n; i++) {
		const double root = sqrt(hi[i]);
		const struct taf_two square = taf_func_product(root, root);
		const double rest = ((hi[i] - square.hi) - square.lo) + lo[i];

		y[i] = back[i] * (root + taf_func_choose(taf_func_mask(root > 0),
		    rest / (root + root), 0));
	}
}

static double
hypot_rest(double a, double b)
{
	if (taf_func_abs(a) == TAF_FUNC_INF || taf_func_abs(b) == TAF_FUNC_INF)
		return TAF_FUNC_INF;
	return taf_func_first_nan(a, b);
}

TAF_FUNC2(hypot)

/*
 * x is 8^k m, 1 <= m < 8.  A polynomial gives 22 bits of the root of m; a step of
 * Halley's, for which its first 26 bits are squared exactly, gives the others.
 */
static TAF_INLINE void
cbrt_rows(double *y, const double *x, size_t n)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], m[TAF_FUNC_BLOCK], t[TAF_FUNC_BLOCK];
	const double *const c = taf_func_cbrt_c;

	for (size_t i = 0; i < n; i++) {
		const uint64_t bits = taf_bits64(taf_func_abs(x[i]));
		const double e = taf_of_bits64((bits >> 52) | 0x4330000000000000u) -
		    (0x1p52 + 1023);
		const double third = taf_func_round((e - 1) * TAF_FUNC_THIRD);
		const double rest = e - 3 * third;
		const double f = taf_of_bits64((bits & 0x000fffffffffffffu) |
		    0x3ff0000000000000u), g = f * f;
		const double poly = (c[0] + f * c[1]) +
		    g * ((c[2] + f * c[3]) +
		    g * ((c[4] + f * c[5]) +
		    g * c[6]));

		k[i] = third;
		m[i] = f * taf_func_power(rest);
		t[i] = taf_func_head(poly * taf_func_choose(taf_func_mask(rest == 0), 1,
		    taf_func_choose(taf_func_mask(rest == 1), TAF_FUNC_CBRT2,
		    TAF_FUNC_CBRT4)));
	}
	for (size_t i = 0; i < n; i++) {
		const double r = m[i] / (t[i] * t[i]);
		const double root = t[i] + t[i] * ((r - t[i]) / (2 * t[i] + r));

		y[i] = taf_func_sign(root * taf_func_power(k[i]), x[i]);
	}
}

TAF_FUNC_LOOP(cbrt_loop)
{
	cbrt_rows(y, x, n);
	for (size_t i = 0; i < n; i++)
		y[i] = taf_func_choose(taf_func_normal(taf_func_abs(x[i])), y[i],
		    TAF_FUNC_NAN);
}

/* 2^-54 is the cube of 2^-18 */
static double
cbrt_rest(double x)
{
	double y, up = x * 0x1p54;

	if (x == 0 || taf_func_abs(x) == TAF_FUNC_INF)
		return x;
	cbrt_rows(&y, &up, 1);
	return y * 0x1p-18;
}

TAF_FUNC(cbrt, cbrt_rest)
