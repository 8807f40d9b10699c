/* The moments and extremes of blocks against a plain loop of long doubles. */
#include "kernel/stat/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { MOST = 5 * TAF_STATS_BLOCK + 777 };

/* What a plain loop finds. */
struct plain {
	uint64_t nan, inf, finite;
	long double mean, std, rms;
	double min, max;
	uint64_t min_at, max_at;
};

/* A number from 0 to 1. */
static double
fraction(void)
{
	return (double)(draw_bits() >> 11) / 9007199254740992.0;
}

static struct plain
plainly(const double *v, size_t n)
{
	struct plain p = { 0 };
	long double sum = 0, rest = 0, squares = 0, all = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		p.nan += v[i] != v[i];
		p.inf += v[i] == v[i] && v[i] - v[i] != 0;
		if (v[i] - v[i] != 0)
			continue;
		if (p.finite == 0 || v[i] < p.min) {
			p.min = v[i];
			p.min_at = i;
		}
		if (p.finite == 0 || v[i] > p.max) {
			p.max = v[i];
			p.max_at = i;
		}
		p.finite++;
		sum += v[i];
	}
	p.mean = sum / (long double)p.finite;
	for (i = 0; i < n; i++)
		if (v[i] - v[i] == 0) {
			rest += v[i] - p.mean;
			squares += (v[i] - p.mean) * (v[i] - p.mean);
			all += (long double)v[i] * v[i];
		}
	/* the mean is rounded, too */
	squares -= rest * rest / (long double)p.finite;
	p.std = sqrtl(squares / (long double)p.finite);
	p.rms = sqrtl(all / (long double)p.finite);
	return p;
}

/* Within 1e-13 of size, and the rounding of a denormal. */
static bool
near(double a, long double b, long double size)
{
	long double d = a > b ? a - b : b - a;

	return d <= size * 1e-13L + 5e-324L;
}

static void
check(struct taf_stats s, const struct plain *q, size_t n)
{
	const struct plain p = *q;

	CHECK_EQ(s.count, n);
	CHECK_EQ(s.nan, p.nan);
	CHECK_EQ(s.inf, p.inf);
	CHECK_EQ(taf_stats_finite(&s), p.finite);
	if (p.finite == 0) {
		CHECK(isnan(taf_stats_mean(&s, TAF_FLT64, NULL)));
		CHECK(isnan(taf_stats_std(&s, TAF_FLT64, NULL)));
		CHECK(isnan(taf_stats_rms(&s, TAF_FLT64, NULL)));
		return;
	}
	CHECK_MEM(&s.min, &p.min, sizeof p.min);
	CHECK_MEM(&s.max, &p.max, sizeof p.max);
	CHECK_EQ(s.min_at, p.min_at);
	CHECK_EQ(s.max_at, p.max_at);
	CHECK(near(taf_stats_mean(&s, TAF_FLT64, NULL), p.mean, p.rms));
	CHECK(near(taf_stats_rms(&s, TAF_FLT64, NULL), p.rms, p.rms));
	CHECK(near(taf_stats_std(&s, TAF_FLT64, NULL), p.std, p.std));
}

/* As one, and as results of two and of many parts that are joined. */
static void
compare(const double *v, size_t n)
{
	const struct plain p = plainly(v, n);
	struct taf_stats all = { 0 }, two = { 0 }, many = { 0 };
	size_t i, part;

	taf_stats_add(&all, v, TAF_FLT64, n, NULL);
	check(all, &p, n);
	for (i = 0; i < 2; i++) {
		struct taf_stats more = { 0 };

		taf_stats_add(&more, v + (i == 0 ? 0 : n / 3), TAF_FLT64,
		    i == 0 ? n / 3 : n - n / 3, NULL);
		taf_stats_join(&two, &more, TAF_FLT64, NULL);
	}
	check(two, &p, n);
	for (i = 0; i < n; i += part) {
		struct taf_stats more = { 0 };

		part = n - i < 511 ? n - i : 511;
		taf_stats_add(&more, v + i, TAF_FLT64, part, NULL);
		taf_stats_join(&many, &more, TAF_FLT64, NULL);
	}
	check(many, &p, n);
}

static double *
room(void)
{
	double *v = malloc(MOST * sizeof *v);

	if (v == NULL)
		exit(1);
	return v;
}

static void
lengths(void)
{
	static const size_t n[] = { 1, 2, 3, 7, 8, 63, 64, 65, 127, 2047, 2048, 2049,
		4096, MOST };
	double *v = room();
	size_t i, k;

	for (k = 0; k < sizeof n / sizeof n[0]; k++) {
		for (i = 0; i < n[k]; i++)
			v[i] = (fraction() - 0.3) * 100;
		compare(v, n[k]);
	}
	free(v);
}

