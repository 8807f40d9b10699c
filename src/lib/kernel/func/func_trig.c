/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/func/func.h"
#include "kernel/func/func_trig.h"

/*
 * sin, cos, tan: x is k pi/2 + r, |r| <= pi/4, and r a sum of two doubles.  For k up to
 * 2^31 pi/2 is four parts, of which the products of the first three with k are exact, and
 * what is left out is below 2^-88.  Far from 0, and where too much of x cancels, r comes
 * from the bits of 2/pi.
 */
struct angle {
	struct taf_two r;
	double k;
};

/* r is NaN where it would not be exact enough. */
static TAF_INLINE struct angle
reduced(double x)
{
	const double k = taf_func_round(x * TAF_FUNC_TWO_BY_PI);
	const struct taf_two first = taf_func_any_sum(x - k * TAF_FUNC_HALF_PI_1,
	    k * -TAF_FUNC_HALF_PI_2);
	const struct taf_two s = taf_func_any_sum(first.hi, k * -TAF_FUNC_HALF_PI_3);
	struct angle t;
	uint64_t good;

	t.r = taf_func_sum(s.hi, first.lo + (s.lo - k * TAF_FUNC_HALF_PI_4));
	t.k = k;
	good = taf_func_mask(taf_func_abs(x) < 0x1p31) &
	    (taf_func_mask(taf_func_abs(t.r.hi) > 0x1p-24) | taf_func_mask(k == 0));
	t.r.hi = taf_func_choose(good, t.r.hi, TAF_FUNC_NAN);
	return t;
}

#define RADIX 0x1p26

enum {
	FAR = 64,	/* what far_rows takes at once stays in the first cache */
	PLACES = 8,	/* digits of the fraction that are computed */
	DIGITS = PLACES + 3
};

struct rows {
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];
};

/* The same as near_rows for finite x that are not small, as many as FAR. */
static TAF_INLINE void
far_rows(struct rows *t, const double *x, size_t n)
{
	TAF_FUNC_ROWS part[3][FAR], digit[DIGITS][FAR], f[PLACES + 1][FAR];
	double carry[FAR] = { 0 };
	uint64_t at[FAR];

	/* x is the sum of part[j] 2^(26 (j + at - 2)), and at its exponent / 26, cut */
	for (size_t i = 0; i < n; i++) {
		const uint64_t exponent = taf_bits64(x[i]) >> 52 & 0x7ff;
		const double e = taf_of_bits64(exponent | taf_bits64(0x1p52)) -
		    (0x1p52 + 1023);
		/* between the fractions 25/26 and 0 */
		const double a = taf_func_round(e * (1 / 26.0) - 0.48);
		const double y = x[i] * taf_func_power(52 - 26 * a);
		const double high = taf_func_round(y * (1 / (RADIX * RADIX)));
		const double rest = y - high * (RADIX * RADIX);

		part[2][i] = high;
		part[1][i] = taf_func_round(rest * (1 / RADIX));
		part[0][i] = rest - part[1][i] * RADIX;
		at[i] = taf_bits64(a + 0x1p52) & 0x3f;
	}
	for (size_t j = 0; j < DIGITS; j++)
		for (size_t i = 0; i < n; i++)
			digit[j][i] = taf_func_two_by_pi[at[i] + j];
	/* the digits of x 2/pi, from the last on; multiples of 4 do not count */
	for (size_t j = PLACES + 1; j-- > 0;)
		for (size_t i = 0; i < n; i++) {
			const double sum = part[0][i] * digit[j][i] +
			    part[1][i] * digit[j + 1][i] +
			    part[2][i] * digit[j + 2][i] + carry[i];

			carry[i] = taf_func_round(sum * (1 / RADIX));
			f[j][i] = sum - carry[i] * RADIX;
		}
	for (size_t i = 0; i < n; i++) {
		/* two digits fit a double; the first two say which number is nearest */
		const double first = f[1][i] * RADIX + f[2][i];
		const double k = taf_func_round(first * 0x1p-52);
		const struct taf_two of = taf_func_sum((first - k * 0x1p52) * 0x1p-52,
		    (f[3][i] * RADIX + f[4][i]) * 0x1p-104);
		const double low = of.lo + (f[5][i] * RADIX + f[6][i]) * 0x1p-156 +
		    f[7][i] * 0x1p-182;
		struct taf_two r = taf_func_product(of.hi, TAF_FUNC_HALF_PI_HI);

		r.lo += of.hi * TAF_FUNC_HALF_PI_LO + low * TAF_FUNC_HALF_PI_HI;
		r = taf_func_sum(r.hi, r.lo);
		t->k[i] = f[0][i] + k;
		t->hi[i] = r.hi;
		t->lo[i] = r.lo;
	}
}

