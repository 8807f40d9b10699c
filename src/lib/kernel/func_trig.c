#include "config.h"

#include <math.h>

#include "kernel/fast.h"
#include "kernel/func.h"
#include "kernel/func_block.h"

/*
 * sin, cos, tan: x is k pi/2 + r, |r| <= pi/4, and r a sum of two doubles.  For k up to
 * 2^20 pi/2 is three parts, of which the products of the first two with k are exact.
 */
static const double per_half_pi = 0x1.45f306dc9c883p-1;
static const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34,
    part3 = 0x1.3198a2e037073p-69;
static const double most = 0x1.8p20, least = 0x1p-40;

struct angle {
	struct taf_two r;
	uint64_t k;		/* modulo 4, in the last bits */
	uint64_t good;		/* a mask: r is as exact as needed */
};

static inline struct angle
turn(double x)
{
	const double whole = x * per_half_pi + TAF_FUNC_WHOLE, k = whole - TAF_FUNC_WHOLE;
	const struct taf_two s = taf_func_any_sum(x - k * part1, -(k * part2));
	const double v = s.lo - k * part3;
	struct angle t;

	t.r = taf_func_sum(s.hi, v);
	t.k = taf_func_bits(whole);
	t.good = taf_func_mask(taf_func_abs(x) < most) &
	    (taf_func_mask(taf_func_abs(t.r.hi) > least) | taf_func_mask(k == 0));
	return t;
}

static inline double
sine(struct taf_two r)
{
	const double z = r.hi * r.hi, w = z * z, c = r.hi * z;
	const double p = (0x1.1111111110c83p-7 + z * -0x1.a01a019ea130ap-13) +
	    w * ((0x1.71de37b1ca273p-19 + z * -0x1.ae60210233a95p-26) +
	    w * 0x1.5e118e8484eeep-33);

	return r.hi + (c * -0x1.5555555555555p-3 + (r.lo + z * (c * p - 0.5 * r.lo)));
}

static inline double
cosine(struct taf_two r)
{
	const double z = r.hi * r.hi, w = z * z, half = 0.5 * z;
	const double p = (0x1.5555555555555p-5 + z * -0x1.6c16c16c168ccp-10) +
	    w * ((0x1.a01a019f38afap-16 + z * -0x1.27e4fa036d38fp-22) +
	    w * (0x1.1eeb58509df39p-29 + z * -0x1.9073d444493acp-37));
	const struct taf_two s = taf_func_sum(1, -half);

	return s.hi + (s.lo + (w * p - r.hi * r.lo));
}

/* sin(r + k pi/2) */
static inline double
quarter(struct taf_two r, uint64_t k)
{
	const uint64_t odd = 0 - (k & 1);
	const double y = taf_func_choose(odd, cosine(r), sine(r));

	return taf_func_double(taf_func_bits(y) ^ (k & 2) << 62);
}

TAF_FAST_VOID(sin_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const struct angle t = turn(x[i]);
		const double s = quarter(t.r, t.k);

		/* which keeps the sign of -0 */
		y[i] = taf_func_choose(t.good, taf_func_choose(taf_func_mask(x[i] == 0), x[i], s),
		    TAF_FUNC_NAN);
	}
}

TAF_FAST_VOID(cos_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const struct angle t = turn(x[i]);

		y[i] = taf_func_choose(t.good, quarter(t.r, t.k + 1), TAF_FUNC_NAN);
	}
}

void
taf_func_sin(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, sin_loop, sin);
}

void
taf_func_cos(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, cos_loop, cos);
}