/* The extremes at each place of two blocks, and again behind it. */
static void
positions(void)
{
	double *v = room();
	size_t i, at;

	for (i = 0; i < MOST; i++)
		v[i] = fraction();
	/* each of the first ones of a block, and some between */
	for (at = 0; at < TAF_STATS_BLOCK + 70;
	    at += at % TAF_STATS_BLOCK < 70 ? 1 : 97) {
		double a = v[at], b = v[MOST - 1 - at];

		v[at] = v[at + 1] = -2;
		v[MOST - 1 - at] = 3;
		compare(v, MOST);
		v[at] = a;
		v[MOST - 1 - at] = b;
	}
	free(v);
}

/* Of 0 and -0, which are equal, the first one is meant. */
static void
signed_zeros(void)
{
	double *v = room();
	size_t i, k;

	for (k = 0; k < 2; k++) {
		for (i = 0; i < 300; i++)
			v[i] = k == 0 ? 1 : -1;
		v[2] = k == 0 ? 0.0 : -0.0;
		v[65] = k == 0 ? -0.0 : 0.0;
		compare(v, 300);
		v[2] = -v[2];
		v[65] = -v[65];
		compare(v, 300);
	}
	free(v);
}

/* Small deviations on a large mean, which sums of squares would lose. */
static void
offset(void)
{
	double *v = room();
	struct taf_stats s = { 0 };
	size_t i;

	for (i = 0; i < MOST; i++)
		v[i] = 1e9 + fraction() * 1e-3;
	compare(v, MOST);
	/* of 2^30 - h and 2^30 + h, equally many, everything is known */
	for (i = 0; i < 4096; i++)
		v[i] = 0x1p30 + (i % 2 == 0 ? -0x1p-20 : 0x1p-20);
	taf_stats_add(&s, v, TAF_FLT64, 4096, NULL);
	CHECK(taf_stats_mean(&s, TAF_FLT64, NULL) == 0x1p30);
	CHECK(taf_stats_std(&s, TAF_FLT64, NULL) == 0x1p-20);
	free(v);
}

static void
not_finite(void)
{
	double *v = room();
	size_t i, every;

	for (every = 1; every < 5000; every = every * 3 + 1) {
		for (i = 0; i < MOST; i++)
			v[i] = i % every != 0 ? fraction() * 8 - 4 : i % 3 == 0 ? NAN :
			    i % 3 == 1 ? INFINITY : -INFINITY;
		compare(v, MOST);
	}
	v[0] = -0.0;
	v[1] = 0.0;
	compare(v, 2);
	v[0] = NAN;
	compare(v, 1);
	free(v);
}

/* Where squares leave the range of a double; and blocks of very different size. */
static void
huge_and_tiny(void)
{
	static const double sizes[] = { 1e300, 1e-300, 1e-310, 5e-324, 1e150, 1e-150, 1 };
	double *v = room(), first;
	size_t i, j, k;

	for (j = 0; j < sizeof sizes / sizeof sizes[0]; j++)
		for (k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
			for (i = 0; i < MOST; i++)
				v[i] = (fraction() + 0.5) *
				    sizes[i < 2 * TAF_STATS_BLOCK ? j : k];
			compare(v, MOST);
		}
	first = DBL_MAX;
	for (i = 0; i < MOST; i++, first = -first)
		v[i] = first;
	compare(v, MOST);
	free(v);
}

/* Floats at an odd address are the same values as doubles, to the last bit. */
static void
narrow(void)
{
	static const size_t n[] = { 1, 5, 31, 32, 33, 64, 100, 2047, 2048, 2112, MOST };
	static unsigned char odd[1 + MOST * sizeof(float)];
	static const float some[] = { NAN, INFINITY, -INFINITY, -0.0f, 0.0f, FLT_MAX,
		-FLT_MAX, 0x1p-149f };
	double *v = room();
	size_t i, k, kind;

	for (kind = 0; kind < 4; kind++)
		for (k = 0; k < sizeof n / sizeof n[0]; k++) {
			struct taf_stats one = { 0 }, two = { 0 };

			for (i = 0; i < n[k]; i++) {
				float x = (float)((fraction() - 0.3) * 1e3);

				if (kind == 1 && i % 37 == 3)
					x = some[i % 8];
				if (kind == 2)
					x = i < 2 * TAF_STATS_BLOCK ? -0.0f : x;
				if (kind == 3)
					x = some[3 + i % 5];
				memcpy(odd + 1 + i * sizeof x, &x, sizeof x);
				v[i] = (double)x;
			}
			taf_stats_add(&one, odd + 1, TAF_FLT32, n[k], NULL);
			taf_stats_add(&two, v, TAF_FLT64, n[k], NULL);
			CHECK_MEM(&one, &two, sizeof one);
			compare(v, n[k]);
		}
	free(v);
}

