#include "kernel/func.h"

#include "config.h"

#include <math.h>

#include "kernel/fast.h"
#include "kernel/func_block.h"

/* The arguments of a block are copied, because the result may take their place. */
enum { BLOCK = 512 };

TAF_FAST(uint64_t, count_nan, (const double *y, size_t n), (y, n))
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += y[i] != y[i];
	return found;
}

/* Whether x is NaN, which is then in *y. */
static inline int
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
taf_func_blocks(double *y, const double *x, size_t n, taf_func_loop *loop,
    taf_func_rest *rest)
{
	double copy[BLOCK];

	for (size_t m; n > 0; y += m, x += m, n -= m) {
		m = n < BLOCK ? n : BLOCK;
		memcpy(copy, x, m * sizeof *x);
		loop(y, copy, m);
		if (count_nan(y, m) == 0)
			continue;
		for (size_t i = 0; i < m; i++)
			if (y[i] != y[i] && !pass_nan(&y[i], &copy[i]))
				y[i] = rest ? rest(copy[i]) : TAF_FUNC_NAN;
	}
}

void
taf_func_blocks2(double *y, const double *a, const double *b, size_t n,
    taf_func_loop2 *loop, taf_func_rest2 *rest)
{
	double first[BLOCK], second[BLOCK];

	for (size_t m; n > 0; y += m, a += m, b += m, n -= m) {
		m = n < BLOCK ? n : BLOCK;
		memcpy(first, a, m * sizeof *a);
		memcpy(second, b, m * sizeof *b);
		loop(y, first, second, m);
		if (count_nan(y, m) == 0)
			continue;
		for (size_t i = 0; i < m; i++)
			if (y[i] != y[i])
				y[i] = rest(first[i], second[i]);
	}
}

TAF_FAST_VOID(sqrt_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++)
		y[i] = sqrt(x[i]);
}

void
taf_func_sqrt(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, sqrt_loop, NULL);
}
