/* SPDX-License-Identifier: ISC */
/*
 * RSF: how numbers are read.  text() finds digits and exponent in N bytes at most.  number() makes
 * a double of any digits and exponent.  exactly() and large() find the nearer of two doubles, by
 * numbers of many words.  Numbers of more than SHORT_DIGITS digits are not looked at.
 *
 * base/decimal.c: s/t->w << zeros/shifted(t->w, zeros)/
 * base/decimal.c: s/^	shift = taf_top_bit(p2)/	for (int k = -1280; k > low || low >= k + PART; k += PART) ;\n&/
 * base/decimal.c: s/^\(nearest\|compare_exactly\|cut_digits\|big_mul_add\|big_mul_pow5\|big_shift\)(/real_\1(/
 *
 * eva: -main text -eva-slevel 20000 -eva-min-loop-unroll 30 -eva-no-alloc-returns-null -eva-alloc-builtin fresh -eva-split-return full
 * eva: -main top -eva-slevel 200 -eva-min-loop-unroll 70 -eva-split-return full
 * eva: -main number -eva-slevel 20000 -eva-min-loop-unroll 200
 * eva: -main exactly -eva-slevel 20000 -eva-min-loop-unroll 100
 * eva: -main large -eva-slevel 20000 -eva-min-loop-unroll 100
 *
 * fault: base/decimal.c: s/if (p < end \&\& \*p == '.')/if (*p == '.')/
 * fault: base/decimal.c: s/bool minus = end - p > 1 \&\& /bool minus = /
 * fault: base/decimal.c: s/if ((size_t)(end - s) < n)/if ((size_t)(end - s) <= 1)/
 * fault: base/decimal.c: s/t->q < -22 || t->q > 22/t->q < -22 || t->q > 23/
 * fault: base/decimal.c: s/if (t->q > 308)/if (t->q > 340)/
 * fault: base/decimal.c: s/if (shift > 63)/if (shift > 66)/
 * fault: base/decimal.c: s/BIG_WORDS = 88/BIG_WORDS = 80/
 * fault: base/decimal.c: s/if (t->w == 0 || /if (/
 * fault: base/num.c: s/if (n == 0 || taf_scan/if (taf_scan/
 */
#include "prove.h"

#include "base/bits.h"

/* A loop, so that the prover tells the places apart. */
static int
top_bit(uint64_t x)
{
	int n = 63;

	/*@ assert x > 0; */
	while (n > 0 && x < UINT64_C(1) << n)
		n--;
	return n;
}

/* The prover knows low + shift, which depend on each other, up to this. */
enum { PART = 16 };

struct text;
struct format;
static uint64_t shifted(uint64_t, int);
static uint64_t nearest(const struct text *, const struct format *);
static int compare_exactly(const struct text *, uint64_t, int64_t);
static void cut_digits(struct text *);
struct big;
static void real_big_mul_add(struct big *, uint32_t, uint32_t);
static void big_mul_add(struct big *, uint32_t, uint32_t);
static void big_mul_pow5(struct big *, int64_t);
static void big_shift(struct big *, int64_t);

#undef __SIZEOF_INT128__
#define taf_top_bit top_bit
#include "base/decimal.c"
#undef taf_top_bit
#include "base/num.c"

enum { N = 8 };

/* The most words: of 19 digits or 64 bits; that powers of 5 add; that shifts add. */
enum { DIGITS = 3, POWER = 40, SHIFT = 45 };

static bool whole;	/* words have values, and not their number alone */

static void
big_mul_add(struct big *b, uint32_t factor, uint32_t more)
{
	if (whole) {
		real_big_mul_add(b, factor, more);
		return;
	}
	/*@ assert b->n < BIG_WORDS; */
	b->n += Frama_C_size_t_interval(0, 1);
}

static void
big_mul_pow5(struct big *b, int64_t k)
{
	/*@ assert 0 <= k <= 343; */
	/*@ assert b->n <= DIGITS; */
	b->n += Frama_C_size_t_interval(0, POWER);
}

