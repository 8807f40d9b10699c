/* SPDX-License-Identifier: ISC */
/* tafcorrelate - cross-correlations of the lines of two arrays. */
/* link: m */
#include "cli/cmd.h"
#include "op/fft/correlation.h"

enum { MAX_LAG = 256, NORMALIZE };

struct intent {
	struct taf_correlation_intent how;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", SET(DIM, how.dim) },
	{ MAX_LAG, "max-lag", "T", "lags up to T either way, in units of the grid",
	    SET(AMOUNT, how.limit), FROM_0, .wrong = "not a number of 0 or more" },
	{ NORMALIZE, "normalize", NULL, "divide by the norms of both lines",
	    SET(FLAG, how.normalize) },
	{ 0 },
};

static const struct cmd self = {
	"tafcorrelate", "correlate two arrays along a dimension",
	"[-d DIM] [--max-lag T] [--normalize] [-J N] [-m SIZE] [-N K]\n"
	"       [-o FILE] A B",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_TWO | CMD_COMPUTES,
};

int
main(int argc, char **argv)
{
	static struct taf_correlation_plan plan;
	static const struct cmd_filter correlate = { .join = taf_correlation_resolve,
		.move = taf_correlation, .plan = &plan, .first = true };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .how = { .dim = 1 } };

	cmd_options(run, &want);
	want.how.limited = cmd_has(run, MAX_LAG);
	return cmd_filter(run, &correlate, &want);
}
