/* SPDX-License-Identifier: ISC */
#include "base/decimal.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/attr.h"
#include "base/bits.h"
#include "base/endian.h"

enum {
	POW10_MIN = -352,	/* the least power of ten in the table */
	FLOAT_MIN = -31,	/* and in that for floats */
	SHORT_DIGITS = 19,	/* so many fit 64 bits, whatever they are */
	LEAST_PLAIN = -5,	/* below 10^this, they have an exponent */
	LONG_DIGITS = 768,	/* the middle of two doubles has at most 767 */
	BIG_WORDS = 88		/* of 32 bits; for the reason see compare_exactly() */
};

static const uint64_t ascii_zeros = 0x3030303030303030;
static const uint64_t ten_to_8 = 100000000;
static const uint64_t ten_to_16 = 10000000000000000;

/* The first 128 bits of 10^(16 i + POW10_MIN). */
static const uint64_t coarse[][2] = {
	{ 0xcd42a11346f34f7d, 0x0092757bf2623727 },
	{ 0xe3e27a444d8d98b7, 0xfd1b1b2308169b25 },
	{ 0xfd00b897478238d0, 0x8920b098955522b4 },
	{ 0x8c71dcd9ba0b4925, 0x9ff0c08b7f1d0b14 },
	{ 0x9becce62836ac577, 0x4ee367f9430aec32 },
	{ 0xad1c8eab5ee43b66, 0xda3243650005eecf },
	{ 0xc0314325637a1939, 0xfa911155fefb5308 },
	{ 0xd5605fcdcf32e1d6, 0xfb1e4a9a90880a64 },
	{ 0xece53cec4a314ebd, 0xa4f8bf5635246428 },
	{ 0x8380dea93da4bc60, 0x4247cb9e59f71e6d },
	{ 0x91ff83775423cc06, 0x7b6306a34627ddcf },
	{ 0xa21727db38cb002f, 0xb8ada00e5a506a7c },
	{ 0xb3f4e093db73a093, 0x59ed216765690f56 },
	{ 0xc7caba6e7c5382c8, 0xfe64a52ee96b8fc0 },
	{ 0xddd0467c64bce4a0, 0xac7cb3f6d05ddbde },
	{ 0xf64335bcf065d37d, 0x4d4617b5ff4a16d5 },
	{ 0x88b402f7fd75539b, 0x11dbcb0218ebb414 },
	{ 0x97c560ba6b0919a5, 0xdccd879fc967d41a },
	{ 0xa87fea27a539e9a5, 0x3f2398d747b36224 },
	{ 0xbb127c53b17ec159, 0x5560c018580d5d52 },
	{ 0xcfb11ead453994ba, 0x67de18eda5814af2 },
	{ 0xe69594bec44de15b, 0x4c2ebe687989a9b3 },
	{ 0x8000000000000000, 0x0000000000000000 },
	{ 0x8e1bc9bf04000000, 0x0000000000000000 },
	{ 0x9dc5ada82b70b59d, 0xf020000000000000 },
	{ 0xaf298d050e4395d6, 0x9670b12b7f410000 },
	{ 0xc2781f49ffcfa6d5, 0x3cbf6b71c76b25fb },
	{ 0xd7e77a8f87daf7fb, 0xdc33745ec97be906 },
	{ 0xefb3ab16c59b14a2, 0xc5cfe94ef3ea101e },
	{ 0x850fadc09923329e, 0x03e2cf6bc604ddb0 },
	{ 0x93ba47c980e98cdf, 0xc66f336c36b10137 },
	{ 0xa402b9c5a8d3a6e7, 0x5f16206c9c6209a6 },
	{ 0xb616a12b7fe617aa, 0x577b986b314d6009 },
	{ 0xca28a291859bbf93, 0x7d7b8f7503cfdcfe },
	{ 0xe070f78d3927556a, 0x85bbe253f47b1417 },
	{ 0xf92e0c3537826145, 0xa7709a56ccdf8a82 },
	{ 0x8a5296ffe33cc92f, 0x82bd6b70d99aaa6f },
	{ 0x9991a6f3d6bf1765, 0xacca6da1e0a8ef29 },
	{ 0xaa7eebfb9df9de8d, 0xddbb901b98feeab7 },
	{ 0xbd49d14aa79dbc82, 0x4b2d8644d8a74e18 },
	{ 0xd226fc195c6a2f8c, 0x73832eec6fff3111 },
	{ 0xe950df20247c83fd, 0x47c6b82ef32a2069 },
	{ 0x81842f29f2cce375, 0xe6a1158300d46640 },
};

/* The first 64 bits, which is all of them, of 10^i. */
static const uint64_t fine[16] = {
	0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
	0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
	0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
	0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
};