/* A number whose last bits are those of k. */
static TAF_INLINE uint64_t
whole(double k)
{
	return taf_bits64(k + TAF_FUNC_WHOLE);
}

/* sin (r + (k + more) pi/2) */
static TAF_INLINE void
sine_rows(double *restrict y, const struct rows *t, double more, size_t n)
{
	TAF_FUNC_ROWS other[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++)
		other[i] = taf_func_cosine((struct taf_two){ t->hi[i], t->lo[i] }).hi;
	for (size_t i = 0; i < n; i++) {
		const double s = taf_func_sine((struct taf_two){ t->hi[i], t->lo[i] }).hi;
		const uint64_t k = whole(t->k[i] + more);

		y[i] = taf_of_bits64((k & 2) << 62 ^
		    taf_bits64(taf_func_choose(0 - (k & 1), other[i], s)));
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

		y[i] = taf_of_bits64(whole(t->k[i]) << 63 ^ taf_bits64(q.hi + q.lo));
	}
}

static TAF_INLINE void
sin_rows(double *restrict y, const struct rows *t, size_t n)
{
	sine_rows(y, t, 0, n);
}

static TAF_INLINE void
cos_rows(double *restrict y, const struct rows *t, size_t n)
{
	sine_rows(y, t, 1, n);
}

static TAF_INLINE void
near_rows(struct rows *t, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct angle a = reduced(x[i]);

		t->k[i] = a.k;
		t->hi[i] = a.r.hi;
		t->lo[i] = a.r.lo;
	}
}

/* The arguments that are far from 0, or near a multiple of pi/2, together. */
static void
compute_far(double *restrict y, const double *restrict x, size_t n, taf_func_loop *far)
{
	double arg[FAR], result[FAR];
	size_t at[FAR], m;

	for (size_t i = 0; i < n;) {
		for (m = 0; i < n && m < FAR; i++) {
			arg[m] = x[i];
			at[m] = i;
			m += (y[i] != y[i]) & (taf_func_abs(x[i]) < TAF_FUNC_INF);
		}
		if (m > 0)
			far(result, arg, m);
		while (m-- > 0)
			y[at[m]] = result[m];
	}
}

/* A result of 0 has lost the sign that it has in odd functions. */
#define TRIG(name, is_odd) \
TAF_FUNC_LOOP(name##_near) \
{ \
	struct rows t; \
\
	near_rows(&t, x, n); \
	name##_rows(y, &t, n); \
	for (size_t i = 0; is_odd && i < n; i++) \
		y[i] = taf_func_choose(taf_func_mask(x[i] == 0), x[i], y[i]); \
} \
\
TAF_FUNC_LOOP(name##_far) \
{ \
	struct rows t; \
\
	far_rows(&t, x, n); \
	name##_rows(y, &t, n); \
} \
\
static void \
name##_loop(double *y, const double *x, size_t n) \
{ \
	name##_near(y, x, n); \
	if (taf_func_count_nan(y, n) > 0) \
		compute_far(y, x, n, name##_far); \
} \
\
TAF_FUNC(name, NULL)

TRIG(sin, 1)
TRIG(cos, 0)
TRIG(tan, 1)
