/* SPDX-License-Identifier: ISC */
/* Peaks of a line that is larger than the memory. */
#ifndef TAF_OP_LINE_PEAKING_LONG_H
#define TAF_OP_LINE_PEAKING_LONG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/temp.h"
#include "kernel/line/peaks.h"
#include "kernel/number/recode.h"
#include "stream/reader.h"

struct taf_peaking_long {
	const struct taf_peaks *how;
	const struct taf_reader *r;		/* after taf_reader_random */
	const struct taf_recode *recode;	/* of its elements, to flt64 */
	/* the line's first element, and how many */
	uint64_t base, n;
	uint64_t memory;			/* bound of bytes for peaks */
	struct taf_store *peaks;		/* becomes those of the line */
};

/*
 * What taf_peaks_find finds, to the same bits; *found peaks.  The line is read up to
 * three times, and around each peak.  Where measure is false, only their number is.
 * Those that do not fit the memory lie in temporary files.
 */
TAF_MUST enum taf_status taf_peaking_long(const struct taf_peaking_long *l, bool measure,
    size_t *found, struct taf_err *e);

#endif
