/* SPDX-License-Identifier: ISC */
/* Conversions of every type to every type against exact integer arithmetic. */
#include "kernel/number/convert_private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum {
	POOL = 512,		/* different elements, at most */
	MOST = 1300,		/* elements converted at once: more than two blocks */
	GUARD = 8,		/* bytes around the destination that must not change */
	ROOM = MOST * 8 + 2 * GUARD + 8
};

/* A value: an integer, or else the double d. */
struct value {
	bool integer, negative;
	uint64_t magnitude;
	double d;
};

/* What becomes of a value in a type. */
struct result {
	bool fits, rounded;
	unsigned char bytes[8];		/* with clipping */
};

static double
bits_to_double(uint64_t u)
{
	double d;

	memcpy(&d, &u, sizeof d);
	return d;
}

static bool
is_float(enum taf_type t)
{
	return t == TAF_FLT32 || t == TAF_FLT64;
}

/* Largest magnitude of a number of this sign in an integer type. */
static uint64_t
limit(enum taf_type t, bool negative)
{
	unsigned bits = (unsigned)taf_type_size(t) * 8;

	if (!taf_type_is_signed(t))
		return negative ? 0 : UINT64_MAX >> (64 - bits);
	return (UINT64_C(1) << (bits - 1)) - !negative;
}

/* The low bytes of the two's complement, in the host's order. */
static void
put_integer(unsigned char *p, enum taf_type t, bool negative, uint64_t magnitude)
{
	uint64_t u = negative ? 0 - magnitude : magnitude;
	const uint16_t one = 1;
	size_t size = taf_type_size(t), i;
	unsigned char little;

	memcpy(&little, &one, 1);
	for (i = 0; i < size; i++)
		p[little ? i : size - 1 - i] = (unsigned char)(u >> (8 * i));
}

static struct value
get(const unsigned char *p, enum taf_type t)
{
	struct value v = { false, false, 0, 0 };
	size_t size = taf_type_size(t), i;
	const uint16_t one = 1;
	unsigned char little;
	float f;

	if (t == TAF_FLT64) {
		memcpy(&v.d, p, sizeof v.d);
		return v;
	}
	if (t == TAF_FLT32) {
		memcpy(&f, p, sizeof f);
		v.d = f;
		return v;
	}
	memcpy(&little, &one, 1);
	for (i = 0; i < size; i++)
		v.magnitude |= (uint64_t)p[little ? i : size - 1 - i] << (8 * i);
	v.integer = true;
	v.negative = taf_type_is_signed(t) && v.magnitude >> (8 * size - 1) != 0;
	if (v.negative)
		v.magnitude = (0 - v.magnitude) & UINT64_MAX >> (64 - 8 * size);
	return v;
}

/*
 * m * 2^e with so many binary digits and none below 2^least, nearest, ties to
 * even; *lost tells whether anything was cut off.
 */
static double
with_digits(uint64_t m, int e, int digits, int least, bool *lost)
{
	int shift = least > e ? least - e : 0;
	uint64_t rest, half;

	while (shift < 64 && m >> shift >> 1 >> (digits - 1) != 0)
		shift++;
	*lost = false;
	if (shift == 0)
		return ldexp((double)m, e);
	if (shift > 64) {
		*lost = m != 0;
		return 0;
	}
	half = UINT64_C(1) << (shift - 1);
	rest = shift == 64 ? m : m & (2 * half - 1);
	m = shift == 64 ? 0 : m >> shift;
	*lost = rest != 0;
	if (rest > half || (rest == half && m % 2 == 1))
		m++;
	return ldexp((double)m, e + shift);
}

static double
value_to_double(struct value v)
{
	bool lost;
	double d;

	if (!v.integer)
		return v.d;
	d = with_digits(v.magnitude, 0, DBL_MANT_DIG, -1074, &lost);
	return v.negative ? -d : d;
}

