#include "config.h"

#include <math.h>

#include "kernel/fast.h"
#include "kernel/func.h"
#include "kernel/func_exp.h"
#include "kernel/func_log.h"

/* a^b for a = 2^k (1 + f), b finite */
static inline double
power_of(struct taf_func_split a, double b)
{
	const struct taf_two l = taf_func_log_of(a.k, (struct taf_two){ a.f, 0 });
	struct taf_two e = taf_func_product(l.hi, b);
	struct taf_func_reduced d;
	/* beyond this all is infinite or 0 */
	const uint64_t over = taf_func_mask(e.hi > 750), under = taf_func_mask(e.hi < -750);

	e.lo = taf_func_choose(over | under, 0, e.lo + l.lo * b);
	e.hi = taf_func_choose(over, 750, taf_func_choose(under, -750, e.hi));
	d = taf_func_reduce(e.hi);
	return taf_func_exp_of(d.k, taf_func_sum(d.r.hi, d.r.lo + e.lo));
}

TAF_FAST_VOID(pow_loop, (double *restrict y, const double *restrict a,
    const double *restrict b, size_t n), (y, a, b, n))
{
	for (size_t i = 0; i < n; i++) {
		const double base = taf_func_abs(a[i]), whole = b[i] + TAF_FUNC_WHOLE;
		const uint64_t negative = taf_func_mask(a[i] < 0);
		const uint64_t exact = taf_func_mask(whole - TAF_FUNC_WHOLE == b[i]);
		const uint64_t good = taf_func_normal(base) &
		    taf_func_mask(taf_func_abs(b[i]) < 0x1p51) & (exact | ~negative);
		const double v = power_of(taf_func_split(base), b[i]);

		y[i] = taf_func_choose(good, taf_func_double(taf_func_bits(v) |
		    (negative & taf_func_bits(whole) << 63)), TAF_FUNC_NAN);
	}
}

/* What has a zero, an infinity, a NaN, a subnormal base or a huge exponent. */
static double
pow_rest(double a, double b)
{
	const double base = taf_func_abs(a), exponent = taf_func_abs(b);
	const int huge = exponent >= 0x1p53;
	const double whole = exponent >= 0x1p52 ? exponent :
	    (exponent + 0x1p52) - 0x1p52;
	const int odd = !huge && whole == exponent &&
	    (taf_func_bits(exponent >= 0x1p52 ? exponent : exponent + 0x1p52) & 1) != 0;
	const double sign = odd ? a : 1;
	struct taf_func_split s;

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
	if (a < 0 && whole != exponent)
		return TAF_FUNC_NAN;
	if (base < 0x1p-1022) {
		s = taf_func_split(base * 0x1p54);
		s.k -= 54;
	} else {
		s = taf_func_split(base);
	}
	/* more would not be finite in the products */
	b = b > 0x1p70 ? 0x1p70 : b < -0x1p70 ? -0x1p70 : b;
	return taf_func_sign(power_of(s, b), sign);
}

void
taf_func_pow(double *y, const double *a, const double *b, size_t n)
{
	taf_func_blocks2(y, a, b, n, pow_loop, pow_rest);
}

/* By a power of two, so that the squares are neither too large nor too small. */
TAF_FAST_VOID(hypot_loop, (double *restrict y, const double *restrict a,
    const double *restrict b, size_t n), (y, a, b, n))
{
	for (size_t i = 0; i < n; i++) {
		const double u = taf_func_abs(a[i]), v = taf_func_abs(b[i]);
		const uint64_t more = taf_func_mask(v > u);
		const double p = taf_func_choose(more, v, u), q = taf_func_choose(more, u, v);
		const uint64_t large = taf_func_mask(p > 0x1p400), small = taf_func_mask(p < 0x1p-400);
		const double scale = taf_func_choose(large, 0x1p-650,
		    taf_func_choose(small, 0x1p650, 1));
		const double back = taf_func_choose(large, 0x1p650,
		    taf_func_choose(small, 0x1p-650, 1));
		const struct taf_two pp = taf_func_product(p * scale, p * scale);
		const struct taf_two qq = taf_func_product(q * scale, q * scale);
		const struct taf_two s = taf_func_sum(pp.hi, qq.hi);
		const double root = sqrt(s.hi);
		const struct taf_two square = taf_func_product(root, root);
		const double rest = ((s.hi - square.hi) - square.lo) + (s.lo + (pp.lo + qq.lo));

		y[i] = back * (root + taf_func_choose(taf_func_mask(root > 0),
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

void
taf_func_hypot(double *y, const double *a, const double *b, size_t n)
{
	taf_func_blocks2(y, a, b, n, hypot_loop, hypot_rest);
}

/*
 * x is 8^k m, 1 <= m < 8.  A polynomial gives 22 bits of the root; a step of Halley's, for
 * which its first 26 bits are squared exactly, the others.
 */
static inline double
cbrt_of(double x)
{
	const uint64_t bits = taf_func_bits(taf_func_abs(x));
	const double e = taf_func_double((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023);
	const double k = ((e - 1) * 0x1.5555555555555p-2 + TAF_FUNC_WHOLE) - TAF_FUNC_WHOLE;
	const double rest = e - 3 * k;
	const double f = taf_func_double((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
	const double m = f * taf_func_power(rest), g = f * f;
	const double poly = (0x1.ca4fa4c2c51cap-2 + f * 0x1.e5848f0f7f4ddp-1) +
	    g * ((-0x1.5372c0e0a6b0cp-1 + f * 0x1.87980e1409b59p-2) +
	    g * ((-0x1.24c74e9c18b14p-3 + f * 0x1.f3a12f3fc1111p-6) +
	    g * -0x1.70d7054e1bf93p-9));
	const double t = taf_func_head(poly * taf_func_choose(taf_func_mask(rest == 0), 1,
	    taf_func_choose(taf_func_mask(rest == 1), 0x1.428a2f98d728bp+0,
	    0x1.965fea53d6e3dp+0)));
	const double r = m / (t * t);

	return taf_func_sign((t + t * ((r - t) / (2 * t + r))) * taf_func_power(k), x);
}

TAF_FAST_VOID(cbrt_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++)
		y[i] = taf_func_choose(taf_func_normal(taf_func_abs(x[i])), cbrt_of(x[i]),
		    TAF_FUNC_NAN);
}

/* 2^-54 is the cube of 2^-18 */
static double
cbrt_rest(double x)
{
	return x == 0 || taf_func_abs(x) == TAF_FUNC_INF ? x : 0x1p-18 * cbrt_of(x * 0x1p54);
}

void
taf_func_cbrt(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, cbrt_loop, cbrt_rest);
}
