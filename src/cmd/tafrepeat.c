/* SPDX-License-Identifier: ISC */
/* tafrepeat - an array over and over along a dimension, or along a new one. */
#include <string.h>

#include "array/region.h"
#include "array/size.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "op/move/rearrange.h"

enum { EACH = 256, INSERT, TIMES };

struct intent {
	unsigned dim;
	uint64_t times;
	struct taf_size size;	/* -a alone */
	bool each, insert;
};

static const struct cmd_option options[] = {
	{ 'a', "axis", "DIM=START:STEP", "the grid of a dimension of the result",
	    SET(PARSED, size), .parse = taf_size_axis },
	{ EACH, "each", NULL, "repeat each point, not the dimension as a whole",
	    SET(FLAG, each) },
	{ INSERT, "insert", NULL, "repeat the array along a new dimension",
	    SET(FLAG, insert) },
	{ TIMES, "times", "DIM=N", "N times along this dimension", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafrepeat", "repeat arrays along a dimension",
	"--times DIM=N [--each|--insert] [-a DIM=START:STEP] [-J N] [-m SIZE] [-N K] "
	"[-o FILE]\n"
	"       [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	const struct taf_dim new = { want->times, 1, 1 };
	struct taf_dim *d = &out->dim[want->dim - 1];
	/* a dimension of its own, behind dim if that goes on as a whole */
	const unsigned at = want->insert || want->each ? want->dim : want->dim + 1;
	enum taf_status st;

	st = want->insert ? taf_array_insert_dim(out, want->dim, new, e) :
	    taf_dim_there(in, want->dim, e);
	if (st != TAF_OK)
		return st;
	if (!want->insert && !taf_mul(d->n, want->times, &d->n))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %llu times %llu points are too many",
		    want->dim, (unsigned long long)want->times,
		    (unsigned long long)d->n);
	if (want->each)
		d->step /= (double)want->times;
	st = taf_size_grid(&want->size, out, e);
	if (st == TAF_OK)
		st = taf_array_check(out, e);
	taf_arrangement_begin(plan, in);
	return st == TAF_OK ? taf_arrangement_repeat(plan, at, want->times, e) : st;
}

static enum taf_status
parse_times(void *to, const char *arg, struct taf_err *e)
{
	struct intent *want = to;
	const char *v;

	if (taf_dim_parse(arg, "DIM=N", &want->dim, &v, e) != TAF_OK)
		return e->code;
	if (!taf_parse_u64(v, strlen(v), &want->times) || want->times == 0)
		return taf_fail(e, TAF_EUSAGE, "%s: not DIM=N, N 1 or more", arg);
	return TAF_OK;
}

int
main(int argc, char **argv)
{
	static struct taf_arrangement plan;
	static const struct cmd_filter repeat =
	    { .resolve = resolve, .move = taf_rearrange_move, .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0) {
		if (want.dim > 0)
			cmd_value(run, "%s: only one dimension, others by a pipe", arg);
		cmd_along(run, &(struct taf_word){ .text = arg, .mark = '=' },
		    parse_times, &want, 0);
	}
	if (want.dim == 0)
		cmd_missing(run, TIMES);
	if (want.each && want.insert)
		cmd_usage(run, "either --each or --insert");
	return cmd_filter(run, &repeat, &want);
}