static struct result
to_integer(struct value v, enum taf_type t)
{
	struct result r = { true, false, { 0 } };
	double whole = round(v.d);

	if (!v.integer) {
		if (isnan(v.d)) {
			r.fits = false;
			return r;
		}
		v.negative = whole < 0;
		if (fabs(whole) >= 0x1p64) {
			r.fits = false;
			put_integer(r.bytes, t, v.negative, limit(t, v.negative));
			return r;
		}
		v.magnitude = (uint64_t)fabs(whole);
		r.rounded = whole != v.d;
	}
	r.fits = v.magnitude <= limit(t, v.negative);
	put_integer(r.bytes, t, v.negative,
	    r.fits ? v.magnitude : limit(t, v.negative));
	r.rounded = r.rounded && r.fits;
	return r;
}

static struct result
to_float(struct value v, enum taf_type t)
{
	struct result r = { true, false, { 0 } };
	double d = v.d;
	int digits = t == TAF_FLT32 ? FLT_MANT_DIG : DBL_MANT_DIG, e = 0;
	float f;

	if (v.integer || (isfinite(d) && d != 0 && t == TAF_FLT32)) {
		if (!v.integer) {
			v.negative = d < 0;
			v.magnitude = (uint64_t)ldexp(frexp(fabs(d), &e), DBL_MANT_DIG);
			e -= DBL_MANT_DIG;
		}
		d = with_digits(v.magnitude, e, digits, t == TAF_FLT32 ? -149 : -1074,
		    &r.rounded);
		if (t == TAF_FLT32 && d > FLT_MAX) {
			r.fits = r.rounded = false;
			d = FLT_MAX;
		}
		d = v.negative ? -d : d;
	}
	f = (float)(t == TAF_FLT32 ? d : 0);
	memcpy(r.bytes, t == TAF_FLT32 ? (const void *)&f : &d, taf_type_size(t));
	return r;
}

static struct result
reference(const unsigned char *p, enum taf_type stype, enum taf_type dtype,
    const double *mapping)
{
	struct value v = get(p, stype);
	volatile double product;
	struct result r;

	if (!mapping && stype == dtype) {
		r.fits = true;
		r.rounded = false;
		memcpy(r.bytes, p, taf_type_size(stype));
		return r;
	}
	if (mapping) {
		product = mapping[1] * value_to_double(v);
		v.d = mapping[0] + product;
		v.integer = false;
	}
	return is_float(dtype) ? to_float(v, dtype) : to_integer(v, dtype);
}

/* The same bits, or, between floats, NaN both. */
static bool
same_element(const unsigned char *a, const unsigned char *b, enum taf_type t,
    bool exactly)
{
	if (!exactly && is_float(t) && isnan(get(a, t).d))
		return isnan(get(b, t).d);
	return memcmp(a, b, taf_type_size(t)) == 0;
}

static void
put_float(unsigned char *p, enum taf_type t, double d)
{
	float f = (float)(t == TAF_FLT32 ? d : 0);

	memcpy(p, t == TAF_FLT32 ? (const void *)&f : &d, taf_type_size(t));
}

/* 2^power + k or its negative, floats + k / 2 or a neighbour; how many, 0 or 1. */
static size_t
add_near(unsigned char *p, enum taf_type t, int power, int k, bool negative)
{
	uint64_t m = (power == 64 ? 0 : UINT64_C(1) << power) + (uint64_t)(int64_t)k;
	double d = ldexp(1, power) + k * 0.5;

	if (is_float(t)) {
		if (k == 2)
			d = nextafter(d - 0.5, 0);
		if (k == 3)
			d = nextafter(d - 1, INFINITY);
		put_float(p, t, negative ? -d : d);
		return 1;
	}
	if (m > limit(t, negative))
		return 0;
	put_integer(p, t, negative, m);
	return 1;
}

