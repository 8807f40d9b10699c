/* SPDX-License-Identifier: ISC */
/* Spectra of short stretches of lines. */
#ifndef TAF_OP_FFT_SPECTROGRAM_H
#define TAF_OP_FFT_SPECTROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "kernel/fft/spectral.h"
#include "kernel/fft/taper.h"
#include "op/fft/blocks.h"
#include "op/operand/move.h"

struct taf_spectrogram_intent {
	struct taf_blocks blocks;
	struct taf_blocks_range keep;	/* of the frequencies */
	enum taf_taper taper;
	bool periodic, remove_mean;
	bool wide;			/* flt64 throughout, whatever comes */
	enum taf_spectral result;
	/* points that are transformed, 0: those of a block */
	uint64_t pad;
};

/*
 * out becomes the array of frequencies and the dimensions of in; the one
 * cut becomes that of times, the middles of the blocks.  TAF_EDATA if no block fits, and
 * where nothing is left by crop.
 */
TAF_MUST taf_resolve taf_spectrogram_resolve;

/*
 * All blocks.  Those of real numbers, with real results, stream through the memory.
 * TAF_EDATA if others, all of a line, do not fit it.
 */
TAF_MUST taf_mover taf_spectrogram;

#endif
