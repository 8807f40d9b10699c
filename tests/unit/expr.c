/* SPDX-License-Identifier: ISC */
/* Expressions: what is refused and where, and the values of what is not. */
#include "kernel/expr/expr.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/num.h"
#include "unit.h"

enum { BLOCK = TAF_EXPR_BLOCK, MOST = 3 * BLOCK };

/* Complex functions of other libraries of C, musl's, say, lose digits and overflow. */
#ifdef __GLIBC__
enum { C_IS_EXACT = 1 };
#else
enum { C_IS_EXACT = 0 };
#endif

static struct taf_err e;

static struct taf_array
shaped(enum taf_type type, uint64_t n1, uint64_t n2)
{
	struct taf_array a;

	taf_array_init(&a);
	taf_array_add_dim(&a, n1, 0.5, 0.25);
	taf_array_add_dim(&a, n2, 10, -1);
	a.type = type;
	return a;
}

/* An expression over inputs a, b ... of these types and one shape; NULL where refused. */
static struct taf_program *
compile(const char *text, const struct taf_array *shape, const enum taf_type types[],
    unsigned nin, bool clip)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	struct taf_array in[4];
	const struct taf_array *each[4];
	const struct taf_expr_over over = { .in = each, .nin = nin, .shape = shape,
	    .clip = clip };
	struct taf_expr *x = NULL;
	struct taf_program *p = NULL;

	taf_err_clear(&e);
	for (unsigned k = 0; k < nin; k++) {
		in[k] = *shape;
		in[k].type = types[k];
		each[k] = &in[k];
	}
	if (taf_expr_parse(&x, text, names, nin, &e) == TAF_OK &&
	    taf_program_make(&p, x, &over, &e) != TAF_OK)
		p = NULL;
	taf_expr_free(x);
	return p;
}

static enum taf_status
run(const struct taf_program *p, const void *const in[], void *out, uint64_t first,
    size_t n,
    struct taf_program_count *count)
{
	void *workspace = malloc(taf_program_workspace(p) + 1);
	const struct taf_program_block b = { in, out, first, n };
	enum taf_status st;

	st = taf_program_run(p, workspace, &b, count, &e);
	free(workspace);
	return st;
}

/* The value of an expression without inputs: a double, whatever it is. */
static double
value(const char *text)
{
	const struct taf_array shape = shaped(TAF_FLT64, 1, 1);
	struct taf_program_count count = { 0, 0 };
	struct taf_program *p = compile(text, &shape, NULL, 0, false);
	union { double r[2]; int64_t i; uint64_t u; uint8_t b; } y = { { NAN, NAN } };

	if (p == NULL || run(p, NULL, &y, 0, 1, &count) != TAF_OK) {
		printf("# %s: %s\n", text, e.text);
		return -12345;
	}
	switch ((int)taf_program_gives(p)) {
	case TAF_INT64:
		y.r[0] = (double)y.i;
		break;
	case TAF_UINT64:
		y.r[0] = (double)y.u;
		break;
	case TAF_UINT8:
		y.r[0] = y.b;
		break;
	}
	taf_program_free(p);
	return y.r[0];
}

