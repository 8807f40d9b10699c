/* SPDX-License-Identifier: ISC */
/*
 * The Fourier transform of one line that is larger than the memory, in temporary files.
 * The length alone says how it is computed, so that no bit depends on the memory.
 */
#ifndef TAF_OP_FFT_LONGLINE_H
#define TAF_OP_FFT_LONGLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kernel/fft/fft.h"
#include "stream/service.h"

/*
 * Points of the longest line that is transformed as in memory, with the same bits: what
 * the memory does not hold then lies in a mapped file.  Longer lines are always
 * transformed in two passes, as a matrix in files.
 */
enum { TAF_LONGLINE = 1 << 22 };

struct taf_longline_want {
	const struct taf_service *service;	/* hears of progress; NULL for none */
	uint64_t n;		/* from 1 to 2^48 */
	enum taf_fft_kind kind;
	bool inverse;		/* as in struct taf_fft_want */
	bool single;		/* numbers are flt32: its narrow */
	bool narrow;		/* the files of two passes hold flt32 */
	bool passes;		/* two passes for any length, as tests want */
	uint64_t memory;	/* bound in bytes */
	unsigned threads;
	/*
	 * n points from first on: pairs, or of TAF_FFT_REAL numbers.  Called from several
	 * threads at once, for any points in any order, some of them several times.
	 * There is space for twice as many doubles as points.
	 */
	enum taf_status (*get)(void *ctx, double *to, uint64_t first, size_t n,
	    struct taf_err *e);
	void *ctx;
};

struct taf_longline;

/*
 * Transform it.  Two passes write two temporary files, of n pairs each, or of n / 2 pairs
 * where n is even and the points or the results are real.  The second one stays until
 * close.  If n is no product of two factors whose lines fit the memory, there are four
 * files of twice that size.  TAF_EDATA if the memory is too little for these, too.
 */
TAF_MUST enum taf_status taf_longline_open(struct taf_longline **l,
    const struct taf_longline_want *want, struct taf_err *e);
void taf_longline_close(struct taf_longline *l);	/* NULL is allowed */

/*
 * n results from first on: pairs, or of TAF_FFT_HALF numbers, first being even.  to has
 * space for 2 n + 2 doubles.  Safe from several threads at once.
 */
TAF_MUST enum taf_status taf_longline_get(const struct taf_longline *l, double *to,
    uint64_t first, size_t n, struct taf_err *e);

#endif
