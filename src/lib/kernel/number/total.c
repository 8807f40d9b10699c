/* SPDX-License-Identifier: ISC */
#include "base/bits.h"
#include "kernel/number/total.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * Bits: 63 for the number and the sign, and those from the lowest to the highest value.
 */
const struct taf_total taf_total_int = { 0, 2 };
const struct taf_total taf_total_int_squares = { 0, 3 };
const struct taf_total taf_total_flt32 = { -149, 6 };
const struct taf_total taf_total_flt32_squares = { -298, 10 };
const struct taf_total taf_total_flt64 = { -1074, 34 };
const struct taf_total taf_total_flt64_squares = { -2148, 67 };

enum { LIMBS = 2 * TAF_TOTAL_WORDS };	/* of 32 bits: n times squares, a sum squared */

/* A number of at least 0: two times 2^e, where two is below 2^160. */
struct scaled {
	struct taf_two two;
	int e;
};

void
taf_total_add(uint64_t *w, struct taf_total f, int64_t k, int e)
{
	const uint64_t sign = k < 0 ? UINT64_MAX : 0;
	unsigned at, shift, i;
	uint64_t high, carry;

	if (e < f.low) {
		/* what is shifted out is 0 */
		k = f.low - e > 62 ? 0 : k / ((int64_t)1 << (f.low - e));
		e = f.low;
	}
	if (k == 0)
		return;
	at = (unsigned)(e - f.low);
	i = at / 64;
	shift = at % 64;
	high = shift > 0 ? (uint64_t)k >> (64 - shift) | sign << shift : sign;
	w[i] += (uint64_t)k << shift;
	carry = w[i] < (uint64_t)k << shift;
	/*
	 * their sum is 0 where there is nothing to add, and where a borrow meets a carry
	 */
	for (i++; i < f.words && high + carry != 0; i++) {
		const uint64_t before = w[i];

		w[i] += high + carry;
		carry = w[i] < before;
		high = sign;
	}
}

/* x as k 2^e. */
static int64_t
apart(double x, int *e)
{
	const uint64_t fraction = (UINT64_C(1) << 52) - 1;
	const uint64_t u = taf_bits64(x);
	int64_t k;

	*e = (int)(u >> 52 & 0x7ff);
	k = (int64_t)(u & fraction);
	if (*e > 0)
		k |= (int64_t)1 << 52;
	else
		*e = 1;
	*e -= 1075;
	return u >> 63 != 0 ? -k : k;
}

void
taf_total_add_f64(uint64_t *w, struct taf_total f, double x)
{
	int e;
	const int64_t k = apart(x, &e);

	taf_total_add(w, f, k, e);
}

void
taf_total_add_square(uint64_t *w, struct taf_total f, double x)
{
	int e, zeros = 0;
	int64_t k = apart(x, &e), high, low;

	if (k == 0)
		return;
	k = k < 0 ? -k : k;
	/* odd, so that no part of the square is below the unit */
	for (; (k & 1) == 0; k >>= 1)
		zeros++;
	e = 2 * (e + zeros);
	high = k >> 27;
	low = k & ((1 << 27) - 1);
	taf_total_add(w, f, low * low, e);
	taf_total_add(w, f, high * low, e + 28);
	taf_total_add(w, f, high * high, e + 54);
}

void
taf_total_join(uint64_t *w, const uint64_t *more, unsigned words)
{
	uint64_t carry = 0;
	unsigned i;

	for (i = 0; i < words; i++) {
		const uint64_t x = more[i] + carry;

		carry = x < carry;
		w[i] += x;
		carry += w[i] < x;
	}
}

/*
 * Limbs of a number that is not negative: those from low up to high.  The first and the
 * last of them are not 0; all others are 0, and have no place.
 */
struct number {
	unsigned low, high;
	uint32_t limb[LIMBS];
};

static uint32_t
limb_at(const struct number *x, unsigned i)
{
	return i >= x->low && i < x->high ? x->limb[i] : 0;
}

static void
trim(struct number *x)
{
	while (x->high > x->low && x->limb[x->high - 1] == 0)
		x->high--;
	while (x->low < x->high && x->limb[x->low] == 0)
		x->low++;
}

/* The magnitude of a total; is it negative? */
static bool
magnitude(const uint64_t *w, unsigned words, struct number *x)
{
	const uint64_t sign = w[words - 1] >> 63 != 0 ? UINT64_MAX : 0;
	unsigned low = 0, high = words, i;
	uint64_t carry;

	while (high > 0 && w[high - 1] == sign)
		high--;
	while (low < high && w[low] == 0)
		low++;
	/* -1 times a power of two has a word more than these */
	high += sign != 0 && low == high;
	carry = sign & 1;
	for (i = low; i < high; i++) {
		const uint64_t u = (w[i] ^ sign) + carry;

		carry = carry != 0 && u == 0;
		x->limb[2 * i] = (uint32_t)u;
		x->limb[2 * i + 1] = (uint32_t)(u >> 32);
	}
	x->low = 2 * low;
	x->high = 2 * high;
	trim(x);
	return sign != 0;
}

