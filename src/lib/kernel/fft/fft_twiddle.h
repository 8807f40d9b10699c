/* SPDX-License-Identifier: ISC */
/* Twiddle factors: the points exp(-2 pi i k / n) of the unit circle. */
#ifndef TAF_KERNEL_FFT_FFT_TWIDDLE_H
#define TAF_KERNEL_FFT_FFT_TWIDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

/* Those of k = first, first + step, ..., modulo n < 2^53: count pairs. */
void taf_twiddles(double *pairs, size_t count, uint64_t first, uint64_t step, uint64_t n);

/*
 * A table of them: factor k is the product of entry k mod 2^shift of low and entry
 * k / 2^shift of high.  Entries are pairs.
 */
struct taf_twiddle {
	uint64_t n;
	unsigned shift;
	double *low, *high;
};

/* The shift with which both tables of all n factors are about as long. */
unsigned taf_twiddle_shift(uint64_t n);

/* Bytes of such tables. */
uint64_t taf_twiddle_size(uint64_t n);

/* The factors from 0 to most; n is at most 2^51. */
TAF_MUST enum taf_status taf_twiddle_open(struct taf_twiddle *t, uint64_t n,
    unsigned shift, uint64_t most, struct taf_err *e);
void taf_twiddle_close(struct taf_twiddle *t);	/* also of zeros */

/* Factor k, which the table has. */
static inline void
taf_twiddle_at(const struct taf_twiddle *t, uint64_t k, double *re, double *im)
{
	const double *const low = t->low + 2 * (k & (((uint64_t)1 << t->shift) - 1));
	const double *const high = t->high + 2 * (k >> t->shift);

	*re = low[0] * high[0] - low[1] * high[1];
	*im = low[0] * high[1] + low[1] * high[0];
}

/* Factor k step modulo n for each k < count. */
void taf_twiddle_run(const struct taf_twiddle *t, double *pairs, size_t count,
    uint64_t step);

/* Pair k times exp(-2 pi i k step / n), k < count; with back times the conjugate. */
void taf_twiddle_steps(const struct taf_twiddle *t, double *pairs, size_t count,
    uint64_t step, bool back);

/* Pair k times exp(-2 pi i (first + k)^2 / n), n even and first below n / 2. */
void taf_twiddle_squares(const struct taf_twiddle *t, double *pairs, size_t count,
    uint64_t first, bool back);

/*
 * Of 2 h numbers, taken for h pairs, the transform Z becomes the one X of the numbers.
 * pairs are Z[first] and those behind it, count of them; mirror, as many, ends with
 * Z[h - first], Z[h] being Z[0].  t is of 2 h.
 */
void taf_twiddle_apart(const struct taf_twiddle *t, double *pairs, const double *mirror,
    size_t count, uint64_t first);

/* The way back, in the same places: twice Z of X. */
void taf_twiddle_together(const struct taf_twiddle *t, double *pairs,
    const double *mirror, size_t count, uint64_t first);

#endif
