/* tafhilbert - analytic signals, their envelopes, phases and frequencies. */
#include "cli/cmd.h"
#include "op/analytic.h"

enum { ENVELOPE = 256, FREQUENCY, PHASE, QUADRATURE, UNWRAP };

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", OWN },
	{ ENVELOPE, "envelope", NULL, "absolute values", OWN },
	{ FREQUENCY, "frequency", NULL, "frequencies: what phases advance by", OWN },
	{ PHASE, "phase", NULL, "phases, in radians", OWN },
	{ QUADRATURE, "quadrature", NULL, "imaginary parts: the Hilbert transform", OWN },
	{ UNWRAP, "unwrap", NULL, "with --phase: without jumps", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafhilbert", "make signals analytic: envelope and phase",
	"[-d DIM] [--envelope | --phase [--unwrap] | --frequency | --quadrature]\n"
	"       [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	(void)plan;
	return taf_analytic_resolve(intent, in, out, e);
}

static enum taf_status
move(const struct cmd_move *m, struct taf_err *e)
{
	const struct taf_analytic_job how = { &m->run->service, m->intent, m->r, m->in,
	    m->out, m->w };

	return taf_analytic(&how, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter hilbert = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_analytic_intent want = { .dim = 1 };
	int c, result = 0;
	const char *arg;

	while ((c = cmd_option(run, NULL, &arg)) != 0)
		switch (c) {
		case 'd':
			cmd_dim(run, arg, &want.dim);
			break;
		case UNWRAP:
			want.unwrap = true;
			break;
		default:
			if (result != 0 && result != c)
				cmd_usage(run,
				    "one of --envelope, --phase, --frequency and "
				    "--quadrature");
			result = c;
			break;
		}
	want.result = result == ENVELOPE ? TAF_ANALYTIC_ENVELOPE : result == PHASE ?
	    TAF_ANALYTIC_PHASE : result == FREQUENCY ? TAF_ANALYTIC_FREQUENCY :
	    result == QUADRATURE ? TAF_ANALYTIC_QUADRATURE : TAF_ANALYTIC_SIGNAL;
	if (want.unwrap && result != PHASE)
		cmd_usage(run, "--unwrap goes with --phase");
	return cmd_filter(run, &hilbert, &want);
}
