/* Element conversion, byte swapping, value ranges, floats stored as integers. */
#ifndef TAF_KERNEL_NUMBER_CONVERT_H
#define TAF_KERNEL_NUMBER_CONVERT_H

#include "array/type.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * In all of this file elements are in the host's byte order and may start at
 * any address, and source and destination do not overlap. Pairs are
 * supported where a comment says so, and nowhere else.
 */

/* What a conversion changed. taf_convert adds to it; the caller sets it to 0 first. */
struct taf_convert_count {
	uint64_t clipped;	/* did not fit, stored as the nearest limit, NaN as 0 */
	uint64_t rounded;	/* fit, but stored as a neighbour of the value */
};

/*
 * Convert n elements: dst[i] = stype's src[i] as dtype, or, where mapping is
 * not NULL, mapping[0] + mapping[1] * src[i], each operation rounded to double,
 * src[i] first (int64 and uint64 may lose digits there).
 *
 * To an integer, values are rounded to the nearest, halves away from zero (as
 * round() does); a value that is then outside the range of dtype, or is NaN,
 * does not fit. To flt32 they are rounded to the nearest, ties to even; a finite
 * value whose magnitude rounds to more than FLT_MAX does not fit. Infinities,
 * NaN and -0 stay what they are among floats; every other value fits.
 * Integers to integers never pass through a double. Equal types without a
 * mapping are copied bit by bit.  Pairs go to pairs alone, part by part, without a
 * mapping; count is then of parts.
 *
 * Without clip, the first value that does not fit ends the conversion: its
 * index is returned, dst is undefined from there on, and count covers the
 * elements before. Otherwise n is returned; with clip, what does not fit is
 * stored as the nearest finite limit of dtype, NaN as 0.
 *
 * count may be NULL: it is faster where many values are rounded. What it calls
 * rounded is the step from the value, mapped if there is a mapping, to dtype.
 */
size_t taf_convert(void *dst, enum taf_type dtype, const void *src, enum taf_type stype,
    size_t n, const double *mapping, bool clip, struct taf_convert_count *count);

/* --- for taftools alone: not installed --- */

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

#ifdef __cplusplus
}
#endif

#endif
