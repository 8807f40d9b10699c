/* SPDX-License-Identifier: ISC */
/* Tones in blocks of lines: tables of their frequencies and the like. */
#ifndef TAF_OP_FFT_TONING_H
#define TAF_OP_FFT_TONING_H

#include <stdbool.h>
#include <stddef.h>

#include "array/word.h"
#include "array/words.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/fft/taper.h"
#include "kernel/tone/tone.h"
#include "op/fft/blocks.h"
#include "op/operand/move.h"
#include "op/operand/tabular.h"

enum { TAF_TONING_LEAST = 16 };	/* points of a block */

struct taf_toning_known {
	struct taf_amount line[TAF_TONE_KNOWN];
	size_t n;
};

/* Density of the noise: estimated, a number, or an array of it on a grid. */
struct taf_toning_noise {
	bool given;
	double density;
	struct taf_tabular table;		/* its v NULL without one */
};

struct taf_toning_intent {
	struct taf_blocks blocks;
	struct taf_blocks_range look;
	enum taf_taper taper;
	struct taf_toning_known known;
	struct taf_toning_noise noise;
	struct taf_tabular region;	/* its v NULL without one */
	unsigned count;
	double chance;
};

/* For words of the command line, each a taf_word_parse for a member of its type. */
TAF_MUST taf_word_parse taf_toning_known_parse;
TAF_MUST taf_word_parse taf_toning_noise_parse;
TAF_MUST taf_word_parse taf_toning_region_parse;
TAF_MUST taf_word_parse taf_toning_points_parse;
TAF_MUST taf_word_parse taf_toning_crop_parse;

/*
 * out becomes the array of tables: flt64, TAF_TONE_ROWS, count, and the dimensions of
 * in, the one cut being that of times.  TAF_EDATA where in has no such tables.
 */
TAF_MUST taf_resolve taf_toning_resolve;

/* All blocks; remarks count those without a tone, and those with NaN or infinities. */
TAF_MUST taf_mover taf_toning;

#endif
