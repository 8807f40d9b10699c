/* SPDX-License-Identifier: ISC */
/* Checked arithmetic and strict parsing, against libc's parsers where it has them. */
#include "base/num.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "unit.h"

static const uint64_t edges[] = {
	0, 1, 2, 3, 10, 255, 65535, 65536, UINT32_MAX, UINT64_C(1) << 32,
	(UINT64_C(1) << 32) + 1, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX / 3,
	UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX
};

enum { EDGES = sizeof edges / sizeof edges[0], KEEP = 77 };

/* a * b by halves of 32 bits: does it fit? */
static bool
product_fits(uint64_t a, uint64_t b)
{
	uint64_t ah = a >> 32, al = a & UINT32_MAX, bh = b >> 32, bl = b & UINT32_MAX;
	uint64_t mid;

	if (ah != 0 && bh != 0)
		return false;
	/* at most one of the two is not 0 */
	mid = ah * bl + al * bh;
	if (mid > UINT32_MAX)
		return false;
	return (mid << 32) + al * bl >= mid << 32;
}

static void
arithmetic(void)
{
	for (size_t i = 0; i < EDGES; i++)
		for (size_t j = 0; j < EDGES; j++) {
			uint64_t a = edges[i], b = edges[j], r = KEEP;
			bool fits = product_fits(a, b);

			CHECK(taf_mul(a, b, &r) == fits);
			CHECK_EQ(r, fits ? a * b : KEEP);
			r = KEEP;
			fits = a + b >= a;
			CHECK(taf_add(a, b, &r) == fits);
			CHECK_EQ(r, fits ? a + b : KEEP);
		}
}

static void
sizes_in_memory(void)
{
	size_t n = KEEP;

	CHECK(taf_to_size(SIZE_MAX, &n) && n == SIZE_MAX);
	CHECK(taf_to_size(0, &n) && n == 0);
	CHECK(taf_alloc(SIZE_MAX / 2, 3) == NULL);
	CHECK(taf_alloc(SIZE_MAX, SIZE_MAX) == NULL);
}

static void
unsigned_numbers(void)
{
	static const char *const good[] = {
		"0", "1", "007", "10", "18446744073709551615", "18446744073709551614",
		"000000000000000000000000000001"
	};
	static const char *const wrong[] = { "", " 1", "1 ", "+1", "-1", "-0", "1.0",
		"1e3", "0x10", "18446744073709551616", "18446744073709551620",
		"184467440737095516150", "99999999999999999999999", "1_0", "1,2", "\t1",
		"/", ":" };
	uint64_t r;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		r = KEEP;
		CHECK(taf_parse_u64(good[i], strlen(good[i]), &r));
		CHECK_EQ(r, strtoull(good[i], NULL, 10));
	}
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		r = KEEP;
		CHECK(!taf_parse_u64(wrong[i], strlen(wrong[i]), &r));
		CHECK_EQ(r, KEEP);
	}
	CHECK(taf_parse_u64("123456", 3, &r) && r == 123);
	CHECK(!taf_parse_u64("12\0" "4", 4, &r));
}

static void
signed_numbers(void)
{
	static const char *const good[] = { "0", "-0", "+0", "-1", "+12",
		"9223372036854775807", "-9223372036854775808", "-9223372036854775807",
		"+9223372036854775807", "-007" };
	static const char *const wrong[] = { "", "-", "+", "--1", "+-1", "- 1",
		"9223372036854775808", "-9223372036854775809", "18446744073709551615",
		"-18446744073709551616", "1-", "1.", " -1" };
	int64_t r;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		r = KEEP;
		CHECK(taf_parse_i64(good[i], strlen(good[i]), &r));
		CHECK_INT(r, strtoll(good[i], NULL, 10));
	}
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		r = KEEP;
		CHECK(!taf_parse_i64(wrong[i], strlen(wrong[i]), &r));
		CHECK_INT(r, KEEP);
	}
}

/* Every text of up to three of these characters: accepted where libc takes all of it. */
static void
short_texts(void)
{
	static const char chars[] = "019+-.eEk";
	enum { N = sizeof chars - 1 };
	char text[4], *end;

	for (unsigned i = 0; i < N * N * N; i++)
		for (size_t n = 1; n <= 3; n++) {
			int64_t s = 0;
			double x = 0, want;
			long long whole;

			text[0] = chars[i % N];
			text[1] = chars[i / N % N];
			text[2] = chars[i / N / N];
			text[n] = '\0';
			want = strtod(text, &end);
			CHECK(taf_parse_f64(text, n, &x) == (*end == '\0'));
			CHECK(*end != '\0' || memcmp(&x, &want, sizeof x) == 0);
			whole = strtoll(text, &end, 10);
			CHECK(taf_parse_i64(text, n, &s) == (*end == '\0'));
			CHECK(*end != '\0' || s == whole);
		}
}

