/* SPDX-License-Identifier: ISC */
/* tafdifferentiate - derivatives of arrays along a dimension. */
#include "cli/cmd.h"
#include "op/line/integration.h"

enum { EDGE = 256, POLYNOMIAL, RAW };

struct intent {
	struct taf_derivative how;
	unsigned edge;		/* 0: nan, 1: zero */
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1",
	    SET(DIM, how.polynomial.dim) },
	{ EDGE, "edge", "nan|zero", "what the ends are, default one-sided derivatives",
	    SET(CHOICE, edge) },
	{ POLYNOMIAL, "polynomial", "ORDER,N",
	    "slopes of the polynomial next to N points", OWN },
	{ RAW, "raw", NULL, "the differences of neighbours", SET(FLAG, how.raw) },
	{ 0 },
};

static const struct cmd self = {
	"tafdifferentiate", "differentiate arrays along a dimension",
	"[--polynomial ORDER,N] [--edge nan|zero] [--raw]\n"
	"       [-d DIM] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

int
main(int argc, char **argv)
{
	static const struct cmd_filter differentiate =
	    { .resolve = taf_derivative_resolve, .move = taf_derivative };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .how = { .polynomial = { .dim = 1 } } };
	struct taf_derivative *how = &want.how;
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0) {
		cmd_check(run, taf_smoothing_polynomial(&how->polynomial, arg,
		    &run->err));
		if (how->polynomial.order == 0)
			cmd_usage(run, "--polynomial %s: order 0 has no slope", arg);
	}
	if (cmd_has(run, EDGE))
		how->edge = want.edge == 0 ? TAF_EDGE_NAN : TAF_EDGE_ZERO;
	if (how->raw && (cmd_has(run, EDGE) || how->polynomial.by != TAF_BY_NOTHING))
		cmd_usage(run, "--raw goes without --edge and --polynomial");
	return cmd_filter(run, &differentiate, &want);
}
