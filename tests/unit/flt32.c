/* SPDX-License-Identifier: ISC */
/*
 * Results of flt32 are rounded correctly, although they are computed in flt64, to 1 ULP,
 * and rounded again: that is wrong only beside the middle of two flt32.  All results that
 * are there are known, from mpmath; the others are compared with libm.
 *
 *	flt32			the known ones, and a part of the range of one function,
 *				another one each day; TAF_FLT32=N is the N-th
 *	flt32 NAME ...		all 2^32 arguments of these functions, or of "all"
 *	flt32 -l NAME ...	list the arguments that have to be known
 */
#include "kernel/func/func.h"

#include <math.h>
#include <time.h>

#include "base/bits.h"
#include "func_ref.h"
#include "unit.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define FUNCTION(name, libm) { #name, taf_func_##name, libm }

enum { BLOCK = 4096 };

static const struct unary {
	const char *name;
	void (*f)(double *y, const double *x, size_t n);
	double (*libm)(double);
} unary[] = {
	FUNCTION(sqrt, sqrt), FUNCTION(cbrt, cbrt),
	FUNCTION(exp, exp), FUNCTION(exp2, exp2), FUNCTION(expm1, expm1),
	FUNCTION(log, log), FUNCTION(log2, log2), FUNCTION(log10, log10),
	FUNCTION(log1p, log1p),
	FUNCTION(sin, sin), FUNCTION(cos, cos), FUNCTION(tan, tan),
	FUNCTION(asin, asin), FUNCTION(acos, acos), FUNCTION(atan, atan),
	FUNCTION(sinh, sinh), FUNCTION(cosh, cosh), FUNCTION(tanh, tanh),
	FUNCTION(asinh, asinh), FUNCTION(acosh, acosh), FUNCTION(atanh, atanh),
	FUNCTION(erf, erf), FUNCTION(erfc, erfc),
	FUNCTION(gamma, tgamma), FUNCTION(lgamma, lgamma),
};

/* What lgamma promises beside its zeros below -2, 2^-60 of this; else 0 */
static double
beside_zeros(const struct unary *u, double x)
{
	const double far = 10 - x;
	double y = 0;

	if (u->f == taf_func_lgamma && x < -2)
		u->f(&y, &far, 1);
	return y;
}

/* Is y as near to the middle of two flt32, or to 2^128 less half a unit, as 2 ULP? */
static bool
near_middle(const struct unary *u, double x, double y)
{
	const uint64_t bits = taf_bits64(y);
	double half, doubt;
	int e;

	if (((bits + 0x10000002) & 0x1fffffff) > 4 && fabs(y) >= 0x1p-126 &&
	    u->f != taf_func_lgamma)
		return false;
	(void)frexp(y, &e);
	half = ldexp(1, e - 25 > -150 ? e - 25 : -150);
	doubt = ldexp(1, e - 52) + beside_zeros(u, x) * 0x1p-59;
	return fabs(fmod(fabs(y), 2 * half) - half) <= doubt;
}

static const struct rounded *
find(const struct unary *u, uint32_t x)
{
	for (size_t i = 0; i < COUNT(rounded); i++)
		if (rounded[i].x == x && strcmp(rounded[i].name, u->name) == 0)
			return &rounded[i];
	return NULL;
}

static bool
is_right(const struct unary *u, double x, double y)
{
	double other;

	if (isfinite(y) && near_middle(u, x, y)) {
		const struct rounded *known = find(u, taf_bits32((float)x));

		return known != NULL && known->y == taf_bits32((float)y);
	}
	other = u->libm(x);
	if (!isfinite(y) || !isfinite(other))
		/* C has infinities for gamma at 0 */
		return y == other || (y != y && (other != other || x == 0));
	/* some libm are off by many ULP */
	return fabs(other - y) <= 0x1p-44 * (fabs(y) + beside_zeros(u, x)) + 0x1p-200;
}

/* The arguments with these bits, and count - 1 after them */
static void
compare(const struct unary *u, uint64_t first, uint64_t count, bool list)
{
	static double x[BLOCK], y[BLOCK];

	for (uint64_t at = first; at < first + count; at += BLOCK) {
		for (size_t i = 0; i < BLOCK; i++)
			x[i] = taf_of_bits32((uint32_t)(at + i));
		u->f(y, x, BLOCK);
		for (size_t i = 0; i < BLOCK; i++) {
			if (list && isfinite(y[i]) && near_middle(u, x[i], y[i]))
				printf("%s %08" PRIx32 "\n", u->name,
				    taf_bits32((float)x[i]));
			if (!list && !CHECK(is_right(u, x[i], y[i])))
				printf("#   %s(%a) = %a\n", u->name, x[i], y[i]);
		}
	}
}

static void
beside_the_middle(void)
{
	for (size_t i = 0; i < COUNT(rounded); i++)
		for (size_t j = 0; j < COUNT(unary); j++) {
			double x = taf_of_bits32(rounded[i].x), y;

			if (strcmp(rounded[i].name, unary[j].name) != 0)
				continue;
			unary[j].f(&y, &x, 1);
			if (!CHECK_EQ(taf_bits32((float)y), rounded[i].y))
				printf("#   %s(%a) = %a\n", unary[j].name, x, y);
		}
}

static void
part_of_the_range(void)
{
	const char *chosen = getenv("TAF_FLT32");
	const uint64_t k = chosen ? strtoull(chosen, NULL, 10) :
	    (uint64_t)time(NULL) / 86400;
	const uint64_t size = unit_emulated() ? 1 << 14 : 1 << 22;
	const struct unary *u = &unary[k % COUNT(unary)];

	/* the golden section: wherever one begins, all of the range comes soon */
	printf("# %s, TAF_FLT32=%" PRIu64 "\n", u->name, k);
	compare(u, k * 2654435769 % (UINT64_C(1) << 32) / size * size, size, false);
}

int
main(int argc, char **argv)
{
	const bool list = argc > 1 && strcmp(argv[1], "-l") == 0;

	if (argc == 1) {
		UNIT(beside_the_middle);
		UNIT(part_of_the_range);
		return unit_end();
	}
	for (int i = 1 + list; i < argc; i++)
		for (size_t j = 0; j < COUNT(unary); j++)
			if (strcmp(argv[i], unary[j].name) == 0 ||
			    strcmp(argv[i], "all") == 0) {
				if (!list)
					printf("# %s\n", unary[j].name);
				compare(&unary[j], 0, UINT64_C(1) << 32, list);
				fflush(stdout);
			}
	return unit_failures > 0;
}
