/* SPDX-License-Identifier: ISC */
/* Decimal text against libc's, which is exact in the C locale on every system we use. */
#include "base/bits.h"
#include "base/decimal.h"

#include <math.h>
#include <stdlib.h>

#include "unit.h"

enum {
	ROUNDS = 100000,
	LONG_ROUNDS = 1000,
	TEXT_MAX = 1200
};

/* Print into a buffer of exactly the promised size, which a sanitizer watches. */
static const char *
print64(double x)
{
	static char text[TAF_DECIMAL_MAX + 1];
	char buf[TAF_DECIMAL_MAX];
	size_t n = taf_print_f64(buf, x);

	memcpy(text, buf, n);
	text[n] = '\0';
	return text;
}

static const char *
print32(float x)
{
	static char text[TAF_DECIMAL_MAX + 1];
	char buf[TAF_DECIMAL_MAX];
	size_t n = taf_print_f32(buf, x);

	memcpy(text, buf, n);
	text[n] = '\0';
	return text;
}

/* Does text read as libc reads it?  The bytes used must be all of it. */
static bool
scans(const char *text)
{
	const char *end = text + strlen(text);
	double d = 7;
	float f = 7;
	bool ok = taf_scan_f64(text, end, &d) == strlen(text) &&
	    taf_scan_f32(text, end, &f) == strlen(text) &&
	    taf_bits64(d) == taf_bits64(strtod(text, NULL)) &&
	    taf_bits32(f) == taf_bits32(strtof(text, NULL));

	if (!ok)
		printf("# %.60s... of %zu bytes: %a %a\n", text, strlen(text), d,
		    (double)f);
	return ok;
}

/* The digits of a number's text, without the zeros at both ends. */
static int
digits_of(const char *text, char *digits)
{
	int n = 0;

	for (; *text && *text != 'e'; text++)
		if (*text >= '1' || (*text == '0' && n > 0))
			digits[n++] = *text;
	while (n > 0 && digits[n - 1] == '0')
		n--;
	digits[n] = '\0';
	return n;
}

/*
 * Printed text must read back, have no more digits than needed, and be libc's number
 * of so many digits, unless that does not read back (at a power of two, whose
 * interval is lopsided).
 */
static bool
is_shortest(const char *text, double x, bool single)
{
	char digits[40], other[40], near[48];
	double back = single ? (double)strtof(text, NULL) : strtod(text, NULL);
	int n = digits_of(text, digits);

	if (taf_bits64(back) != taf_bits64(x) || strlen(text) > TAF_DECIMAL_MAX)
		return false;
	if (n > 1) {
		snprintf(near, sizeof near, "%.*e", n - 2, x);
		if ((single ? (double)strtof(near, NULL) : strtod(near, NULL)) == x)
			return false;
	}
	snprintf(near, sizeof near, "%.*e", n - 1, x);
	digits_of(near, other);
	return strcmp(digits, other) == 0 ||
	    (single ? (double)strtof(near, NULL) : strtod(near, NULL)) != x;
}

static bool
prints64(double x)
{
	const char *text = print64(x);
	bool ok = is_shortest(text, x, false) && scans(text);

	if (!ok)
		printf("# %a printed as %s\n", x, text);
	return ok;
}

static bool
prints32(float x)
{
	const char *text = print32(x);
	bool ok = is_shortest(text, (double)x, true) && scans(text);

	if (!ok)
		printf("# %a printed as %s\n", (double)x, text);
	return ok;
}