static struct scaled
scaled(const struct number *x, int low)
{
	struct scaled s = { { 0, 0 }, low };
	const unsigned n = x->high;
	unsigned top, k;

	/* more bits than two doubles have, whatever zeros are in front */
	top = n > x->low + 5 ? n - 5 : x->low;
	for (k = n; k > top; k--) {
		s.two.hi *= 0x1p32;
		s.two.lo *= 0x1p32;
		taf_two_add(&s.two, (double)x->limb[k - 1]);
	}
	s.e += 32 * (int)top;
	return s;
}

static double
value(struct scaled s)
{
	return ldexp(s.two.hi + s.two.lo, s.e);
}

static double
root(struct scaled s)
{
	if (s.e % 2 != 0) {
		s.two.hi *= 2;
		s.two.lo *= 2;
		s.e--;
	}
	return ldexp(sqrt(s.two.hi + s.two.lo), s.e / 2);
}

double
taf_total_f64(const uint64_t *w, struct taf_total f)
{
	struct number x;
	const bool negative = magnitude(w, f.words, &x);
	const unsigned n = x.high;
	unsigned zeros = 0, k;
	uint32_t rest;
	uint64_t top;
	double y;

	if (n == x.low)
		return 0;
	while (x.limb[n - 1] << zeros >> 31 == 0)
		zeros++;
	/* the highest 64 bits, the last of them set where any is below */
	rest = limb_at(&x, n - 3);
	top = ((uint64_t)x.limb[n - 1] << 32 | limb_at(&x, n - 2)) << zeros;
	if (zeros > 0)
		top |= rest >> (32 - zeros);
	rest <<= zeros;
	for (k = x.low; k + 3 < n; k++)
		rest |= x.limb[k];
	y = ldexp((double)(top | (rest != 0)), f.low + 32 * ((int)n - 2) - (int)zeros);
	return negative ? -y : y;
}

void
taf_total_two(const uint64_t *w, struct taf_total f, struct taf_two *two)
{
	struct number x;
	const bool negative = magnitude(w, f.words, &x);
	const struct scaled s = scaled(&x, f.low);

	two->hi = ldexp(negative ? -s.two.hi : s.two.hi, s.e);
	two->lo = ldexp(negative ? -s.two.lo : s.two.lo, s.e);
}

static struct scaled
divided(struct scaled s, uint64_t n)
{
	s.two = taf_two_divide(s.two, (double)n);
	return s;
}

double
taf_total_mean(const uint64_t *w, struct taf_total f, uint64_t n)
{
	struct number x;
	const bool negative = magnitude(w, f.words, &x);
	const double y = value(divided(scaled(&x, f.low), n));

	return negative ? -y : y;
}

double
taf_total_rms(const uint64_t *squares, struct taf_total f, uint64_t n)
{
	struct number x;

	(void)magnitude(squares, f.words, &x);
	return root(divided(scaled(&x, f.low), n));
}

static void
multiply(struct number *to, const struct number *a, const struct number *b)
{
	unsigned i, j;

	to->low = a->low + b->low;
	to->high = a->high + b->high;
	memset(to->limb + to->low, 0, (to->high - to->low) * sizeof *to->limb);
	for (i = a->low; i < a->high; i++) {
		uint64_t t = 0;

		for (j = b->low; j < b->high; j++) {
			t += to->limb[i + j] + (uint64_t)a->limb[i] * b->limb[j];
			to->limb[i + j] = (uint32_t)t;
			t >>= 32;
		}
		to->limb[i + j] = (uint32_t)t;
	}
	trim(to);
}

/* a - b, which is not negative. */
static void
subtract(struct number *a, const struct number *b)
{
	uint64_t t = 0;
	unsigned k;

	if (b->low == b->high)
		return;
	while (a->low > b->low)
		a->limb[--a->low] = 0;
	for (k = b->low; k < a->high; k++) {
		t = (uint64_t)a->limb[k] - limb_at(b, k) - t;
		a->limb[k] = (uint32_t)t;
		t >>= 63;
	}
	trim(a);
}

/* n times the squares less the sums squared, by n (n - less). */
static struct scaled
variance(const struct taf_total_pair *t, uint64_t n, uint64_t less)
{
	struct number x, count, all, one;

	(void)magnitude(&n, 1, &count);
	(void)magnitude(t->squares, t->of_squares.words, &x);
	multiply(&all, &count, &x);
	(void)magnitude(t->sum, t->of_sum.words, &x);
	multiply(&one, &x, &x);
	subtract(&all, &one);
	if (t->other != NULL) {
		(void)magnitude(t->other, t->of_sum.words, &x);
		multiply(&one, &x, &x);
		subtract(&all, &one);
	}
	return divided(divided(scaled(&all, t->of_squares.low), n), n - less);
}

double
taf_total_var(const struct taf_total_pair *t, uint64_t n, uint64_t less)
{
	return value(variance(t, n, less));
}

double
taf_total_std(const struct taf_total_pair *t, uint64_t n, uint64_t less)
{
	return root(variance(t, n, less));
}