static void
values(void)
{
	static const struct { const char *text; double value; } known[] = {
		{ "-9223372036854775808", -0x1p63 }, { "-9223372036854775808 % 10", 2 },
		{ "8 - 9223372036854775808 + 9223372036854775800", 0 },
		{ "256 >> 18446744073709551615", 0 }, { "gamma(0) == gamma(0)", 0 },
		{ "0 >> -9223372036854775808", 0 }, { "-8 >> 9223372036854775808", -1 },
		{ "2^3^2", 512 }, { "2**3**2", 512 }, { "-2^2", -4 }, { "2^-1", 0.5 },
		{ "2*-3", -6 }, { "2^-1^2", 0.5 }, { "1 - 2 - 3", -4 }, { "7 // -2", -4 },
		{ "-7 % 3", 2 }, { "7 % -3", -2 }, { "-7 // 2.0", -4 }, { "1 // 0.1", 9 },
		{ "5.5 % -2", -0.5 }, { "-1e-20 % 1", 1 }, { "1 / 4", 0.25 },
		{ "1 << 4 + 1", 32 },
		{ "-8 >> 1", -4 }, { "6 & 3 | 8", 10 }, { "6 xor 3", 5 }, { "~5", -6 },
		 { "not 1 == 2", 1 }, { "1 or 0 and 0", 1 },
		{ "not 0 and 0", 0 }, { "0 ? 1 : 0 ? 2 : 3", 3 }, { "1 ? 2 : 3 + 10", 2 },
		{ "t = 3; t*t", 9 }, { "t = 3; t = t + 1; t*t", 16 }, { "0x1F", 31 },
		{ ".5e1", 5 }, { "min(3, 1, 2)", 1 }, { "max(nan, 1) != max(nan, 1)", 1 },
		{ "fmax(nan, 1)", 1 }, { "clip(5, 0, 3)", 3 }, { "round(2.5)", 2 },
		{ "round(-3.5)", -4 }, { "frac(-0.25)", 0.75 }, { "mod(-1, 3)", 2 },
		{ "floor(-0.5)", -1 }, { "ceil(0.25)", 1 }, { "trunc(-2.75)", -2 },
		{ "sign(-3)", -1 }, { "abs(-3)", 3 }, { "shift(1, 5)", 32 },
		{ "shift(32, -5)", 1 },
		{ "isnan(0/0)", 1 }, { "isinf(-1/0)", 1 }, { "isfinite(3)", 1 },
		{ "deg(pi)", 180 }, { "sinc(0)", 1 }, { "real((1+2*I)*(3-4*I))", 11 },
		{ "imag((1+2*I)/(3-4*I))", 0.4 }, { "abs(3+4*I)", 5 },
		{ "arg(-1)", 0x1.921fb54442d18p+1 },
		{ "imag(sqrt(-4+0*I))", 2 }, { "real(exp(I*pi))", -1 },
		{ "where(1, 5, 1//0)", 5 }, { "0 and 1//0", 0 }, { "1 or 1//0", 1 },
		{ "18446744073709551615 > -1", 1 }, { "-1 < 18446744073709551615", 1 },
		{ "9223372036854775808 == -9223372036854775807 - 1", 0 },
		{ "x1", 0.5 }, { "x2", 10 }, { "i1 + n2", 2 }, { "1e3", 1000 },
		{ "1E3", 1000 },
	};

	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		const double v = value(known[k].text);

		if (!CHECK(v == known[k].value))
			printf("# %s is %.17g\n", known[k].text, v);
	}
}

static void
places_of_errors(void)
{
	static const struct { const char *text, *said; } known[] = {
		{ "", "column 1: it ends where a value is expected" },
		{ "a +", "column 4: it ends where a value is expected" },
		{ "a + foo", "column 5: unknown name \"foo\" (known: a b x1" },
		{ "\303\244 + 1", "column 1: \"\303\244\" stands where a value" },
		{ "a*(b+1", "column 3: \"(\" has no \")\"" },
		{ "a*b)", "column 4: \")\" stands where an operator or the end" },
		{ "a && b", "column 3: \"&&\" is not known: it is \"and\"" },
		{ "a || b", "column 3: \"||\" is not known: it is \"or\"" },
		{ "!a", "column 1: \"!\" is not known: it is \"not\"" },
		{ "a = b", "column 1: \"a\" is taken, and cannot be defined (\"==\"" },
		{ "1 + sin b", "column 5: sin is a function: its values" },
		{ "pi = 3; pi", "column 1: \"pi\" is taken" },
		{ "a + b = 3", "column 7: \"=\" is not known" },
		{ "t = a", "column 6: it ends without a result" },
		{ "a; b", "column 2: before \";\" stands NAME" },
		{ "a < b < a", "column 7: comparisons do not chain" },
		{ "sin(a, b)", "column 1: sin takes 1 value, 2 are given" },
		{ "1 + clip(a)", "column 5: clip takes 3 values, 1 is given" },
		{ "1 + max(2)", "column 5: max takes 2 values or more, 1 is given" },
		{ "fmin(1)", "column 1: fmin takes 2 values or more" },
		{ "min()", "column 5: \")\" stands where a value" },
		{ "sum(a)", "column 1: unknown function \"sum\": tafreduce computes it" },
		{ "foo(a)", "column 1: unknown function \"foo\" (known: abs" },
		{ "a(3)", "column 2: \"(\" is not known: functions" },
		{ "2a", "column 2: \"a\" follows a number: \"*\"" },
		{ "a ? b", "column 3: \"?\" has no \":\"" },
		{ "(a ? b)", "column 7: \")\" stands where \":\"" },
		{ "a : b", "column 3: \":\" stands where an operator" },
		{ "a, b", "column 2: \",\" is not known: decimals" },
		{ "99999999999999999999",
		    "column 1: an integer above 18446744073709551615" },
		{ "x65", "column 1: unknown name \"x65\"" },
		{ "x0", "column 1: unknown name" },
		{ "x3", "column 1: x3, but the result has 2 dimensions" },
		{ "a + n3*b", "column 5: n3, but the result has 2 dimensions" },
		{ "1.5 & a", "column 5: \"&\" of numbers that are no integers" },
		{ "~x1", "column 1: \"~\" of numbers that are no integers" },
		{ "a*I < b", "column 5: \"<\" of complex values" },
		{ "floor(a*I)", "column 1: \"floor\" takes no complex values" },
		{ "rand(a)", "column 1: \"rand\" takes a seed" },
	};
	static const enum taf_type types[] = { TAF_INT16, TAF_FLT32 };
	const struct taf_array shape = shaped(TAF_FLT32, 3, 2);

	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		CHECK(compile(known[k].text, &shape, types, 2, false) == NULL);
		if (!CHECK(strstr(e.text, known[k].said) != NULL))
			printf("# %s: %s\n", known[k].text, e.text);
	}
}