static void
print_forms(void)
{
	CHECK_STR(print64(0.0), "0");
	CHECK_STR(print64(-0.0), "-0");
	CHECK_STR(print64(5.0), "5");
	CHECK_STR(print64(-100000.0), "-100000");
	CHECK_STR(print64(12.75), "12.75");
	CHECK_STR(print64(0.1), "0.1");
	CHECK_STR(print64(1.0 / 3), "0.3333333333333333");
	CHECK_STR(print64(0.30000000000000004), "0.30000000000000004");
	CHECK_STR(print64(123456789.25), "123456789.25");
	CHECK_STR(print64(1234567.8901234567), "1234567.8901234567");
	CHECK_STR(print64(0.000012345678901234567), "0.000012345678901234568");
	CHECK_STR(print64(0.00001), "0.00001");
	CHECK_STR(print64(0.000001), "1e-6");
	CHECK_STR(print64(9007199254740993.0), "9007199254740992");
	CHECK_STR(print64(12345678901234567.0), "12345678901234568");
	CHECK_STR(print64(1e16), "10000000000000000");
	CHECK_STR(print64(9.999999999999999e16), "99999999999999980");
	CHECK_STR(print64(1e17), "1e17");
	CHECK_STR(print64(1e22), "1e22");
	CHECK_STR(print64(1e23), "1e23");
	CHECK_STR(print64(-2.5e-7), "-2.5e-7");
	CHECK_STR(print64(5e-324), "5e-324");
	CHECK_STR(print64(1e-323), "1e-323");
	CHECK_STR(print64(2.2250738585072014e-308), "2.2250738585072014e-308");
	CHECK_STR(print64(-1.7976931348623157e308), "-1.7976931348623157e308");
	CHECK_STR(print64((double)INFINITY), "inf");
	CHECK_STR(print64(-(double)INFINITY), "-inf");
	CHECK_STR(print64(taf_of_bits64(0xfff8000000000001)), "nan");

	CHECK_STR(print32(0.0f), "0");
	CHECK_STR(print32(-0.0f), "-0");
	CHECK_STR(print32(16777216.0f), "16777216");
	CHECK_STR(print32(0.0123f), "0.0123");
	CHECK_STR(print32(-0.3f), "-0.3");
	CHECK_STR(print32(3.4028235e38f), "3.4028235e38");
	CHECK_STR(print32(1e-45f), "1e-45");
	CHECK_STR(print32(1.1754944e-38f), "1.1754944e-38");
	CHECK_STR(print32(33554432.0f), "33554432");
	CHECK_STR(print32(9e9f), "9000000000");
	CHECK_STR(print32(1e10f), "1e10");
	CHECK_STR(print32(100056304.0f), "100056300");
	CHECK_STR(print32(-123456792.0f), "-123456790");
	CHECK_STR(print32(1234567808.0f), "1234567800");
	CHECK_STR(print32(12345679.0f), "12345679");
	CHECK_STR(print32(0.00001f), "0.00001");
	CHECK_STR(print32(9.5e-6f), "9.5e-6");
	CHECK_STR(print32(-(float)INFINITY), "-inf");
	CHECK_STR(print32(taf_of_bits32(0xffc00000)), "nan");
}

/* Where the point is, and which zeros are around the digits: as libc's, of as many. */
static void
print_places(void)
{
	char want[64];
	float x = 1.2345679e-5f;
	int k, i;

	for (k = -5; k < 7; k++, x *= 10)
		for (i = 0; i < 2000; i++) {
			float y = (float)(draw_bits() % 9000001 + 1000000) / 1e6f * x;
			const char *text = print32(i % 2 ? -y : y);
			const char *point = strchr(text, '.');

			snprintf(want, sizeof want, "%.*f",
			    point != NULL ? (int)strlen(point + 1) : 0,
			    (double)(i % 2 ? -y : y));
			CHECK_STR(text, want);
		}
}

static void
print_integers(void)
{
	char buf[TAF_DECIMAL_MAX], text[TAF_DECIMAL_MAX];
	uint64_t edge = 1, x;
	size_t n;
	int i, j;

	for (i = 0; i < 20; i++, edge *= 10)
		for (j = -1; j < 2; j++) {
			x = edge + (uint64_t)(int64_t)j;
			n = taf_print_u64(buf, x);
			buf[n] = '\0';
			snprintf(text, sizeof text, "%" PRIu64, x);
			CHECK_STR(buf, text);
		}
	for (i = 0; i < 64; i++)
		for (j = -1; j < 2; j++) {
			x = ((uint64_t)1 << i) + (uint64_t)(int64_t)j;
			n = taf_print_i64(buf, (int64_t)x);
			buf[n] = '\0';
			snprintf(text, sizeof text, "%" PRId64, (int64_t)x);
			CHECK_STR(buf, text);
		}
	n = taf_print_u64(buf, UINT64_MAX);
	CHECK_MEM(buf, "18446744073709551615", 20);
	CHECK_EQ(n, 20);
}

