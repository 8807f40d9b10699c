/* SPDX-License-Identifier: ISC */
/*
 * Tones in blocks of a line: their frequency, slope of frequency, amplitude and phase by
 * weighted least squares, and the uncertainty of these.
 *
 * With t the time from the middle of a block the model is
 *
 *	c + sum of A cos(phi + 2 pi (f t + k t^2 / 2)) + known lines
 *
 * or, of pairs, A exp(i (...)).  All of it is in flt64, by operations that IEEE 754
 * rounds, and in an order that neither depends on the processor nor on other blocks.
 */
#ifndef TAF_KERNEL_TONE_TONE_H
#define TAF_KERNEL_TONE_TONE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

enum {
	TAF_TONE_MOST = 8,	/* tones of a block */
	TAF_TONE_KNOWN = 64,	/* known lines */
	/* blocks that are computed side by side */
	TAF_TONE_LANES = 8
};

/* The numbers of a tone, in this order. */
enum taf_tone_row {
	TAF_TONE_FREQUENCY, TAF_TONE_SIGMA, TAF_TONE_AMPLITUDE, TAF_TONE_SLOPE,
	TAF_TONE_SLOPE_SIGMA, TAF_TONE_PHASE, TAF_TONE_NOISE, TAF_TONE_RATIO,
	TAF_TONE_MISFIT, TAF_TONE_ROWS
};

/* Densities at frequencies that lie step apart, linear between them. */
struct taf_tone_noise {
	const double *density;	/* n of them, one at least */
	size_t n;
	double start, step;
};

/* Frequencies are in cycles a unit of the grid. */
struct taf_tone_want {
	size_t points;		/* of a block, 2 at least */
	bool pair;		/* points are complex */
	const double *weight;	/* of each point; lent until it is closed */
	double step;		/* of the grid: finite, and not 0 */
	unsigned count;		/* of tones */
	double chance;		/* that noise alone passes for a tone */
	double low, high;	/* frequencies between which tones are looked for */
	const double *known;	/* of lines that are fitted, but are no result */
	size_t nknown;
	const struct taf_tone_noise *noise;	/* lent; NULL: it is estimated */
};

struct taf_tone;

/* Make tables for such blocks.  TAF_ESYS without memory.  NULL may be closed, too. */
TAF_MUST enum taf_status taf_tone_open(struct taf_tone **t,
    const struct taf_tone_want *want, struct taf_err *e);
void taf_tone_close(struct taf_tone *t);

/* How many multiples of 1/duration lie from low to high. */
size_t taf_tone_bins(double duration, double low, double high);

/* Bytes that so many points need: tables, and what each thread has as scratch. */
size_t taf_tone_bytes(const struct taf_tone_want *want);

/* Bytes that taf_tone_blocks needs as scratch, of each thread its own. */
size_t taf_tone_scratch(const struct taf_tone *t);

/* What became of blocks. */
struct taf_tone_count {
	unsigned long long without;	/* a tone, but finite */
	unsigned long long wrong;	/* not finite */
};

/*
 * Blocks that begin skip points apart, from from on.  Where region is not NULL, tones
 * of block b are looked for from region[2 b] to region[2 b + 1] alone, and not at all if
 * these are NaN.  to gets count tables of TAF_TONE_ROWS numbers for each block.
 */
struct taf_tone_part {
	double *to;
	const double *from;
	size_t blocks, skip;
	const double *region;
	struct taf_tone_count *count;	/* grows */
	void *scratch;
};
void taf_tone_blocks(const struct taf_tone *t, const struct taf_tone_part *part);

#endif
