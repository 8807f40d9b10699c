/* SPDX-License-Identifier: ISC */
/* Elementary functions against results of higher precision, and their bits by digests. */
#include "kernel/func/func.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "func_ref.h"
#include "unit.h"

typedef void function(double *y, const double *x, size_t n);
typedef void function2(double *y, const double *a, const double *b, size_t n);

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum { MANY = 6000, MOST = 64 };

#define EXACT(name, digest) \
	{ #name, taf_func_##name, of_##name, COUNT(of_##name), digest }

static const struct unary {
	const char *name;
	function *f;
	const struct one *known;
	size_t n;
	uint64_t digest;
} unary[] = {
	EXACT(sqrt, 0xa62988c3399d6522u),
	EXACT(cbrt, 0xbf8d29855fa2d618u),
	EXACT(exp, 0x3819881248a9aaceu),
	EXACT(exp2, 0x5e1fd76429d58204u),
	EXACT(expm1, 0x1f7424c83dae7ce4u),
	EXACT(log, 0x74d6ec237a7bdd8au),
	EXACT(log2, 0xb8de655f67e9a7d3u),
	EXACT(log10, 0x8ce5e82ec8f5d704u),
	EXACT(log1p, 0x8d032945cf41a940u),
	EXACT(sin, 0xc82d01d966a63c6fu),
	EXACT(cos, 0xf8d61ff4b5f34899u),
	EXACT(tan, 0xa03feae2f62d3648u),
	EXACT(asin, 0xb5b214f9d2c6a2b7u),
	EXACT(acos, 0x6632573e3f277b84u),
	EXACT(atan, 0x1a87cfd7e8aaae7du),
	EXACT(sinh, 0x2d0bbb9b5368db7cu),
	EXACT(cosh, 0xcdd6577b30585da4u),
	EXACT(tanh, 0x3a3d5f67910fdf87u),
	EXACT(asinh, 0x5e707f77e56c2e40u),
	EXACT(acosh, 0xde2d4e60cf8e3971u),
	EXACT(atanh, 0xb2ce804611d09d6du),
	EXACT(erf, 0x7758a2290fbbbe05u),
	EXACT(erfc, 0x77a634b3cdf8ea49u),
	EXACT(gamma, 0xeb7d2532a6026fd7u),
	EXACT(lgamma, 0x2c2171e1b32c23bcu),
};

static const struct binary {
	const char *name;
	function2 *f;
	const struct two *known;
	size_t n;
	uint64_t digest;
} binary[] = {
	EXACT(pow, 0x9044a986659df616u),
	EXACT(atan2, 0x71189ed5007e1be8u),
	EXACT(hypot, 0x9ed744ca42c86c8bu),
};

/* Whole numbers in the order of the doubles, both zeros 0. */
static int64_t
ordinal(uint64_t bits)
{
	const int64_t size = (int64_t)(bits & INT64_MAX);

	return bits >> 63 ? -size : size;
}

/* y is one of the doubles beside a result in [below, its successor]. */
static bool
near(double y, uint64_t below)
{
	const int64_t d = ordinal(taf_bits64(y)) - ordinal(below);

	return y == y && (d == 0 || d == 1);
}

static void
within_bounds(void)
{
	double a[MOST], b[MOST], y[MOST];

	for (size_t j = 0; j < COUNT(unary); j++) {
		const struct unary *u = &unary[j];

		for (size_t i = 0; i < u->n; i++)
			a[i] = taf_of_bits64(u->known[i].x);
		u->f(y, a, u->n);
		for (size_t i = 0; i < u->n; i++)
			if (!CHECK(near(y[i], u->known[i].below)))
				printf("#   %s(%a) = %a\n", u->name, a[i], y[i]);
	}
	for (size_t j = 0; j < COUNT(binary); j++) {
		const struct binary *u = &binary[j];

		for (size_t i = 0; i < u->n; i++) {
			a[i] = taf_of_bits64(u->known[i].a);
			b[i] = taf_of_bits64(u->known[i].b);
		}
		u->f(y, a, b, u->n);
		for (size_t i = 0; i < u->n; i++)
			if (!CHECK(near(y[i], u->known[i].below)))
				printf("#   %s(%a, %a) = %a\n", u->name, a[i], b[i],
				    y[i]);
	}
}

/* Every other one any bits at all, the rest numbers up to 2048. */
static void
random_values(double *v, size_t n, uint64_t *state)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t t = *state;

		t ^= t << 13;
		t ^= t >> 7;
		t ^= t << 17;
		*state = t;
		t *= 0x9e3779b97f4a7c15u;
		v[i] = i % 2 ? taf_of_bits64(t) :
		    ((double)(t >> 11) * 0x1p-53 - 0.5) * (double)(1u << i % 13);
	}
}

