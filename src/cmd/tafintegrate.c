/* SPDX-License-Identifier: ISC */
/* tafintegrate - integrals of arrays along a dimension. */
#include "cli/cmd.h"
#include "op/line/integration.h"

enum { RULE = 256, START };

struct intent {
	struct taf_integral_intent how;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", SET(DIM, how.dim) },
	{ RULE, "rule", "trapezoid|sum|simpson", "how, default trapezoid",
	    SET(CHOICE, how.rule) },
	{ START, "start", "V", "the value that it begins with, default 0",
	    SET(REAL, how.start), .wrong = "not a number" },
	{ 0 },
};

static const struct cmd self = {
	"tafintegrate", "integrate arrays along a dimension",
	"[--rule trapezoid|sum|simpson] [--start V]\n"
	"       [-d DIM] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

int
main(int argc, char **argv)
{
	static const struct cmd_filter integrate =
	    { .resolve = taf_integral_resolve, .move = taf_integral };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .how = { .dim = 1 } };

	cmd_options(run, &want);
	return cmd_filter(run, &integrate, &want);
}
