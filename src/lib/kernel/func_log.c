#include "config.h"

#include "kernel/fast.h"
#include "kernel/func.h"
#include "kernel/func_block.h"

/*
 * log and its kin: x is 2^k m, m between the roots of 1/2 and of 2; then
 * log x = k ln 2 + log m, and log m = 2 atanh s with s = (m - 1) / (m + 1).
 */
static const double ln2_hi = 0x1.62e42fefa38p-1, ln2_lo = 0x1.ef35793c7673p-45;

struct parts {
	double k, m;
};

/* x is positive and normal. */
static inline struct parts
split(double x)
{
	/* so that the root of 1/2 begins a binade */
	const uint64_t shift = 0x3ff0000000000000u - 0x3fe6a09e667f3bcdu;
	const uint64_t bits = taf_func_bits(x) + shift;
	struct parts p;

	p.k = taf_func_double((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023);
	p.m = taf_func_double((bits & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
	return p;
}

/* 2 atanh(s) - 2 s = s z tail(z), z = s^2. */
static inline double
tail(double z)
{
	const double w = z * z;

	return (0x1.5555555555558p-1 + z * 0x1.99999999952b9p-2) +
	    w * ((0x1.2492492dfb9b8p-2 + z * 0x1.c71c62d649d8cp-3) +
	    w * ((0x1.7462b925fa03ep-3 + z * 0x1.39fdcbbceb4c6p-3) +
	    w * 0x1.2b5f5b2f9f871p-3));
}

static inline uint64_t
normal(double x)
{
	return taf_func_mask(x >= 0x1p-1022) & taf_func_mask(x <= 0x1.fffffffffffffp+1023);
}

static inline double
log_one(double x)
{
	const struct parts p = split(x);
	const double f = p.m - 1, half = 0.5 * f * f, s = f / (2 + f), z = s * s;
	const struct taf_two sum = taf_func_sum(p.k * ln2_hi, f);

	return sum.hi + (sum.lo - (half - (s * (half + z * tail(z)) + p.k * ln2_lo)));
}

/* What the loops leave out, for positive finite x. */
static double
log_rest(double x)
{
	if (x == 0)
		return -1 / taf_func_abs(x);
	if (x < 0)
		return TAF_FUNC_NAN;
	if (x > 0x1.fffffffffffffp+1023)
		return x;
	/* 2^54 makes it normal */
	{
		struct parts p = split(x * 0x1p54);
		double f = p.m - 1, half = 0.5 * f * f, s = f / (2 + f), z = s * s;

		p.k -= 54;
		return p.k * ln2_hi + (f - (half - (s * (half + z * tail(z)) + p.k * ln2_lo)));
	}
}

TAF_FAST_VOID(log_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++)
		y[i] = taf_func_choose(normal(x[i]), log_one(x[i]), TAF_FUNC_NAN);
}

void
taf_func_log(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, log_loop, log_rest);
}
