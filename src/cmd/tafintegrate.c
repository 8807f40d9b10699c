/* tafintegrate - integrals of arrays along a dimension. */
#include <string.h>

#include "base/num.h"
#include "cli/cmd.h"
#include "op/integration.h"

enum { RULE = 256, START };

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1" },
	{ RULE, "rule", "trapezoid|sum|simpson", "how, default trapezoid" },
	{ START, "start", "V", "the value that it begins with, default 0" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafintegrate", "integrate arrays along a dimension",
	"[--rule trapezoid|sum|simpson] [--start V]\n"
	"       [-d DIM] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

struct intent {
	struct taf_integral how;
	unsigned dim;
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;

	(void)plan;
	return taf_integral_shape(out, in, want->dim, e);
}

static enum taf_status
move(const struct cmd_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct taf_calculus c = { &m->run->service, m->r, m->in, want->dim, m->out,
	    m->w };

	return taf_integral(&want->how, &c, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter integrate = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .dim = 1 };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'd':
			cmd_dim(run, arg, &want.dim);
			break;
		case RULE:
			want.how.rule = (enum taf_rule)cmd_choice(run, arg);
			break;
		case START:
			if (!taf_parse_f64(arg, strlen(arg), &want.how.start))
				cmd_usage(run, "--start %s: not a number", arg);
			break;
		}
	return cmd_filter(run, &integrate, &want);
}
