/* tafintegrate - integrals of arrays along a dimension. */
#include "cli/cmd.h"
#include "op/line/integration.h"

enum { RULE = 256, START };

struct intent {
	struct taf_integral how;
	unsigned dim;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", SET(DIM, dim) },
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

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;

	(void)plan;
	return taf_integral_shape(out, in, want->dim, e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct taf_along l = taf_move_parts(m, want->dim);

	return taf_integral(&want->how, &l, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter integrate = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .dim = 1 };

	cmd_options(run, &want);
	return cmd_filter(run, &integrate, &want);
}
