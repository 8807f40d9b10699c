/* SPDX-License-Identifier: ISC */
/* Peaks of one line, in memory or in pieces of a reader. */
#ifndef TAF_OP_LINE_PEAKING_LINE_H
#define TAF_OP_LINE_PEAKING_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/temp.h"
#include "kernel/line/peaks.h"
#include "kernel/number/recode.h"
#include "stream/reader.h"

struct taf_peaking_line {
	const struct taf_peaks *how;
	uint64_t n;				/* points */
	void *scratch;				/* aligned as malloc does */

	/* the line in memory; the scratch has taf_peaking_bytes */
	const double *x;

	/*
	 * where x is NULL, and the scratch has taf_peaking_piece: elements of a reader
	 * from base on, after taf_reader_random
	 */
	const struct taf_reader *r;
	const struct taf_recode *recode;	/* to flt64 */
	uint64_t base;
	uint64_t memory;			/* bound of bytes for peaks */
	struct taf_store *peaks;		/* becomes those of the line */
};

/* Bytes of scratch for a line of n points; UINT64_MAX for too many of them. */
uint64_t taf_peaking_bytes(const struct taf_peaks *how, uint64_t n);

/* Bytes of scratch for a line that a reader has. */
size_t taf_peaking_piece(void);

/*
 * What there is in the line (kernel/line/peaks.h), in the order of places: *peak, in the
 * scratch or in the store, and *found of them.  A reader's line is read up to three
 * times, and around each peak; peaks that do not fit the memory lie in temporary files.
 * Where measure is false, only their number is found.
 */
TAF_MUST enum taf_status taf_peaking_line(const struct taf_peaking_line *l, bool measure,
    const struct taf_peak **peak, size_t *found, struct taf_err *e);

#endif