static uint64_t
digest(const double *y, size_t n)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ taf_bits64(y[i])) * 1099511628211u;
		h ^= h >> 29;
	}
	return h;
}

/* The digests are constants, for all machines and compilers. */
static void
same_bits_everywhere(void)
{
	static double a[MANY], b[MANY], y[MANY];
	uint64_t state = 88172645463325252u;

	random_values(a, MANY, &state);
	random_values(b, MANY, &state);
	for (size_t j = 0; j < COUNT(unary); j++) {
		unary[j].f(y, a, MANY);
		if (!CHECK_EQ(digest(y, MANY), unary[j].digest))
			printf("#   %s\n", unary[j].name);
	}
	for (size_t j = 0; j < COUNT(binary); j++) {
		binary[j].f(y, a, b, MANY);
		if (!CHECK_EQ(digest(y, MANY), binary[j].digest))
			printf("#   %s\n", binary[j].name);
	}
}

/* In pieces of uneven lengths, and over the arguments themselves. */
static void
same_bits_in_pieces(void)
{
	static double a[MANY], b[MANY], y[MANY], z[MANY];
	uint64_t state = 4711;
	size_t i, m;

	random_values(a, MANY, &state);
	random_values(b, MANY, &state);
	for (size_t j = 0; j < COUNT(unary); j++) {
		unary[j].f(y, a, MANY);
		memcpy(z, a, sizeof z);
		for (i = 0; i < MANY; i += m) {
			m = i % 11 + i % 301;
			m = m < 1 ? 1 : m > MANY - i ? MANY - i : m;
			unary[j].f(z + i, z + i, m);
		}
		if (!CHECK_MEM(z, y, sizeof z))
			printf("#   %s\n", unary[j].name);
	}
	for (size_t j = 0; j < COUNT(binary); j++) {
		binary[j].f(y, a, b, MANY);
		memcpy(z, a, sizeof z);
		binary[j].f(z, z, b, MANY);
		if (!CHECK_MEM(z, y, sizeof z))
			printf("#   %s over the first\n", binary[j].name);
		memcpy(z, b, sizeof z);
		binary[j].f(z, a, z, MANY);
		if (!CHECK_MEM(z, y, sizeof z))
			printf("#   %s over the second\n", binary[j].name);
		binary[j].f(y, a, a, MANY);
		memcpy(z, a, sizeof z);
		binary[j].f(z, z, z, MANY);
		if (!CHECK_MEM(z, y, sizeof z))
			printf("#   %s over both\n", binary[j].name);
	}
}

#define INF INFINITY
#define QUARTER 0x1.921fb54442d18p-1	/* of pi */

static uint64_t
expected(double y)
{
	return y == y ? taf_bits64(y) : 0x7ff8000000000000u;
}