/* The first 64 bits, and one more in the last place, of 10^(i + FLOAT_MIN). */
static const uint64_t upper[] = {
	0x81ceb32c4b43fcf5, 0xa2425ff75e14fc32, 0xcad2f7f5359a3b3f, 0xfd87b5f28300ca0e,
	0x9e74d1b791e07e49, 0xc612062576589ddb, 0xf79687aed3eec552, 0x9abe14cd44753b53,
	0xc16d9a0095928a28, 0xf1c90080baf72cb2, 0x971da05074da7bef, 0xbce5086492111aeb,
	0xec1e4a7db69561a6, 0x9392ee8e921d5d08, 0xb877aa3236a4b44a, 0xe69594bec44de15c,
	0x901d7cf73ab0acda, 0xb424dc35095cd810, 0xe12e13424bb40e14, 0x8cbccc096f5088cc,
	0xafebff0bcb24aaff, 0xdbe6fecebdedd5bf, 0x89705f4136b4a598, 0xabcc77118461cefd,
	0xd6bf94d5e57a42bd, 0x8637bd05af6c69b6, 0xa7c5ac471b478424, 0xd1b71758e219652c,
	0x83126e978d4fdf3c, 0xa3d70a3d70a3d70b, 0xcccccccccccccccd, 0x8000000000000001,
	0xa000000000000001, 0xc800000000000001, 0xfa00000000000001, 0x9c40000000000001,
	0xc350000000000001, 0xf424000000000001, 0x9896800000000001, 0xbebc200000000001,
	0xee6b280000000001, 0x9502f90000000001, 0xba43b74000000001, 0xe8d4a51000000001,
	0x9184e72a00000001, 0xb5e620f480000001, 0xe35fa931a0000001, 0x8e1bc9bf04000001,
	0xb1a2bc2ec5000001, 0xde0b6b3a76400001, 0x8ac7230489e80001, 0xad78ebc5ac620001,
	0xd8d726b7177a8001, 0x878678326eac9001, 0xa968163f0a57b401, 0xd3c21bcecceda101,
	0x84595161401484a1, 0xa56fa5b99019a5c9, 0xcecb8f27f4200f3b, 0x813f3978f8940985,
	0xa18f07d736b90be6, 0xc9f2c9cd04674edf, 0xfc6f7c4045812297, 0x9dc5ada82b70b59e,
	0xc5371912364ce306, 0xf684df56c3e01bc7, 0x9a130b963a6c115d, 0xc097ce7bc90715b4,
	0xf0bdc21abb48db21, 0x96769950b50d88f5, 0xbc143fa4e250eb32, 0xeb194f8e1ae525fe,
	0x92efd1b8d0cf37bf, 0xb7abc627050305ae, 0xe596b7b0c643c71a, 0x8f7e32ce7bea5c70,
	0xb35dbf821ae4f38c,
};

/* A binary format: its numbers are m * 2^e, m < 2^bits, e >= min_exp. */
struct format {
	int bits, min_exp;
	int digits;		/* that the shortest decimals have at most */
	int fixed;		/* from 10^this on, they have an exponent */
	uint64_t inf, sign;	/* their encodings */
};

static const struct format f64 = {
	53, -1074, 17, 17, 0x7ff0000000000000, 0x8000000000000000
};
static const struct format f32 = { 24, -149, 9, 10, 0x7f800000, 0x80000000 };

/* The low half of a * b; the high half goes to *hi. */
static uint64_t
mul(uint64_t a, uint64_t b, uint64_t *hi)
{
#ifdef __SIZEOF_INT128__
	__extension__ unsigned __int128 p = (unsigned __int128)a * b;

	*hi = (uint64_t)(p >> 64);
	return (uint64_t)p;
#else
	uint64_t a0 = a & 0xffffffff, a1 = a >> 32;
	uint64_t b0 = b & 0xffffffff, b1 = b >> 32;
	uint64_t p = a0 * b0;
	uint64_t q = a1 * b0 + (p >> 32);		/* (2^32-1)^2 + 2^32-1 < 2^64 */
	uint64_t r = a0 * b1 + (q & 0xffffffff);

	*hi = a1 * b1 + (q >> 32) + (r >> 32);
	return r << 32 | (p & 0xffffffff);
#endif
}

/* The highest word of a1:a0 * b; the others go to *p1 and *p0. */
static uint64_t
mul2(uint64_t a1, uint64_t a0, uint64_t b, uint64_t *p1, uint64_t *p0)
{
	uint64_t p2, carry;

	*p0 = mul(a0, b, &carry);
	*p1 = mul(a1, b, &p2) + carry;
	return p2 + (*p1 < carry);
}

