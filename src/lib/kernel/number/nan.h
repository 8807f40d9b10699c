/* SPDX-License-Identifier: ISC */
/* Results that are not finite: one NaN for all, and what has overflown on the way. */
#ifndef TAF_KERNEL_NUMBER_NAN_H
#define TAF_KERNEL_NUMBER_NAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Each NaN among n results becomes 0x7ff8000000000000, or, with narrow, 0x7fc00000:
 * processors and compilers differ in those that they make.  Are all results finite?
 */
bool taf_one_nan(void *p, size_t n, bool narrow);

/* Are n numbers finite, which lie step numbers apart? */
bool taf_all_finite(const void *p, size_t n, size_t step, bool narrow);

/*
 * What results become where all points are as many times as large: unknown; the same;
 * as many times as large; the square of it; decibels of that.
 */
enum taf_scaling {
	TAF_SCALING_UNKNOWN, TAF_SCALING_NONE, TAF_SCALING_ONCE, TAF_SCALING_TWICE,
	TAF_SCALING_DB
};

/*
 * A result that is not finite is computed once more, of points that are smaller by so
 * many powers of 2: neither their squares overflow nor sums of these; or, if that is not
 * enough, products with any number.
 */
enum { TAF_SMALLER = 600, TAF_SMALLER_FLT32 = 100, TAF_SMALLEST = 1100 };

/* x 2^bits, without libm, which a command would have to load. */
double taf_scale(double x, int bits);

/* n points at from become such ones. */
void taf_scale_down(void *to, const void *from, size_t n, bool narrow, int bits);

/*
 * Of n results those that are not finite become what again, the same of smaller points,
 * says, where that is finite.  The number of the first that does not fit; else n.
 */
size_t taf_scale_back(void *results, const void *again, size_t n, bool narrow,
    enum taf_scaling scaling, int bits);

/*
 * The first of n results that is infinite, though the points are finite; n if there is
 * none, or where that is right: no signal at all has -inf decibels.
 */
size_t taf_infinite(const void *results, size_t n, bool narrow, enum taf_scaling scaling);

#endif
