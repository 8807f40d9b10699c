/* SPDX-License-Identifier: ISC */
/* tafreduce - statistics of arrays along their dimensions. */
/* link: m */
#include "array/region.h"
#include "cli/cmd.h"
#include "op/stat/reduction.h"
#include "stream/writer_private.h"

enum { EVERY = 256, FINITE, INDEX, MERGE, PARTIAL, SQUEEZE };

struct intent {
	struct taf_reduction_intent how;
	bool merges;
};

static enum taf_status
parse_dims(void *to, const char *arg, struct taf_err *e)
{
	struct taf_reduction_intent *want = to;

	return taf_dims_parse(arg, want->dim, &want->ndims, e);
}

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIMS", "reduce these dimensions, default all",
	    ALONG(parse_dims, ',') },
	{ EVERY, "every", "N", "each N neighbours along them become one",
	    SET(NUMBER, how.every), FROM_1, .wrong = "not a number of neighbours" },
	{ FINITE, "finite", NULL, "leave out NaN and infinities", SET(FLAG, how.finite) },
	{ INDEX, "index", NULL, "argmin and argmax give indices", SET(FLAG, how.index) },
	{ MERGE, "merge", NULL, "join what --partial has written", SET(FLAG, merges) },
	{ PARTIAL, "partial", NULL, "write accumulators, to be merged",
	    SET(FLAG, how.partial) },
	{ SQUEEZE, "squeeze", NULL, "drop the dimensions that are reduced",
	    SET(FLAG, how.squeeze) },
	{ 't', "type", "TYPE", "element type of the results", SET(ANY_TYPE, how.type) },
	{ 0 },
};

static const struct cmd self = {
	"tafreduce", "statistics along dimensions: average, median, extremes",
	"OP[,OP...] [-d DIMS] [--every N] [--finite] [--squeeze] [--index]\n"
	"           [--partial | --merge] [-t TYPE] [-J N] [-m SIZE] [-N K] [-o FILE]\n"
	"           [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES | CMD_WORD,
};

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

static enum taf_status
add(struct cmd_run *run, struct taf_arrays *all, void *m, struct taf_err *e)
{
	return run->plan ? TAF_OK : taf_merge_add(m, all->r, &all->a, e);
}

/* All arrays of all operands become one. */
static enum taf_status
merge_all(struct cmd_run *run, struct taf_merge *m, struct taf_writer *w,
    struct taf_err *e)
{
	struct taf_array out = { 0 };
	enum taf_status st = cmd_arrays_each(run, NULL, add, m, e);

	/* accumulators are elements */
	if (st == TAF_OK && run->plan)
		st = taf_move_blind(e);
	if (st == TAF_OK)
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
	if (taf_writer_settle(w, st, e) != TAF_OK)
		cmd_report(run, NULL);
	taf_merge_close(m);
	return cmd_end(run);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter reduce =
	    { .resolve = taf_reduction_resolve, .move = taf_reduction };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	struct taf_reduction_intent *const how = &want.how;

	cmd_options(run, &want);
	how->typed = cmd_has(run, 't');
	cmd_check(run, taf_reduction_parse(cmd_word(run, "OP"), how->op, &how->nops,
	    &run->err));
	check(run, how, want.merges);
	if (want.merges && run->named)
		cmd_usage(run,
		    "--merge needs the number of a dimension: partial arrays have none of the labels");
	return want.merges ? merge(run, how) : cmd_filter(run, &reduce, &want);
}