/* log2(10^k), rounded down, |k| <= 400.  C defines >> of positive numbers alone. */
static int
log2_pow10(int k)
{
	return (int)((unsigned)(k * 1741647 + (2048 << 19)) >> 19) - 2048;
}

/*
 * 10^k = g * 2^e: g, of 127 or 128 bits, and e.  g is less than 2 too small: the
 * coarse factor lacks less than 1, which the fine one, as a fraction, makes no
 * larger, and the end of the product is cut.
 */
static inline int
power(int k, uint64_t *g1, uint64_t *g0)
{
	unsigned i = (unsigned)(k - POW10_MIN);
	uint64_t cut;

	*g1 = mul2(coarse[i / 16][0], coarse[i / 16][1], fine[i % 16], g0, &cut);
	return log2_pow10(k - (int)(i % 16)) + log2_pow10((int)(i % 16)) - 126;
}

/*
 * The 8 digits of x < 10^8, one a byte, the first lowest.  Each of three steps splits
 * the numbers in x: q is their upper halves, and q + ((x - q * 100) << 16), written
 * with one product, has both.  109951163 / 2^40 is 1 / 10000 for all x, 10486 / 2^20 is
 * 1 / 100 for all numbers below 10000, 103 / 2^10 is 1 / 10 for those below 100.
 */
static inline uint64_t
eight_digits(uint64_t x)
{
	uint64_t q;

	q = x * 109951163 >> 40;
	x = (x << 32) - q * (((uint64_t)10000 << 32) - 1);
	q = x * 10486 >> 20 & 0x0000007f0000007f;
	x = (x << 16) - q * ((100 << 16) - 1);
	q = x * 103 >> 10 & 0x000f000f000f000f;
	return (x << 8) - q * ((10 << 8) - 1);
}

/* How many of eight_digits() are left without the zeros at the end. */
static int
significant(uint64_t digits)
{
#ifdef __GNUC__
	return digits ? 8 - __builtin_ctzll(__builtin_bswap64(digits)) / 8 : 0;
#else
	return digits ? taf_top_bit(digits) / 8 + 1 : 0;
#endif
}

size_t
taf_print_u64(char *buf, uint64_t x)
{
	uint64_t digits, ones;
	int zeros;

	if (x >= ten_to_8) {
		size_t n = taf_print_u64(buf, x / ten_to_8);

		taf_put64(buf + n, eight_digits(x % ten_to_8) | ascii_zeros, false);
		return n + 8;
	}
	digits = eight_digits(x);
	ones = digits | (uint64_t)1 << 56;		/* the last digit stays */
	zeros = taf_low_bit(ones) / 8;
	taf_put64(buf, (digits | ascii_zeros) >> zeros * 8, false);
	return (size_t)(8 - zeros);
}

size_t
taf_print_i64(char *buf, int64_t x)
{
	if (x >= 0)
		return taf_print_u64(buf, (uint64_t)x);
	*buf = '-';
	return 1 + taf_print_u64(buf + 1, ~(uint64_t)x + 1);
}

size_t
taf_print_share(char buf[TAF_SHARE_SIZE], uint64_t done, uint64_t total)
{
	char *p = buf + taf_print_u64(buf, done >> 20);

	if (total > 0) {
		p = stpcpy(p, " of ");
		p += taf_print_u64(p, total >> 20);
	}
	p = stpcpy(p, " MiB");
	if (total > 0) {
		p = stpcpy(p, ", ");
		p += taf_print_u64(p, done < total ?
		    (uint64_t)((double)done / (double)total * 100) : 100);
		p = stpcpy(p, "%");
	}
	return (size_t)(p - buf);
}

static size_t
print_exponent(char *buf, int e)
{
	unsigned u = (unsigned)(e < 0 ? -e : e);
	char *p = buf;

	p[0] = 'e';
	p[1] = '-';
	p += 1 + (e < 0);
	*p = (char)('0' + u / 100);
	p += u >= 100;
	*p = (char)('0' + u / 10 % 10);
	p += u >= 10;
	*p = (char)('0' + u % 10);
	return (size_t)(p + 1 - buf);
}

/*
 * Print the 17 digits of which hi and lo are the last 16, without the zeros at their
 * end, times 10^e after the first.
 */
