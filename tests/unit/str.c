/* SPDX-License-Identifier: ISC */
/*
 * Text that is built piece by piece: what each piece becomes, and that a failure sticks.
 */
#include "base/str.h"

#include <float.h>
#include <math.h>

#include "unit.h"

static void
test_pieces(void)
{
	struct taf_err e = { 0 };
	struct taf_str s = { .err = &e };

	taf_str_puts(&s, "a");
	taf_str_put(&s, "bcd", 2);
	taf_str_printf(&s, " %d%%%s ", -7, "x");
	taf_str_u64(&s, UINT64_MAX);
	taf_str_puts(&s, " ");
	taf_str_i64(&s, INT64_MIN);
	taf_str_puts(&s, " ");
	taf_str_f64(&s, 0.1);
	taf_str_printf(&s, " %s %s", taf_f64(-DBL_MAX).s, taf_f64(2.5e-7).s);
	CHECK(s.st == TAF_OK && e.code == TAF_OK);
	CHECK_STR(s.buf.data, "abc -7%x 18446744073709551615 -9223372036854775808 0.1 "
	    "-1.7976931348623157e308 2.5e-7");
	CHECK_EQ(s.buf.len, strlen(s.buf.data));
	taf_str_free(&s);
	CHECK(s.buf.data == NULL && s.buf.len == 0);
}

static void
test_brief(void)
{
	static const struct {
		double v, other;
		const char *text;
	} cases[] = {
		{ 0.1, 0.1, "0.1" }, { -10.000027999112104, 40, "-10.00003" },
		{ 1.0 / 3, 1, "0.3333333" }, { 2.0 / 3e9, 0, "6.666667e-10" },
		{ -0.0, -0.0, "0" }, { -0.0, 0.0, "0" }, { 123456789, 1, "123456800" },
		{ 9999999.9, 0, "10000000" }, { 5e-324, 0, "5e-324" },
		{ DBL_MAX, 0, "1.797693e308" }, { -DBL_MAX, 0, "-1.797693e308" },
		{ 123456789, 123456788, "123456789" }, { 1e9, 1e9 + 1e-3, "1000000000" },
		{ 1e9 + 1e-3, 1e9, "1000000000.001" },
		{ 0.1 + 0.2, 0.3, "0.30000000000000004" },
		{ 0.3, 0.1 + 0.2, "0.3" }, { 100.00000004, 100, "100.00000004" },
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof cases[0]; i++)
		CHECK_STR(taf_brief_beside(cases[i].v, cases[i].other).s, cases[i].text);
	CHECK_STR(taf_brief(-10.000027999112104).s, "-10.00003");
	CHECK_STR(taf_brief((double)NAN).s, "nan");
	CHECK_STR(taf_brief_beside((double)NAN, 1).s, "nan");
	CHECK_STR(taf_brief(-(double)INFINITY).s, "-inf");
}

static void
test_untrusted(void)
{
	static const char text[] = "\x1b[3\"\\\t\n\x7f\xc3\xa4\xe4";
	struct taf_err e = { 0 };
	struct taf_str s = { .err = &e };

	taf_str_safe(&s, text, sizeof text);
	CHECK_STR(s.buf.data, "\\x1b[3\"\\\\x09\\x0a\\x7f\xc3\xa4\xe4\\x00");
	s.buf.len = 0;
	taf_str_json(&s, text, sizeof text);
	CHECK_STR(s.buf.data,
	    "\"\\u001b[3\\\"\\\\\\u0009\\n\\u007f\xc3\xa4\\u00e4\\u0000\"");
	s.buf.len = 0;
	taf_str_json(&s, NULL, 0);
	CHECK_STR(s.buf.data, "\"\"");
	CHECK(s.st == TAF_OK);
	taf_str_free(&s);
}

/* All that appends, each alone. */
static void
append(struct taf_str *s, int how)
{
	switch (how) {
	case 0: taf_str_put(s, "x", 1); break;
	case 1: taf_str_puts(s, "x"); break;
	case 2: taf_str_printf(s, "%d", 1); break;
	case 3: taf_str_u64(s, 1); break;
	case 4: taf_str_i64(s, 1); break;
	case 5: taf_str_f64(s, 1); break;
	case 6: taf_str_safe(s, "x\n", 2); break;
	case 7: taf_str_json_part(s, "x\n", 2); break;
	default: taf_str_json(s, "x", 1); break;
	}
}

static void
test_failure_sticks(void)
{
	static const char text[] = "";
	volatile size_t most = SIZE_MAX;
	int how;

	for (how = 0; how < 9; how++) {
		struct taf_err e = { 0 };
		struct taf_str s = { .err = &e };

		taf_str_puts(&s, "before");
		/* more than any memory has */
		taf_str_put(&s, text, most);
		append(&s, how);
		CHECK(s.st == TAF_ESYS && e.code == TAF_ESYS);
		CHECK_STR(s.buf.data, "before");
		taf_str_free(&s);
		CHECK(s.st == TAF_ESYS);
	}
}

int
main(void)
{
	UNIT(test_pieces);
	UNIT(test_brief);
	UNIT(test_untrusted);
	UNIT(test_failure_sticks);
	return unit_end();
}
