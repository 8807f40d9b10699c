/* SPDX-License-Identifier: ISC */
/* The smallest and the largest of floats, and where a value is. */
#ifndef TAF_KERNEL_STAT_EXTREMES_H
#define TAF_KERNEL_STAT_EXTREMES_H

#include <stdbool.h>
#include <stddef.h>

/* Extremes of n > 0 floats at any address, none of them NaN; a 0 has any sign. */
void taf_extremes_flt32(const void *v, size_t n, double *min, double *max);
void taf_extremes_flt64(const void *v, size_t n, double *min, double *max);

/* Where the first of n floats that equals x is; n if there is none. */
size_t taf_find_flt32(const float *v, size_t n, float x);
size_t taf_find_flt64(const double *v, size_t n, double x);

/* Has one of them the bits of x? */
bool taf_has_flt32(const float *v, size_t n, float x);
bool taf_has_flt64(const double *v, size_t n, double x);

/* Is none of them infinite or NaN? */
bool taf_finite_flt32(const void *v, size_t n);
bool taf_finite_flt64(const void *v, size_t n);

#endif
