/* SPDX-License-Identifier: ISC */
/* Weights that fade a line at its ends, before it is transformed. */
#ifndef TAF_KERNEL_FFT_TAPER_H
#define TAF_KERNEL_FFT_TAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum taf_taper {
	TAF_TAPER_BOXCAR, TAF_TAPER_HANN, TAF_TAPER_HAMMING, TAF_TAPER_BLACKMAN,
	    TAF_TAPER_GAUSS
};

/*
 * n weights, 1 in the middle.  They are symmetric, or periodic: those of n + 1 points
 * without the last.  The bell of gauss reaches over three standard deviations on each
 * side.
 */
void taf_taper(double *w, size_t n, enum taf_taper t, bool periodic);

/* Of all symmetric ones n from first on. */
void taf_taper_part(double *w, uint64_t first, size_t n, uint64_t all, enum taf_taper t);

#endif