/* Elements of a type: small numbers, the limits of all types, and what is near. */
static size_t
fill_pool(unsigned char *pool, enum taf_type t)
{
	static const double special[] = {
		0.0, -0.0, 0.5, -0.5, 0.49999999999999994, 0.49999997, 1.5, -1.5, 2.5,
		-2.5, 0.1, DBL_MIN, -4.9406564584124654e-324, 0x1p-149, 0x1p-150,
		0x1.000002p-150, 0x1.8p-149, FLT_MIN, 0x1.ffffffp-127, FLT_MAX, -FLT_MAX,
		0x1.fffffefffffffp127, 0x1.ffffffp127, 0x1.fffffefffp127, 0x1p128, 1e300,
		-DBL_MAX, INFINITY, -INFINITY,
		0x1.000001p0, 0x1.000003p0, 0x1.0000010000001p0, 4503599627370495.5,
		-4503599627370497.0, 2251799813685249.5
	};
	static const unsigned char powers[] = {
		7, 8, 15, 16, 24, 25, 31, 32, 53, 54, 62, 63, 64
	};
	size_t n = 0, size = taf_type_size(t), i;
	int k, sign;

	for (i = 0; i < sizeof powers; i++)
		for (sign = 0; sign < 2; sign++)
			for (k = -2; k <= 3; k++)
				n += add_near(pool + size * n, t, powers[i], k, sign);
	if (is_float(t)) {
		for (i = 0; i < sizeof special / sizeof special[0]; i++)
			put_float(pool + size * n++, t, special[i]);
		put_float(pool + size * n++, t, bits_to_double(0x7ff8000000abcdef));
		put_float(pool + size * n++, t, bits_to_double(0xfffc123450000000));
	}
	for (k = 0; k < 12; k++)
		if (is_float(t))
			put_float(pool + size * n++, t, k * 1.25 - 7);
		else if (limit(t, k % 2) > 0)
			put_integer(pool + size * n++, t, k % 2, (uint64_t)k * 9);
	for (k = 0; k < 90; k++) {
		uint64_t u = draw_bits();

		if (is_float(t))
			put_float(pool + size * n++, t,
			    ldexp((double)(int64_t)u, k - 72));
		else
			put_integer(pool + size * n++, t, false, u >> (k % 64));
	}
	return n;
}

/* Convert n elements from an odd address to another; compare with the results. */
static bool
agrees(const unsigned char *src, enum taf_type stype, enum taf_type dtype, size_t n,
    const double *mapping, const struct result *want, bool clip)
{
	static unsigned char in[ROOM], out[ROOM], quick[ROOM];
	bool exactly = stype == dtype && !mapping;
	size_t size = taf_type_size(dtype), stop = n, got, i;
	unsigned char *s = in + n % 8, *d = out + GUARD + n % 5;
	unsigned char *q = quick + GUARD + n % 3;
	struct taf_convert_count count = { 5, 7 }, expect = { 5, 7 };
	bool good = true;

	memcpy(s, src, n * taf_type_size(stype));
	memset(out, 0xa5, sizeof out);
	for (i = 0; i < n && i < stop; i++)
		if (want[i].fits)
			expect.rounded += want[i].rounded;
		else if (clip)
			expect.clipped++;
		else
			stop = i;
	got = taf_convert(d, dtype, s, stype, n, mapping, clip, &count);
	good = good && got == stop;
	good = good && count.clipped == expect.clipped && count.rounded == expect.rounded;
	good = good && taf_convert(q, dtype, s, stype, n, mapping, clip, NULL) == stop;
	for (i = 0; i < stop; i++)
		good = good && same_element(d + i * size, want[i].bytes, dtype, exactly);
	good = good && memcmp(d, q, stop * size) == 0;
	for (i = 0; i < GUARD; i++)
		good = good && d[-1 - (int)i] == 0xa5 && d[n * size + i] == 0xa5;
	if (!good)
		printf("# %s to %s, %zu elements, %s, %s: stop at %zu, not %zu; %" PRIu64
		    " clipped, not %" PRIu64 "; %" PRIu64 " rounded, not %" PRIu64 "\n",
		    taf_type_name(stype), taf_type_name(dtype), n,
		    mapping ? "mapped" : "as they are", clip ? "clip" : "no clip", got,
		    stop, count.clipped, expect.clipped, count.rounded, expect.rounded);
	return good;
}