/* n times a text, then another, then n times a third. */
static char *
repeated(const char *before, const char *middle, const char *after, size_t n)
{
	struct taf_buf b = { 0 };
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < n && st == TAF_OK; i++)
		st = taf_buf_puts(&b, before, &e);
	if (st == TAF_OK)
		st = taf_buf_puts(&b, middle, &e);
	for (i = 0; i < n && st == TAF_OK; i++)
		st = taf_buf_puts(&b, after, &e);
	CHECK(st == TAF_OK);
	return b.data;
}

static void
limits(void)
{
	static const struct { const char *before, *middle,
	    *after; size_t n; bool good; } is[] = {
		{ "(", "1", ")", 256, true }, { "(", "1", ")", 257, false },
		{ "-", "1", "", 256, true }, { "-", "1", "", 257, false },
		{ "abs(", "1", ")", 256, true }, { "abs(", "1", ")", 257, false },
		{ "not ", "1", "", 257, false },
		/* chains of operators are no depth */
		{ "1+", "1", "", 30000, true }, { "1^", "1", "", 30000, true },
		{ "0?1:", "1", "", 16000, true }, { "1 ", "", "", 1, true },
		{ " ", "1", "", 65535, true }, { " ", "1", "", 65536, false },
	};
	const struct taf_array shape = shaped(TAF_FLT32, 1, 1);

	for (size_t k = 0; k < sizeof is / sizeof *is; k++) {
		char *text = repeated(is[k].before, is[k].middle, is[k].after, is[k].n);
		struct taf_program *p = compile(text, &shape, NULL, 0, false);

		if (!CHECK((p != NULL) == is[k].good))
			printf("# %.10s: %s\n", text, e.text);
		taf_program_free(p);
		free(text);
	}
}