static size_t
lay_out(char *buf, uint64_t first, uint64_t hi, uint64_t lo, int e, int fixed)
{
	int n = 1 + (lo ? 8 + significant(lo) : significant(hi));

	first += '0';
	hi |= ascii_zeros;
	lo |= ascii_zeros;
	if (e < 0 && e >= LEAST_PLAIN) {
		memcpy(buf, "0.000000", 8);
		buf[1 - e] = (char)first;
		taf_put64(buf + 2 - e, hi, false);
		taf_put64(buf + 10 - e, lo, false);
		return (size_t)(n + 1 - e);
	}
	buf[0] = (char)first;
	if (e < 0 || e >= fixed) {
		buf[1] = '.';
		taf_put64(buf + 2, hi, false);
		taf_put64(buf + 10, lo, false);
		n += n > 1;
		return (size_t)n + print_exponent(buf + n, e);
	}
	taf_put64(buf + 1, hi, false);
	taf_put64(buf + 9, lo, false);
	if (n <= e + 1)
		return (size_t)(e + 1);
	buf[e + 1] = '.';
	if (e >= 8) {
		taf_put64(buf + e + 2, lo >> 8 * (e - 8), false);
		return (size_t)(n + 1);
	}
	hi = hi >> 8 * e | lo << 1 << (63 - 8 * e);
	taf_put64(buf + e + 2, hi, false);
	taf_put64(buf + e + 10, lo >> 8 * e, false);
	return (size_t)(n + 1);
}

/*
 * The shortest decimal in the rounding interval of c * 2^q, nearest to it, as m * 10^*k;
 * m may have zeros at its end.  This follows R. Giulietti, "The Schubfach way to render
 * doubles".  With 10^k <= width < 10^(k+1), the interval has a multiple of 10^k, but at
 * most one of 10^(k+1).  If it has that, it is the shortest; otherwise it is the nearer
 * of the multiples of 10^k around the number.  (Below a power of two, the lopsided case,
 * the interval is half as wide, and the nearer one may be out of it.)
 *
 * The number is (down + f) * 10^k above a multiple of 10^(k+1), and w is half the width;
 * their units are 2^-60, and 2^-124 with the lower words.  Errors of g make f less than
 * 2^-69 too small.  A number that is not just on a border of the interval, or in the
 * middle of two multiples, is more than 2^-67.5 away from there, whatever c and q are
 * (which continued fractions tell); so what seems nearer than near, between 2^-69 and
 * 2^-67.5 - 2^-69, is there.  The borders are in the interval if c is even.
 */
static uint64_t
shortest(uint64_t c, int q, bool lopsided, int *k)
{
	const uint64_t half = (uint64_t)1 << 63, ten = (uint64_t)10 << 60;
	const uint64_t near = (uint64_t)3 << 54;
	uint64_t g1, g0, s, p1, p0, down, f1, w1, below, above, up;
	int h;

	/* log10(2) and log10(3/4) in units of 2^-22, right for every q of a double. */
	h = q * 1262611 - (lopsided ? 524031 : 0);
	*k = (int)(((unsigned)h + (512U << 22)) >> 22) - 512;
	h = q + power(-*k, &g1, &g0) + 128;		/* 1 to 5 */
	s = mul2(g1, g0, c << h, &p1, &p0);
	down = s % 10;
	f1 = down << 60 | p1 >> 4;
	w1 = g1 >> (5 - h);
	below = f1 < w1;
	above = f1 + w1 >= ten;
	up = p1 >= half;

	/* Seldom, the lower words decide. */
	if (lopsided | (f1 - w1 + 2 < 4) | (f1 + w1 + 4 - ten < 8) |
	    (p1 - half + 1 < 2)) {
		uint64_t f0 = p1 << 60 | p0 >> 4;
		uint64_t w0 = g0 >> (5 - h) | g1 << 1 << (58 + h);
		uint64_t v1 = w1 >> lopsided;
		uint64_t v0 = lopsided ? w0 >> 1 | w1 << 63 : w0;
		uint64_t d1 = c & 1 ? UINT64_MAX : 0;
		uint64_t d0 = c & 1 ? 0 - near : near;

		w0 += d0;
		w1 += d1 + (w0 < d0);
		v0 += d0;
		v1 += d1 + (v0 < d0);
		below = f1 < v1 || (f1 == v1 && f0 < v0);
		f0 += w0;
		above = f1 + w1 + (f0 < w0) >= ten;
		up |= lopsided && p1 >> 4 > v1;
		if (p1 == half - (p0 >> 63) && p0 + (near << 4) < near << 5)
			up = s & 1;
	}

	/* Which one it is cannot be predicted: a jump would cost more. */
	down = above * 10 - down;
	return s + (up ^ ((up ^ down) & (0 - (below | above))));
}

/* The words for what is no number or has no digits that count; 0 for all else. */
static size_t
print_special(char *buf, uint64_t bits, const struct format *f)
{
	memcpy(buf, bits > f->inf ? "nan" : "inf", 3);
	if (bits == 0)
		*buf = '0';
	return bits >= f->inf ? 3 : bits == 0;
}