static const double mappings[][2] = {
	{ 0, 1 }, { -0.0, 1 }, { 0.25, 0.5 }, { -3.5, 1e-3 }, { 1e9, -1.7e4 },
	{ 0, 2e30 }, { 1e308, -1e290 }, { 2.5, 0 }
};

enum { MAPPINGS = sizeof mappings / sizeof mappings[0] };

/* One pair of types: mixed elements, and those that fit with one that does not. */
static bool
pair_agrees(const unsigned char *pool, size_t npool, enum taf_type stype,
    enum taf_type dtype, const double *mapping)
{
	static const size_t lengths[] = {
		0, 1, 2, 3, 7, 8, 9, 31, 33, 256, 257, 511, 512, 513, 1024, 1025, MOST
	};
	static const size_t places[] = { MOST, 1025, 513, 512, 256, 1 };
	static unsigned char src[MOST * 8];
	static struct result want[MOST], all[POOL];
	size_t size = taf_type_size(stype), nfit = 0, misfit = npool, i, k;
	size_t fit[POOL];
	bool good = true;

	for (i = 0; i < npool; i++) {
		all[i] = reference(pool + i * size, stype, dtype, mapping);
		if (all[i].fits)
			fit[nfit++] = i;
		else if (misfit == npool || draw_bits() % 4 == 0)
			misfit = i;
	}
	for (i = 0; i < MOST; i++) {
		k = i < npool ? i : (size_t)(draw_bits() % npool);
		memcpy(src + i * size, pool + k * size, size);
		want[i] = all[k];
	}
	for (i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		k = lengths[i];
		good = good && agrees(src, stype, dtype, k, mapping, want, true);
		good = good && agrees(src, stype, dtype, k, mapping, want, false);
	}
	if (nfit == 0)
		return good;
	for (i = 0; i < MOST; i++) {
		k = fit[draw_bits() % nfit];
		memcpy(src + i * size, pool + k * size, size);
		want[i] = all[k];
	}
	good = good && agrees(src, stype, dtype, MOST, mapping, want, false);
	for (i = 0; misfit < npool && i < sizeof places / sizeof places[0]; i++) {
		k = places[i];
		memcpy(src + (k - 1) * size, pool + misfit * size, size);
		want[k - 1] = all[misfit];
		good = good && agrees(src, stype, dtype, MOST, mapping, want, false);
	}
	return good;
}

static void
every_pair(void)
{
	static unsigned char pool[POOL * 8];
	size_t n, k;
	int i, j;

	for (i = TAF_INT8; i <= TAF_FLT64; i++) {
		enum taf_type s = (enum taf_type)i;

		n = fill_pool(pool, s);
		CHECK(n <= POOL);
		for (j = TAF_INT8; j <= TAF_FLT64; j++) {
			enum taf_type d = (enum taf_type)j;

			CHECK(pair_agrees(pool, n, s, d, NULL));
			for (k = 0; k < MAPPINGS; k++)
				CHECK(pair_agrees(pool, n, s, d, mappings[k]));
		}
	}
}