static void
types_of_results(void)
{
	static const struct { const char *text; enum taf_type a, b, y; } known[] = {
		{ "a+b", TAF_UINT8, TAF_UINT16, TAF_UINT16 },
		{ "a*b", TAF_INT8, TAF_INT32, TAF_INT32 },
		{ "a-b", TAF_UINT8, TAF_INT8, TAF_INT64 },
		{ "a+b", TAF_UINT64, TAF_UINT8, TAF_UINT64 },
		{ "a+b+100", TAF_UINT8, TAF_UINT8, TAF_UINT8 },
		{ "a/b", TAF_INT16, TAF_UINT8, TAF_FLT32 },
		{ "a/b", TAF_INT32, TAF_INT8, TAF_FLT64 },
		{ "a>b", TAF_FLT64, TAF_FLT64, TAF_UINT8 },
		{ "a+b", TAF_FLT32, TAF_INT16, TAF_FLT32 },
		{ "a+b", TAF_FLT32, TAF_INT32, TAF_FLT64 },
		{ "sqrt(a)+b", TAF_UINT8, TAF_UINT16, TAF_FLT32 },
		{ "where(a>b,1,0)", TAF_FLT32, TAF_FLT32, TAF_INT64 },
		{ "where(a>b,1,0)", TAF_UINT8, TAF_UINT16, TAF_UINT16 },
		{ "where(a>b,a,b)", TAF_INT16, TAF_INT8, TAF_INT16 },
		{ "a^b", TAF_INT8, TAF_INT8, TAF_FLT32 },
		{ "a*b", TAF_COMPLEX, TAF_INT16, TAF_COMPLEX },
		{ "a*b", TAF_COMPLEX, TAF_FLT64, TAF_COMPLEX128 },
		{ "abs(a)*b", TAF_COMPLEX, TAF_FLT32, TAF_FLT32 },
		{ "a and b", TAF_COMPLEX, TAF_FLT32, TAF_UINT8 },
		{ "(a>0)+b", TAF_FLT32, TAF_UINT8, TAF_UINT8 },
		{ "(a>0)&(b>0)", TAF_FLT32, TAF_FLT32, TAF_UINT8 },
	};
	const struct taf_array shape = shaped(TAF_FLT32, 3, 2);

	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		const enum taf_type in[] = { known[k].a, known[k].b };
		struct taf_program *p = compile(known[k].text, &shape, in, 2, false);

		if (!CHECK(p != NULL))
			continue;
		if (!CHECK_EQ(taf_program_type(p), known[k].y))
			printf("# %s of %s and %s\n", known[k].text,
			    taf_type_name(known[k].a), taf_type_name(known[k].b));
		taf_program_free(p);
	}
}

/* Integers a and b of some type in a program, and what comes of it. */
static enum taf_status
of_integers(const char *text, enum taf_type type, uint64_t a, uint64_t b, bool clip,
    uint64_t *y, struct taf_program_count *count)
{
	const enum taf_type types[] = { type, type };
	const struct taf_array shape = shaped(type, 5, 7);
	struct taf_program *p = compile(text, &shape, types, 2, clip);
	uint64_t left[4] = { 1, 1, a, 1 }, right[4] = { 1, 1, b, 1 }, out[4];
	const void *in[] = { left, right };
	enum taf_status st;

	*count = (struct taf_program_count){ 0, 0 };
	if (!CHECK(p != NULL))
		return TAF_EMISUSE;
	st = run(p, in, out, 7, 4, count);
	*y = out[2];
	taf_program_free(p);
	return st;
}