/* The powers of two have lopsided intervals, and their neighbours the usual ones. */
static void
print_powers(void)
{
	uint64_t u;
	uint32_t v;
	int i;

	for (u = 0; u < 0x7ff; u++)
		for (i = -1; i < 2; i++)
			if (u || i > 0)
				CHECK(prints64(taf_of_bits64((u << 52) +
				    (uint64_t)(int64_t)i)));
	for (v = 0; v < 0xff; v++)
		for (i = -1; i < 2; i++)
			if (v || i > 0)
				CHECK(prints32(taf_of_bits32((v << 23) + (uint32_t)i)));
	for (u = 1; u < 2000; u++) {
		CHECK(prints64(taf_of_bits64(u)));
		CHECK(prints32(taf_of_bits32((uint32_t)u)));
	}
	for (i = -330; i < 309; i++) {
		char text[16];

		snprintf(text, sizeof text, "1e%d", i);
		if (strtod(text, NULL) > 0)
			CHECK(prints64(strtod(text, NULL)));
	}
}

/*
 * Halfway between two decimals of the length wanted, the even one is taken, as in libc.
 * A border of the interval that is a shorter decimal (4 c + 2 ends in 0) may be taken
 * only if c is even.
 */
static void
print_ties(void)
{
	int i;

	CHECK_STR(print64(562949953421312.25), "562949953421312.2");
	CHECK_STR(print64(562949953421312.75), "562949953421312.8");
	for (i = 0; i < 4000; i++) {
		uint64_t u = (draw_bits() >> 15 | (uint64_t)1 << 48) * 4 + 1;
		uint64_t c = draw_bits() >> 11 | (uint64_t)1 << 52;

		CHECK(prints64((double)c * 4));
		CHECK(prints32((float)(c >> 29) * 4));
		CHECK(prints64((double)u / 4));
		CHECK(prints64((double)(u >> 10) / 4));
		CHECK(prints32((float)(u >> 27 | 1) / 4));
		CHECK(prints32((float)(u >> 28 | 1) / 8));
	}
}

static void
print_random(void)
{
	int i;

	for (i = 0; i < unit_rounds(ROUNDS); i++) {
		double x = taf_of_bits64(draw_bits());
		float y = taf_of_bits32((uint32_t)draw_bits());

		if (isfinite(x))
			CHECK(prints64(x));
		if (isfinite(y))
			CHECK(prints32(y));
	}
	for (i = 0; i < unit_rounds(ROUNDS / 2); i++) {
		double x = (double)(int64_t)draw_bits() / 9.3e18;
		float y = (float)((int)(draw_bits() % 20001) - 10000) / 10000;

		CHECK(prints64(x * 20));
		CHECK(prints64((double)(int64_t)(x * 1e6) / 1e4));
		CHECK(prints32(y));
	}
}