/* Cases worked out by hand, lest the reference be wrong in the same way. */
static void
by_hand(void)
{
	const double halves[] = { 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 254.5 };
	const int8_t rounded[] = { 1, -1, 2, 3, -3, 0 };
	const int64_t odd = 9007199254740993;
	const uint64_t top = UINT64_MAX;
	/* just over half way between two floats: by way of a double it is half way */
	const int64_t twice = 0x1000001000000001;
	const double wild[] = { NAN, INFINITY, -INFINITY, 3e10, -1e-3, 0x1p63 };
	const double over[] = {
		1e39, -1e39, 3.4028235677973366e38, 3.4028235677973362e38
	};
	struct taf_convert_count count = { 0, 0 };
	int8_t i8[6];
	uint8_t u8[7];
	int32_t i32[6];
	int64_t i64[6];
	float f[4];
	double d;

	CHECK_EQ(taf_convert(i8, TAF_INT8, halves, TAF_FLT64, 6, NULL, false, &count), 6);
	CHECK_MEM(i8, rounded, 6);
	CHECK_EQ(count.rounded, 6);
	CHECK_EQ(taf_convert(u8, TAF_UINT8, halves, TAF_FLT64, 7, NULL, false, NULL), 1);
	CHECK_EQ(taf_convert(u8, TAF_UINT8, halves, TAF_FLT64, 7, NULL, true, NULL), 7);
	CHECK(u8[0] == 1 && u8[1] == 0 && u8[3] == 3 && u8[5] == 0 && u8[6] == 255);

	count.rounded = 0;
	taf_convert(&d, TAF_FLT64, &odd, TAF_INT64, 1, NULL, false, &count);
	CHECK(d == 9007199254740992.0);
	CHECK_EQ(count.rounded, 1);
	taf_convert(&d, TAF_FLT64, &top, TAF_UINT64, 1, NULL, false, &count);
	CHECK(d == 18446744073709551616.0);
	CHECK_EQ(count.rounded, 2);
	taf_convert(f, TAF_FLT32, &twice, TAF_INT64, 1, NULL, false, NULL);
	CHECK(f[0] == 0x1.000002p60F);
	taf_convert(f, TAF_FLT32, &twice, TAF_UINT64, 1, NULL, false, NULL);
	CHECK(f[0] == 0x1.000002p60F);
	CHECK_EQ(taf_convert(i64, TAF_INT64, &top, TAF_UINT64, 1, NULL, false, NULL), 0);
	CHECK_EQ(taf_convert(i64, TAF_UINT64, &odd, TAF_INT64, 1, NULL, false, NULL), 1);
	CHECK_INT(i64[0], odd);

	count.rounded = 0;
	CHECK_EQ(taf_convert(i32, TAF_INT32, wild, TAF_FLT64, 6, NULL, true, &count), 6);
	CHECK(i32[0] == 0 && i32[1] == INT32_MAX && i32[2] == INT32_MIN);
	CHECK(i32[3] == INT32_MAX && i32[4] == 0 && i32[5] == INT32_MAX);
	CHECK_EQ(count.clipped, 5);
	CHECK_EQ(count.rounded, 1);
	taf_convert(i64, TAF_INT64, wild, TAF_FLT64, 6, NULL, true, NULL);
	CHECK(i64[1] == INT64_MAX && i64[2] == INT64_MIN && i64[3] == 30000000000);
	CHECK(i64[5] == INT64_MAX);

	count.clipped = count.rounded = 0;
	CHECK_EQ(taf_convert(f, TAF_FLT32, over, TAF_FLT64, 4, NULL, true, &count), 4);
	CHECK(f[0] == FLT_MAX && f[1] == -FLT_MAX && f[2] == FLT_MAX && f[3] == FLT_MAX);
	CHECK_EQ(count.clipped, 3);
	CHECK_EQ(count.rounded, 1);
}

/* Of a mapping to flt32 either end may be the one that does not fit. */
static void
mapped_ends(void)
{
	const int16_t ends[] = { 7, INT16_MIN, INT16_MAX, -5 };

	for (int k = 0; k < 4; k++) {
		/* one end is 6e38, the other 0 or so */
		const double mapping[] = { k & 1 ? 3e38 : -3e38, k & 2 ? 1e34 : -1e34 };
		const float large = k & 1 ? FLT_MAX : -FLT_MAX;
		const int at = (k & 1) == (k >> 1) ? 2 : 1;
		float f[4];

		CHECK_EQ(taf_convert(f, TAF_FLT32, ends, TAF_INT16, 4, mapping, false,
			     NULL), at);
		CHECK_EQ(taf_convert(f, TAF_FLT32, ends, TAF_INT16, 4, mapping, true,
			     NULL), 4);
		for (int i = 0; i < 4; i++)
			CHECK(f[i] == (i == at ? large :
				(float)(mapping[0] + mapping[1] * ends[i])));
	}
}