/* 64-bit integers that are the same as doubles. */
static void
exact_integers(void)
{
	static const int64_t x[] = { INT64_MAX - 1, INT64_MIN + 1, INT64_MAX, 5,
		INT64_MIN };
	static const uint64_t y[] = { UINT64_MAX - 1, 9007199254740993, UINT64_MAX,
		9007199254740992 };
	struct taf_stats s = { 0 }, t = { 0 };
	size_t i;

	for (i = 0; i < sizeof x / sizeof x[0]; i++)
		taf_stats_add(&s, &x[i], TAF_INT64, 1, NULL);
	CHECK_EQ(s.int_min, UINT64_C(1) << 63);
	CHECK_EQ(s.min_at, 4);
	CHECK_EQ(s.int_max, INT64_MAX);
	CHECK_EQ(s.max_at, 2);
	taf_stats_add(&t, y, TAF_UINT64, 4, NULL);
	CHECK_EQ(t.int_min, 9007199254740992);
	CHECK_EQ(t.min_at, 3);
	CHECK_EQ(t.int_max, UINT64_MAX);
	CHECK_EQ(t.max_at, 2);
	s = t = (struct taf_stats){ 0 };
	for (i = 0; i < sizeof x / sizeof x[0]; i++) {
		struct taf_stats more = { 0 };

		taf_stats_add(&more, &x[i], TAF_INT64, 1, NULL);
		taf_stats_join(&s, &more, TAF_INT64, NULL);
	}
	CHECK_EQ(s.int_min, UINT64_C(1) << 63);
	CHECK_EQ(s.min_at, 4);
	CHECK_EQ(s.int_max, INT64_MAX);
	CHECK_EQ(s.max_at, 2);
	for (i = 0; i < sizeof y / sizeof y[0]; i++) {
		struct taf_stats more = { 0 };

		taf_stats_add(&more, &y[i], TAF_UINT64, 1, NULL);
		taf_stats_join(&t, &more, TAF_UINT64, NULL);
	}
	CHECK_EQ(t.int_min, 9007199254740992);
	CHECK_EQ(t.min_at, 3);
	CHECK_EQ(t.int_max, UINT64_MAX);
	CHECK_EQ(t.max_at, 2);
}

/* Pieces of whole blocks give the same bits as one call. */
static void
pieces(void)
{
	double *v = room();
	struct taf_stats one = { 0 }, many = { 0 };
	size_t i;

	for (i = 0; i < MOST; i++)
		v[i] = fraction() / 3;
	taf_stats_add(&one, v, TAF_FLT64, MOST, NULL);
	taf_stats_add(&many, v, TAF_FLT64, TAF_STATS_BLOCK, NULL);
	taf_stats_add(&many, v + TAF_STATS_BLOCK, TAF_FLT64, 3 * TAF_STATS_BLOCK, NULL);
	taf_stats_add(&many, v + 4 * TAF_STATS_BLOCK, TAF_FLT64,
	    MOST - 4 * TAF_STATS_BLOCK, NULL);
	CHECK(taf_stats_mean(&one, TAF_FLT64, NULL) ==
	    taf_stats_mean(&many, TAF_FLT64, NULL));
	CHECK(taf_stats_std(&one, TAF_FLT64, NULL) ==
	    taf_stats_std(&many, TAF_FLT64, NULL));
	CHECK(taf_stats_rms(&one, TAF_FLT64, NULL) ==
	    taf_stats_rms(&many, TAF_FLT64, NULL));
	free(v);
}

static void
mapped(void)
{
	static const int16_t x[] = { -3, 7, 2, 7, -3 };
	static const double mapping[] = { 1, -0.5 };
	struct taf_stats s = { 0 };

	/* 2.5, -2.5, 0, -2.5, 2.5 */
	taf_stats_add(&s, x, TAF_INT16, 5, mapping);
	CHECK(s.min == -2.5 && s.max == 2.5);
	CHECK_EQ(s.min_at, 1);
	CHECK_EQ(s.max_at, 0);
	CHECK(taf_stats_mean(&s, TAF_INT16, mapping) == 0);
	CHECK(taf_stats_std(&s, TAF_INT16, mapping) == sqrt(5));
}