static void
reals(void)
{
	static const char *const wrong[] = { "", " 1", "1 ", "1e", "1e+", ".", "+", "e5",
		"1..2", "0x1p3", "1,5", "nan(1)", "infinit", "in", "1f", "--1" };
	double x;

	CHECK(taf_parse_f64("inf", 3, &x) && isinf(x) && x > 0);
	CHECK(taf_parse_f64("-Infinity", 9, &x) && isinf(x) && x < 0);
	CHECK(taf_parse_f64("NaN", 3, &x) && isnan(x));
	CHECK(taf_parse_f64("-0", 2, &x) && x == 0 && signbit(x));
	CHECK(taf_parse_f64("1e999", 5, &x) && isinf(x));
	CHECK(taf_parse_f64("2.5e-1x", 6, &x) && x == 0.25);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		x = KEEP;
		CHECK(!taf_parse_f64(wrong[i], strlen(wrong[i]), &x));
		CHECK(x == KEEP);
	}
}

static void
sizes(void)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = { { "0", 0 }, { "4096", 4096 }, { "1k", 1024 }, { "3K", 3072 },
		{ "256M", 268435456 }, { "2G", 2147483648 },
		{ "18014398509481983k", UINT64_MAX - 1023 },
		{ "17179869183G", UINT64_C(17179869183) << 30 }, { "0G", 0 } };
	static const char *const wrong[] = { "", "k", "M", "1kB", "1m", "1g", "1 k", "-1",
		"1.5M", "18014398509481984k", "17179869184G", "1T", "1kk", "k1" };
	uint64_t r;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		r = KEEP;
		CHECK(taf_parse_size(good[i].text, &r));
		CHECK_EQ(r, good[i].bytes);
	}
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		r = KEEP;
		CHECK(!taf_parse_size(wrong[i], &r));
		CHECK_EQ(r, KEEP);
	}
}

static void
buffers(void)
{
	struct taf_buf b = { 0 };
	struct taf_err e = { 0 };

	CHECK(taf_buf_put(&b, NULL, 0, &e) == TAF_OK);
	CHECK(b.data != NULL && b.len == 0 && b.data[0] == '\0');
	for (int i = 0; i < 1000; i++)
		if (taf_buf_printf(&b, &e, "%d,", i) != TAF_OK)
			break;
	/* 10 + 90 * 2 + 900 * 3 digits, and 1000 commas */
	CHECK_EQ(b.len, 3890);
	CHECK_EQ(strlen(b.data), b.len);
	CHECK_STR(b.data + b.len - 8, "998,999,");
	CHECK(taf_buf_reserve(&b, SIZE_MAX / 2, &e) == TAF_ESYS && e.sys == ENOMEM);
	CHECK(taf_buf_reserve(&b, SIZE_MAX, &e) == TAF_ESYS);
	CHECK_EQ(b.len, 3890);
	taf_buf_free(&b);
	CHECK(b.data == NULL && b.len == 0);
}

static void
errors(void)
{
	struct taf_err e = { 0 };
	char text[2 * TAF_ERR_TEXT];

	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = '\0';
	taf_err_name(&e, "too early");
	CHECK_STR(e.name, "");
	CHECK(taf_fail(&e, TAF_EDATA, "first %d", 1) == TAF_EDATA);
	CHECK(taf_fail(&e, TAF_ESYS, "second") == TAF_EDATA);
	CHECK_STR(e.text, "first 1");
	taf_err_name(&e, "a");
	taf_err_name(&e, "b");
	CHECK_STR(e.name, "a");
	taf_err_clear(&e);
	CHECK(e.code == TAF_OK && e.text[0] == '\0' && e.name[0] == '\0' && e.sys == 0);
	errno = ENOSPC;
	CHECK(taf_fail_sys(&e, "cannot write") == TAF_ESYS);
	CHECK(e.sys == ENOSPC && errno == ENOSPC);
	CHECK(strncmp(e.text, "cannot write: ", 14) == 0 && strlen(e.text) > 14);
	taf_err_clear(&e);
	errno = EIO;
	CHECK(taf_fail_sys(&e, "%s", text) == TAF_ESYS);
	CHECK_EQ(strlen(e.text), TAF_ERR_TEXT - 1);
	taf_err_name(&e, text);
	CHECK_EQ(strlen(e.name), TAF_ERR_NAME - 1);
}

int
main(void)
{
	UNIT(arithmetic);
	UNIT(sizes_in_memory);
	UNIT(unsigned_numbers);
	UNIT(signed_numbers);
	UNIT(short_texts);
	UNIT(reals);
	UNIT(sizes);
	UNIT(buffers);
	UNIT(errors);
	return unit_end();
}
