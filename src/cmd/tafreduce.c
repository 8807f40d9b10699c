/* tafreduce - statistics of arrays along their dimensions. */
/* link: m */
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "stream/reduction.h"

enum { EVERY = 256, FINITE, INDEX, SQUEEZE };

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIMS", "reduce these dimensions, default all" },
	{ EVERY, "every", "N", "each N neighbours along them become one" },
	{ FINITE, "finite", NULL, "leave out NaN and infinities" },
	{ INDEX, "index", NULL, "argmin and argmax give indices" },
	{ SQUEEZE, "squeeze", NULL, "drop the dimensions that are reduced" },
	{ 't', "type", "TYPE", "element type of the results" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafreduce", "statistics of arrays along dimensions",
	"OP[,OP...] [-d DIMS] [--every N] [--finite] [--squeeze] [--index]\n"
	"           [-t TYPE] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	(void)plan;
	return taf_reduction_resolve(intent, in, out, e);
}

static enum taf_status
move(const struct cmd_move *m, struct taf_err *e)
{
	return taf_reduction(m->intent, m->r, m->in, m->w, m->out, &m->run->service, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter reduce = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct taf_reduction_intent want;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'd':
			cmd_check(run, taf_dims_parse(arg, want.dim, &want.ndims, &run->err));
			break;
		case 't':
			want.type = cmd_type(run, arg);
			want.typed = true;
			break;
		case EVERY:
			if (!taf_parse_u64(arg, strlen(arg), &want.every) || want.every < 1)
				cmd_usage(run, "--every %s: not a number of neighbours", arg);
			break;
		case FINITE:
			want.finite = true;
			break;
		case INDEX:
			want.index = true;
			break;
		case SQUEEZE:
			want.squeeze = true;
			break;
		}
	cmd_check(run, taf_reduction_parse(cmd_word(run, "OP"), want.op, &want.nops,
	    &run->err));
	if (want.every > 0 && want.ndims == 0)
		cmd_usage(run, "--every needs -d");
	return cmd_filter(run, &reduce, &want);
}
