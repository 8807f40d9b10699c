/* SPDX-License-Identifier: ISC */
/*
 * The Hilbert transform of n real points as a convolution: -i sgn(q) times frequency q,
 * but for 0 and n / 2.  For a length with a large prime factor this takes two transforms
 * of reals, of a fast length from 2 n on.  By frequencies it would take two convolutions
 * of pairs.
 */
#ifndef TAF_KERNEL_FFT_QUADRATURE_H
#define TAF_KERNEL_FFT_QUADRATURE_H

#include <stddef.h>
#include <stdint.h>

/* Numbers of the longest transform. */
enum { TAF_QUADRATURE_MOST = 1 << 22 };

/* The length, even, that zeros fill n points up to; 0 if they are not convolved. */
size_t taf_quadrature_length(uint64_t n);

/* Numbers first to first + count of what n points are convolved with, in that length. */
void taf_quadrature_taps(double *to, size_t first, size_t count, size_t n, size_t length);

/* Pairs times those of the transform of the taps, whose real parts are 0. */
void taf_quadrature_times(double *pairs, const double *taps, size_t count);

#endif
