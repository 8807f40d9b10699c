#include "config.h"

#include "kernel/fast.h"
#include "kernel/func.h"
#include "kernel/func_block.h"

/*
 * sin, cos, tan: x is k pi/2 + r, |r| <= pi/4, and r a sum of two doubles.  For k up to
 * 2^20 pi/2 is three parts, of which the products of the first two with k are exact.  Far
 * from 0, and where too much of x cancels, r comes from the bits of 2/pi.
 */
static const double far = 0x1.8p20, near = 0x1p-40;

struct angle {
	struct taf_two r;
	uint64_t k;		/* in the last two bits */
	uint64_t good;		/* a mask: r is as exact as needed */
};

static inline struct angle
turn(double x)
{
	const double whole = x * 0x1.45f306dc9c883p-1 + TAF_FUNC_WHOLE;
	const double k = whole - TAF_FUNC_WHOLE;
	const struct taf_two s = taf_func_any_sum(x - k * 0x1.921fb544p+0,
	    k * -0x1.0b4611a6p-34);
	struct angle t;

	t.r = taf_func_sum(s.hi, s.lo - k * 0x1.3198a2e037073p-69);
	t.k = taf_func_bits(whole);
	t.good = taf_func_mask(taf_func_abs(x) < far) &
	    (taf_func_mask(taf_func_abs(t.r.hi) > near) | taf_func_mask(k == 0));
	return t;
}

/* 2/pi, 32 bits in each */
static const uint32_t per_half_pi[] = {
	0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
	0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu,
	0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u,
	0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu,
	0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
	0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u,
	0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du
};

enum {
	WORDS = sizeof per_half_pi / sizeof per_half_pi[0],
	PLACES = 8	/* words of the fraction that are computed */
};

/* x / (pi/2) as a fraction in units of 2^-32 PLACES, lowest word first; the last is whole */
static void
turns(double x, uint32_t word[PLACES + 1])
{
	const uint64_t bits = taf_func_bits(x);
	const int exponent = (int)(bits >> 52 & 0x7ff) - 1075 + 64, shift = exponent % 32;
	/* x is m 2^(32 at) */
	const int at = exponent / 32 - 2;
	const uint64_t m = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
	const uint64_t low = (m & 0xffffffffu) << shift;
	const uint64_t high = ((m >> 32) << shift) + (low >> 32);
	const uint64_t part[3] = { low & 0xffffffffu, high & 0xffffffffu, high >> 32 };
	uint64_t carry = 0;

	for (int place = 0; place <= PLACES; place++) {
		uint64_t sum = carry;

		carry = 0;
		for (int j = 0; j < 3; j++) {
			const int i = at - 1 + j + PLACES - place;
			const uint64_t p = i < 0 || i >= WORDS ? 0 : per_half_pi[i] * part[j];

			sum += p & 0xffffffffu;
			carry += p >> 32;
		}
		carry += sum >> 32;
		word[place] = (uint32_t)sum;
	}
}

/* The same as turn for any finite x that is not small. */
static struct angle
turn_exactly(double x)
{
	uint32_t word[PLACES + 1], flip;
	struct taf_two f = { 0, 0 };
	struct angle t;

	turns(x, word);
	/* from half on it is what is missing to the next */
	flip = word[PLACES - 1] >> 31 ? 0xffffffffu : 0;
	t.k = (uint64_t)word[PLACES] + (flip & 1);
	for (int i = PLACES - 1; i >= 0; i--)
		taf_two_add(&f, (word[i] ^ flip) * taf_func_power(32 * (i - PLACES)));
	t.r = taf_func_product(f.hi, 0x1.921fb54442d18p+0);
	t.r.lo += f.hi * 0x1.1a62633145c07p-54 + f.lo * 0x1.921fb54442d18p+0;
	t.r = taf_func_sum(t.r.hi, t.r.lo);
	if ((flip != 0) != (x < 0)) {
		t.r.hi = -t.r.hi;
		t.r.lo = -t.r.lo;
	}
	if (x < 0)
		t.k = 0 - t.k;
	return t;
}

/* of r: a sum of two */
static inline struct taf_two
sine(struct taf_two r)
{
	const double z = r.hi * r.hi, w = z * z, c = r.hi * z;
	const double p = (0x1.111111111101ep-7 + z * -0x1.a01a019fe885fp-13) +
	    w * ((0x1.71de3a1036a14p-19 + z * -0x1.ae63f7fe3e11fp-26) +
	    w * (0x1.60e5cb144f38dp-33 + z * -0x1.8d5121e46429ap-41));

	return taf_func_sum(r.hi,
	    c * -0x1.5555555555555p-3 + (r.lo + z * (c * p - 0.5 * r.lo)));
}

static inline struct taf_two
cosine(struct taf_two r)
{
	const double z = r.hi * r.hi, w = z * z;
	const double p = (0x1.5555555555555p-5 + z * -0x1.6c16c16c168ccp-10) +
	    w * ((0x1.a01a019f38afap-16 + z * -0x1.27e4fa036d38fp-22) +
	    w * (0x1.1eeb58509df39p-29 + z * -0x1.9073d444493acp-37));
	const struct taf_two s = taf_func_sum(1, -0.5 * z);

	return taf_func_sum(s.hi, s.lo + (w * p - r.hi * r.lo));
}

/* All bits where k is odd. */
static inline uint64_t
odd(uint64_t k)
{
	return 0 - (k & 1);
}

static inline double
sin_of(struct angle t)
{
	const double y = taf_func_choose(odd(t.k), cosine(t.r).hi, sine(t.r).hi);

	return taf_func_double(taf_func_bits(y) ^ (t.k & 2) << 62);
}

static inline double
cos_of(struct angle t)
{
	t.k++;
	return sin_of(t);
}

static inline double
tan_of(struct angle t)
{
	const struct taf_two s = sine(t.r), c = cosine(t.r);
	struct taf_two a, b;
	double y;

	a.hi = taf_func_choose(odd(t.k), c.hi, s.hi);
	a.lo = taf_func_choose(odd(t.k), c.lo, s.lo);
	b.hi = taf_func_choose(odd(t.k), s.hi, c.hi);
	b.lo = taf_func_choose(odd(t.k), s.lo, c.lo);
	y = taf_func_quotient(a, b).hi;
	return taf_func_double(taf_func_bits(y) ^ (t.k & 1) << 63);
}

/* zero is what f(-0) and f(0) are: the loops lose the sign of -0 */
#define TRIG(name, zero) \
TAF_FAST_VOID(name##_loop, \
    (double *restrict y, const double *restrict x, size_t n), (y, x, n)) \
{ \
	for (size_t i = 0; i < n; i++) { \
		const struct angle t = turn(x[i]); \
\
		y[i] = taf_func_choose(t.good, taf_func_choose(taf_func_mask(x[i] == 0), \
		    zero, name##_of(t)), TAF_FUNC_NAN); \
	} \
} \
\
static double \
name##_rest(double x) \
{ \
	return taf_func_abs(x) == TAF_FUNC_INF ? TAF_FUNC_NAN : name##_of(turn_exactly(x)); \
} \
\
void \
taf_func_##name(double *y, const double *x, size_t n) \
{ \
	taf_func_blocks(y, x, n, name##_loop, name##_rest); \
}

TRIG(sin, x[i])
TRIG(cos, 1)
TRIG(tan, x[i])