static void
complex_is_copied(void)
{
	const enum taf_type t = TAF_COMPLEX;
	uint32_t nan[] = { 0x7f8abcde, 0xffc12345, 0x80000000, 1 }, out[4] = { 0 };

	CHECK_EQ(taf_convert(out, t, nan, t, 2, NULL, false, NULL), 2);
	CHECK_MEM(out, nan, sizeof nan);
}

static void
swapped_bytes(void)
{
	unsigned char a[8 * 75 + 9], b[sizeof a];
	size_t word, n, i, k;

	for (word = 1; word <= 8; word *= 2)
		for (n = 0; n <= 75; n += n < 40 ? 1 : 7) {
			for (i = 0; i < sizeof a; i++)
				a[i] = b[i] = (unsigned char)(i * 37 + i / 256);
			for (i = 0; i < n; i++)
				for (k = 0; k < word; k++)
					b[i * word + k + 1] = a[(i + 1) * word - k];
			taf_swap_bytes(a + 1, word, n);
			CHECK_MEM(a, b, sizeof a);
		}
}

/* n elements drawn from the pool, in two steps, against a loop over their values. */
static bool
range_agrees(const unsigned char *pool, size_t npool, enum taf_type t, size_t n)
{
	static unsigned char src[MOST * 8 + 1];
	struct taf_range r = { 0, 0, 0, 0, 0 }, want = { INFINITY, -INFINITY, 0, 0, 0 };
	size_t size = taf_type_size(t), i;

	for (i = 0; i < n; i++) {
		const unsigned char *p = pool + draw_bits() % npool * size;
		double d = value_to_double(get(p, t));

		memcpy(src + 1 + i * size, p, size);
		if (isnan(d)) {
			want.nan++;
		} else if (isinf(d)) {
			want.inf++;
		} else {
			want.finite++;
			want.min = d < want.min ? d : want.min;
			want.max = d > want.max ? d : want.max;
		}
	}
	i = n / 3;
	taf_range_add(&r, src + 1, t, i);
	taf_range_add(&r, src + 1 + i * size, t, n - i);
	return r.finite == want.finite && r.nan == want.nan && r.inf == want.inf &&
	    (r.finite == 0 || (r.min == want.min && r.max == want.max));
}

static void
ranges(void)
{
	static unsigned char pool[POOL * 8];
	size_t npool, n;
	int t;

	for (t = TAF_INT8; t <= TAF_FLT64; t++) {
		npool = fill_pool(pool, (enum taf_type)t);
		for (n = 0; n < MOST; n += n / 4 + 1)
			CHECK(range_agrees(pool, npool, (enum taf_type)t, n));
	}
}

/*
 * Values between min and max, ends and non-finite ones included, must read back
 * within half a step and the rounding of the sums, some units of the largest.
 */
