/* tafdifferentiate - derivatives of arrays along a dimension. */
#include "cli/cmd.h"
#include "op/integration.h"

enum { EDGE = 256, POLYNOMIAL, RAW };

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1" },
	{ EDGE, "edge", "nan|zero", "what the ends are, default one-sided derivatives" },
	{ POLYNOMIAL, "polynomial", "ORDER,N",
	    "slopes of the polynomial next to N points" },
	{ RAW, "raw", NULL, "the differences of neighbours" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafdifferentiate", "differentiate arrays along a dimension",
	"[--polynomial ORDER,N] [--edge nan|zero] [--raw]\n"
	"       [-d DIM] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

struct intent {
	struct taf_derivative how;
	unsigned dim;
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;

	(void)plan;
	return taf_derivative_shape(&want->how, out, in, want->dim, e);
}

static enum taf_status
move(const struct cmd_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct taf_calculus c = { &m->run->service, m->r, m->in, want->dim, m->out,
	    m->w };

	return taf_derivative(&want->how, &c, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter differentiate =
	    { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .dim = 1 };
	struct taf_derivative *how = &want.how;
	bool edge = false;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'd':
			cmd_dim(run, arg, &want.dim);
			break;
		case EDGE:
			edge = true;
			how->edge = cmd_choice(run, arg) == 0 ? TAF_EDGE_NAN :
			    TAF_EDGE_ZERO;
			break;
		case POLYNOMIAL:
			cmd_check(run, taf_smoothing_polynomial(&how->polynomial, arg,
			    &run->err));
			if (how->polynomial.order == 0)
				cmd_usage(run, "--polynomial %s: order 0 has no slope",
				    arg);
			break;
		case RAW:
			how->raw = true;
			break;
		}
	if (how->raw && (edge || how->polynomial.by != TAF_BY_NOTHING))
		cmd_usage(run, "--raw goes without --edge and --polynomial");
	return cmd_filter(run, &differentiate, &want);
}