enum { SOME = 2 * TAF_STATS_BLOCK + 321 };

/* Integer i of a pattern upwards from the least one of its type, or downwards. */
static uint64_t
integer(enum taf_type t, size_t i, bool down)
{
	const unsigned bits = 8 * (unsigned)taf_type_size(t);
	const uint64_t most = UINT64_MAX >> (64 - bits);
	const uint64_t least = taf_type_is_signed(t) ? UINT64_C(1) << (bits - 1) : 0;
	const uint64_t k = i * i % 101;

	return down ? (least + (most - k)) & most : least + k;
}

/* Integers i to i + n of the pattern, at an odd address. */
static void
add_integers(struct taf_stats *s, enum taf_type t, size_t i, size_t n, bool down)
{
	static unsigned char room[SOME * 8 + 1];
	const size_t size = taf_type_size(t);
	size_t k;

	for (k = 0; k < n; k++) {
		const uint64_t x = integer(t, i + k, down);
		const uint8_t x1 = (uint8_t)x;
		const uint16_t x2 = (uint16_t)x;
		const uint32_t x4 = (uint32_t)x;

		memcpy(room + 1 + k * size, size == 1 ? (const void *)&x1 : size == 2 ?
		    (const void *)&x2 : size == 4 ? (const void *)&x4 : &x, size);
	}
	taf_stats_add(s, room + 1, t, n, NULL);
}

/* At both ends of each type the deviation is to the last bit that of small numbers. */
static void
integers_at_the_ends(void)
{
	const enum taf_type last = TAF_UINT64;
	struct taf_stats small = { 0 };
	int t, down;

	add_integers(&small, TAF_UINT64, 0, SOME, false);
	for (t = TAF_INT8; t <= (int)last; t++)
		for (down = 0; down < 2; down++) {
			const enum taf_type type = (enum taf_type)t;
			struct taf_stats one = { 0 }, cut = { 0 };
			const double mean = taf_stats_mean(&small, TAF_UINT64, NULL);
			const double least = taf_type_is_signed(type) ?
			    -(double)(UINT64_C(1) << (8 * taf_type_size(type) - 1)) : 0;
			const double most = taf_type_is_signed(type) ? -least - 1 :
			    (double)(UINT64_MAX >> (64 - 8 * taf_type_size(type)));
			size_t i, n;

			add_integers(&one, type, 0, SOME, down != 0);
			CHECK_EQ(one.count, SOME);
			CHECK(taf_stats_std(&one, type, NULL) ==
			    taf_stats_std(&small, TAF_UINT64, NULL));
			CHECK(near(taf_stats_mean(&one, type, NULL),
			    down != 0 ? (long double)most - mean : least +
			    (long double)mean, most));
			CHECK(one.min == (down != 0 ? most - 100 : least));
			CHECK(one.max == (down != 0 ? most : least + 100));
			CHECK_EQ(down != 0 ? one.max_at : one.min_at, 0);
			/* however it is cut, the bits are the same */
			for (i = 0; i < SOME; i += n) {
				struct taf_stats more = { 0 };

				n = SOME - i < 777 ? SOME - i : 777;
				add_integers(i % 2 == 0 ? &cut : &more, type, i, n,
				    down != 0);
				if (i % 2 != 0)
					taf_stats_join(&cut, &more, type, NULL);
			}
			CHECK_EQ(cut.min_at, one.min_at);
			CHECK_EQ(cut.max_at, one.max_at);
			CHECK(taf_stats_mean(&cut, type, NULL) ==
			    taf_stats_mean(&one, type, NULL));
			CHECK(taf_stats_std(&cut, type, NULL) ==
			    taf_stats_std(&one, type, NULL));
			CHECK(taf_stats_rms(&cut, type, NULL) ==
			    taf_stats_rms(&one, type, NULL));
		}
}

