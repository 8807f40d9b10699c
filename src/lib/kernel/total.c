#include "kernel/total.h"

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
	 * their sum is 0 where there is nothing to add, and where a borrow meets a
	 * carry
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
	uint64_t u;
	int64_t k;

	memcpy(&u, &x, sizeof u);
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

/* The magnitude of a total as limbs; is it negative? */
static bool
magnitude(const uint64_t *w, unsigned words, uint32_t *limb)
{
	const bool negative = w[words - 1] >> 63 != 0;
	uint64_t carry = negative;
	unsigned i;

	for (i = 0; i < words; i++) {
		uint64_t x = w[i];

		if (negative) {
			x = ~x + carry;
			carry = carry != 0 && x == 0;
		}
		limb[2 * i] = (uint32_t)x;
		limb[2 * i + 1] = (uint32_t)(x >> 32);
	}
	return negative;
}

/* Limbs up to the highest that is not 0. */
static unsigned
used(const uint32_t *limb, unsigned n)
{
	while (n > 0 && limb[n - 1] == 0)
		n--;
	return n;
}

static struct scaled
scaled(const uint32_t *limb, unsigned n, int low)
{
	struct scaled s = { { 0, 0 }, low };
	unsigned top, k;

	n = used(limb, n);
	/* more bits than two doubles have, whatever zeros are in front */
	for (top = n; top > 0 && top + 5 > n; top--)
		continue;
	for (k = n; k > top; k--) {
		s.two.hi *= 0x1p32;
		s.two.lo *= 0x1p32;
		taf_two_add(&s.two, (double)limb[k - 1]);
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
	uint32_t limb[LIMBS + 2] = { 0 }, *l = limb + 2, rest;
	const bool negative = magnitude(w, f.words, l);
	const unsigned n = used(l, 2 * f.words);
	unsigned zeros = 0, k;
	uint64_t top;
	double x;

	if (n == 0)
		return 0;
	while (l[n - 1] << zeros >> 31 == 0)
		zeros++;
	/* the highest 64 bits, the last of them set where any is below */
	rest = (l + n - 1)[-2];
	top = ((uint64_t)l[n - 1] << 32 | (l + n - 1)[-1]) << zeros;
	if (zeros > 0)
		top |= rest >> (32 - zeros);
	rest <<= zeros;
	for (k = 0; k + 3 < n; k++)
		rest |= l[k];
	x = ldexp((double)(top | (rest != 0)), f.low + 32 * ((int)n - 2) - (int)zeros);
	return negative ? -x : x;
}

void
taf_total_two(const uint64_t *w, struct taf_total f, struct taf_two *two)
{
	uint32_t limb[LIMBS] = { 0 };
	const bool negative = magnitude(w, f.words, limb);
	const struct scaled s = scaled(limb, 2 * f.words, f.low);

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
	uint32_t limb[LIMBS] = { 0 };
	const bool negative = magnitude(w, f.words, limb);
	const double x = value(divided(scaled(limb, 2 * f.words, f.low), n));

	return negative ? -x : x;
}

double
taf_total_rms(const uint64_t *squares, struct taf_total f, uint64_t n)
{
	uint32_t limb[LIMBS] = { 0 };

	(void)magnitude(squares, f.words, limb);
	return root(divided(scaled(limb, 2 * f.words, f.low), n));
}

/* Limbs that are not 0, but for some among them: from limb low to limb high. */
struct number {
	uint32_t *limb;
	unsigned low, high;
};

static struct number
trimmed(uint32_t *limb, unsigned n)
{
	struct number x = { limb, 0, used(limb, n) };

	while (x.low < x.high && limb[x.low] == 0)
		x.low++;
	return x;
}

/* to, of zeros, becomes a b. */
static void
multiply(uint32_t *to, const struct number *a, const struct number *b)
{
	unsigned i, j;

	for (i = a->low; i < a->high; i++) {
		uint64_t t = 0;

		for (j = b->low; j < b->high; j++) {
			t += to[i + j] + (uint64_t)a->limb[i] * b->limb[j];
			to[i + j] = (uint32_t)t;
			t >>= 32;
		}
		to[i + j] = (uint32_t)t;
	}
}

static void
subtract(uint32_t *a, const uint32_t *b, unsigned n)
{
	uint64_t t = 0;
	unsigned k;

	for (k = 0; k < n; k++) {
		t = (uint64_t)a[k] - b[k] - t;
		a[k] = (uint32_t)t;
		t >>= 63;
	}
}

/* n times the squares less the sum squared, by n (n - less). */
static struct scaled
variance(const struct taf_total_pair *t, uint64_t n, uint64_t less)
{
	const unsigned size = 2 * t->of_squares.words + 4;
	uint32_t limb[LIMBS] = { 0 }, all[LIMBS], one[LIMBS];
	uint32_t words[2] = { (uint32_t)n, (uint32_t)(n >> 32) };
	const struct number number = { words, 0, 2 };
	struct number x;

	memset(all, 0, size * sizeof *all);
	memset(one, 0, size * sizeof *one);
	(void)magnitude(t->squares, t->of_squares.words, limb);
	x = trimmed(limb, 2 * t->of_squares.words);
	multiply(all, &number, &x);
	(void)magnitude(t->sum, t->of_sum.words, limb);
	x = trimmed(limb, 2 * t->of_sum.words);
	multiply(one, &x, &x);
	subtract(all, one, size);
	return divided(divided(scaled(all, size, t->of_squares.low), n), n - less);
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
