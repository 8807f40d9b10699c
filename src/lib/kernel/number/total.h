/* SPDX-License-Identifier: ISC */
/* Sums that lose nothing: integers of many words, times a power of two. */
#ifndef TAF_KERNEL_NUMBER_TOTAL_H
#define TAF_KERNEL_NUMBER_TOTAL_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/number/two.h"

/*
 * The words of a total are two's complement, the lowest first, and count 2^low; zeros are
 * the sum of nothing.  As nothing is lost, the order of additions has no influence.
 */
struct taf_total {
	int low;
	unsigned words;
};

enum {
	TAF_TOTAL_WORDS = 72	/* no form has more */
};

/*
 * Forms with room for 2^62 values: integers, flt32, doubles, and the squares of each.  A
 * sum squared counts as the squares do.
 */
extern const struct taf_total taf_total_int, taf_total_int_squares, taf_total_flt32,
    taf_total_flt32_squares, taf_total_flt64, taf_total_flt64_squares;

/* k 2^e more, a multiple of 2^low. */
void taf_total_add(uint64_t *w, struct taf_total f, int64_t k, int e);

/* x more, finite, and its square. */
void taf_total_add_f64(uint64_t *w, struct taf_total f, double x);
void taf_total_add_square(uint64_t *w, struct taf_total f, double x);

/* The words of another total of the same form. */
void taf_total_join(uint64_t *w, const uint64_t *more, unsigned words);

/* The nearest double, halves to even; infinite where it is too large for one. */
double taf_total_f64(const uint64_t *w, struct taf_total f);

/* The same as two doubles, of a total that is not tiny and does not overflow. */
void taf_total_two(const uint64_t *w, struct taf_total f, struct taf_two *two);

/*
 * Of n > 0 values their mean, and root of their mean square: within 1 unit in the last
 * place.
 */
double taf_total_mean(const uint64_t *w, struct taf_total f, uint64_t n);
double taf_total_rms(const uint64_t *squares, struct taf_total f, uint64_t n);

/*
 * Of n values, n > less, the squares of their deviations from the mean, by n - less: as
 * it is, or its root.  Nothing cancels; both are within 1 unit in the last place.
 */
struct taf_total_pair {
	const uint64_t *sum, *squares;
	struct taf_total of_sum, of_squares;
	/*
	 * NULL, or the sum of n values of another kind, as imaginary parts are.  squares
	 * then has the squares of both kinds, and each deviates from its own mean.
	 */
	const uint64_t *other;
};
double taf_total_var(const struct taf_total_pair *t, uint64_t n, uint64_t less);
double taf_total_std(const struct taf_total_pair *t, uint64_t n, uint64_t less);

#endif
