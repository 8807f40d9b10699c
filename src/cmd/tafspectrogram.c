/* SPDX-License-Identifier: ISC */
/* tafspectrogram - spectra of short stretches of arrays. */
#include "cli/cmd.h"
#include "op/fft/spectrogram.h"

enum {
	AMPLITUDE = 256, BLOCKS, COMPLEX, CROP, DB, DENSITY, DURATION, PAD, PERIODIC,
	POINTS, POWER, REMOVE_MEAN, WINDOW
};

struct intent {
	struct taf_spectrogram_intent how;
	unsigned type;		/* the only choice */
};

static const char one_way[] = "one of --points, --duration and --blocks";
static const char one_result[] =
    "one of --density, --power, --amplitude, --db and --complex";

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "of lines along this dimension, default 1",
	    SET(DIM, how.blocks.dim) },
	{ 't', "type", "flt64", "compute in flt64 throughout, and give that",
	    SET(CHOICE, type) },
	{ AMPLITUDE, "amplitude", NULL, "amplitudes", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_SPECTRAL_AMPLITUDE },
	{ BLOCKS, "blocks", "N[,OVERLAP]", "N blocks, which overlap so far",
	    SET(PARSED, how.blocks), .parse = taf_blocks_number, .one = one_way },
	{ COMPLEX, "complex", NULL, "complex spectra", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_SPECTRAL_COMPLEX },
	{ CROP, "crop", "LO:HI", "these frequencies alone", SET(PARSED, how.keep),
	    .parse = taf_blocks_crop },
	{ DB, "db", NULL, "decibels of the power", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_SPECTRAL_DB },
	{ DENSITY, "density", NULL, "power for each unit of frequency, the default",
	    SET(VALUE, how.result), .one = one_result, .value = TAF_SPECTRAL_DENSITY },
	{ DURATION, "duration", "T[,ADVANCE]",
	    "length of a block on the grid, and to the next", SET(PARSED, how.blocks),
	    .parse = taf_blocks_duration, .one = one_way },
	{ PAD, "pad", "N", "zeros behind the points, up to this length",
	    SET(NUMBER, how.pad), FROM_1, .wrong = "not a length" },
	{ PERIODIC, "periodic", NULL, "windows are periodic, not symmetric",
	    SET(FLAG, how.periodic) },
	{ POINTS, "points", "N[,SKIP]", "points of a block, and to the next",
	    SET(PARSED, how.blocks), .parse = taf_blocks_points, .one = one_way },
	{ POWER, "power", NULL, "power of waves", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_SPECTRAL_POWER },
	{ REMOVE_MEAN, "remove-mean", NULL, "subtract the mean of each block",
	    SET(FLAG, how.remove_mean) },
	{ WINDOW, "window", "boxcar|hann|hamming|blackman|gauss", "weights, default hann",
	    SET(CHOICE, how.taper) },
	{ 0 },
};

static const struct cmd self = {
	"tafspectrogram", "spectrograms: spectra of short stretches of arrays",
	"--points N[,SKIP] | --duration T[,ADVANCE] | --blocks N[,OVERLAP]\n"
	"       [--window NAME] [--periodic] [--remove-mean] [--pad N] [--crop LO:HI]\n"
	"       [--density | --power | --amplitude | --db | --complex] [-d DIM]\n"
	"       [-t flt64] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

int
main(int argc, char **argv)
{
	static const struct cmd_filter filter =
	    { .resolve = taf_spectrogram_resolve, .move = taf_spectrogram };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .how = { .blocks = { .dim = 1 },
	    .taper = TAF_TAPER_HANN, .result = TAF_SPECTRAL_DENSITY } };

	cmd_options(run, &want);
	want.how.wide = cmd_has(run, 't');
	if (want.how.blocks.by == TAF_BLOCKS_NOTHING)
		cmd_usage(run, "no blocks: say --points, --duration or --blocks");
	return cmd_filter(run, &filter, &want);
}
