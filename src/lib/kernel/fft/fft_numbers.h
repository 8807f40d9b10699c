/* SPDX-License-Identifier: ISC */
/* Numbers and pairs of flt32 or flt64, as flt64 with their parts apart; for loops. */
#ifndef TAF_KERNEL_FFT_FFT_NUMBERS_H
#define TAF_KERNEL_FFT_FFT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* n pairs from pair number at on. */
static TAF_INLINE void
taf_fft_take_pairs(double *restrict re, double *restrict im, const void *restrict from,
    size_t at, size_t n, bool narrow)
{
	const float *const x = (const float *)from + 2 * at;
	const double *const y = (const double *)from + 2 * at;

	if (narrow)
		for (size_t i = 0; i < n; i++) {
			re[i] = (double)x[2 * i];
			im[i] = (double)x[2 * i + 1];
		}
	else
		for (size_t i = 0; i < n; i++) {
			re[i] = y[2 * i];
			im[i] = y[2 * i + 1];
		}
}

/* The same to there, as many times as large. */
static TAF_INLINE void
taf_fft_give_pairs(void *restrict to, size_t at, const double *restrict re,
    const double *restrict im, size_t n, double scale, bool narrow)
{
	float *const x = (float *)to + 2 * at;
	double *const y = (double *)to + 2 * at;

	if (narrow)
		for (size_t i = 0; i < n; i++) {
			x[2 * i] = (float)(re[i] * scale);
			x[2 * i + 1] = (float)(im[i] * scale);
		}
	else
		for (size_t i = 0; i < n; i++) {
			y[2 * i] = re[i] * scale;
			y[2 * i + 1] = im[i] * scale;
		}
}

#endif
