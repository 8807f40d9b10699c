/* The smallest and the largest of floats. */
#ifndef TAF_KERNEL_STAT_EXTREMES_H
#define TAF_KERNEL_STAT_EXTREMES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Extremes of n > 0 floats at any address, none of them NaN. */
void taf_extremes_flt32(const void *v, size_t n, double *min, double *max);
void taf_extremes_flt64(const void *v, size_t n, double *min, double *max);

/* Is none of them infinite or NaN? */
bool taf_finite_flt32(const void *v, size_t n);
bool taf_finite_flt64(const void *v, size_t n);

#ifdef __cplusplus
}
#endif

#endif