static void
annex_f(void)
{
	static const struct {
		function *f;
		double x, y;
	} t[] = {
		{ taf_func_sqrt, -0.0, -0.0 }, { taf_func_sqrt, INF, INF },
		{ taf_func_sqrt, -1, NAN }, { taf_func_sqrt, -INF, NAN },
		{ taf_func_cbrt, -0.0, -0.0 }, { taf_func_cbrt, -INF, -INF },
		{ taf_func_cbrt, -27, -3 }, { taf_func_cbrt, 0x1p-1074, 0x1p-358 },
		{ taf_func_exp, -0.0, 1 }, { taf_func_exp, -INF, 0 },
		{ taf_func_exp, INF, INF },
		{ taf_func_exp, 710, INF }, { taf_func_exp, -746, 0 },
		{ taf_func_exp2, 0, 1 }, { taf_func_exp2, -INF, 0 },
		{ taf_func_exp2, INF, INF },
		{ taf_func_exp2, 1023, 0x1p1023 }, { taf_func_exp2, 1024, INF },
		{ taf_func_exp2, -1074, 0x1p-1074 }, { taf_func_exp2, -1e300, 0 },
		{ taf_func_expm1, -0.0, -0.0 }, { taf_func_expm1, -INF, -1 },
		{ taf_func_expm1, INF, INF }, { taf_func_expm1, 0x1p-1074, 0x1p-1074 },
		{ taf_func_log, 1, 0 }, { taf_func_log, -0.0, -INF },
		{ taf_func_log, INF, INF },
		{ taf_func_log, -0x1p-1074, NAN }, { taf_func_log, -INF, NAN },
		{ taf_func_log2, 0x1p-1074, -1074 }, { taf_func_log2, 0x1p1023, 1023 },
		{ taf_func_log2, 0, -INF }, { taf_func_log2, INF, INF },
		{ taf_func_log2, -1, NAN },
		{ taf_func_log10, 1, 0 }, { taf_func_log10, 1e22, 22 },
		{ taf_func_log10, 1000, 3 }, { taf_func_log10, -0.0, -INF },
		{ taf_func_log10, INF, INF }, { taf_func_log10, -2, NAN },
		{ taf_func_log1p, -0.0, -0.0 }, { taf_func_log1p, -1, -INF },
		{ taf_func_log1p, INF, INF }, { taf_func_log1p, -1.5, NAN },
		{ taf_func_log1p, 0x1p-1074, 0x1p-1074 },
		{ taf_func_sin, -0.0, -0.0 }, { taf_func_sin, INF, NAN },
		{ taf_func_sin, 0x1p-1074, 0x1p-1074 }, { taf_func_sin, -INF, NAN },
		{ taf_func_cos, -0.0, 1 }, { taf_func_cos, INF, NAN },
		{ taf_func_tan, -0.0, -0.0 }, { taf_func_tan, -INF, NAN },
		{ taf_func_asin, -0.0, -0.0 }, { taf_func_asin, 1, 2 * QUARTER },
		{ taf_func_asin, 1.5, NAN }, { taf_func_asin, -INF, NAN },
		{ taf_func_acos, 1, 0 }, { taf_func_acos, -1, 4 * QUARTER },
		{ taf_func_acos, 0, 2 * QUARTER }, { taf_func_acos, -1.5, NAN },
		{ taf_func_atan, -0.0, -0.0 }, { taf_func_atan, INF, 2 * QUARTER },
		{ taf_func_atan, -1, -QUARTER }, { taf_func_atan, -INF, -2 * QUARTER },
		{ taf_func_sinh, -0.0, -0.0 }, { taf_func_sinh, -INF, -INF },
		{ taf_func_cosh, -0.0, 1 }, { taf_func_cosh, -INF, INF },
		{ taf_func_tanh, -0.0, -0.0 }, { taf_func_tanh, -INF, -1 },
		{ taf_func_tanh, 0x1p-1074, 0x1p-1074 }, { taf_func_tanh, 1e9, 1 },
		{ taf_func_asinh, -0.0, -0.0 }, { taf_func_asinh, -INF, -INF },
		{ taf_func_acosh, 1, 0 }, { taf_func_acosh, INF, INF },
		{ taf_func_acosh, 0.5, NAN }, { taf_func_acosh, -INF, NAN },
		{ taf_func_atanh, -0.0, -0.0 }, { taf_func_atanh, 1, INF },
		{ taf_func_atanh, -1, -INF }, { taf_func_atanh, -2, NAN },
		{ taf_func_erf, -0.0, -0.0 }, { taf_func_erf, -INF, -1 },
		{ taf_func_erf, INF, 1 },
		{ taf_func_erfc, -INF, 2 }, { taf_func_erfc, INF, 0 },
		{ taf_func_erfc, -0.0, 1 },
		{ taf_func_gamma, 0, NAN }, { taf_func_gamma, -0.0, NAN },
		{ taf_func_gamma, -3, NAN }, { taf_func_gamma, -INF, NAN },
		{ taf_func_gamma, INF, INF }, { taf_func_gamma, 172, INF },
		{ taf_func_gamma, 6, 120 }, { taf_func_gamma, 1, 1 },
		{ taf_func_gamma, -200.5, -0.0 }, { taf_func_gamma, -201.5, 0 },
		{ taf_func_lgamma, 1, 0 }, { taf_func_lgamma, 2, 0 },
		{ taf_func_lgamma, -0.0, INF }, { taf_func_lgamma, -7, INF },
		{ taf_func_lgamma, -INF, INF }, { taf_func_lgamma, INF, INF },
		{ taf_func_lgamma, 1e308, INF }, { taf_func_lgamma, -1e300, INF },
	};

	for (size_t i = 0; i < COUNT(t); i++) {
		/* what stands beside it must not matter */
		double x[5] = { t[i].x, 0.25, t[i].x, 0.25, t[i].x }, y[5];
		const uint64_t want = expected(t[i].y);

		t[i].f(y, x, 5);
		if (!CHECK_EQ(taf_bits64(y[0]), want) ||
		    !CHECK_EQ(taf_bits64(y[4]), want))
			printf("#   row %zu, of %a\n", i, t[i].x);
	}
}

