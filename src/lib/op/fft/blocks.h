/* SPDX-License-Identifier: ISC */
/* How lines are cut into blocks, and what of frequencies is kept. */
#ifndef TAF_OP_FFT_BLOCKS_H
#define TAF_OP_FFT_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/word.h"
#include "array/words.h"
#include "base/attr.h"
#include "base/err.h"

enum taf_blocks_by {
	TAF_BLOCKS_NOTHING,	/* not said yet */
	TAF_BLOCKS_POINTS,	/* points of a block, and from one to the next */
	TAF_BLOCKS_DURATION,	/* the same on the grid */
	/* how many blocks, and how many advances they reach into the next ones */
	TAF_BLOCKS_NUMBER
};

struct taf_blocks {
	unsigned dim;			/* that lines run along, from 1 */
	enum taf_blocks_by by;
	struct taf_amount length, skip;
	bool skips;			/* skip is given */
};

/* Frequencies from LO to HI, with crop. */
struct taf_blocks_range {
	struct taf_amount range[2];
	bool crop;
};

/*
 * For words of the command line, each a taf_word_parse: "LENGTH" or "LENGTH,SKIP" becomes
 * a struct taf_blocks, and "LO:HI" a struct taf_blocks_range.  TAF_EUSAGE for another
 * form.
 */
TAF_MUST taf_word_parse taf_blocks_points;
TAF_MUST taf_word_parse taf_blocks_duration;
TAF_MUST taf_word_parse taf_blocks_number;
TAF_MUST taf_word_parse taf_blocks_crop;

/* Blocks of a line: their points, those from one to the next, and how many there are. */
struct taf_blocks_cut {
	uint64_t points, skip, blocks;
};

/*
 * Find *c for lines of in.  TAF_EDATA if no block fits, or the dimension has no
 * frequencies.
 */
TAF_MUST enum taf_status taf_blocks_cut(const struct taf_blocks *want,
    const struct taf_array *in, struct taf_blocks_cut *c, struct taf_err *e);

/* *time, the dimension that was cut, becomes that of the middles of its blocks. */
void taf_blocks_times(const struct taf_blocks_cut *c, struct taf_dim *time);

/* The points of n blocks from number at on, as span of struct taf_windows says them. */
void taf_blocks_span(const struct taf_blocks_cut *c, uint64_t at, uint64_t n,
    uint64_t to[2]);

#endif