/* Print a double; bits are without the sign. */
static size_t
print_bits64(char *buf, uint64_t bits)
{
	const uint64_t one = (uint64_t)1 << (f64.bits - 1);
	uint64_t c = bits & (one - 1);
	int q = (int)(bits >> (f64.bits - 1));
	bool fewer;
	int k;

	c |= q ? one : 0;
	q = (q ? q - 1 : 0) + f64.min_exp;

	/* Integers all of whose digits count. */
	if (q <= 0 && q > -f64.bits && (c & (((uint64_t)1 << -q) - 1)) == 0)
		return taf_print_u64(buf, c >> -q);

	c = shortest(c, q, c == one && q > f64.min_exp, &k);
	fewer = c < ten_to_16;
	c = fewer ? c * 10 : c;				/* often: again no jump */
	k -= fewer;
	for (; c < ten_to_16; c *= 10)
		k--;
	return lay_out(buf, c / ten_to_16, eight_digits(c / ten_to_8 % ten_to_8),
	    eight_digits(c % ten_to_8), k + f64.digits - 1, f64.fixed);
}

/*
 * shortest() for floats that are not lopsided, with one product of 88 bits, the unit of
 * whose upper word is 10^k.  That has less than 2^28 units of the lower word too much;
 * and where a multiple of 10^(k+1) is not just on a border of the interval, or the number
 * just in the middle of two multiples of 10^k, it is farther away from that.  So both are
 * told with one power of ten of 64 bits.
 */
static inline uint32_t
shortest32(uint32_t c, int q, int *k)
{
	const uint64_t near = (uint64_t)1 << 28, even = ~c & 1;
	uint64_t hi, lo, g, reach, off;
	uint32_t s, ten;
	int h;

	*k = (int)(((unsigned)(q * 1262611) + (512U << 22)) >> 22) - 512;
	g = upper[-*k - FLOAT_MIN];
	h = q + log2_pow10(-*k) + 1;			/* 1 to 4 */
	lo = mul(g, c << h, &hi);
	s = (uint32_t)hi;
	ten = (s + 5) / 10 * 10;
	/* half the interval, and how far the number is above that ten, in 2^60ths */
	reach = (g >> (5 - h)) + near / 16 * 2 * even - near / 16;
	off = ((hi - ten) << 60) + (lo >> 4);
	/* the nearer one, or the even one: a jump would cost more */
	s += (uint32_t)(lo >> 63 & (lo - near * (~hi & 1)) >> 63);
	return s ^ ((s ^ ten) & (0 - (uint32_t)(off + reach <= 2 * reach)));
}

/* Where the parts of a float are whose first digit is for 10^k, k from LEAST_PLAIN on. */
struct places {
	unsigned char first;	/* the first digit */
	unsigned char point;
	/* what is behind the point, or, with zeros, the second digit */
	unsigned char tail;
	unsigned char shift;	/* half of the bits of digits that are not */
	unsigned char more;	/* bytes beside the digits after the first */
};

static const struct places places[] = {
	{ 6, 1, 7, 0, 7 }, { 5, 1, 6, 0, 6 }, { 4, 1, 5, 0, 5 }, { 3, 1, 4, 0, 4 },
	{ 2, 1, 3, 0, 3 }, { 0, 1, 2, 0, 2 }, { 0, 2, 3, 4, 2 }, { 0, 3, 4, 8, 2 },
	{ 0, 4, 5, 12, 2 }, { 0, 5, 6, 16, 2 }, { 0, 6, 7, 20, 2 }, { 0, 7, 8, 24, 2 },
	{ 0, 8, 9, 28, 2 }
};

/*
 * Print c * 10^k as a float, c < 10^9.  Whether there are zeros before the first digit is
 * no more predictable than the digits: so there is one way for both, where what is behind
 * the point is written after, or, with zeros, just over all digits.
 */
static inline size_t
lay_out32(char *buf, uint32_t c, int k)
{
	const uint32_t first = 100000000;
	static const uint32_t factor[] = { 1, 10, 100 };
	const struct places *at;
	uint64_t rest;
	int n;

	n = (c < first) + (c < first / 10);		/* 7 to 9 digits */
	c *= factor[n];
	k += f32.digits - 1 - n;
	rest = eight_digits(c % first);
	c /= first;
	if (k < LEAST_PLAIN || k >= LEAST_PLAIN + (int)(sizeof places / sizeof *places))
		return lay_out(buf, c, rest, 0, k, f32.fixed);
	at = &places[k - LEAST_PLAIN];
	n = significant(rest);
	rest |= ascii_zeros;
	memcpy(buf, "0.000000", 8);
	taf_put64(buf + at->first, rest << 8 | ('0' + c), false);
	buf[at->point] = '.';
	/* two shifts, because one of 64 bits is not defined */
	taf_put64(buf + at->tail, rest >> at->shift >> at->shift, false);
	return (size_t)(n > k ? n + at->more : k + 1);
}