static void
integers_that_overflow(void)
{
	const uint64_t min = (uint64_t)INT64_MIN, max = INT64_MAX, most = UINT64_MAX;
	const struct {
		const char *text;
		enum taf_type type;
		uint64_t a, b, clipped;
		const char *said;
	} known[] = {
		{ "a+b", TAF_INT64, max, 1, max,
		    "9223372036854775807 + 1 does not fit int64" },
		{ "a+b", TAF_INT64, min, most, min, "+ -1 does not fit" },
		{ "a-b", TAF_INT64, min, 1, min, "-9223372036854775808 - 1" },
		{ "a*b", TAF_INT64, max, 2, max, "* 2 does not fit int64" },
		{ "a*b", TAF_INT64, min, most, max, "* -1 does not fit" },
		{ "a*b", TAF_INT64, max, most - 1, min, "* -2 does not fit" },
		{ "a//b", TAF_INT64, 7, 0, max, "7 // 0" },
		{ "a//b", TAF_INT64, min, most, max, "// -1" },
		{ "a%b", TAF_INT64, 7, 0, 0, "7 % 0" },
		{ "abs(a)+0*b", TAF_INT64, min, 1, max, "abs(-9223372036854775808)" },
		{ "-a+0*b", TAF_INT64, min, 1, max, "0 - -9223372036854775808" },
		{ "a<<b", TAF_INT64, 1, 63, max, "1 << 63" },
		{ "a<<b", TAF_INT64, most, 64, min, "-1 << 64" },
		{ "a+b", TAF_UINT64, most, 1, most,
		    "18446744073709551615 + 1 does not fit uint64" },
		{ "a-b", TAF_UINT64, 1, 2, 0, "1 - 2 does not fit uint64" },
		{ "a*b", TAF_UINT64, max, 3, most, "* 3 does not fit uint64" },
		{ "a//b", TAF_UINT64, 7, 0, most, "7 // 0" },
		{ "a%b", TAF_UINT64, 7, 0, 0, "7 % 0" },
		{ "a<<b", TAF_UINT64, 3, 63, most, "3 << 63" },
	};
	struct taf_program_count count;
	uint64_t y;

	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		char text[64];

		CHECK_EQ(of_integers(known[k].text, known[k].type, known[k].a, known[k].b,
		    false,
		    &y, &count), TAF_EDATA);
		/* the value is number 9, from 0 */
		if (!CHECK(strstr(e.text, "element [5,2]: ") != NULL &&
		    strstr(e.text, known[k].said) != NULL))
			printf("# %s: %s\n", known[k].text, e.text);
		CHECK_EQ(of_integers(known[k].text, known[k].type, known[k].a, known[k].b,
		    true,
		    &y, &count), TAF_OK);
		if (!CHECK_EQ(y, known[k].clipped) || !CHECK_EQ(count.clipped, 1))
			printf("# %s, clipped\n", known[k].text);
		/* nobody looks at it */
		(void)snprintf(text, sizeof text, "b == 77 ? %s : 5", known[k].text);
		CHECK_EQ(of_integers(text, known[k].type, known[k].a, known[k].b, false,
		    &y,
		    &count), TAF_OK);
		CHECK_EQ(y, 5);
	}
	CHECK_EQ(of_integers("a*b", TAF_INT64, (uint64_t)3037000500, 3037000499, false,
	    &y,
	    &count), TAF_OK);
	CHECK_EQ(y, UINT64_C(3037000500) * 3037000499);
	CHECK_EQ(of_integers("a*-1+b", TAF_INT64, max, 0, false, &y, &count), TAF_OK);
	CHECK_EQ(y, min + 1);
	CHECK_EQ(of_integers("a+-1+b", TAF_UINT64, most, 0, false, &y, &count), TAF_OK);
	CHECK_EQ(y, most - 1);
	/* of written numbers alone, too */
	CHECK_EQ(of_integers("0*a*b + (9223372036854775807 + 1)", TAF_INT64, 1, 1, false,
	    &y, &count), TAF_EDATA);
	CHECK_EQ(of_integers("0*a*b + 1//0", TAF_INT64, 1, 1, false, &y, &count),
	    TAF_EDATA);
	/* one of two conditions looks at it */
	CHECK_EQ(of_integers("(b > 5 ? a//b : 0) + (b < 5 ? a//b : 0)", TAF_INT64, 7, 0,
	    false, &y, &count), TAF_EDATA);
	/* 2^53 + 1 is no double, 2^53 + 2 is */
	CHECK_EQ(of_integers("a/b", TAF_INT64, (1 << 20) + 1, 1, false, &y, &count),
	    TAF_OK);
	CHECK_EQ(count.rounded, 0);
	CHECK_EQ(of_integers("a/b", TAF_INT64, (UINT64_C(1) << 53) + 1, 1, false, &y,
	    &count),
	    TAF_OK);
	CHECK_EQ(count.rounded, 1);
}

