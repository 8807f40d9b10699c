/* Spectra of short stretches of lines. */
#ifndef TAF_OP_SPECTROGRAM_H
#define TAF_OP_SPECTROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/word.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/fft/spectral.h"
#include "kernel/fft/taper.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

/* How lines are cut into blocks. */
enum taf_blocks_by {
	TAF_BLOCKS_NOTHING,	/* said yet */
	TAF_BLOCKS_POINTS,	/* points of a block, and from one to the next */
	TAF_BLOCKS_DURATION,	/* the same on the grid */
	/* of blocks, and how far they overlap, of what they advance */
	TAF_BLOCKS_NUMBER
};

struct taf_spectrogram_intent {
	unsigned dim;			/* that lines run along, from 1 */
	enum taf_blocks_by by;
	struct taf_amount length, skip;
	bool skips;			/* skip is given */
	enum taf_taper taper;
	bool periodic, remove_mean, crop;
	bool wide;			/* flt64 throughout, whatever comes */
	enum taf_spectral result;
	/* points that are transformed, 0: those of a block */
	uint64_t pad;
	struct taf_amount range[2];	/* of the frequencies, with crop */
};

/* "LENGTH" or "LENGTH,SKIP"; TAF_EUSAGE where it is not that. */
TAF_MUST enum taf_status taf_blocks_parse(struct taf_spectrogram_intent *want,
    enum taf_blocks_by by, const char *text, struct taf_err *e);

/*
 * out, a copy of in, becomes the array of frequencies and the dimensions of in; want->dim
 * becomes that of times, the middles of the blocks.  TAF_EDATA if no block fits, and
 * where nothing is left by crop.
 */
TAF_MUST enum taf_status taf_spectrogram_resolve(
    const struct taf_spectrogram_intent *want, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e);

struct taf_spectrogram {
	const struct taf_spectrogram_intent *want;
	/* want's dim, out by taf_spectrogram_resolve */
	const struct taf_along *along;
};

/*
 * All blocks.  Those of real numbers, with real results, stream through the memory.
 * TAF_EDATA if others, all of a line, do not fit it.
 */
TAF_MUST enum taf_status taf_spectrogram(const struct taf_spectrogram *s,
    struct taf_err *e);

#endif