static void
scan_forms(void)
{
	/* text, bytes used, value */
	static const struct {
		const char *s;
		size_t n;
		double x;
	} good[] = {
		{ "0", 1, 0 }, { "5.", 2, 5 }, { ".5", 2, 0.5 }, { "+.5", 3, 0.5 },
		{ "-12.75,", 6, -12.75 }, { "1e", 1, 1 }, { "1e+", 1, 1 },
		{ "1e-x", 1, 1 }, { "1E+2", 4, 100 }, { "1e2.5", 3, 100 },
		{ "1.5.5", 3, 1.5 }, { "0x10", 1, 0 }, { "00012", 5, 12 },
		{ "1 2", 1, 1 }, { "5.e1", 4, 50 },
		{ "1e-2 ", 4, 0.01 }, { "0e99999999999999999999", 22, 0 },
		{ "1e-99999999999999999999", 23, 0 },
		{ "1e99999999999999999999", 22, (double)INFINITY },
		{ "1e18446744073709551617", 22, (double)INFINITY },
		{ "1e-18446744073709551617", 23, 0 },
		{ "inf", 3, (double)INFINITY }, { "-Infinity", 9, -(double)INFINITY },
		{ "+INFINIT", 4, (double)INFINITY }, { "1e400x", 5, (double)INFINITY },
		{ "1.8e308", 7, (double)INFINITY }
	};
	static const char *const bad[] = {
		"", ".", "-", "+", "-.", "e5", ".e5", " 1", "in", "na", "--1", "+-1", "-e"
	};
	const char *s;
	double x = 3;
	float f = 3;
	size_t i;

	for (i = 0; i < sizeof good / sizeof *good; i++) {
		s = good[i].s;
		CHECK_EQ(taf_scan_f64(s, s + strlen(s), &x), good[i].n);
		CHECK_EQ(taf_bits64(x), taf_bits64(good[i].x));
		CHECK_EQ(taf_scan_f32(s, s + strlen(s), &f), good[i].n);
		CHECK_EQ(taf_bits32(f), taf_bits32((float)good[i].x));
	}
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		x = f = 3;
		CHECK_EQ(taf_scan_f64(bad[i], bad[i] + strlen(bad[i]), &x), 0);
		CHECK_EQ(taf_scan_f32(bad[i], bad[i] + strlen(bad[i]), &f), 0);
		CHECK(x == 3 && f == 3);
	}
	s = "nan-NANx";
	CHECK_EQ(taf_scan_f64(s, s + 8, &x), 3);
	CHECK(isnan(x));
	CHECK_EQ(taf_scan_f32(s + 3, s + 8, &f), 4);
	CHECK(isnan(f));
	/* The bytes from end on do not count. */
	s = "-1.25e17";
	for (i = 0; i < 9; i++)
		CHECK_EQ(taf_scan_f64(s, s + i, &x), i == 1 ? 0 : i == 6 ? 5 : i);
}

static void
scan_hard(void)
{
	static const char *const texts[] = {
		"9007199254740993", "9007199254740992.999999999999999999",
		"9007199254740993.0",
		"9007199254740993.00000000000000000000000000000000000001",
		"9007199254740995", "1e23", "8.5e-45", "8.5e-324", "5e-324", "4.9e-324",
		"2.4703282292062327e-324", "2.4703282292062328e-324",
		"2.47032822920623272088284396434110686182529901e-324",
		"2.47032822920623272088284396434110686182529902e-324",
		"2.2250738585072011e-308", "2.2250738585072012e-308",
		"2.2250738585072014e-308", "1.7976931348623157e308",
		"1.7976931348623158e308", "1.7976931348623159e308",
		"179769313486231580793728971405301e276", "6929495644600919.5",
		"3.7455744005952583e15", "7.8459735791271921e65", "3.571e266",
		"3.08984926168550152811e-32", "6.9294956446009195e15", "16777217",
		"16777217.000000000000000000000001", "16777218.999999999", "33554435e0",
		"7.0064923216240853e-46", "7.0064923216240854e-46", "1.4012984643e-45",
		"3.40282346638528859811704183484516925440e38", "3.4028235677973366e38",
		"3.4028235677973367e38", "1.17549435e-38", "1.1754943508e-38", "0.1",
		"8388608.5", "8388609.5", "1.00000017881393432617187499",
		"1.00000017881393432617187500", "1.00000017881393432617187501",
		"1.000000059604644775390625", "123456789e-20",
		"00000000000000000000000000000000000001.5",
		"0.00000000000000000000000000000000015",
		"1000000000000000000000000000000000000000e-39", "1e-343",
		"9999999999999999999e-343", "9999999999999999999e289", "1e309", "1e308",
		"18446744073709551615", "18446744073709551616", "99999999999999999999",
		"12345678901234567890123456789"
	};
	char text[TEXT_MAX];
	size_t i;

	for (i = 0; i < sizeof texts / sizeof *texts; i++)
		CHECK(scans(texts[i]));

	/* What the exponent takes back of very many zeros. */
	memset(text, '0', 900);
	strcpy(text + 900, "12345e-300");
	CHECK(scans(text));
	text[1] = '.';
	strcpy(text + 900, "12345e903");
	CHECK(scans(text));
	text[0] = '1';
	text[1] = '0';
	strcpy(text + 900, "e-899");
	CHECK(scans(text));
}

