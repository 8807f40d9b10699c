/* SPDX-License-Identifier: ISC */
/* taftone - tones in blocks of arrays: their frequency, amplitude and uncertainty. */
#include "cli/cmd.h"
#include "op/fft/toning.h"

enum {
	BLOCKS = 256, CHANCE, COUNT, CROP, DURATION, KNOWN, NOISE, POINTS, REGION, WINDOW
};

struct intent {
	struct taf_toning_intent how;
};

static const char one_way[] = "one of --points, --duration and --blocks";

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "of lines along this dimension, default 1",
	    SET(DIM, how.blocks.dim) },
	{ BLOCKS, "blocks", "N[,OVERLAP]", "N blocks, which overlap so far",
	    SET(PARSED, how.blocks), .parse = taf_blocks_number, .one = one_way },
	{ CHANCE, "chance", "P", "chance that noise passes for a tone, default 0.001",
	    SET(REAL, how.chance), .least = DBL_TRUE_MIN, .most = 1 - DBL_EPSILON / 2,
	    .wrong = "not a number between 0 and 1" },
	{ COUNT, "count", "K", "the K highest tones of each block, default 1",
	    SET(NUMBER, how.count), .least = 1, .most = TAF_TONE_MOST,
	    .wrong = "not a number from 1 to 8" },
	{ CROP, "crop", "LO:HI", "look at these frequencies alone", SET(PARSED, how.look),
	    .parse = taf_toning_crop_parse },
	{ DURATION, "duration", "T[,ADVANCE]",
	    "length of a block on the grid, and to the next", SET(PARSED, how.blocks),
	    .parse = taf_blocks_duration, .one = one_way },
	{ KNOWN, "known", "F[,F...]", "lines that are there, and are no result",
	    SET(PARSED, how.known), .parse = taf_toning_known_parse },
	{ NOISE, "noise", "FILE|D", "density of the noise, not estimated",
	    SET(PARSED, how.noise), .parse = taf_toning_noise_parse },
	{ POINTS, "points", "N[,SKIP]", "points of a block, and to the next",
	    SET(PARSED, how.blocks), .parse = taf_toning_points_parse, .one = one_way },
	{ REGION, "region", "FILE", "look inside a band that moves",
	    SET(PARSED, how.region), .parse = taf_toning_region_parse },
	{ WINDOW, "window", "boxcar|hann|hamming|blackman", "weights, default hann",
	    SET(CHOICE, how.taper) },
	{ 0 },
};

static const struct cmd self = {
	"taftone", "follow tones: their frequency, with uncertainty",
	"--points N[,SKIP] | --duration T[,ADVANCE] | --blocks N[,OVERLAP]\n"
	"       [--window NAME] [--crop LO:HI] [--region FILE] [--known F[,F...]]\n"
	"       [--count K] [--noise FILE|D] [--chance P] [-d DIM] [-J N] [-m SIZE]\n"
	"       [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

int
main(int argc, char **argv)
{
	static const struct cmd_filter filter =
	    { .resolve = taf_toning_resolve, .move = taf_toning };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .how = { .blocks = { .dim = 1 },
		.taper = TAF_TAPER_HANN, .count = 1, .chance = 1e-3 } };
	int status;

	cmd_options(run, &want);
	if (want.how.blocks.by == TAF_BLOCKS_NOTHING)
		cmd_usage(run, "no blocks: say --points, --duration or --blocks");
	status = cmd_filter(run, &filter, &want);
	taf_tabular_free(&want.how.noise.table);
	taf_tabular_free(&want.how.region);
	return status;
}
