/* SPDX-License-Identifier: ISC */
/* Floats of 16 bits (IEEE 754 binary16). */
#ifndef TAF_BASE_HALF_H
#define TAF_BASE_HALF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Widen n of them to flt32, which holds every one exactly; the sign and the payload of
 * a NaN stay.  Both are in the host's byte order, may start at any address and do not
 * overlap.
 */
void taf_half_to_flt32(void *dst, const void *src, size_t n);

/* Is each of n flt32, at any address, such a value, a NaN with such a payload? */
bool taf_half_holds(const void *src, size_t n);

/* The value that is nearest to a float, ties to even. */
float taf_half_nearest(float f);

/* The reverse, for n of which that is true. */
void taf_half_from_flt32(void *dst, const void *src, size_t n);

#endif
