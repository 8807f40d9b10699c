/* SPDX-License-Identifier: ISC */
/* Text to numbers, against libc's parsers in the C locale; and back. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "target.h"

enum { TEXT_MAX = 2000 };

static bool
same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static bool
is_made_of(const char *text, const char *chars)
{
	return text[0] != '\0' && text[strspn(text, chars)] == '\0';
}

static void
real(const char *text, size_t n)
{
	char *end, printed[TAF_DECIMAL_MAX];
	double x = 0, y = 0, want;
	float f = 0, g = 0;
	bool ok = taf_parse_f64(text, n, &x);

	if (is_made_of(text, "+-.0123456789eE")) {
		want = strtod(text, &end);
		must(ok == (*end == '\0'));
		must(!ok || same_bits(x, want));
		must(taf_scan_f64(text, text + n, &y) == (size_t)(end - text));
		must(end == text || same_bits(y, want));
	}
	if (!ok)
		return;
	must(taf_parse_f64(printed, taf_print_f64(printed, x), &y) && same_bits(x, y));
	must(taf_scan_f32(text, text + n, &f) == n);
	n = taf_print_f32(printed, f);
	must(taf_scan_f32(printed, printed + n, &g) == n);
	must(memcmp(&f, &g, sizeof f) == 0 || (f != f && g != g));
}

static void
whole(const char *text, size_t n)
{
	uint64_t u = 0;
	bool digits = is_made_of(text, "0123456789");
	bool is_u = taf_parse_u64(text, n, &u);
	int64_t i = 0;
	char *end;

	errno = 0;
	if (digits) {
		unsigned long long want = strtoull(text, NULL, 10);

		must(is_u == (errno == 0));
		must(!is_u || u == want);
	} else {
		must(!is_u);
	}
	errno = 0;
	if (is_made_of(text, "+-0123456789")) {
		long long want = strtoll(text, &end, 10);
		bool all = *end == '\0' && errno == 0;

		must(taf_parse_i64(text, n, &i) == all);
		must(!all || i == want);
	} else {
		must(!taf_parse_i64(text, n, &i));
	}
}

static void
sized(const char *text, size_t n)
{
	const char last = text[n - 1];
	unsigned shift = last == 'k' || last == 'K' ? 10 : last == 'M' ? 20 :
	    last == 'G' ? 30 : 0;
	uint64_t v = 0, size = 0;
	bool good = taf_parse_u64(text, n - (shift != 0), &v) && v <= UINT64_MAX >> shift;
	size_t s = 0;

	must(taf_parse_size(text, &size) == good);
	must(!good || size == v << shift);
	must(taf_to_size(v, &s) == (v <= SIZE_MAX) && (v > SIZE_MAX || s == v));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;
	double x;

	if (size == 0 || size > TEXT_MAX)
		return 0;
	/* memory of exactly this size: nothing may be read behind it */
	(void)taf_scan_f64((const char *)data, (const char *)data + size, &x);
	text = malloc(size + 1);
	if (text == NULL)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (strlen(text) == size) {
		real(text, size);
		whole(text, size);
		sized(text, size);
	}
	free(text);
	return 0;
}
