/* SPDX-License-Identifier: ISC */
/* What spectra.c and the code for each type share; nobody else needs it. */
#ifndef TAF_KERNEL_FFT_SPECTRA_PRIVATE_H
#define TAF_KERNEL_FFT_SPECTRA_PRIVATE_H

#include "kernel/fft/fft_steps.h"
#include "kernel/fft/spectra.h"

/*
 * A transform of n real points, each a row of numbers of as many blocks.  It is one of
 *
 *	radix 0: of the pairs of neighbours, for an even n;
 *	radix r, an odd prime: first of r points that lie m = n /
     r apart.  Its frequency 0 is
 *	a real sequence of m points, the others are pairs,
     of which one half mirrors the other.
 *
 * With far the first step is a convolution of far points: with generator g of the numbers
 * below r, those at g^q and the frequencies at g^-q are one with the sequence
 * cos(a) - sin(a), a = 2 pi g^-q / r (Rader; the cyclic sum is Hartley's transform).
 */
struct taf_power {
	size_t n, m, far;
	size_t stride;		/* its frequency k is this times k of all */
	unsigned radix;
	struct taf_fft_steps steps;	/* of n / 2, or of m points */
	/* exp(-2 pi i k / n), k <= n / 4; or [p < m][0 < k <= r / 2] of p k */
	void *twiddle;
	void *root;		/* exp(-2 pi i k / r), k < r */
	struct taf_fft_steps pairs;	/* of a convolution: of far / 2 points */
	void *far_twiddle;		/* exp(-2 pi i k / far), k <= far / 4 */
	void *kernel;		/* pairs: the transform of that sequence, 0 to far / 2 */
	/* that g^-q is, q < r / 2: up to r / 2, or above for its mirror */
	size_t *frequency;
	size_t *row;		/* where point j has to lie */
	size_t rows;
	struct taf_power *rest;	/* of m points, at frequency 0 */
};

struct taf_spectra {
	struct taf_spectra_want want;
	struct taf_power *power;
	void *weight;
	size_t batch;		/* blocks whose points are laid out at once */
	size_t wide;		/* numbers of a row of theirs */
	/* numbers of parts of the scratch memory */
	size_t laid, rows, plane, result;
};

struct taf_spectra_typed {
	size_t lanes;		/* numbers of 64 bytes */
	void (*blocks)(const struct taf_spectra *s, const struct taf_spectra_part *part);
};
extern const struct taf_spectra_typed taf_spectra_flt32, taf_spectra_flt64;

#endif
