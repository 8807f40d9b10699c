/* SPDX-License-Identifier: ISC */
/* Discrete Fourier transforms of lines of any length. */
#ifndef TAF_KERNEL_FFT_FFT_H
#define TAF_KERNEL_FFT_FFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

enum taf_fft_kind {
	TAF_FFT_COMPLEX,	/* n pairs to n pairs */
	/* n numbers to n / 2 + 1 pairs, the rest being their mirror */
	TAF_FFT_REAL,
	TAF_FFT_HALF		/* n / 2 + 1 pairs to n numbers: the inverse of that */
};

struct taf_fft_want {
	size_t n;		/* at least 1 */
	enum taf_fft_kind kind;
	bool inverse;		/* of TAF_FFT_COMPLEX: exp(+i), and 1/n */
	bool narrow;		/* numbers are flt32, else flt64 */
	/* taf_fft_tables bytes, lent until it is closed, or NULL: it takes memory */
	void *tables;
};

/*
 * Bytes of tables that are as long as a line: those of a convolution, which lengths with
 * a large prime factor become.  0 for all others.
 */
size_t taf_fft_tables(const struct taf_fft_want *want);

struct taf_fft;

/*
 * Tables of a transform: X[k] = sum of x[j] exp(-2 pi i j k / n), as numpy has it.  The
 * same bits come out on every processor, for a line alone as for one among others.  All
 * is computed in flt64: the error is some eps sqrt(log2 n) of the root mean square, eps
 * that of flt64; results that are flt32 are rounded once.
 */
TAF_MUST enum taf_status taf_fft_open(struct taf_fft **f, const struct taf_fft_want *want,
    struct taf_err *e);
void taf_fft_close(struct taf_fft *f);

/* Bytes that taf_fft_lines needs as scratch, of each thread its own. */
size_t taf_fft_scratch(const struct taf_fft *f);

/* Transform lines that lie one behind the other.  Safe from several threads at once. */
void taf_fft_lines(const struct taf_fft *f, void *to, const void *from, size_t lines,
    void *scratch);

/*
 * Lines side by side: point i of line k is number, or pair, i * from_step + k of from,
 * and of its results i * to_step + k of to.  Frequency q is point (q + shift) mod n,
 * shift being 0 but for TAF_FFT_COMPLEX.  There are so many points of n: forward, zeros
 * follow them; back, the others are not written.
 */
struct taf_fft_side {
	void *to;
	const void *from;
	size_t to_step, from_step, lines, points, shift;
};

/* Are lines transformed side by side?  Not those that caches do not hold. */
bool taf_fft_has_side(const struct taf_fft *f);

/* Bytes of space for that. */
size_t taf_fft_side_scratch(const struct taf_fft *f);

/* As taf_fft_lines, with the same bits. */
void taf_fft_side(const struct taf_fft *f, const struct taf_fft_side *s, void *scratch);

/*
 * The smallest length from n, at least 1, on that has no prime factor above 7: a fast
 * one.
 */
uint64_t taf_fft_fast(uint64_t n);

#endif