static bool
reads_back(enum taf_type t, double min, double max)
{
	enum { N = 600 };
	static double y[N], back[N];
	static unsigned char x[N * 8];
	struct taf_range r = { 0, 0, 0, 0, 0 };
	double mapping[2], large = fmax(fabs(min), fabs(max)), part, slack, unit;
	uint64_t clipped = 0;
	bool good = true;
	size_t i;

	for (i = 0; i < N; i++) {
		part = (double)(draw_bits() >> 11) * 0x1p-53;
		y[i] = fmin(fmax(min * (1 - part) + max * part, min), max);
	}
	y[3] = y[N - 1] = min;
	y[77] = max;
	y[5] = NAN;
	y[599 / 2] = INFINITY;
	y[519] = -INFINITY;
	taf_range_add(&r, y, TAF_FLT64, N);
	good = r.min == min && r.max == max && r.finite == N - 3;
	if (!taf_quantize_plan(&r, t, &mapping[0], &mapping[1])) {
		printf("# %s %a %a: no plan\n", taf_type_name(t), min, max);
		return false;
	}
	good = good && isfinite(mapping[0]) && isfinite(mapping[1]) && mapping[1] > 0;
	good = good &&
	    taf_quantize(x, t, y, TAF_FLT64, N, mapping[0], mapping[1], &clipped) == N;
	good = good && clipped == 3;
	taf_convert(back, TAF_FLT64, x, t, N, mapping, false, NULL);
	/* in a unit in which nothing overflows or is lost */
	unit = large < 1 ? 0x1p600 : 0.25;
	slack = min == max ? 0 : mapping[1] * unit / 2 + 2 * (large * unit) * DBL_EPSILON;
	for (i = 0; i < N; i++)
		if (isfinite(y[i]))
			good = good && fabs(y[i] * unit - back[i] * unit) <= slack;
	if (!good)
		printf("# %s %a %a: intercept %a slope %a, %" PRIu64 " clipped\n",
		    taf_type_name(t), min, max, mapping[0], mapping[1], clipped);
	return good;
}

/* Of any sign and of magnitudes from 1e-11 to 1e49. */
static double
any_double(void)
{
	return ldexp((double)(int64_t)draw_bits(), (int)(draw_bits() % 200) - 100);
}

static void
quantized_values_read_back(void)
{
	static const double ends[][2] = {
		{ 0, 1 }, { -1, 1 }, { 5, 5 }, { -0.1, -0.1 }, { 0, 0 },
		{ DBL_MAX, DBL_MAX }, { -DBL_MAX, -DBL_MAX }, { 0x1p-1074, 0x1p-1074 },
		{ 0, 0x1p-1074 }, { -0x1p-1074, 0x3p-1074 }, { 0, 300 * 0x1p-1074 },
		{ -0x1p-1030, 0x1p-1040 }, { 1e16, 1e16 + 2 }, { -1e16 - 6, -1e16 },
		{ 1, 1 + DBL_EPSILON },
		{ 1 - DBL_EPSILON, 1 + 3 * DBL_EPSILON }, { 0, DBL_MAX }, { -DBL_MAX, 0 },
		{ -1, DBL_MAX / 2 }, { 0x1.ffffffffffffep1023, DBL_MAX },
		{ -DBL_MAX, -0x1.ffffffffffff0p1023 }, { -DBL_MAX / 2, DBL_MAX / 2 },
		{ 0, 255 }, { -128, 127 }, { 0, 18446744073709551615.0 },
		{ -3e-300, 7e300 }
	};
	size_t i, k;
	int t;

	for (t = TAF_INT8; t <= TAF_UINT64; t++) {
		for (i = 0; i < sizeof ends / sizeof ends[0]; i++)
			CHECK(reads_back((enum taf_type)t, ends[i][0], ends[i][1]));
		for (k = 0; k < 150; k++) {
			double a = any_double(), b = any_double();

			if (k % 3 == 0)
				b = a + fabs(a) * DBL_EPSILON *
				    (double)(draw_bits() % 5000);
			CHECK(reads_back((enum taf_type)t, fmin(a, b), fmax(a, b)));
		}
	}
}

