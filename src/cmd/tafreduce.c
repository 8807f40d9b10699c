/* tafreduce - statistics of arrays along their dimensions. */
/* link: m */
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "op/reduction.h"

enum { EVERY = 256, FINITE, INDEX, MERGE, PARTIAL, SQUEEZE };

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIMS", "reduce these dimensions, default all", OWN },
	{ EVERY, "every", "N", "each N neighbours along them become one", OWN },
	{ FINITE, "finite", NULL, "leave out NaN and infinities", OWN },
	{ INDEX, "index", NULL, "argmin and argmax give indices", OWN },
	{ MERGE, "merge", NULL, "join what --partial has written", OWN },
	{ PARTIAL, "partial", NULL, "write accumulators, to be merged", OWN },
	{ SQUEEZE, "squeeze", NULL, "drop the dimensions that are reduced", OWN },
	{ 't', "type", "TYPE", "element type of the results", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafreduce", "statistics along dimensions: average, median, extremes",
	"OP[,OP...] [-d DIMS] [--every N] [--finite] [--squeeze] [--index]\n"
	"           [--partial | --merge] [-t TYPE] [-J N] [-m SIZE] [-N K] [-o FILE]\n"
	"           [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES | CMD_WORD,
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

/* What does not go together, whatever the data. */
static void
check(struct cmd_run *run, const struct taf_reduction_intent *want, bool merges)
{
	unsigned k;

	if (want->every > 0 && want->ndims == 0)
		cmd_usage(run, "--every needs -d");
	if (!want->partial && !merges)
		return;
	if (want->partial && merges)
		cmd_usage(run, "--partial and --merge do not go together");
	if (want->every > 0)
		cmd_usage(run, "--every: neighbours are not cut into parts");
	for (k = 0; k < want->nops; k++)
		if (taf_op_is_order(want->op[k].op))
			cmd_usage(run,
			    "median, quantile and mad have no accumulators to be joined");
	if (want->partial && (want->typed || want->squeeze || want->index))
		cmd_usage(run, "--partial: -t, --squeeze and --index go with --merge");
}

/* All arrays of all operands become one. */
static enum taf_status
merge_all(struct cmd_run *run, struct taf_merge *m, struct taf_writer *w,
    struct taf_err *e)
{
	struct cmd_arrays all = cmd_arrays_of(run);
	struct taf_array out = { 0 };
	enum taf_status st = cmd_arrays_first(&all, NULL, NULL, e);

	while (st == TAF_OK) {
		st = taf_merge_add(m, all.r, &all.a, e);
		taf_err_name(e, cmd_arrays_name(&all));
		if (st == TAF_OK)
			st = cmd_arrays_next(&all, e);
	}
	cmd_arrays_close(&all);
	if (st == TAF_END)
		st = taf_merge_shape(m, &out, e);
	if (st == TAF_OK)
		st = taf_writer_begin(w, &out, TAF_NEXT_NO, e);
	if (st == TAF_OK)
		st = taf_merge_write(m, w, &out, e);
	if (st == TAF_OK)
		st = taf_writer_end(w, &out, e);
	taf_array_fini(&out);
	return st;
}

static int
merge(struct cmd_run *run, const struct taf_reduction_intent *want)
{
	struct taf_err *e = &run->err;
	struct taf_merge *m = NULL;
	struct taf_writer *w = NULL;
	struct taf_sink sink;
	enum taf_status st;

	cmd_sink(run, &sink);
	st = taf_merge_open(&m, want, &run->service, e);
	if (st == TAF_OK)
		st = taf_writer_open(&w, &sink, e);
	if (st == TAF_OK)
		st = merge_all(run, m, w, e);
	if (st == TAF_OK)
		st = taf_writer_close(w, e);
	else
		taf_writer_discard(w);
	if (st != TAF_OK)
		cmd_report(run, NULL);
	taf_merge_close(m);
	return cmd_end(run);
}

static enum taf_status
parse_dims(void *to, const char *arg, struct taf_err *e)
{
	struct taf_reduction_intent *want = to;

	return taf_dims_parse(arg, want->dim, &want->ndims, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter reduce = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct taf_reduction_intent want;
	bool merges = false;
	const char *arg;
	int c;

	while ((c = cmd_option(run, NULL, &arg)) != 0)
		switch (c) {
		case 'd':
			cmd_along(run,
			    &(struct taf_word){ .text = arg, .mark = ',' },
			    parse_dims, &want, 0);
			break;
		case 't':
			want.type = cmd_type(run, arg);
			want.typed = true;
			break;
		case EVERY:
			if (!taf_parse_u64(arg, strlen(arg), &want.every) ||
			    want.every < 1)
				cmd_usage(run, "--every %s: not a number of neighbours",
				    arg);
			break;
		case FINITE:
			want.finite = true;
			break;
		case INDEX:
			want.index = true;
			break;
		case MERGE:
			merges = true;
			break;
		case PARTIAL:
			want.partial = true;
			break;
		case SQUEEZE:
			want.squeeze = true;
			break;
		}
	cmd_check(run, taf_reduction_parse(cmd_word(run, "OP"), want.op, &want.nops,
	    &run->err));
	check(run, &want, merges);
	if (merges && run->named)
		cmd_usage(run, "--merge needs the number of a dimension: partial arrays "
		    "have none of the labels");
	return merges ? merge(run, &want) : cmd_filter(run, &reduce, &want);
}