/* The middle of two neighbours, exact or cut to some digits, and a little beside it. */
static void
scan_middles(void)
{
	char text[TEXT_MAX];
	size_t n;
	int i;

	for (i = 0; i < LONG_ROUNDS; i++) {
		float y = taf_of_bits32((uint32_t)draw_bits() >> 1);
		uint64_t u = draw_bits() >> 1 & 0xffeffffffffffffe;

		/* Of two floats, it is a double. */
		if (isfinite(y)) {
			snprintf(text, sizeof text, "%.*e", 1 + i % 120,
			    ((double)y + (double)taf_of_bits32(taf_bits32(y) + 1)) / 2);
			CHECK(scans(text));
		}
		/* 16 digits, whose nearest double is such a middle. */
		y = taf_of_bits32(0x40800000 | (uint32_t)draw_bits() >> 9);
		snprintf(text, sizeof text, "%.15f",
		    ((double)y + (double)taf_of_bits32(taf_bits32(y) + 1)) / 2);
		CHECK(scans(text));
		snprintf(text, sizeof text, "%.*e", 10 + i % 770, taf_of_bits64(u));
		CHECK(scans(text));
		snprintf(text, sizeof text, "%.1100f",
		    taf_of_bits64(u & 0x003ffffffffffffe));
		text[1101] = '1';
		CHECK(scans(text));

		n = (size_t)snprintf(text, sizeof text, "%" PRIu64 ".5",
		    (u & 0xfffffffffffff) | (uint64_t)1 << 52 | (i & 1));
		CHECK(scans(text));
		memset(text + n, '0', 800);
		strcpy(text + n + 800, i % 4 < 2 ? "1" : "0");
		CHECK(scans(text));
		text[n - 1] = '4';
		memset(text + n, '9', 800);
		CHECK(scans(text));
	}
}

/* (2^54 - 1) 2^-1075 has 767 digits that count, the most of all middles. */
static void
scan_longest(void)
{
	unsigned char d[1100] = { 0 };
	char text[TEXT_MAX];
	int i, j, carry;
	double x;

	/* Halve 2^54 - 1, with its 17 digits before the point, 1075 times. */
	for (i = 0; i < 17; i++)
		d[i] = (unsigned char)("18014398509481983"[i] - '0');
	for (i = 0; i < 1075; i++)
		for (j = 0, carry = 0; j < 1100; j++) {
			carry = carry * 10 + d[j];
			d[j] = (unsigned char)(carry / 2);
			carry %= 2;
		}
	for (i = 0; i < 1100; i++)
		text[i + (i > 16)] = (char)('0' + d[i]);
	text[17] = '.';
	text[1101] = '\0';
	CHECK(scans(text));
	CHECK_EQ(taf_scan_f64(text, text + 1101, &x), 1101);
	CHECK_EQ(taf_bits64(x), taf_bits64(4.4501477170144028e-308));
	text[1100] = '1';
	CHECK(scans(text));
}

static void
scan_random(void)
{
	char text[TEXT_MAX];
	int i, j, n;

	for (i = 0; i < unit_rounds(ROUNDS); i++) {
		n = 1 + (int)(draw_bits() % (i % 16 ? 24 : 900));
		for (j = 0; j < n; j++)
			text[j] = (char)('0' + draw_bits() % 10);
		if (draw_bits() % 2)
			text[draw_bits() % (uint64_t)n] = '.';
		if (n == 1 && text[0] == '.')
			text[0] = '7';
		text[n] = '\0';
		if (draw_bits() % 2)
			snprintf(text + n, 8, "e%d", (int)(draw_bits() % 680) - 350);
		CHECK(scans(text));
	}
}

