/* SPDX-License-Identifier: ISC */
#include "kernel/func/func.h"

#include "config.h"

#include <math.h>

#include "kernel/func/func_block.h"
#include "kernel/number/fast.h"

TAF_FAST(uint64_t, count_nan, (const double *y, size_t n), (y, n))
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += y[i] != y[i];
	return found;
}

uint64_t
taf_func_count_nan(const double *y, size_t n)
{
	return count_nan(y, n);
}

/* 1 where y is within 2 ULP of the middle of two flt32 */
static TAF_INLINE uint64_t
near_middle(double y)
{
	return (((taf_bits64(y) + 0x10000002u) & 0x1fffffff) - 5) >> 63;
}

/* How many are NaN or so near */
TAF_WIDE_VOID(count_special, (uint64_t *count, const double *y, size_t n), (count, y, n))
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += (y[i] != y[i]) | near_middle(y[i]);
	*count = found;
}

/* Of the two doubles beside the result, one of which is y, that of the right flt32 */
static double
right_side(double y, double x, const char *name)
{
	const uint64_t bits = taf_bits64(y) + 2;
	const uint64_t middle = bits - ((bits + 0x10000000u) & 0x1fffffff);

	for (size_t i = 0; i < sizeof taf_func_hard / sizeof *taf_func_hard; i++) {
		const struct taf_func_hard *hard = &taf_func_hard[i];

		if (hard->x == taf_func_abs(x) && strcmp(hard->name, name) == 0)
			return taf_of_bits64(hard->farther ? middle + 1 : middle - 1);
	}
	return y;
}

/* If x is NaN, put it into y. */
static int
pass_nan(double *y, const double *x)
{
	uint64_t bits;

	if (*x == *x)
		return 0;
	/* not as a double, which the 387 would change */
	memcpy(&bits, x, sizeof bits);
	bits |= 0x0008000000000000u;
	memcpy(y, &bits, sizeof bits);
	return 1;
}

void
taf_func_blocks(double *y, const double *x, size_t n, const char *name,
    taf_func_loop *loop, taf_func_rest *rest)
{
	double copy[TAF_FUNC_BLOCK];
	uint64_t special;

	for (size_t m; n > 0; y += m, x += m, n -= m) {
		const double *from = x;

		m = n < TAF_FUNC_BLOCK ? n : TAF_FUNC_BLOCK;
		/* the result may take its place */
		if (y == x)
			from = memcpy(copy, x, m * sizeof *x);
		loop(y, from, m);
		count_special(&special, y, m);
		if (special == 0)
			continue;
		for (size_t i = 0; i < m; i++)
			if (y[i] == y[i])
				y[i] = near_middle(y[i]) ?
				    right_side(y[i], from[i], name) : y[i];
			else if (!pass_nan(&y[i], &from[i]))
				y[i] = rest ? rest(from[i]) : TAF_FUNC_NAN;
	}
}

void
taf_func_blocks2(double *y, const double *a, const double *b, size_t n,
    taf_func_loop2 *loop, taf_func_rest2 *rest)
{
	double copy[2][TAF_FUNC_BLOCK];

	for (size_t m; n > 0; y += m, a += m, b += m, n -= m) {
		const double *from[2] = { a, b };

		m = n < TAF_FUNC_BLOCK ? n : TAF_FUNC_BLOCK;
		for (int j = 0; j < 2; j++)
			if (y == from[j])
				from[j] = memcpy(copy[j], from[j], m * sizeof *y);
		loop(y, from[0], from[1], m);
		if (count_nan(y, m) == 0)
			continue;
		for (size_t i = 0; i < m; i++)
			if (y[i] != y[i])
				y[i] = rest(from[0][i], from[1][i]);
	}
}

TAF_FUNC_LOOP(sqrt_loop)
{
	for (size_t i = 0; i < n; i++)
		y[i] = sqrt(x[i]);
}

TAF_FUNC(sqrt, NULL)
