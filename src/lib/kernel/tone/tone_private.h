/* SPDX-License-Identifier: ISC */
/* What the files tone*.c share; nobody else needs it. */
#ifndef TAF_KERNEL_TONE_TONE_PRIVATE_H
#define TAF_KERNEL_TONE_TONE_PRIVATE_H

#include <string.h>

#include "base/attr.h"
#include "kernel/fft/fft.h"
#include "kernel/fft/spectra.h"
#include "kernel/number/fast.h"
#include "kernel/tone/tone.h"

enum {
	TAF_TONE_CHUNK = 16,	/* points that are worked on at once */
	TAF_TONE_RESTART = 64,	/* points for which a rotation goes on */
	TAF_TONE_COLUMNS = 4,	/* derivatives by the numbers of a tone */
	TAF_TONE_ALL = TAF_TONE_COLUMNS * TAF_TONE_MOST,
	TAF_TONE_FEW = 32,	/* parts of a block that the first steps work on */
	TAF_TONE_NOISE_BINS = 64,
	TAF_TONE_SORT = 543,	/* steps that sort so many */
	/* columns that do not change: constant and known lines, two parts each */
	TAF_TONE_FIXED = 2 * (TAF_TONE_KNOWN + 1)
};

/* 2 pi, and pi. */
#define TAF_TONE_TURN 0x1.921fb54442d18p+2
#define TAF_TONE_HALF_TURN 0x1.921fb54442d18p+1

/*
 * NAME(job, wide) works on rows of wide lanes.  This defines NAME_lanes(job), which calls
 * it with a constant: TAF_TONE_LANES, in the widest registers, or 1.
 */