/*
 * Print a float that is special, denormal or a power of two; bits are without the sign.
 */
static TAF_SELDOM size_t
print_rare32(char *buf, uint32_t bits)
{
	const uint32_t one = (uint32_t)1 << 23;
	uint32_t c = bits & (one - 1);
	const int q = (int)(bits >> 23) - 1 + f32.min_exp;
	int k;

	if (bits - 1 >= f32.inf - 1)
		return print_special(buf, bits, &f32);
	if (c != 0)
		c = shortest32(c, f32.min_exp, &k);
	else
		c = (uint32_t)shortest(one, q, q > f32.min_exp, &k);
	for (; c < 100000000; c *= 10)
		k--;
	return lay_out(buf, c / 100000000, eight_digits(c % 100000000), 0,
	    k + f32.digits - 1, f32.fixed);
}

size_t
taf_print_f64(char *buf, double x)
{
	uint64_t bits = taf_bits64(x);
	size_t sign;

	*buf = '-';
	sign = (size_t)(bits >> 63);
	bits &= ~f64.sign;
	if (bits - 1 >= f64.inf - 1) {
		sign = bits <= f64.inf ? sign : 0;
		return sign + print_special(buf + sign, bits, &f64);
	}
	return sign + print_bits64(buf + sign, bits);
}

size_t
taf_print_f32(char *buf, float x)
{
	const uint32_t one = (uint32_t)1 << 23;
	uint32_t bits = taf_bits32(x), c;
	size_t sign;
	int q, k;

	*buf = '-';
	sign = bits >> 31;
	bits &= ~(uint32_t)f32.sign;
	c = (bits & (one - 1)) | one;
	q = (int)(bits >> 23) - 1 + f32.min_exp;
	if (bits - one < f32.inf - one) {
		/* integers all of whose digits count */
		if ((q < 0) & (q > -f32.bits) & ((uint64_t)c << (q & 63) == 0))
			return sign + taf_print_u64(buf + sign, c >> -q);
		if (c != one) {
			c = shortest32(c, q, &k);
			return sign + lay_out32(buf + sign, c, k);
		}
	}
	sign = bits <= f32.inf ? sign : 0;
	return sign + print_rare32(buf + sign, bits);
}

/* A number of text: w * 10^q, or with cut, less than (w + 1) * 10^q. */
struct text {
	const char *s, *end;	/* all digits, perhaps with a point among them */
	int64_t q_all;		/* they, as an integer, are times 10^q_all */
	uint64_t w;		/* the first of them, less than 10^SHORT_DIGITS */
	int64_t q;
	bool cut;
};

/* A natural number, the lowest word first; the words from n on are 0. */
struct big {
	uint32_t word[BIG_WORDS];
	size_t n;
};

