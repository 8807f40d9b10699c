/* SPDX-License-Identifier: ISC */
/* taffft - Fourier transforms of arrays along dimensions. */
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "op/fft/transform.h"

enum {
	AMPLITUDE = 256, DB, DENSITY, INVERSE, NO_SHIFT, PAD, PHASE, ORIGIN, POWER,
	REAL_ONES, WINDOW
};

struct intent {
	struct taf_transform_intent how;
	unsigned origin, type;	/* the only choices */
};

static const char one_result[] =
    "one of --power, --amplitude, --phase, --db and --density";

static enum taf_status
parse_dims(void *to, const char *arg, struct taf_err *e)
{
	struct taf_transform_intent *want = to;

	return taf_dims_parse(arg, want->dim, &want->ndims, e);
}

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIMS", "along these dimensions, default 1",
	    ALONG(parse_dims, ',') },
	{ 't', "type", "flt64", "compute in flt64 throughout, and give that",
	    SET(CHOICE, type) },
	{ AMPLITUDE, "amplitude", NULL, "absolute values", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_SPECTRAL_AMPLITUDE },
	{ DB, "db", NULL, "decibels of the power", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_SPECTRAL_DB },
	{ DENSITY, "density", NULL, "power for each unit of frequency",
	    SET(VALUE, how.result), .one = one_result, .value = TAF_SPECTRAL_DENSITY },
	{ INVERSE, "inverse", NULL, "the way back", SET(FLAG, how.inverse) },
	{ NO_SHIFT, "no-shift", NULL, "negative frequencies behind the others",
	    SET(FLAG, how.no_shift) },
	{ PAD, "pad", "N|fast|pow2", "zeros behind the points, up to this length", OWN },
	{ PHASE, "phase", NULL, "phases, in radians", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_SPECTRAL_PHASE },
	{ ORIGIN, "phase-origin", "grid", "phases are those at coordinate 0",
	    SET(CHOICE, origin) },
	{ POWER, "power", NULL, "squares of absolute values", SET(VALUE, how.result),
	    .one = one_result, .value = TAF_SPECTRAL_POWER },
	{ REAL_ONES, "real", NULL,
	    "with --inverse: frequencies are those of real numbers",
	    SET(FLAG, how.real) },
	{ WINDOW, "window", "boxcar|hann|hamming|blackman|gauss",
	    "weights, default boxcar", SET(CHOICE, how.taper) },
	{ 0 },
};

static const struct cmd self = {
	"taffft", "Fourier transforms of arrays (FFT)",
	"[-d DIMS] [--inverse] [--real] [--pad N|fast|pow2] [--window NAME]\n"
	"       [--power | --amplitude | --phase | --db | --density] [--no-shift]\n"
	"       [--phase-origin grid] [-t flt64] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

static void
parse_pad(struct cmd_run *run, const char *arg, struct taf_transform_intent *want)
{
	static const enum taf_transform_pad pads[] = { TAF_PAD_TO, TAF_PAD_FAST,
	    TAF_PAD_POW2 };

	want->pad = pads[cmd_choice(run, arg)];
	if (want->pad == TAF_PAD_TO && (!taf_parse_u64(arg, strlen(arg), &want->length) ||
	    want->length == 0))
		cmd_no_choice(run, arg);
}

/* What does not go together, whatever the data. */
static void
check(struct cmd_run *run, const struct taf_transform_intent *want)
{
	if (want->real && !want->inverse)
		cmd_usage(run, "--real goes with --inverse: the input says what it is");
	if (want->result == TAF_SPECTRAL_DENSITY && want->ndims > 1)
		cmd_usage(run, "--density is along one dimension");
	if (want->inverse && (want->pad != TAF_PAD_NONE || want->no_shift ||
	    want->origin || want->taper != TAF_TAPER_BOXCAR ||
	    want->result != TAF_SPECTRAL_COMPLEX))
		cmd_usage(run, "--inverse takes no option but -d, -t and --real");
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter fft =
	    { .resolve = taf_transform_resolve, .move = taf_transform };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .how = { .ndims = 1, .dim = { 1 } } };
	struct taf_transform_intent *const how = &want.how;
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0)
		parse_pad(run, arg, how);
	how->origin = cmd_has(run, ORIGIN);
	how->wide = cmd_has(run, 't');
	check(run, how);
	return cmd_filter(run, &fft, &want);
}
