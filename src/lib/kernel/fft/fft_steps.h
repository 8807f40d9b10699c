/* SPDX-License-Identifier: ISC */
/* Steps of a transform whose length has small factors, and their tables. */
#ifndef TAF_KERNEL_FFT_FFT_STEPS_H
#define TAF_KERNEL_FFT_FFT_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

enum {
	TAF_FFT_STEPS = 64,	/* factors of a length */
	TAF_FFT_ODD = 61	/* the largest prime that has a step of its own */
};

/*
 * A step of Stockham's transform: it combines radix points that lie m rows apart.  Behind
 * it the transforms have radix times as many rows between their points.
 */
struct taf_fft_step {
	unsigned radix;
	size_t m;
	void *twiddle;	/* exp(-2 pi i p k / (radix m)), p < m, 0 < k < radix: pairs */
	/* exp(-2 pi i k / radix), k < radix, of a radix without its own code */
	void *root;
};

struct taf_fft_steps {
	size_t n;
	unsigned count;
	struct taf_fft_step step[TAF_FFT_STEPS];
};

/* The steps, at first zeros, of n points without a prime factor above TAF_FFT_ODD. */
TAF_MUST enum taf_status taf_fft_steps_open(struct taf_fft_steps *s, size_t n,
    bool narrow, struct taf_err *e);
void taf_fft_steps_close(struct taf_fft_steps *s);

/* How many they are. */
unsigned taf_fft_steps_of(size_t n);

/* n numbers, as flt32 where narrow, to be freed; NULL without memory. */
void *taf_fft_table(const double *v, size_t n, bool narrow);

/* The smallest prime factor of n, or 0 where that is above the given one. */
unsigned taf_fft_factor(uint64_t n, unsigned most);

#endif