/* A block is the same whatever stands around it, and grids are exact everywhere. */
static void
places(void)
{
	static double whole[MOST], part[BLOCK];
	static int64_t index[BLOCK];
	const struct taf_array shape = shaped(TAF_FLT64, 30, MOST / 30 + 1);
	struct taf_program_count count = { 0, 0 };
	struct taf_program *p = compile("x1*1000 + x2 + rand(5)/4 + i2*1e6", &shape, NULL,
	    0,
	    false);

	if (!CHECK(p != NULL))
		return;
	for (size_t at = 0; at < MOST; at += BLOCK)
		CHECK(run(p, NULL, whole + at, at, BLOCK, &count) == TAF_OK);
	for (size_t at = 0; at + 700 < MOST; at += 301) {
		CHECK(run(p, NULL, part, at, 17 + (at % 600), &count) == TAF_OK);
		CHECK_MEM(part, whole + at, (17 + (at % 600)) * sizeof *part);
	}
	taf_program_free(p);
	p = compile("x1*4 - x2*1e3", &shape, NULL, 0, false);
	for (uint64_t i = 0; i < BLOCK && p != NULL; i++) {
		double y;

		CHECK(run(p, NULL, &y, i + 2000, 1, &count) == TAF_OK);
		CHECK(y == (0.5 + 0.25 * (double)((i + 2000) % 30)) * 4 -
		    (10 - (double)((i + 2000) / 30)) * 1e3);
	}
	taf_program_free(p);
	p = compile("i1 + 100*i2", &shape, NULL, 0, false);
	CHECK(p != NULL && run(p, NULL, index, 2011, BLOCK, &count) == TAF_OK);
	for (int64_t i = 0; i < BLOCK; i++)
		CHECK_INT(index[i], (i + 2011) % 30 + 1 + 100 * ((i + 2011) / 30 + 1));
	taf_program_free(p);
}

/* Uniform and normal numbers: their first moments, and no two seeds alike. */
static void
noise(void)
{
	static double u[BLOCK], v[BLOCK];
	const struct taf_array shape = shaped(TAF_FLT64, 1 << 20, 1);
	struct taf_program_count count = { 0, 0 };
	double sum[4] = { 0 }, most = 0, least = 1;
	static const char *const text[] = { "rand(1)", "randn(1)", "rand(2)" };

	for (int k = 0; k < 2; k++) {
		struct taf_program *p = compile(text[k], &shape, NULL, 0, false);

		for (uint64_t at = 0; at < 1 << 18; at += BLOCK) {
			CHECK(run(p, NULL, u, at, BLOCK, &count) == TAF_OK);
			for (int i = 0; i < BLOCK; i++) {
				sum[2 * k] += u[i];
				sum[2 * k + 1] += u[i] * u[i];
				most = k == 0 && u[i] > most ? u[i] : most;
				least = k == 0 && u[i] < least ? u[i] : least;
			}
		}
		taf_program_free(p);
	}
	for (int k = 0; k < 4; k++)
		sum[k] /= 1 << 18;
	CHECK(fabs(sum[0] - 0.5) < 0.003 && fabs(sum[1] - 1.0 / 3) < 0.003);
	CHECK(least >= 0 && least < 1e-4 && most < 1 && most > 1 - 1e-4);
	CHECK(fabs(sum[2]) < 0.01 && fabs(sum[3] - 1) < 0.02);
	for (int k = 0; k < 3; k += 2) {
		struct taf_program *p = compile(text[k], &shape, NULL, 0, false);

		CHECK(run(p, NULL, k == 0 ? u : v, 0, BLOCK, &count) == TAF_OK);
		taf_program_free(p);
	}
	for (int i = 0; i < BLOCK; i++)
		CHECK(u[i] != v[i]);
}

/* The same noise whatever number of steps is made before it. */
static void
noise_after_steps(void)
{
	const struct taf_array shape = shaped(TAF_FLT64, BLOCK, 1);
	struct taf_program_count count = { 0, 0 };
	double first[8], y[8];
	char text[4096] = "x = x1;";

	for (int k = 0; k < 150; k++) {
		const size_t size = strlen(text);
		struct taf_program *p;

		(void)strcat(text, "x1 < 0 ? x : randn(1)");
		p = compile(text, &shape, NULL, 0, false);
		if (!CHECK(p != NULL && run(p, NULL, y, 0, 8, &count) == TAF_OK))
			return;
		taf_program_free(p);
		if (k == 0)
			memcpy(first, y, sizeof y);
		CHECK_MEM(y, first, sizeof y);
		(void)snprintf(text + size, sizeof text - size, "x = x + x1;");
	}
}