static void
big_mul_add(struct big *b, uint32_t factor, uint32_t more)
{
	uint64_t carry = more;
	size_t i;

	for (i = 0; i < b->n; i++) {
		carry += (uint64_t)b->word[i] * factor;
		b->word[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry)
		b->word[b->n++] = (uint32_t)carry;
}

static void
big_mul_pow5(struct big *b, int64_t k)
{
	for (; k >= 13; k -= 13)
		big_mul_add(b, 1220703125, 0);		/* 5^13 */
	for (; k > 0; k--)
		big_mul_add(b, 5, 0);
}

static void
big_shift(struct big *b, int64_t bits)
{
	size_t words = (size_t)bits / 32;

	big_mul_add(b, UINT32_C(1) << bits % 32, 0);
	memmove(b->word + words, b->word, b->n * sizeof *b->word);
	memset(b->word, 0, words * sizeof *b->word);
	b->n += words;
}

static int
big_compare(const struct big *a, const struct big *b)
{
	size_t i = BIG_WORDS;

	while (i-- > 0)
		if (a->word[i] != b->word[i])
			return a->word[i] < b->word[i] ? -1 : 1;
	return 0;
}

/*
 * Compare a number of text with m * 2^e, which is known to be within a factor of 10.
 *
 * Of the digits, LONG_DIGITS and one that says whether the others are all 0 decide:
 * m * 2^e, halfway between two doubles, has fewer.  They are an integer below
 * 10^769 < 2^2555, times 10^q, q > -324 - 770; so neither side, before one is shifted
 * to be about as large as the other, exceeds 2^54 * 5^1093 < 2^2592, nor 2^2600 after.
 */
static int
compare_exactly(const struct text *t, uint64_t m, int64_t e)
{
	struct big a = { { 0 }, 0 };
	struct big b = { { (uint32_t)m, (uint32_t)(m >> 32) }, 2 };
	int64_t q = t->q_all;
	const char *s;
	int n = 0;

	for (s = t->s; s < t->end; s++) {
		if (*s == '.')
			continue;
		if (n < LONG_DIGITS || (n == LONG_DIGITS && *s != '0')) {
			big_mul_add(&a, 10, n < LONG_DIGITS ? (uint32_t)(*s - '0') : 1);
			n += a.n > 0;
		} else {
			q++;
		}
	}
	big_mul_pow5(q < 0 ? &b : &a, q < 0 ? -q : q);
	e -= q;
	big_shift(e < 0 ? &a : &b, e < 0 ? -e : e);
	return big_compare(&a, &b);
}

/*
 * The encoding, in format f, of the number nearest to one of text.
 *
 * The product of w and a power of ten, both cut, gives bounds of the number, as in
 * D. Lemire's "Number parsing at a gigabyte per second".  Where the middle between
 * two numbers of the format is in the bounds, all digits are compared with that.
 */
static uint64_t
nearest(const struct text *t, const struct format *f)
{
	uint64_t g1, g0, p2, p1, p0, m, half, rest, reach;
	int low, shift, zeros;

	/* Below 10^-324 all is nearer to 0 than to the least double. */
	if (t->w == 0 || t->q < -324 - SHORT_DIGITS)
		return 0;
	if (t->q > 308)
		return f->inf;
	zeros = 63 - taf_top_bit(t->w);
	low = power((int)t->q, &g1, &g0) + 128 - zeros;
	p2 = mul2(g1, g0, t->w << zeros, &p1, &p0);

	/*
	 * The number is not less than p2 * 2^low and less than (p2 + reach) * 2^low.
	 * p2 has 62 to 64 bits; shift of them are not wanted.
	 */
	reach = 2 + (t->cut ? (uint64_t)1 << zeros : 0);
	shift = taf_top_bit(p2) + 1 - f->bits;
	if (shift < f->min_exp - low)
		shift = f->min_exp - low;
	if (shift > 65)
		return 0;
	if (shift > 63)
		return compare_exactly(t, 1, f->min_exp - 1) > 0;
	m = p2 >> shift;
	half = (uint64_t)1 << (shift - 1);
	rest = p2 & (2 * half - 1);
	if (rest <= half && rest + reach >= half) {
		int order = compare_exactly(t, 2 * m + 1, low + shift - 1);

		m += order > 0 || (order == 0 && m % 2 == 1);
	} else {
		m += rest > half;
	}

	/* The highest bit of m, if it is there, adds 1 to the exponent. */
	m += (uint64_t)(low + shift - f->min_exp) << (f->bits - 1);
	return m < f->inf ? m : f->inf;
}

/* Take the first digits of t alone. */
static void
cut_digits(struct text *t)
{
	const char *s;
	int n = 0;

	t->w = 0;
	for (s = t->s; s < t->end; s++) {
		if (*s == '.')
			continue;
		if (n < SHORT_DIGITS) {
			t->w = t->w * 10 + (uint64_t)(*s - '0');
			n += t->w > 0;
		} else {
			t->q++;
			t->cut |= *s != '0';
		}
	}
}

static inline bool
is_digit(const char *s, const char *end)
{
	return s < end && *s >= '0' && *s <= '9';
}

/* Find digits, point and exponent at s; returns where they end, or NULL. */
static const char *
scan_text(const char *s, const char *end, struct text *t)
{
	const char *p = s, *point;
	uint64_t w = 0;

	for (; is_digit(p, end); p++)
		w = w * 10 + (uint64_t)(*p - '0');
	point = p;
	if (p < end && *p == '.')
		for (p++; is_digit(p, end); p++)
			w = w * 10 + (uint64_t)(*p - '0');
	t->s = s;
	t->end = p;
	t->w = w;
	t->q = point < p ? point + 1 - p : 0;
	t->cut = false;
	if (p - s == (point < p))
		return NULL;

	if (p < end && (*p == 'e' || *p == 'E')) {
		bool minus = end - p > 1 && p[1] == '-';
		int64_t e = 0;

		s = p + 1;
		s += s < end && (*s == '-' || *s == '+');
		if (is_digit(s, end)) {
			/* No text has so many digits that more would matter. */
			for (; is_digit(s, end); s++)
				e = e < INT64_MAX / 100 ? e * 10 + (*s - '0') : e;
			t->q += minus ? -e : e;
			p = s;
		}
	}
	t->q_all = t->q;
	if (t->end - t->s > SHORT_DIGITS)
		cut_digits(t);
	return p;
}

/* Is the word, of small letters, at s in any case?  Returns its length or 0. */
static size_t
scan_word(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word), i;

	if ((size_t)(end - s) < n)
		return 0;
	for (i = 0; i < n; i++)
		if (s[i] != word[i] && s[i] != word[i] - 'a' + 'A')
			return 0;
	return n;
}

