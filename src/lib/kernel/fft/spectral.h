/* SPDX-License-Identifier: ISC */
/* What is done with a line before its Fourier transform, and with the transform. */
#ifndef TAF_KERNEL_FFT_SPECTRAL_H
#define TAF_KERNEL_FFT_SPECTRAL_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/number/nan.h"

/* What results are made of. */
enum taf_spectral {
	TAF_SPECTRAL_COMPLEX, TAF_SPECTRAL_POWER, TAF_SPECTRAL_AMPLITUDE,
	    TAF_SPECTRAL_PHASE,
	TAF_SPECTRAL_DB, TAF_SPECTRAL_DENSITY
};

/* By so much are points louder whose squares would be 0; the power is, in decibels. */
#define TAF_LOUDER 0x1p600
#define TAF_LOUDER_DB (20 * 600 * 0.30102999566398119521)

/* Numbers are flt32 where narrow, else flt64. */
struct taf_spectral_line {
	bool narrow;
	size_t points, length;	/* there are so many; so many are transformed */
	/* points are real, and of the frequencies there is a half */
	bool half;
	bool rotated;		/* negative frequencies first */
	bool inverse;
	bool between;		/* inverse: every second point has the other sign */
	const double *taper;	/* weights of the points, or NULL */
	const double *origin;	/* pairs that frequencies are multiplied by, or NULL */
	enum taf_spectral result;
	/*
	 * Squares of a density, else magnitudes, are multiplied by scale; results of
	 * frequencies that stand for their negative ones, too, by both.  0 is no factor.
	 */
	double scale, both;
	/* of a part of the frequencies: the number of its first, and the length of all */
	size_t first, whole;
};

/* What results of a half are multiplied by, so that they are those of all of it. */
double taf_spectral_both(enum taf_spectral result);

/*
 * What taf_fft_lines takes: to has length numbers, or pairs, of it.  An inverse gives the
 * frequencies their order.
 */
void taf_spectral_before(const struct taf_spectral_line *l, void *to, const void *from);

/* The result of what it gives; from is lost. */
void taf_spectral_after(const struct taf_spectral_line *l, void *to, void *from);

/*
 * length pairs: the phases that coordinate 0 makes where the first point is at start, in
 * steps, for the frequencies as the transform has them.
 */
void taf_spectral_origin(double *pairs, const struct taf_spectral_line *l, double start);

/* Of these n from first on. */
void taf_spectral_origin_part(double *pairs, const struct taf_spectral_line *l,
    double start, size_t first, size_t n);

/* n of the frequencies from first on, pairs of flt64, are divided by these. */
void taf_spectral_turn_back(double *pairs, const struct taf_spectral_line *l,
    double start, size_t first, size_t n);

/* How results follow their points where all of these are as many times as large. */
enum taf_scaling taf_spectral_scaling(enum taf_spectral result);

#endif
