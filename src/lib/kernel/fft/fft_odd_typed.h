/* SPDX-License-Identifier: ISC */
/*
 * Transforms of an odd number of real points, for numbers of one type, REAL.  Each of
 * LANES neighbours in a row is of another transform.
 */

#ifdef REAL

#include "kernel/fft/fft_steps.h"
#include "kernel/fft/fft_typed.h"

/* Points as they are transformed: 2 half + 1 rows, far apart. */
struct fold {
	REAL sum[TAF_FFT_ODD / 2][LANES], difference[TAF_FFT_ODD / 2][LANES];
};

/* The sum of all rows goes to zero.  Rows that mirror each other are folded. */
static TAF_INLINE void
fold_rows(struct fold *f, REAL *zero, const REAL *x, size_t far, size_t half,
    size_t lanes)
{
	for (size_t l = 0; l < lanes; l++)
		zero[l] = x[l];
	for (size_t j = 1; j <= half; j++)
		for (size_t l = 0; l < lanes; l++) {
			const REAL a = x[j * far + l];
			const REAL b = x[(2 * half + 1 - j) * far + l];

			f->sum[j - 1][l] = a + b;
			f->difference[j - 1][l] = a - b;
			zero[l] += a + b;
		}
}

/* Frequency k, from 1 to half; first is row 0, root has the twiddles of the radix. */
static TAF_INLINE void
folded_frequency(const struct fold *f, REAL *re, REAL *im, const REAL *first,
    const REAL *root, size_t k, size_t half, size_t lanes)
{
	const size_t radix = 2 * half + 1;
	size_t at = 0;

	for (size_t l = 0; l < lanes; l++) {
		re[l] = first[l];
		im[l] = 0;
	}
	for (size_t j = 0; j < half; j++) {
		at += k;
		at -= at >= radix ? radix : 0;
		const REAL c = root[2 * at], e = root[2 * at + 1];

		for (size_t l = 0; l < lanes; l++) {
			re[l] += c * f->sum[j][l];
			im[l] += e * f->difference[j][l];
		}
	}
}

#endif