/* Of each type, where steps are larger than doubles are apart. */
static void
the_largest_value_becomes_the_largest_integer(void)
{
	const char *cases = getenv("TAF_CASES");
	int n = cases != NULL ? atoi(cases) : 300, t;

	while (n-- > 0)
		for (t = TAF_INT8; t <= TAF_UINT64; t++) {
			const double min = any_double(), span = fabs(min) *
			    ldexp(1 + (double)draw(1000) / 7, (int)draw(20) - 10);
			const struct taf_range r = { min, min + span, 2, 0, 0 };
			const double ends[2] = { r.min, r.max };
			const struct taf_type_facts *f = taf_type_facts((enum taf_type)t);
			unsigned char to[2 * sizeof(uint64_t)];
			uint64_t clipped = 0;
			double a, b;

			if (min == 0 || !CHECK(taf_quantize_plan(&r, (enum taf_type)t, &a,
			    &b)))
				continue;
			(void)taf_quantize(to, (enum taf_type)t, ends, TAF_FLT64, 2, a, b,
			    &clipped);
			CHECK_EQ(clipped, 0);
			CHECK_EQ(taf_type_load((enum taf_type)t, to), f->min);
			CHECK_EQ(taf_type_load((enum taf_type)t,
			    to + taf_type_size((enum taf_type)t)), f->max);
		}
}

static void
plans(void)
{
	struct taf_range r = { -DBL_MAX, DBL_MAX, 2, 0, 0 };
	double a = 77, b = 88;
	int t;

	for (t = TAF_INT8; t <= TAF_UINT64; t++)
		if (taf_type_is_signed((enum taf_type)t)) {
			CHECK(reads_back((enum taf_type)t, -DBL_MAX, DBL_MAX));
			CHECK(reads_back((enum taf_type)t, -DBL_MAX, DBL_MAX / 3));
		} else {
			CHECK(!taf_quantize_plan(&r, (enum taf_type)t, &a, &b));
		}
	r.finite = 0;
	CHECK(!taf_quantize_plan(&r, TAF_INT16, &a, &b));
	CHECK(a == 77 && b == 88);
	r.finite = 3;
	r.min = 0;
	r.max = 255;
	CHECK(taf_quantize_plan(&r, TAF_UINT8, &a, &b) && a == 0 && b == 1);
	CHECK(taf_quantize_plan(&r, TAF_INT8, &a, &b) && a == 128 && b == 1);
	r.min = -2;
	r.max = 2;
	CHECK(taf_quantize_plan(&r, TAF_UINT16, &a, &b) && a == -2 && b == 4.0 / 65535);
}

static void
quantized_by_hand(void)
{
	const float y[] = {
		10, 10.24F, 10.26F, 9.75F, 1000, -1000, NAN, INFINITY, -INFINITY,
		73.5F, 73.74F, 73.76F, -54, -54.3F
	};
	const int8_t want[] = {
		0, 0, 1, -1, 127, -128, 0, 127, -128, 127, 127, 127, -128, -128
	};
	const double equal[] = { 0.1, 0.1, 0.1 };
	struct taf_range r = { 0, 0, 0, 0, 0 };
	uint64_t clipped = 1;
	int8_t x[14];
	double a, b;

	CHECK_EQ(taf_quantize(x, TAF_INT8, y, TAF_FLT32, 14, 10, 0.5, &clipped), 14);
	CHECK_MEM(x, want, sizeof want);
	CHECK_EQ(clipped, 1 + 7);

	taf_range_add(&r, equal, TAF_FLT64, 3);
	CHECK(taf_quantize_plan(&r, TAF_INT8, &a, &b) && a == 0.1 && b == 1);
	taf_quantize(x, TAF_INT8, equal, TAF_FLT64, 3, a, b, &clipped);
	CHECK(x[0] == 0 && x[1] == 0 && x[2] == 0);
	CHECK_EQ(clipped, 8);
}

int
main(void)
{
	UNIT(by_hand);
	UNIT(every_pair);
	UNIT(mapped_ends);
	UNIT(complex_is_copied);
	UNIT(swapped_bytes);
	UNIT(ranges);
	UNIT(plans);
	UNIT(the_largest_value_becomes_the_largest_integer);
	UNIT(quantized_by_hand);
	UNIT(quantized_values_read_back);
	return unit_end();
}
