/* What the files fft*.c share; nobody else needs it. */
#ifndef TAF_KERNEL_FFT_PRIVATE_H
#define TAF_KERNEL_FFT_PRIVATE_H

/* C alone: C++ has no restrict, and did not know constants as 0x1p-1 before 2017. */
#ifndef __cplusplus

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/fft.h"
#include "kernel/fft_steps.h"

enum taf_fft_way {
	TAF_FFT_TINY,		/* several lines side by side */
	TAF_FFT_SPLIT,		/* columns of a matrix side by side, then its rows */
	TAF_FFT_CHIRP		/* as a convolution, of a length that has small factors */
};

/*
 * A transform of h pairs.  With TAF_FFT_SPLIT point j is element (j / b, j % b) of a
 * matrix of a rows and b columns.
 */
struct taf_fft {
	struct taf_fft_want want;
	size_t h;
	enum taf_fft_way way;
	struct taf_fft_steps first, second;	/* of a and of b points, or first alone */
	size_t wide[2];		/* columns that are taken at once by either */
	size_t words[3];	/* of both parts of the planes that they need */
	/* exp(-2 pi i k j / h) for k < a and j < wide[0]: rows of pairs of planes */
	void *cell;
	double *low, *high;	/* exp(-2 pi i k / h), of small k and of multiples of grain */
	size_t grain;
	/* exp(-2 pi i k / n) of the real transform, k < TAF_FFT_FEW; and of multiples of that */
	void *few;
	double *many;
	struct taf_fft *inner;	/* the transform that a convolution takes, in flt64 */
	double *chirp, *spectrum;
};

enum { TAF_FFT_FEW = 64 };

/* How a line of pairs is transformed: parts exchanged and scaled makes it the inverse. */
struct taf_fft_line {
	const struct taf_fft *f;
	void *to;
	const void *from;
	size_t lines;		/* TAF_FFT_TINY alone: at most one of each lane */
	bool back;
	double scale;
	void *room;
};

/* The parts that know the type of the numbers. */
struct taf_fft_typed {
	size_t lanes;		/* numbers of 64 bytes */
	void (*line)(const struct taf_fft_line *l);
	/* of a real transform: from the transform of its pairs, in place, and to it */
	void (*unpack)(const struct taf_fft *f, void *pairs);
	void (*pack)(const struct taf_fft *f, void *to, const void *from);
	/* all n pairs of a spectrum of real numbers, of which n / 2 + 1 are there; n is odd */
	void (*mirror)(void *to, const void *from, size_t n);
	/* of a convolution: a line as doubles, and to l->to, scaled */
	void (*widen)(double *to, const void *from, size_t n, bool back);
	void (*narrow)(const struct taf_fft_line *l, const double *from, size_t n);
};
extern const struct taf_fft_typed taf_fft_flt32, taf_fft_flt64;

#endif

#endif
