#include "config.h"

#include "kernel/func.h"
#include "kernel/func_trig.h"

/*
 * sin, cos, tan: x is k pi/2 + r, |r| <= pi/4, and r a sum of two doubles.  For k up to
 * 2^20 pi/2 is three parts, of which the products of the first two with k are exact.  Far
 * from 0, and where too much of x cancels, r comes from the bits of 2/pi.
 */
struct angle {
	struct taf_two r;
	double k;
};

/* r is NaN where it would not be exact enough. */
static TAF_INLINE struct angle
turn(double x)
{
	const double k = taf_func_round(x * 0x1.45f306dc9c883p-1);
	const struct taf_two s = taf_func_any_sum(x - k * 0x1.921fb544p+0,
	    k * -0x1.0b4611a6p-34);
	struct angle t;
	uint64_t good;

	t.r = taf_func_sum(s.hi, s.lo - k * 0x1.3198a2e037073p-69);
	t.k = k;
	good = taf_func_mask(taf_func_abs(x) < 0x1.8p20) &
	    (taf_func_mask(taf_func_abs(t.r.hi) > 0x1p-40) | taf_func_mask(k == 0));
	t.r.hi = taf_func_choose(good, t.r.hi, TAF_FUNC_NAN);
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

/* x / (pi/2), modulo 2^32: words of a fraction, the lowest first, and a whole one */
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
			const uint64_t p = i < 0 || i >= WORDS ? 0 :
			    per_half_pi[i] * part[j];

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
	t.k = (word[PLACES] & 3) + (flip & 1);
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
		t.k = -t.k;
	return t;
}

struct rows {
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];
};

/* A number whose last bits are those of k. */
static TAF_INLINE uint64_t
whole(double k)
{
	return taf_func_bits(k + TAF_FUNC_WHOLE);
}

/* sin (r + (k + more) pi/2) */
static TAF_INLINE void
sin_rows(double *restrict y, const struct rows *t, double more, size_t n)
{
	TAF_FUNC_ROWS other[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++)
		other[i] = taf_func_cosine((struct taf_two){ t->hi[i], t->lo[i] }).hi;
	for (size_t i = 0; i < n; i++) {
		const double s = taf_func_sine((struct taf_two){ t->hi[i], t->lo[i] }).hi;
		const uint64_t k = whole(t->k[i] + more);

		y[i] = taf_func_double((k & 2) << 62 ^
		    taf_func_bits(taf_func_choose(0 - (k & 1), other[i], s)));
	}
}

/* tan (r + k pi/2) is sin r / cos r or -cos r / sin r */
static TAF_INLINE void
tan_rows(double *restrict y, const struct rows *t, size_t n)
{
	TAF_FUNC_ROWS up[TAF_FUNC_BLOCK], low[TAF_FUNC_BLOCK], down[TAF_FUNC_BLOCK],
	    rest[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const struct taf_two r = { t->hi[i], t->lo[i] }, s = taf_func_sine(r);

		up[i] = s.hi;
		low[i] = s.lo;
	}
	for (size_t i = 0; i < n; i++) {
		const struct taf_two r = { t->hi[i], t->lo[i] }, c = taf_func_cosine(r);
		const uint64_t odd = 0 - (whole(t->k[i]) & 1);

		down[i] = taf_func_choose(odd, up[i], c.hi);
		rest[i] = taf_func_choose(odd, low[i], c.lo);
		up[i] = taf_func_choose(odd, c.hi, up[i]);
		low[i] = taf_func_choose(odd, c.lo, low[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const struct taf_two q = taf_func_quotient(
		    (struct taf_two){ up[i], low[i] },
		    (struct taf_two){ down[i], rest[i] });

		y[i] = taf_func_double(whole(t->k[i]) << 63 ^ taf_func_bits(q.hi + q.lo));
	}
}

static TAF_INLINE void
turn_rows(struct rows *t, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct angle a = turn(x[i]);

		t->k[i] = a.k;
		t->hi[i] = a.r.hi;
		t->lo[i] = a.r.lo;
	}
}

/* -0 has lost its sign */
static TAF_INLINE void
keep_zeros(double *restrict y, const double *restrict x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = taf_func_choose(taf_func_mask(x[i] == 0), x[i], y[i]);
}

TAF_FUNC_LOOP(sin_loop)
{
	struct rows t;

	turn_rows(&t, x, n);
	sin_rows(y, &t, 0, n);
	keep_zeros(y, x, n);
}

TAF_FUNC_LOOP(cos_loop)
{
	struct rows t;

	turn_rows(&t, x, n);
	sin_rows(y, &t, 1, n);
}

TAF_FUNC_LOOP(tan_loop)
{
	struct rows t;

	turn_rows(&t, x, n);
	tan_rows(y, &t, n);
	keep_zeros(y, x, n);
}

static struct rows
turn_one(double x)
{
	const struct angle a = turn_exactly(x);
	struct rows t;

	t.k[0] = a.k;
	t.hi[0] = a.r.hi;
	t.lo[0] = a.r.lo;
	return t;
}

static double
sin_rest(double x)
{
	double y = TAF_FUNC_NAN;

	if (taf_func_abs(x) != TAF_FUNC_INF) {
		const struct rows t = turn_one(x);

		sin_rows(&y, &t, 0, 1);
	}
	return y;
}

static double
cos_rest(double x)
{
	double y = TAF_FUNC_NAN;

	if (taf_func_abs(x) != TAF_FUNC_INF) {
		const struct rows t = turn_one(x);

		sin_rows(&y, &t, 1, 1);
	}
	return y;
}

static double
tan_rest(double x)
{
	double y = TAF_FUNC_NAN;

	if (taf_func_abs(x) != TAF_FUNC_INF) {
		const struct rows t = turn_one(x);

		tan_rows(&y, &t, 1);
	}
	return y;
}

#define TRIG(name) \
void \
taf_func_##name(double *y, const double *x, size_t n) \
{ \
	taf_func_blocks(y, x, n, name##_loop, name##_rest); \
}

TRIG(sin)
TRIG(cos)
TRIG(tan)