#define TAF_TONE_ROWS_OF(name, type) \
TAF_WIDE_VOID(name##_wide, (const struct type *job), (job)) \
{ \
	name(job, TAF_TONE_LANES); \
} \
static void \
name##_lanes(const struct type *job) \
{ \
	if (job->lanes == TAF_TONE_LANES) \
		name##_wide(job); \
	else \
		name(job, 1); \
}

/* Lanes; if compilers know a bound, they unroll its loop before they can vectorise it. */
static TAF_INLINE size_t
taf_tone_lanes(size_t lanes, size_t wide)
{
	return (lanes < wide ? lanes : wide) / wide * wide;
}

/* A transform of weighted points, as powers. */
struct taf_tone_power {
	size_t length, bins;
	struct taf_spectra *spectra;	/* of lanes, or */
	struct taf_fft *fft;		/* of a block */
};

/*
 * Inside, times are in units of T, and so frequencies are numbers of bins and slopes
 * bins a block.  Points lie in rows: a row is one point, or part of it, of each lane.
 */
struct taf_tone {
	struct taf_tone_want want;
	size_t points, parts, rows;
	size_t lanes;			/* TAF_TONE_LANES, or 1 of long blocks */
	size_t restarts;
	double duration, sign;		/* T; of the step */
	double sum, squares;		/* of weights, and of their squares */
	/* of a tone by itself with s / A = 1: the sigma of its bin and of its slope */
	double loose[2];
	/* sums of w y^2 for these; y is the time, or its square less the mean of that */
	double apart[2];
	double low, high;		/* bins that are looked at */
	double *weight, *time;		/* of a point; times in units of T */
	double *fixed;			/* orthonormal columns, one behind the other */
	size_t nfixed;
	double *known;			/* bins of lines */
	bool *quiet;			/* which bins tell of noise, but for tones */
	struct taf_tone_power start, rest;
	double *mix;			/* exp(i pi k / start.length) of all k */
	/* parts of a block, points of each; moments of the weights of all points */
	size_t few, each;
	double moment[3];		/* of order 0, 2 and 4 */
	/* pairs of rows that are put in order, one after the other, to sort all */
	unsigned char sort[TAF_TONE_SORT][2];
	size_t nsort;
	/* numbers of the scratch memory */
	size_t scratch, fft_scratch;
};

/* The tones of each lane, as they are fitted. */
struct taf_tone_fit {
	unsigned tones[TAF_TONE_LANES];
	bool active[TAF_TONE_LANES];	/* not yet at its end */
	bool good[TAF_TONE_LANES];	/* has come to its end */
	/* amplitudes as re + i im */
	double bin[TAF_TONE_MOST][TAF_TONE_LANES], slope[TAF_TONE_MOST][TAF_TONE_LANES];
	double re[TAF_TONE_MOST][TAF_TONE_LANES], im[TAF_TONE_MOST][TAF_TONE_LANES];
	double from[TAF_TONE_MOST][TAF_TONE_LANES];	/* the bin at its start */
	/* the last step was short enough */
	bool still[TAF_TONE_MOST][TAF_TONE_LANES];
	/* amplitudes were not solved for since there was a new one */
	bool fresh[TAF_TONE_LANES];
	/* sums of (w J v)^2, v rows of the inverse matrix, for bin and slope */
	double spread[2 * TAF_TONE_MOST][TAF_TONE_LANES];
	/* the last member, of which no more is cleared than is used */
	double fixed[TAF_TONE_FIXED][TAF_TONE_LANES];
};

/* Memory of a group of lanes. */
struct taf_tone_group {
	const struct taf_tone *t;
	struct taf_tone_fit *fit;
	size_t lanes;
	unsigned most;			/* tones of the lane with most */
	double *y, *r;			/* points less fixed columns; residuals */
	double *power;			/* rows of bins */
	double *angle, *cosine, *sine;	/* at restarts, of each tone */
	double *carry;			/* rotations on their way */
	double *column, *weighed;	/* of a chunk, all tones */
	double *chunk;			/* residuals of it, and those weighed */
	/* sums of products of two: columns of tones t, fixed ones f, residuals r */
	double *tt, *ft, *tr, *fr, *rr;
	double *kept;			/* room for tt and ft */
	double *vector;			/* rows of the inverse matrix, 2 for each tone */
	double *few;			/* parts of blocks, mixed down */
	double *line, *spectrum;	/* of a block alone */
	void *fft;
};

/*
 * The last whole number up to x, and the first from x on.  libm has these, but a command
 * would have to load it.
 */
static inline double
taf_tone_below(double x)
{
	/* from 2^52 on all are whole */
	const double most = 4503599627370496.0;
	const double whole = x > -most && x < most ? (double)(long long)x : x;

	return whole > x ? whole - 1 : whole;
}

static inline double
taf_tone_above(double x)
{
	return -taf_tone_below(-x);
}

static inline void
taf_tone_clear(struct taf_tone_fit *f, size_t nfixed)
{
	memset(f, 0, offsetof(struct taf_tone_fit, fixed) + nfixed * sizeof f->fixed[0]);
}

/* The rotations where they begin anew, at the tones of the fit. */
void taf_tone_restart(const struct taf_tone_group *g);

/*
 * A pass over all points: the sums of products.  Lanes that keep have those of columns
 * with columns from the pass before.
 */
void taf_tone_products(const struct taf_tone_group *g, const bool *keep);

/* A pass over all points: the residuals r, and the spreads of the fit. */
void taf_tone_residuals(const struct taf_tone_group *g);

/* Powers of y or r, rows of bins, to g->power. */
void taf_tone_powers(const struct taf_tone_group *g, const struct taf_tone_power *p,
    const double *rows);

/* First steps of tone j of the active lanes for which it is asked, from residuals. */
void taf_tone_begin(const struct taf_tone_group *g, unsigned j, const bool *asked,
    const double *rows);

/* Steps until all active lanes are at their end. */
void taf_tone_steps(const struct taf_tone_group *g);

/* Numbers of a tone of a lane beside the fit. */
struct taf_tone_result {
	double variance, ratio, misfit, sigma[2];
	bool above;		/* the noise */
};

/* The tones of blocks from number b on. */
void taf_tone_search(const struct taf_tone_group *g, const struct taf_tone_part *part,
    size_t b);

/* What residuals say of each tone.  looked: the bins of the search; scale: of points. */
void taf_tone_results(const struct taf_tone_group *g, const double (*looked)[2],
    struct taf_tone_result (*to)[TAF_TONE_LANES], const double *scale);

#endif
