/*
 * Parts of a Fourier transform of a line that is not in memory as a whole: pairs of
 * flt64.
 */
#ifndef TAF_KERNEL_FFT_FFT_LONG_H
#define TAF_KERNEL_FFT_FFT_LONG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

/* exp(-2 pi i k / n) for any k, as products of two tables of about sqrt(n) pairs each. */
struct taf_turns {
	uint64_t n;
	unsigned shift;
	double *low, *high;
};

/* n is at most 2^51. */
TAF_MUST enum taf_status taf_turns_open(struct taf_turns *t, uint64_t n,
    struct taf_err *e);
void taf_turns_close(struct taf_turns *t);	/* also of zeros */

/* Bytes that it takes. */
uint64_t taf_turns_size(uint64_t n);

/* Pair k times exp(-2 pi i k step / n), k < count; with back times the conjugate. */
void taf_turns_steps(const struct taf_turns *t, double *pairs, size_t count,
    uint64_t step, bool back);

/* Pair k times exp(-2 pi i (first + k)^2 / n), n even and first below n / 2. */
void taf_turns_squares(const struct taf_turns *t, double *pairs, size_t count,
    uint64_t first, bool back);

/*
 * Of 2 h numbers, taken for h pairs, the transform Z becomes the one X of the numbers.
 * pairs are Z[first] and those behind it, count of them; mirror, as many, ends with
 * Z[h - first], Z[h] being Z[0].  t is of 2 h.
 */
void taf_turns_apart(const struct taf_turns *t, double *pairs, const double *mirror,
    size_t count, uint64_t first);

/* The way back, in the same places: twice Z of X. */
void taf_turns_together(const struct taf_turns *t, double *pairs, const double *mirror,
    size_t count, uint64_t first);

#endif
