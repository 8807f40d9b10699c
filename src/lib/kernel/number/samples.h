/* SPDX-License-Identifier: ISC */
/* Numbers that only files have: IBM's floats of 32 bits, integers of 24. */
#ifndef TAF_KERNEL_NUMBER_SAMPLES_H
#define TAF_KERNEL_NUMBER_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/number/convert.h"

/*
 * Both sides may start at any address and do not overlap.  Without clip the first number
 * that does not fit ends it, and its index is returned; else n.  count grows.
 */

/*
 * IBM System/360 short floats, sign, 7 bits of exponent to base 16 with an excess of 64,
 * 24 bits of fraction below the point, to flt32 and back from flt64: rounded to the
 * nearest, ties to even.  Below the range of the target that is a denormal (an
 * unnormalised fraction) or 0.  NaN and infinities have no place, not even with clip.
 */
size_t taf_ibm_get(float *to, const unsigned char *from, size_t n, bool big, bool clip,
    struct taf_convert_count *count);
size_t taf_ibm_put(unsigned char *to, const double *from, size_t n, bool big,
    struct taf_convert_count *count);

/* Integers of 24 bits, with a sign or not, to 32 bits and back. */
void taf_int24_get(void *to, const unsigned char *from, size_t n, bool big, bool sign);
size_t taf_int24_put(unsigned char *to, const void *from, size_t n, bool big, bool sign);

#endif
