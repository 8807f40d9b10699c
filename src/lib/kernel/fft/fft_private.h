/* SPDX-License-Identifier: ISC */
/* What the files fft*.c share; nobody else needs it. */
#ifndef TAF_KERNEL_FFT_FFT_PRIVATE_H
#define TAF_KERNEL_FFT_FFT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/fft/fft.h"
#include "kernel/fft/fft_steps.h"
#include "kernel/fft/fft_twiddle.h"

enum {
	TAF_FFT_LANES = 8,	/* doubles of 64 bytes */
	/*
	 * Columns of a line at a time: more of them, and points of a step meet in few
	 * places of a cache.
	 */
	TAF_FFT_WIDE = 16,
	TAF_FFT_APART = 8,	/* doubles between planes: not a power of 2 apart */
	TAF_FFT_FEW_BITS = 6,	/* pairs that are untangled at once */
	TAF_FFT_FEW = 1 << TAF_FFT_FEW_BITS
};

/*
 * Real parts and imaginary parts, apart.  Points of several transforms lie side by side,
 * in rows whose length is a multiple of TAF_FFT_LANES.  So all loops go along the rows,
 * the compiler makes vectors of them, and each transform sees the same operations.
 */
struct taf_fft_planes {
	double *re, *im;
};

/* What makes a transform the inverse, before it and behind it. */
static inline struct taf_fft_planes
taf_fft_exchanged(struct taf_fft_planes p, bool back)
{
	return back ? (struct taf_fft_planes){ p.im, p.re } : p;
}

enum taf_fft_way {
	TAF_FFT_TINY,		/* the points of a line, one step behind the other */
	TAF_FFT_SPLIT,		/* columns of a matrix side by side, then its rows */
	TAF_FFT_ODD_REAL,	/* reals as some lines of a smaller length */
	TAF_FFT_CHIRP		/* as a convolution, of a length that has small factors */
};

/*
 * A transform of h pairs.  With TAF_FFT_SPLIT point j is element (j / b, j % b) of a
 * matrix of a rows and b columns.
 */
struct taf_fft {
	struct taf_fft_want want;
	size_t h;
	double scale;		/* of results */
	enum taf_fft_way way;
	struct taf_fft_steps first, second;	/* of a and of b points, or first alone */
	/* exp(-2 pi i k j / h) for k < a and j < cells: rows of pairs of planes */
	double *cell;
	size_t cells;		/* all of b, or TAF_FFT_WIDE */
	struct taf_twiddle matrix;	/* of h, where cell does not have all of b */
	struct taf_twiddle real;	/* of n numbers that are taken for pairs */
	/*
	 * With TAF_FFT_ODD_REAL: a prime factor of n = radix m; exp(-2 pi i k / radix);
	 * and cell is exp(-2 pi i k p / n) for 0 < k <= radix / 2, row by row of p < m.
	 */
	size_t radix;
	double *root;
	struct taf_fft *rest;	/* of m reals; and inner is of m pairs */
	struct taf_fft *inner;	/* the transform that a convolution takes */
	double *chirp, *spectrum;
};

/* Is the transform of real numbers that of pairs of them? */
bool taf_fft_in_pairs(const struct taf_fft *f);

static inline size_t
taf_fft_round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* Planes of so many numbers, of the scratch memory, which begins behind them then. */
struct taf_fft_planes taf_fft_lay_out(double **scratch, size_t numbers);
/* What they take of it, in numbers. */
size_t taf_fft_laid_out(size_t numbers);

/*
 * Transforms of columns side by side, of rows of wide numbers, from src by way of both;
 * where they are then.
 */
struct taf_fft_planes taf_fft_columns(const struct taf_fft_steps *f,
    struct taf_fft_planes src, const struct taf_fft_planes to[2], size_t wide);

/*
 * A line of h pairs.  They are numbers of the type of f, or, where NULL stands, in
 * planes.  Parts exchanged, and scaled, make it the inverse; in planes they are not
 * scaled.
 */
struct taf_fft_line {
	const struct taf_fft *f;
	void *to;
	const void *from;
	struct taf_fft_planes out, in;
	bool back;
	double scale;
	double *scratch;
};

/* Numbers of scratch memory that a line needs; and its transform, with TAF_FFT_SPLIT. */
size_t taf_fft_line_scratch(const struct taf_fft *f);
void taf_fft_line(const struct taf_fft_line *l);

/*
 * Numbers that come, or frequencies, become the h pairs that are transformed, and these
 * those that go: of an even number from frequencies, and to them, alone.
 */
void taf_fft_unpack(const struct taf_fft *f, void *to, const struct taf_fft_planes *from);
void taf_fft_pack(const struct taf_fft *f, const struct taf_fft_planes *to,
    const void *from);

/*
 * Lines side by side: point i of line k is number, or pair, i * step + k * lane.  At most
 * TAF_FFT_LANES of them.
 */
struct taf_fft_lanes {
	const struct taf_fft *f;
	void *to;
	const void *from;
	size_t to_step, to_lane, from_step, from_lane;
	size_t lines, points, shift;	/* the last two as in struct taf_fft_side */
	double *scratch;
};
size_t taf_fft_lanes_scratch(const struct taf_fft *f);
void taf_fft_lanes(const struct taf_fft_lanes *l);

/* The same with TAF_FFT_ODD_REAL, for one line, or for more of them side by side. */
size_t taf_fft_odd_scratch(const struct taf_fft *f, bool side);
void taf_fft_odd(const struct taf_fft_lanes *l);

#endif