/* NaN is one NaN, whatever made it. */
static void
one_nan(void)
{
	static const enum taf_type types[] = { TAF_FLT64 };
	static const char *const text[] = { "a-a", "0*a", "a%0", "-(a-a)",
	    "min(a-a, 1)", "(a-a)*2 + 1", "sqrt(a-a)", "1 - (a/a)/2", "sign(a-a)",
	    "round(0*a)", "a > 0 ? a-a : 0", "atan2(a/a, 1)", "(a-a)*0.5^(a-a)",
	    "t = a-a; t + sign(t)", "t = 2*(a-a); t - round(t)" };
	const struct taf_array shape = shaped(TAF_FLT64, 1, 1);
	struct taf_program_count count = { 0, 0 };
	const double in = INFINITY;
	const void *const from[] = { &in };

	for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
		struct taf_program *p = compile(text[k], &shape, types, 1, false);
		uint64_t y = 0;

		CHECK(p != NULL && run(p, from, &y, 0, 1, &count) == TAF_OK);
		if (!CHECK_EQ(y, UINT64_C(0x7ff8000000000000)))
			printf("#   %s\n", text[k]);
		taf_program_free(p);
	}
}

static void
names(void)
{
	static const char *const good[] = { "v", "vel", "_1", "x", "e1", "Pi", "sums" };
	static const char *const bad[] = { "", "x1", "n64", "sin", "not", "e", "I",
	    "input",
		"1a", "a-b", "a b", "pi" };

	for (size_t k = 0; k < sizeof good / sizeof *good; k++)
		CHECK(taf_expr_is_name(good[k]));
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
		CHECK(!taf_expr_is_name(bad[k]));
}

/* a and b are in V, c is in A, d has no unit; x1 is in s, x2 has none. */
static void
units(void)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	static const struct { const char *text, *unit; } known[] = {
		{ "a", "V" }, { "-a * 2 + 1", "V" }, { "a - b", "V" }, { "a % 10", "V" },
		{ "d * a", "V" }, { "sqrt(a*a + b*b)", "V" }, { "hypot(a, b)", "V" },
		{ "a^3 / b^2", "V" }, { "(a^-2)^-0.5", "V" }, { "a * exp(-x1 / 3)", "V" },
		{ "a * (c > 2)", "V" }, { "a > 1 ? c : 0", "A" }, { "a * c / b", "" },
		{ "max(1, 2, 3, 4, a)", "V" }, { "max(a, 2, 3, 4, c)", "" },
		{ "clip(a, 0, c)", "" }, { "t = a / b; t * c", "A" }, { "x1", "s" },
		{ "a / x1 * x1", "" }, { "x2 * a", "V" }, { "abs(real(a))", "V" },
		{ "20 * log10(a)", "" }, { "a * b", "" }, { "a / b", "" },
		{ "1 / a", "" }, { "a^d", "" }, { "a^0.3", "" }, { "a^1e300", "" },
		{ "sqrt(a)", "" }, { "a + c", "" }, { "a > 3", "" }, { "isnan(a)", "" },
		{ "sign(a)", "" }, { "d", "" }, { "2 * i1", "" }, { "rand(1)", "" },
		{ "a*a*a / (b*b)", "V" },
	};
	struct taf_array in[4], shape = shaped(TAF_FLT64, 2, 2);
	const struct taf_array *const each[4] = { &in[0], &in[1], &in[2], &in[3] };
	const struct taf_expr_over over = { .in = each, .nin = 4, .shape = &shape };

	CHECK(taf_attr_set(&shape, "unit", TAF_OF_DIM, 1, "s", &e) == TAF_OK);
	for (unsigned k = 0; k < 4; k++) {
		in[k] = shaped(TAF_FLT32, 2, 2);
		CHECK(k == 3 || taf_attr_set(&in[k], "unit", TAF_OF_ARRAY, 0,
		    k == 2 ? "A" : "V", &e) == TAF_OK);
	}
	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		struct taf_buf unit = { 0 };
		struct taf_expr *x = NULL;

		CHECK(taf_expr_parse(&x, known[k].text, names, 4, &e) == TAF_OK &&
		    taf_expr_unit(&unit, x, &over, &e) == TAF_OK);
		if (!CHECK(strcmp(unit.data == NULL ? "" : unit.data, known[k].unit) ==
		    0))
			printf("#   %s: %s\n", known[k].text, unit.data);
		taf_buf_free(&unit);
		taf_expr_free(x);
	}
	for (unsigned k = 0; k < 4; k++)
		taf_array_fini(&in[k]);
	taf_array_fini(&shape);
}