/* Integers over the whole range of a type; those that a double holds know their sums. */
static void
integers_of_all_sizes(void)
{
	static int64_t x[MOST];
	static int32_t y[MOST];
	struct taf_stats s = { 0 }, t = { 0 };
	double *v = room();
	struct plain p;
	size_t i;

	for (i = 0; i < MOST; i++) {
		x[i] = (int64_t)((fraction() - 0.5) * 0x1p52) * (1 << i % 11);
		v[i] = (double)x[i];
	}
	p = plainly(v, MOST);
	taf_stats_add(&s, x, TAF_INT64, MOST, NULL);
	CHECK(near(taf_stats_mean(&s, TAF_INT64, NULL), p.mean, p.rms));
	CHECK(near(taf_stats_std(&s, TAF_INT64, NULL), p.std, p.std));
	CHECK(near(taf_stats_rms(&s, TAF_INT64, NULL), p.rms, p.rms));
	for (i = 0; i < MOST; i++) {
		y[i] = (int32_t)((fraction() - 0.5) * 0x1p32);
		v[i] = y[i];
	}
	p = plainly(v, MOST);
	taf_stats_add(&t, y, TAF_INT32, MOST, NULL);
	CHECK(near(taf_stats_mean(&t, TAF_INT32, NULL), p.mean, p.rms));
	CHECK(near(taf_stats_std(&t, TAF_INT32, NULL), p.std, p.std));
	CHECK(near(taf_stats_rms(&t, TAF_INT32, NULL), p.rms, p.rms));
	free(v);
}

/* Squares that take 126 bits each. */
static void
largest_integers(void)
{
	static const int64_t x[] = { INT64_MIN, INT64_MIN, INT64_MIN };
	static const int64_t y[] = { INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX };
	static const uint64_t z[] = { UINT64_MAX, 0, 0, UINT64_MAX };
	struct taf_stats a = { 0 }, b = { 0 }, c = { 0 };

	taf_stats_add(&a, x, TAF_INT64, 3, NULL);
	CHECK(taf_stats_mean(&a, TAF_INT64, NULL) == -0x1p63);
	CHECK(taf_stats_rms(&a, TAF_INT64, NULL) == 0x1p63);
	CHECK(taf_stats_std(&a, TAF_INT64, NULL) == 0);
	taf_stats_add(&b, y, TAF_INT64, 4, NULL);
	CHECK(taf_stats_mean(&b, TAF_INT64, NULL) == -0.5);
	CHECK(taf_stats_std(&b, TAF_INT64, NULL) == 0x1p63);
	taf_stats_add(&c, z, TAF_UINT64, 4, NULL);
	CHECK(taf_stats_mean(&c, TAF_UINT64, NULL) == 0x1p63);
	CHECK(taf_stats_std(&c, TAF_UINT64, NULL) == 0x1p63);
}

/* Integers whose physical values lie far from 0, are infinite, or fall together. */
static void
far_mappings(void)
{
	static const int16_t x[] = { 1, 2, 3, 4, 5 };
	static const double shift[] = { -0x1p40, 0x1p-20 }, large[] = { 0, 0x1p1022 };
	static const int8_t third[] = { 1, 1, 2 };
	static const double rest[] = { -4.0 / 3, 1 };
	static const double huge[] = { 0x1p1000, -0x1p900 }, same[] = { 0x1p80, -1 };
	struct taf_stats s = { 0 }, t = { 0 }, u = { 0 }, w = { 0 }, r = { 0 };
	double mean;

	taf_stats_add(&s, x, TAF_INT16, 5, shift);
	CHECK(taf_stats_mean(&s, TAF_INT16, shift) == -0x1p40 + 0x3p-20);
	CHECK(taf_stats_std(&s, TAF_INT16, shift) == 0x1p-20 * sqrt(2));
	taf_stats_add(&t, x, TAF_INT16, 5, large);
	CHECK_EQ(t.inf, 2);
	CHECK(taf_stats_mean(&t, TAF_INT16, large) == 0x1p1023);
	taf_stats_add(&u, x, TAF_INT16, 5, huge);
	CHECK(taf_stats_rms(&u, TAF_INT16, huge) == 0x1p1000);
	CHECK(taf_stats_std(&u, TAF_INT16, huge) == 0x1p900 * sqrt(2));
	taf_stats_add(&w, x, TAF_INT16, 5, same);
	CHECK(w.min == 0x1p80 && w.max == 0x1p80);
	CHECK_EQ(w.min_at, 0);
	CHECK_EQ(w.max_at, 0);
	/* what is left is 4/3 less the double next to it: 2^-52 by three */
	taf_stats_add(&r, third, TAF_INT8, 3, rest);
	mean = taf_stats_mean(&r, TAF_INT8, rest);
	CHECK(near(mean, 0x1p-52L / 3, mean));
}

int
main(void)
{
	UNIT(lengths);
	UNIT(positions);
	UNIT(signed_zeros);
	UNIT(offset);
	UNIT(not_finite);
	UNIT(narrow);
	UNIT(huge_and_tiny);
	UNIT(exact_integers);
	UNIT(pieces);
	UNIT(mapped);
	UNIT(integers_at_the_ends);
	UNIT(integers_of_all_sizes);
	UNIT(largest_integers);
	UNIT(far_mappings);
	return unit_end();
}