/*
 * Most numbers take one operation on doubles: both operands are exact, so that it
 * rounds once (W. D. Clinger, "How to read floating point numbers accurately").  The
 * double can be rounded again, to a float, unless it is in the middle of two: what
 * it came from may be on either side.
 */
static bool
is_easy(const struct text *t, const struct format *f, uint64_t *bits)
{
	static const double ten_to[] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
		1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
	};
	const bool plain = FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1;
	double x;

	if (!plain || t->cut || t->w >> 53 || t->q < -22 || t->q > 22)
		return false;
	x = (double)(int64_t)t->w;
	x = t->q < 0 ? x / ten_to[-t->q] : x * ten_to[t->q];
	*bits = taf_bits64(x);
	if (f->bits == 53)
		return true;
	if ((*bits & 0x1fffffff) == 0x10000000)
		return false;
	*bits = taf_bits32((float)x);
	return true;
}

/* Read a number of format f; *bits is set if the length returned is not 0. */
static size_t
scan_bits(const char *s, const char *end, const struct format *f, uint64_t *bits)
{
	const char *p = s, *q;
	struct text t;
	size_t n;

	if (p < end)
		p += (*p == '-') | (*p == '+');
	if ((q = scan_text(p, end, &t))) {
		p = q;
		if (!is_easy(&t, f, bits))
			*bits = nearest(&t, f);
	} else if ((n = scan_word(p, end, "infinity")) ||
	    (n = scan_word(p, end, "inf"))) {
		*bits = f->inf;
		p += n;
	} else if ((n = scan_word(p, end, "nan"))) {
		*bits = f->inf | f->inf >> 1;		/* a quiet one */
		p += n;
	} else {
		return 0;
	}
	*bits |= f->sign & (0 - (uint64_t)(*s == '-'));
	return (size_t)(p - s);
}

size_t
taf_scan_f64(const char *s, const char *end, double *x)
{
	uint64_t bits;
	size_t n = scan_bits(s, end, &f64, &bits);

	if (n)
		memcpy(x, &bits, sizeof *x);
	return n;
}

size_t
taf_scan_f32(const char *s, const char *end, float *x)
{
	uint64_t bits;
	size_t n = scan_bits(s, end, &f32, &bits);
	uint32_t narrow;

	if (n) {
		narrow = (uint32_t)bits;
		memcpy(x, &narrow, sizeof *x);
	}
	return n;
}

/* The next digit of all, the lower the index the higher; *s moves on. */
static unsigned
next_digit(const char **s)
{
	*s += **s == '.';
	return (unsigned)(*(*s)++ - '0');
}

/* 10 v + digit, unless that is too large. */
static bool
append_digit(uint64_t *v, unsigned digit)
{
	if (*v > (UINT64_MAX - digit) / 10)
		return false;
	*v = *v * 10 + digit;
	return true;
}

/* The integer nearest to t, with n digits in front of its point. */
static enum taf_integer_kind
nearest_integer(const struct text *t, int64_t n, uint64_t *v)
{
	bool half = false, rest = false;
	const char *s = t->s;
	int64_t k = 0;

	*v = 0;
	for (; s < t->end && (*s != '.' || s + 1 < t->end); k++) {
		const unsigned digit = next_digit(&s);

		if (k < n && !append_digit(v, digit))
			return TAF_INTEGER_LARGE;
		half = half || (k == n && digit >= 5);
		rest = rest || (k >= n && digit > 0);
	}
	for (; k < n && *v > 0; k++)
		if (!append_digit(v, 0))
			return TAF_INTEGER_LARGE;
	if (half && *v == UINT64_MAX)
		return TAF_INTEGER_LARGE;
	*v += half;
	return rest ? TAF_INTEGER_ROUNDED : TAF_INTEGER_EXACT;
}

size_t
taf_scan_integer(const char *s, const char *end, struct taf_integer *x)
{
	const char *p = s, *q;
	struct text t;
	double d;
	size_t n;

	if (p < end)
		p += (*p == '-') | (*p == '+');
	x->minus = p > s && *s == '-';
	x->magnitude = 0;
	q = scan_text(p, end, &t);
	if (q != NULL) {
		n = (size_t)(t.end - t.s);
		n -= memchr(t.s, '.', n) != NULL;
		x->kind = nearest_integer(&t, (int64_t)n + t.q_all, &x->magnitude);
		return (size_t)(q - s);
	}
	n = taf_scan_f64(s, end, &d);
	if (n > 0)
		x->kind = d - d == 0 ? TAF_INTEGER_EXACT : d < 0 || d > 0 ?
		    TAF_INTEGER_LARGE : TAF_INTEGER_NAN;
	return n;
}
