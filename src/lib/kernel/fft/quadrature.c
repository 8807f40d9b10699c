/* SPDX-License-Identifier: ISC */
#include "kernel/fft/quadrature.h"

#include "kernel/fft/fft.h"
#include "kernel/fft/fft_twiddle.h"

size_t
taf_quadrature_length(uint64_t n)
{
	const struct taf_fft_want back = { .n = (size_t)n, .kind = TAF_FFT_HALF };
	uint64_t half;

	if (n > TAF_QUADRATURE_MOST / 2 || taf_fft_tables(&back) == 0)
		return 0;
	half = taf_fft_fast(n);
	return half > TAF_QUADRATURE_MOST / 2 ? 0 : (size_t)(2 * half);
}

/*
 * 2 / n times the sum of sin(2 pi j k / n) for 0 < k < n / 2, 0 < j < n: with
 * p = pi j / (2 n) it is cot(p) / n for odd j, less tan(p) / n if n is even or j is.
 */
static double
tap(uint64_t j, uint64_t n)
{
	double pair[2], cot, tan;

	if (j % 2 == 0 && n % 2 == 0)
		return 0;
	taf_twiddles(pair, 1, j, 0, 4 * n);
	cot = j % 2 == 1 ? pair[0] / -pair[1] : 0;
	tan = j % 2 == 0 || n % 2 == 0 ? -pair[1] / pair[0] : 0;
	return (cot - tan) / (double)n;
}

void
taf_quadrature_taps(double *to, size_t first, size_t count, size_t n, size_t length)
{
	size_t i;

	for (i = first; i < first + count; i++)
		if (i > 0 && i < n)
			*to++ = tap(i, n);
		else
			*to++ = length - i < n ? -tap(length - i, n) : 0;
}

void
taf_quadrature_times(double *pairs, const double *taps, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const double re = pairs[2 * i];

		pairs[2 * i] = -pairs[2 * i + 1] * taps[2 * i + 1];
		pairs[2 * i + 1] = re * taps[2 * i + 1];
	}
}