/* Is text an integer of this sign and magnitude, exactly or rounded? */
static bool
is_integer(const char *text, bool minus, uint64_t magnitude, enum taf_integer_kind kind)
{
	struct taf_integer x;

	return taf_scan_integer(text, text + strlen(text), &x) == strlen(text) &&
	    x.kind == kind && (kind > TAF_INTEGER_ROUNDED ||
	    (x.minus == minus && x.magnitude == magnitude));
}

static void
scan_integers(void)
{
	static const struct {
		const char *text;
		bool minus;
		uint64_t magnitude;
		enum taf_integer_kind kind;
	} known[] = {
		{ "1e18", false, UINT64_C(1000000000000000000), TAF_INTEGER_EXACT },
		{ "2.4999999999999999999", false, 2, TAF_INTEGER_ROUNDED },
		{ "-2.5", true, 3, TAF_INTEGER_ROUNDED },
		{ "+5.", false, 5, TAF_INTEGER_EXACT },
		{ ".5", false, 1, TAF_INTEGER_ROUNDED },
		{ ".05e2", false, 5, TAF_INTEGER_EXACT },
		{ "-0.0", true, 0, TAF_INTEGER_EXACT },
		{ "1e-99999999999999999999", false, 0, TAF_INTEGER_ROUNDED },
		{ "0e99999999999999999999", false, 0, TAF_INTEGER_EXACT },
		{ "18446744073709551615.49", false, UINT64_MAX, TAF_INTEGER_ROUNDED },
		{ "18446744073709551615.5", false, 0, TAF_INTEGER_LARGE },
		{ "1e20", false, 0, TAF_INTEGER_LARGE },
		{ "-inf", true, 0, TAF_INTEGER_LARGE },
		{ "NaN", false, 0, TAF_INTEGER_NAN },
	};
	static const char none[] = "3x";
	struct taf_integer x;
	size_t i;

	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		CHECK(is_integer(known[i].text, known[i].minus, known[i].magnitude,
		    known[i].kind));
	CHECK_EQ(taf_scan_integer(none + 1, none + 2, &x), 0);
	CHECK_EQ(taf_scan_integer(none, none + 2, &x), 1);
}

/* An integer, digits behind its point, and the point moved against an exponent. */
static void
scan_random_integers(void)
{
	static const char *const fractions[] = {
		"", "0", "5", "49999999999999999999999", "50000000000000000000001", "51"
	};
	char digits[200], text[300];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		const char *fraction = fractions[draw_bits() % 6];
		const uint64_t v = draw_bits() >> draw_bits() % 64;
		const int shift = (int)(draw_bits() % 41) - 20;
		const bool minus = draw_bits() % 2 != 0, half = *fraction >= '5';
		const bool rest = strspn(fraction, "0") < strlen(fraction);
		int n, point;

		memset(digits, '0', sizeof digits);
		n = 30 + snprintf(digits + 30, 24, "%" PRIu64, v);
		point = n + shift;
		n += snprintf(digits + n, 24, "%s", fraction);
		digits[n] = '0';
		n = snprintf(text, sizeof text, "%s%.*s.%.*s", minus ? "-" : "", point,
		    digits, n > point ? n - point : 1, digits + point);
		if (shift != 0 || draw_bits() % 2 != 0)
			snprintf(text + n, 20, "e%d", -shift);
		if (half && v == UINT64_MAX)
			continue;
		if (!CHECK(is_integer(text, minus, v + half, rest ? TAF_INTEGER_ROUNDED :
		    TAF_INTEGER_EXACT)))
			printf("# %s\n", text);
	}
}

int
main(void)
{
	UNIT(print_forms);
	UNIT(print_places);
	UNIT(print_integers);
	UNIT(print_powers);
	UNIT(print_ties);
	UNIT(print_random);
	UNIT(scan_forms);
	UNIT(scan_hard);
	UNIT(scan_middles);
	UNIT(scan_longest);
	UNIT(scan_random);
	UNIT(scan_integers);
	UNIT(scan_random_integers);
	return unit_end();
}