static void
annex_f_of_two(void)
{
	static const struct {
		function2 *f;
		double a, b, y;
	} t[] = {
		{ taf_func_pow, -0.0, -3, -INF }, { taf_func_pow, -0.0, -2, INF },
		{ taf_func_pow, -0.0, -2.5, INF }, { taf_func_pow, 0, -INF, INF },
		{ taf_func_pow, -0.0, 3, -0.0 }, { taf_func_pow, -0.0, 2.5, 0 },
		{ taf_func_pow, -1, INF, 1 }, { taf_func_pow, -1, -INF, 1 },
		{ taf_func_pow, 1, NAN, 1 }, { taf_func_pow, NAN, -0.0, 1 },
		{ taf_func_pow, -2, 0.5, NAN }, { taf_func_pow, 0.5, -INF, INF },
		{ taf_func_pow, 2, -INF, 0 }, { taf_func_pow, -0.5, INF, 0 },
		{ taf_func_pow, -2, INF, INF }, { taf_func_pow, -INF, -3, -0.0 },
		{ taf_func_pow, -INF, -2, 0 }, { taf_func_pow, -INF, 3, -INF },
		{ taf_func_pow, -INF, 2.5, INF }, { taf_func_pow, INF, -1, 0 },
		{ taf_func_pow, INF, 0x1p-1074, INF }, { taf_func_pow, -2, 3, -8 },
		{ taf_func_pow, -2, -1074, 0x1p-1074 },
		{ taf_func_pow, -2, 1023, -0x1p1023 },
		{ taf_func_pow, -1, 0x1p52 + 1, -1 }, { taf_func_pow, -1, 0x1p53, 1 },
		{ taf_func_pow, -1, 1e300, 1 }, { taf_func_pow, 2, 1e300, INF },
		{ taf_func_pow, 0.999, 1e300, 0 }, { taf_func_pow, -3, 0x1p52 + 1, -INF },
		{ taf_func_pow, 0x1p-1074, 0.5, 0x1p-537 },
		{ taf_func_pow, 10, 22, 1e22 },
		{ taf_func_pow, 0x1p-1074, -1, INF }, { taf_func_pow, 3, 2, 9 },
		{ taf_func_atan2, 0, -0.0, 4 * QUARTER },
		{ taf_func_atan2, -0.0, -0.0, -4 * QUARTER },
		{ taf_func_atan2, 0, 0, 0 }, { taf_func_atan2, -0.0, 0, -0.0 },
		{ taf_func_atan2, 0, -1, 4 * QUARTER }, { taf_func_atan2, -0.0, 1, -0.0 },
		{ taf_func_atan2, -1, 0, -2 * QUARTER },
		{ taf_func_atan2, 1, -0.0, 2 * QUARTER },
		{ taf_func_atan2, 1, -INF, 4 * QUARTER },
		{ taf_func_atan2, -1, INF, -0.0 },
		{ taf_func_atan2, -INF, 1, -2 * QUARTER },
		{ taf_func_atan2, INF, INF, QUARTER },
		{ taf_func_atan2, -INF, -INF, -0x1.2d97c7f3321d2p+1 },
		{ taf_func_hypot, INF, NAN, INF }, { taf_func_hypot, NAN, -INF, INF },
		{ taf_func_hypot, -0.0, 0, 0 }, { taf_func_hypot, -3, 4, 5 },
		{ taf_func_hypot, 0x1p1023, 0x1p1023, 0x1.6a09e667f3bcdp+1023 },
		{ taf_func_hypot, 0x3p-1074, 0x4p-1074, 0x5p-1074 },
		{ taf_func_hypot, 0x1.fffffffffffffp1023, 0x1p1000, INF },
	};

	for (size_t i = 0; i < COUNT(t); i++) {
		double y;
		const uint64_t want = expected(t[i].y);

		t[i].f(&y, &t[i].a, &t[i].b, 1);
		if (!CHECK_EQ(taf_bits64(y), want))
			printf("#   row %zu, of %a and %a\n", i, t[i].a, t[i].b);
	}
}

