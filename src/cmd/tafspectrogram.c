/* tafspectrogram - spectra of short stretches of arrays. */
#include <string.h>

#include "base/num.h"
#include "cli/cmd.h"
#include "op/spectrogram.h"

enum { AMPLITUDE = 256, BLOCKS, COMPLEX, CROP, DB, DENSITY, DURATION, PAD, PERIODIC,
    POINTS,
	POWER, REMOVE_MEAN, WINDOW };

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "of lines along this dimension, default 1", OWN },
	{ AMPLITUDE, "amplitude", NULL, "amplitudes", OWN },
	{ BLOCKS, "blocks", "N[,OVERLAP]", "N blocks, which overlap so far", OWN },
	{ COMPLEX, "complex", NULL, "complex spectra", OWN },
	{ CROP, "crop", "LO:HI", "these frequencies alone", OWN },
	{ DB, "db", NULL, "decibels of the power", OWN },
	{ DENSITY, "density", NULL, "power for each unit of frequency, the default", OWN },
	{ DURATION, "duration", "T[,ADVANCE]",
	    "length of a block on the grid, and to the next", OWN },
	{ PAD, "pad", "N", "zeros behind the points, up to this length", OWN },
	{ PERIODIC, "periodic", NULL, "windows are periodic, not symmetric", OWN },
	{ POINTS, "points", "N[,SKIP]", "points of a block, and to the next", OWN },
	{ POWER, "power", NULL, "power of waves", OWN },
	{ REMOVE_MEAN, "remove-mean", NULL, "subtract the mean of each block", OWN },
	{ WINDOW, "window", "boxcar|hann|hamming|blackman|gauss",
	    "weights, default hann", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafspectrogram", "spectrograms: spectra of short stretches of arrays",
	"--points N[,SKIP] | --duration T[,ADVANCE] | --blocks N[,OVERLAP]\n"
	"       [--window NAME] [--periodic] [--remove-mean] [--pad N] [--crop LO:HI]\n"
	"       [--density | --power | --amplitude | --db | --complex] [-d DIM] [-J N]\n"
	"       [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	(void)plan;
	return taf_spectrogram_resolve(intent, in, out, e);
}

static enum taf_status
move(const struct cmd_move *m, struct taf_err *e)
{
	const struct taf_spectrogram s = { &m->run->service, m->intent, m->r, m->in,
	    m->out, m->w };

	return taf_spectrogram(&s, e);
}

static void
parse_crop(struct cmd_run *run, const char *arg, struct taf_spectrogram_intent *want)
{
	const struct taf_amount *const r = want->range;

	if (!taf_amounts_read(want->range, arg, ':', &run->err)) {
		cmd_check(run, run->err.code);
		cmd_usage(run, "--crop %s: not LO:HI", arg);
	}
	if (r[0].value != r[0].value || r[1].value != r[1].value ||
	    (r[0].text == NULL && r[1].text == NULL && r[0].value > r[1].value))
		cmd_usage(run, "--crop %s: not LO:HI", arg);
	want->crop = true;
}

static void
parse_blocks(struct cmd_run *run, int by, const char *arg,
    struct taf_spectrogram_intent *want)
{
	if (want->by != TAF_BLOCKS_NOTHING)
		cmd_usage(run, "one of --points, --duration and --blocks");
	cmd_check(run, taf_blocks_parse(want, by == POINTS ? TAF_BLOCKS_POINTS :
	    by == DURATION ? TAF_BLOCKS_DURATION : TAF_BLOCKS_NUMBER, arg, &run->err));
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter filter = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct taf_spectrogram_intent want = { .dim = 1, .taper = TAF_TAPER_HANN };
	int c, result = 0;
	const char *arg;

	while ((c = cmd_option(run, NULL, &arg)) != 0)
		switch (c) {
		case 'd':
			cmd_dim(run, arg, &want.dim);
			break;
		case BLOCKS:
		case DURATION:
		case POINTS:
			parse_blocks(run, c, arg, &want);
			break;
		case CROP:
			parse_crop(run, arg, &want);
			break;
		case PAD:
			if (!taf_parse_u64(arg, strlen(arg), &want.pad) || want.pad == 0)
				cmd_usage(run, "--pad %s: not a length", arg);
			break;
		case PERIODIC:
			want.periodic = true;
			break;
		case REMOVE_MEAN:
			want.remove_mean = true;
			break;
		case WINDOW:
			want.taper = (enum taf_taper)cmd_choice(run, arg);
			break;
		default:
			if (result != 0 && result != c)
				cmd_usage(run,
				    "one of --density, --power, --amplitude, --db "
				    "and --complex");
			result = c;
			break;
		}
	want.result = result == POWER ? TAF_SPECTRAL_POWER : result == AMPLITUDE ?
	    TAF_SPECTRAL_AMPLITUDE : result == DB ? TAF_SPECTRAL_DB : result == COMPLEX ?
	    TAF_SPECTRAL_COMPLEX : TAF_SPECTRAL_DENSITY;
	if (want.by == TAF_BLOCKS_NOTHING)
		cmd_usage(run, "no blocks: say --points, --duration or --blocks");
	return cmd_filter(run, &filter, &want);
}
