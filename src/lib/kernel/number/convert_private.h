/* SPDX-License-Identifier: ISC */
/* What taftools alone do with converted elements.  It is not installed. */
#ifndef TAF_KERNEL_NUMBER_CONVERT_PRIVATE_H
#define TAF_KERNEL_NUMBER_CONVERT_PRIVATE_H

#include "kernel/number/convert.h"

/* Reverse the bytes of n words of 1, 2, 4 or 8 bytes, in place. */
void taf_swap_bytes(void *p, size_t word, size_t n);

/* Have elements that are big-endian or not to be swapped here?  Swap n of them. */
bool taf_swap_needed(enum taf_type type, bool big);
void taf_swap_elements(void *p, enum taf_type type, size_t n);

/*
 * Smallest and largest finite value (of int64 and uint64, rounded to double), and
 * how many elements were finite, NaN, infinite. Start with all members 0; min and
 * max say nothing while finite is 0.
 */
struct taf_range {
	double min, max;
	uint64_t finite, nan, inf;
};

/* Account for n more elements, or for those of another range. */
void taf_range_add(struct taf_range *r, const void *src, enum taf_type stype, size_t n);
void taf_range_join(struct taf_range *r, const struct taf_range *more);

/*
 * Choose the mapping that stores floats of this range in dtype, an integer type:
 * slope = (max - min) / (imax - imin), intercept = min - slope * imin, or slope 1
 * and intercept = min where all values are equal, which then read back exactly.
 * min and max become the smallest and the largest integer: where rounding would do
 * otherwise, the slope is another, by a few units in the last place.  Not so where it is
 * smaller than the spacing of doubles, or slope * imin exceeds DBL_MAX.
 *
 * taf_quantize with this mapping clips no finite value of the range, and each
 * reads back within half a slope, plus the rounding of double arithmetic.
 *
 * False, with the results untouched, if there is no finite value, or if dtype is
 * unsigned and max - min exceeds DBL_MAX, as slope * x would, too.
 */
bool taf_quantize_plan(const struct taf_range *r, enum taf_type dtype, double *intercept,
    double *slope);

/*
 * Store flt32 or flt64 as integers: dst[i] = round((src[i] - intercept) / slope),
 * halves away from zero, each operation rounded to double. What is out of dtype's
 * range is stored as its nearest limit, NaN as 0; *clipped grows by their number, but
 * not by those that are beyond the limits of 64 bits by no more than doubles are apart
 * there. Returns n.
 */
size_t taf_quantize(void *dst, enum taf_type dtype, const void *src, enum taf_type stype,
    size_t n, double intercept, double slope, uint64_t *clipped);

#endif