/* A NaN keeps its sign and payload and becomes quiet; the first of two is taken. */
static void
nan_comes_out(void)
{
	const uint64_t x[3] = {
		0x7ff0000000000123u, 0xfff8000000000456u, 0xfff7000000000789u
	};
	double a[3], b[3] = { 1.5, 1.5, 1.5 }, y[3];

	memcpy(a, x, sizeof a);
	for (size_t j = 0; j < COUNT(unary); j++) {
		unary[j].f(y, a, 3);
		for (size_t i = 0; i < 3; i++)
			CHECK_EQ(taf_bits64(y[i]), x[i] | 0x0008000000000000u);
	}
	for (size_t j = 0; j < COUNT(binary); j++) {
		binary[j].f(y, a, b, 3);
		for (size_t i = 0; i < 3; i++)
			CHECK_EQ(taf_bits64(y[i]), x[i] | 0x0008000000000000u);
		binary[j].f(y, b, a, 3);
		CHECK_EQ(taf_bits64(y[1]), x[1]);
		binary[j].f(y, a, a + 1, 2);
		CHECK_EQ(taf_bits64(y[0]), x[0] | 0x0008000000000000u);
	}
}

/* powers of whole numbers; an exponent among others is as among its equals */
static void
whole_exponents(void)
{
	enum { N = 700 };
	static double a[N], b[N], alone[N], mixed[N];
	int k;

	for (int i = 0; i < N; i++) {
		a[i] = i % 9 == 4 ? (i - 350) * 1e-40 : i % 9 == 7 ? (i - 350) * 1e37 :
		    i - 350;
		b[i] = i % 19 - 9;
	}
	taf_func_pow(mixed, a, b, N);
	for (k = -9; k <= 9; k++) {
		static double same[N];

		for (int i = 0; i < N; i++)
			same[i] = k;
		taf_func_pow(alone, a, same, N);
		for (int i = 0; i < N; i++) {
			double y = 1;

			if (b[i] == k)
				CHECK_EQ(taf_bits64(alone[i]), taf_bits64(mixed[i]));
			for (int j = 0; j < k; j++)
				y *= a[i];
			if (k >= 0 && k <= 6 && (a[i] == i - 350 || k < 3))
				CHECK_EQ(taf_bits64(alone[i]), taf_bits64(y));
			if (k == -1 && a[i] == i - 350)
				CHECK_EQ(taf_bits64(alone[i]), taf_bits64(1 / a[i]));
		}
	}
	/* below 2^64: a whole number is rounded once, products are rounded twice */
	for (uint64_t n = 129; n < 256; n++) {
		const uint64_t square = n * n, fourth = square * square;
		const double base = (double)n, eight = 8;
		double y;

		taf_func_pow(&y, &base, &eight, 1);
		CHECK_EQ(taf_bits64(y), taf_bits64((double)(fourth * fourth)));
	}
}

int
main(void)
{
	UNIT(whole_exponents);
	UNIT(within_bounds);
	UNIT(same_bits_everywhere);
	UNIT(same_bits_in_pieces);
	UNIT(annex_f);
	UNIT(annex_f_of_two);
	UNIT(nan_comes_out);
	return unit_end();
}