/* A part of a complex value: at the ends of flt64, at 0 and 1, or in between. */
static double
draw_part(void)
{
	static const double edge[] = { 0, 1, 0.5, 0x1p-1074, 0x1p-1022, 0x1p-540,
		0x1p-510, 0x1p300, 0x1p511, 0x1p1021, 0x1.fffffffffffffp+1023,
		1 + 0x1p-52, 1 - 0x1p-53, 709.5, 711, 30 };
	const uint32_t kind = draw(4);
	double x = ldexp((double)draw(1 << 30), -30);

	if (kind < 2)
		x = edge[draw(sizeof edge / sizeof *edge)];
	else if (kind == 2)
		x *= 8;
	else
		x = ldexp(x, (int)draw(2040) - 1020);
	return draw(2) > 0 ? -x : x;
}

/* Is a part what C's library says, as far as it is known well there? */
static bool
as_in_c(double got, double want)
{
	if (want != want || fabs(want) > 1e308)
		return want != want || fabs(got) > 1e307;
	if (want == 0 && got == 0)
		return signbit(want) == signbit(got);
	return fabs(got - want) <= 1e-11 * fabs(want) + 0x1p-1070;
}

static void
complex_edges_are_those_of_c(void)
{
	static const struct {
		const char *name;
		double complex (*f)(double complex);
	} of[] = {
		{ "exp", cexp }, { "log", clog }, { "sqrt", csqrt }, { "sin", csin },
		{ "cos", ccos }, { "tan", ctan }, { "sinh", csinh }, { "cosh", ccosh },
		{ "tanh", ctanh }, { "asin", casin }, { "acos", cacos },
		{ "atan", catan }, { "asinh", casinh }, { "acosh", cacosh },
		{ "atanh", catanh }
	};
	static const enum taf_type types[] = { TAF_FLT64, TAF_FLT64 };
	const struct taf_array shape = shaped(TAF_FLT64, BLOCK, 1);
	const char *cases = getenv("TAF_CASES");
	const int most = cases != NULL ? 1 + atoi(cases) / BLOCK : 1;
	const int turns = C_IS_EXACT ? most : 0;
	struct taf_program_count count = { 0, 0 };
	static double a[BLOCK], b[BLOCK], y[2 * BLOCK];
	const void *const in[] = { a, b };
	char text[64];

	for (int turn = 0; turn < turns; turn++) {
		for (size_t i = 0; i < BLOCK; i++) {
			a[i] = draw_part();
			b[i] = draw_part();
		}
		for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
			struct taf_program *p;

			(void)snprintf(text, sizeof text, "%s(complex(a, b))",
			    of[k].name);
			p = compile(text, &shape, types, 2, false);
			CHECK(p != NULL && run(p, in, y, 0, BLOCK, &count) == TAF_OK);
			for (size_t i = 0; i < BLOCK; i++) {
				const union { double part[2]; double complex z; } x = {
					{ a[i], b[i] } };
				const double complex want = of[k].f(x.z);
				const bool good = as_in_c(y[2 * i], creal(want)) &&
				    as_in_c(y[2 * i + 1], cimag(want));

				CHECK(good);
				if (!good)
					printf("# %s(%a, %a) is %.17g %.17g, not %.17g "
					    "%.17g\n", of[k].name, a[i], b[i], y[2 * i],
					    y[2 * i + 1], creal(want), cimag(want));
			}
			taf_program_free(p);
		}
	}
	CHECK(value("real(atanh(complex(1, 1e-200)))") > 230.6);
	CHECK(value("1 / imag(tanh(complex(1, -0.0)))") == -INFINITY);
	CHECK(value("real(complex(1e308, 1e308) / complex(1e308, 1e308))") == 1);
	CHECK(value("imag(acos(complex(-inf, inf)))") == -INFINITY);
	CHECK(value("real(exp(complex(-inf, inf)))") == 0);
	CHECK(value("imag(atanh(complex(inf, -3)))") < -1.57);
}

int
main(void)
{
	UNIT(values);
	UNIT(complex_edges_are_those_of_c);
	UNIT(places_of_errors);
	UNIT(limits);
	UNIT(types_of_results);
	UNIT(integers_that_overflow);
	UNIT(places);
	UNIT(noise);
	UNIT(noise_after_steps);
	UNIT(one_nan);
	UNIT(names);
	UNIT(units);
	return unit_end();
}