static void
big_shift(struct big *b, int64_t bits)
{
	/*@ assert 0 <= bits <= 1433; */
	/*@ assert b->n <= DIGITS + POWER; */
	b->n += Frama_C_size_t_interval(0, SHIFT);
	/*@ assert b->n <= BIG_WORDS; */
}

static uint64_t
nearest(const struct text *t, const struct format *f)
{
	return Frama_C_unsigned_long_interval(0, f->inf);
}

static void
cut_digits(struct text *t)
{
	/*@ assert \false; */
}

/* w << zeros: top() proves that its highest bit is set. */
static uint64_t
shifted(uint64_t w, int zeros)
{
	return Frama_C_unsigned_long_interval(UINT64_C(1) << 63, UINT64_MAX);
}

static int
compare_exactly(const struct text *t, uint64_t m, int64_t e)
{
	/*@ assert -343 <= t->q <= 308; */
	/*@ assert -1075 - PART < e <= 1090; */
	return Frama_C_interval(-1, 1);
}

void
text(void)
{
	const size_t n = Frama_C_size_t_interval(0, N);
	char *s;
	double x;
	uint64_t u;
	int64_t i;

	//@ split n;
	s = malloc(n);
	Frama_C_make_unknown(s, n);
	(void)taf_parse_u64(s, n, &u);
	(void)taf_parse_i64(s, n, &i);
	if (taf_parse_f64(s, n, &x))
		u = taf_bits64(x);
}

/* What nearest() makes of any digits and exponent. */
void
number(void)
{
	struct text t = { 0 };

	t.w = Frama_C_unsigned_long_interval(0, UINT64_MAX);
	t.q = Frama_C_long_interval(INT64_MIN, INT64_MAX);
	t.cut = chance();
	(void)real_nearest(&t, &f64);
}

void
top(void)
{
	const uint64_t w = Frama_C_unsigned_long_interval(1, UINT64_MAX);
	const int zeros = 63 - top_bit(w);
	const uint64_t high = w << zeros;

	/*@ assert high >= 0x8000000000000000; */
}

/* Any number of n words. */
static struct big
words(size_t n)
{
	struct big b = { { 0 }, n };

	for (size_t i = 0; i < n; i++)
		b.word[i] = Frama_C_unsigned_int_interval(0, UINT32_MAX);
	return b;
}

/* The middle of two doubles is any that nearest() may ask about. */
void
exactly(void)
{
	static char digits[SHORT_DIGITS];
	struct text t = { 0 };
	const size_t n = Frama_C_size_t_interval(0, sizeof digits);

	whole = true;
	//@ split n;
	for (size_t i = 0; i < n; i++)
		digits[i] = (char)Frama_C_char_interval('0', '9');
	t.s = digits;
	t.end = digits + n;
	t.q_all = Frama_C_long_interval(-343, 308);
	(void)real_compare_exactly(&t, Frama_C_unsigned_long_interval(0, UINT64_MAX),
	    Frama_C_long_interval(-1075 - PART, 1090));
}

/* What exactly() is made of. */
void
large(void)
{
	const size_t n = Frama_C_size_t_interval(0, BIG_WORDS - 1);
	struct big b = words(BIG_WORDS - 1);

	//@ split n;
	b.n = n;
	real_big_mul_add(&b, Frama_C_unsigned_int_interval(0, UINT32_MAX),
	    Frama_C_unsigned_int_interval(0, UINT32_MAX));
	/*@ assert b.n <= n + 1; */
	b.n = 0;
	real_big_mul_pow5(&b, Frama_C_long_interval(0, 343));
	/*@ assert b.n <= POWER; */
	b.n = Frama_C_size_t_interval(0, DIGITS + POWER);
	real_big_shift(&b, Frama_C_long_interval(0, 1433));
}
