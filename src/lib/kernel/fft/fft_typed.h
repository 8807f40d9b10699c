/* SPDX-License-Identifier: ISC */
/* Vectors of numbers of one type, REAL; for transforms alone. */

#if defined REAL && !defined TAF_KERNEL_FFT_FFT_TYPED_H
#define TAF_KERNEL_FFT_FFT_TYPED_H

#include <stddef.h>

#include "base/attr.h"

enum { LANES = 64 / sizeof(REAL) };

/* LANES; if compilers know a bound, they unroll its loop before they can vectorise it. */
static TAF_INLINE size_t
unknown(size_t wide)
{
	return (wide < LANES ? wide : LANES) / LANES * LANES;
}

/*
 * A square of LANES rows and columns, as LANES^2 numbers, is transposed:
 * the highest bits of each index become its lowest.  b is lost.
 */
static TAF_INLINE void
flip(REAL *restrict a, REAL *restrict b)
{
	const size_t all = LANES * LANES, rest = LANES / 4;

	for (size_t i = 0; i < all / 4; i++) {
		b[4 * i] = a[i];
		b[4 * i + 1] = a[i + all / 4];
		b[4 * i + 2] = a[i + all / 2];
		b[4 * i + 3] = a[i + 3 * all / 4];
	}
	if (rest == 2) {
		for (size_t i = 0; i < all / 2; i++) {
			a[2 * i] = b[i];
			a[2 * i + 1] = b[i + all / 2];
		}
		return;
	}
	for (size_t i = 0; i < all / 4; i++) {
		a[4 * i] = b[i];
		a[4 * i + 1] = b[i + all / 4];
		a[4 * i + 2] = b[i + all / 2];
		a[4 * i + 3] = b[i + 3 * all / 4];
	}
}

#endif
