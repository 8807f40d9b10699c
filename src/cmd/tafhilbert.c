/* SPDX-License-Identifier: ISC */
/* tafhilbert - analytic signals, their envelopes, phases and frequencies. */
#include "cli/cmd.h"
#include "op/fft/analytic.h"

enum { ENVELOPE = 256, FREQUENCY, PHASE, QUADRATURE, UNWRAP };

struct intent {
	struct taf_analytic_intent how;
};

static const char one_result[] =
    "one of --envelope, --phase, --frequency and --quadrature";

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", SET(DIM, how.dim) },
	{ ENVELOPE, "envelope", NULL, "absolute values", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_ANALYTIC_ENVELOPE },
	{ FREQUENCY, "frequency", NULL, "frequencies: what phases advance by",
	    SET(VALUE, how.result), .one = one_result, .value = TAF_ANALYTIC_FREQUENCY },
	{ PHASE, "phase", NULL, "phases, in radians", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_ANALYTIC_PHASE },
	{ QUADRATURE, "quadrature", NULL, "imaginary parts: the Hilbert transform",
	    SET(VALUE, how.result), .one = one_result, .value = TAF_ANALYTIC_QUADRATURE },
	{ UNWRAP, "unwrap", NULL, "with --phase: without jumps", SET(FLAG, how.unwrap) },
	{ 0 },
};

static const struct cmd self = {
	"tafhilbert", "make signals analytic: envelope and phase",
	"[-d DIM] [--envelope | --phase [--unwrap] | --frequency | --quadrature]\n"
	"       [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

int
main(int argc, char **argv)
{
	static const struct cmd_filter hilbert =
	    { .resolve = taf_analytic_resolve, .move = taf_analytic };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .how = { .dim = 1 } };

	cmd_options(run, &want);
	if (want.how.unwrap && want.how.result != TAF_ANALYTIC_PHASE)
		cmd_usage(run, "--unwrap goes with --phase");
	return cmd_filter(run, &hilbert, &want);
}
