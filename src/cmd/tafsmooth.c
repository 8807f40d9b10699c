/* SPDX-License-Identifier: ISC */
/* tafsmooth - arrays made smooth along dimensions. */
#include <string.h>

#include "array/region.h"
#include "cli/cmd.h"
#include "op/line/smoothing.h"
#include "op/operand/taps.h"

enum { MEAN = 256, TRIANGLE, MEDIAN, GAUSS, POLYNOMIAL, KERNEL, EDGE };

static const char one_way[] = "one way to smooth at a time";

struct intent {
	struct taf_smoothing_intent how;
};

static enum taf_status
parse_dims(void *to, const char *arg, struct taf_err *e)
{
	struct taf_smoothing_intent *want = to;

	return taf_dims_parse(arg, want->dim, &want->ndims, e);
}

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIMS", "along these dimensions, default 1",
	    ALONG(parse_dims, ',') },
	{ EDGE, "edge", "reflect|shrink|zero|nan",
	    "what is beyond the ends, default reflect", SET(CHOICE, how.how.edge) },
	{ GAUSS, "gauss", "SIGMA", "weights of a Gaussian bell", OWN, .one = one_way },
	{ KERNEL, "kernel", "FILE", "the convolution with the values of an array", OWN,
	    .one = one_way },
	{ MEAN, "mean", "N", "means of N points", OWN, .one = one_way },
	{ MEDIAN, "median", "N", "medians of N points", OWN, .one = one_way },
	{ POLYNOMIAL, "polynomial", "ORDER,N", "the polynomial next to N points", OWN,
	    .one = one_way },
	{ TRIANGLE, "triangle", "N", "means of N points, twice", OWN, .one = one_way },
	{ 0 },
};

static const struct cmd self = {
	"tafsmooth", "smooth arrays: moving average, median, kernels",
	"--mean N | --triangle N | --median N | --gauss SIGMA |\n"
	"       --polynomial ORDER,N | --kernel FILE [--edge reflect|shrink|zero|nan]\n"
	"       [-d DIMS] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

/*
 * The weights in a file, for the earliest point first: a convolution has them from the
 * end.
 */
static void
parse_kernel(struct cmd_run *run, const char *file, struct taf_smoothing_how *how)
{
	double *taps, first;
	size_t i, n;

	cmd_check(run, taf_taps_read(file, &taps, &n, &run->err));
	if (n % 2 == 0)
		cmd_usage(run, "--kernel %s: %zu weights, not an odd number", file, n);
	for (i = 0; i < n / 2; i++) {
		first = taps[i];
		taps[i] = taps[n - 1 - i];
		taps[n - 1 - i] = first;
	}
	how->by = TAF_BY_TAPS;
	how->taps = taps;
	how->ntaps = n;
}

/* One way to smooth. */
static void
parse(struct cmd_run *run, int by, const char *arg, struct taf_smoothing_how *how)
{
	if (by == KERNEL) {
		parse_kernel(run, arg, how);
	} else if (by == POLYNOMIAL) {
		cmd_check(run, taf_smoothing_polynomial(how, arg, &run->err));
	} else {
		how->by = by == MEAN ? TAF_BY_MEAN : by == TRIANGLE ? TAF_BY_TRIANGLE :
		    by == MEDIAN ? TAF_BY_MEDIAN : TAF_BY_GAUSS;
		cmd_check(run, taf_width_parse(&how->width, arg, strlen(arg), by != GAUSS,
		    &run->err));
	}
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter smooth =
	    { .resolve = taf_smoothing_resolve, .move = taf_smoothing };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .how = { .ndims = 1, .dim = { 1 } } };
	struct taf_smoothing_how *const how = &want.how.how;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &want, &arg)) != 0)
		parse(run, c, arg, how);
	if (how->by == TAF_BY_NOTHING)
		cmd_usage(run, "no way to smooth: say --mean, --median or another one");
	if (how->edge == TAF_EDGE_SHRINK && (how->by == TAF_BY_TAPS ||
	    how->by == TAF_BY_POLYNOMIAL))
		cmd_usage(run, "--edge shrink is for means, bells and medians");
	return cmd_filter(run, &smooth, &want);
}
