/* SPDX-License-Identifier: ISC */
/* Power spectra of many blocks of a line of real numbers, computed side by side. */
#ifndef TAF_KERNEL_FFT_SPECTRA_H
#define TAF_KERNEL_FFT_SPECTRA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

struct taf_spectra_want {
	size_t points, skip;	/* of a block, and from one to the next */
	size_t length;		/* that is transformed: zeros are behind the points */
	const double *weight;	/* of each point */
	bool remove_mean;	/* of a block, before it is weighed */
	bool twice;		/* all frequencies but 0 and length / 2 */
	bool narrow;		/* numbers are flt32, else flt64 */
	size_t first, n;	/* of the frequencies 0 to length / 2 */
};

struct taf_spectra;

/* Is it a length for taf_spectra_open? Longer ones, and a few others, are not. */
bool taf_spectra_fit(size_t length);

/*
 * Squares of the magnitudes of X[k] = sum of w[j] x[j] exp(-2 pi i j k / length).  The
 * same bits come out on every processor, for a block alone as for one among others.  The
 * error of X is some eps sqrt(log2 length) of its root mean square, eps that of the type.
 */
TAF_MUST enum taf_status taf_spectra_open(struct taf_spectra **s,
    const struct taf_spectra_want *want, struct taf_err *e);
void taf_spectra_close(struct taf_spectra *s);

/* Bytes that taf_spectra_blocks needs as scratch, of each thread its own. */
size_t taf_spectra_scratch(const struct taf_spectra *s);

enum { TAF_SPECTRA_LANES = 8 };	/* of flt64 */

/*
 * Blocks that begin at from; the n results of each lie apart from those of the next.
 * Safe from several threads at once.
 */
struct taf_spectra_part {
	void *to;
	size_t apart;		/* numbers, n at least */
	const void *from;
	size_t blocks;
	/*
	 * Instead from and to are TAF_SPECTRA_LANES blocks of flt64 side by side: a row
	 * has one point, or one result, of each.
	 */
	bool rows;
	void *scratch;
};
void taf_spectra_blocks(const struct taf_spectra *s, const struct taf_spectra_part *part);

#endif
