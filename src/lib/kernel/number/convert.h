/* SPDX-License-Identifier: ISC */
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
 * mapping are copied bit by bit.  Pairs have no mapping.  They go to pairs part by part,
 * and count is then of parts.  They go to other types by their real parts: one whose
 * imaginary part is not 0 does not fit, even with clip.
 *
 * Without clip, the first value that does not fit ends the conversion: its
 * index is returned, dst is undefined from there on, and count covers the
 * elements before. Otherwise n is returned; with clip, all else that does not fit is
 * stored as the nearest finite limit of dtype, NaN as 0.
 *
 * count may be NULL: it is faster where many values are rounded. What it calls
 * rounded is the step from the value, mapped if there is a mapping, to dtype.
 */
size_t taf_convert(void *dst, enum taf_type dtype, const void *src, enum taf_type stype,
    size_t n, const double *mapping, bool clip, struct taf_convert_count *count);

#ifdef __cplusplus
}
#endif

#endif
