/* SPDX-License-Identifier: ISC */
/* tafreshape - other dimensions of the same elements. */
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "array/reshape.h"
#include "array/word.h"
#include "base/num.h"
#include "cli/cmd.h"

enum { DIVIDE = 256, DROP, FLATTEN, INSERT, MERGE };

static const struct cmd_option options[] = {
	{ 'n', "size", "L1,L2,...", "new lengths; one may be empty", OWN },
	{ DIVIDE, "divide", "DIM=N", "cut a dimension into one of length N and the rest",
	    OWN },
	{ DROP, "drop", "DIM", "drop a dimension of length 1", OWN },
	{ FLATTEN, "flatten", NULL, "make all dimensions one", OWN },
	{ INSERT, "insert", "DIM[=START:STEP]", "insert a dimension of length 1", OWN },
	{ MERGE, "merge", "DIM:DIM", "make these dimensions, and those between, one",
	    OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafreshape", "change the dimensions of arrays",
	"[-n L1,L2,...] [--insert DIM[=START:STEP]] [--drop DIM] [--merge DIM:DIM]\n"
	"       [--divide DIM=N] [--flatten] [-N K] [-i] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_PICK,
};

/* One change, in the order of the command line. */
struct change {
	int what;
	const char *first, *second;	/* dimensions, as numbers or labels */
	size_t first_len;
	uint64_t length;	/* of --divide */
	double start, step;	/* of --insert */
	struct taf_lengths lengths;	/* of -n */
};

struct intent {
	struct change *changes;
	size_t n;
};

static enum taf_status
apply(const struct change *c, struct taf_array *a, unsigned *lost, struct taf_err *e)
{
	const struct taf_dim new = { 1, c->start, c->step };
	unsigned dim = 1, last = a->ndim;
	enum taf_status st = TAF_OK;

	if (c->first != NULL)
		st = taf_dim_read(a, c->first, c->first_len, &dim, e);
	if (st == TAF_OK && c->second != NULL)
		st = taf_dim_read(a, c->second, strlen(c->second), &last, e);
	if (st == TAF_OK && c->second != NULL && dim >= last)
		st = taf_fail(e, TAF_EDATA, "--merge: dimension %u is not below %u", dim,
		    last);
	if (st != TAF_OK)
		return st;
	switch (c->what) {
	case 'n':
		return taf_reshape_lengths(a, &c->lengths, e);
	case DIVIDE:
		return taf_reshape_divide(a, dim, c->length, e);
	case DROP:
		st = taf_dim_there(a, dim, e);
		if (st == TAF_OK && a->dim[dim - 1].n != 1)
			st = taf_fail(e, TAF_EDATA, "dimension %u has %llu points, not 1",
			    dim, (unsigned long long)a->dim[dim - 1].n);
		return st == TAF_OK ? taf_array_drop_dim(a, dim, e) : st;
	case INSERT:
		return taf_array_insert_dim(a, dim, new, e);
	default:
		return taf_reshape_merge(a, dim, last, lost, e);
	}
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	unsigned *lost = plan;
	enum taf_status st = TAF_OK;
	size_t i;

	(void)in;
	*lost = 0;
	for (i = 0; i < want->n && st == TAF_OK; i++)
		st = apply(&want->changes[i], out, lost, e);
	return st;
}

static enum taf_status
look(const struct taf_move *m, struct taf_array *out, struct taf_err *e)
{
	const unsigned *lost = m->plan;

	(void)out, (void)e;
	if (*lost > 0)
		taf_remark(m->service,
		    "the grids do not continue each other: dimension %u counts from 1",
		    *lost);
	return TAF_OK;
}

/* The dimensions in front of what follows them, or of all of arg. */
static void
parse_dims(struct cmd_run *run, const char *arg, char mark, struct change *c)
{
	unsigned first, last;

	c->first = arg;
	c->first_len = mark != '\0' ? strcspn(arg, (const char[]){ mark, '\0' }) :
	    strlen(arg);
	if (mark == ':' && arg[c->first_len] != '\0')
		c->second = arg + c->first_len + 1;
	cmd_check(run, taf_dim_read(NULL, arg, c->first_len, &first, &run->err));
	if (mark != ':') {
		run->named = run->named || first == 0;
		return;
	}
	if (c->second == NULL)
		cmd_value(run, "%s: not DIM:DIM, the lower one first", arg);
	cmd_check(run, taf_dim_read(NULL, c->second, strlen(c->second), &last,
	    &run->err));
	if (first > 0 && last > 0 && first >= last)
		cmd_value(run, "%s: not DIM:DIM, the lower one first", arg);
	run->named = run->named || first == 0 || last == 0;
}

static void
parse(struct cmd_run *run, int what, const char *arg, struct change *c)
{
	const char *v = arg != NULL ? strchr(arg, '=') : NULL;
	unsigned dim;

	c->what = what;
	c->start = c->step = 1;
	switch (what) {
	case 'n':
		cmd_check(run, taf_lengths_parse(&c->lengths, arg, &run->err));
		break;
	case DIVIDE:
		parse_dims(run, arg, '=', c);
		if (v == NULL || !taf_parse_u64(v + 1, strlen(v + 1), &c->length) ||
		    c->length == 0)
			cmd_value(run, "%s: not DIM=N, N 1 or more", arg);
		break;
	case DROP:
		parse_dims(run, arg, '\0', c);
		break;
	case INSERT:
		/* the new one has no label yet */
		if (v != NULL)
			cmd_check(run, taf_axis_parse(arg, &dim, &c->start, &c->step,
			    &run->err));
		else if (!taf_dim_number(arg, strlen(arg), &dim))
			cmd_value(run, "%s: not a dimension, 1 to %d", arg,
			    (int)TAF_MAX_DIM);
		parse_dims(run, arg, '=', c);
		break;
	case MERGE:
		parse_dims(run, arg, ':', c);
		break;
	}
}

int
main(int argc, char **argv)
{
	static unsigned lost;
	static const struct cmd_filter reshape = { .resolve = resolve, .plan = &lost,
	    .look = look };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { NULL, 0 };
	const char *arg;
	int c, status;

	/* no more changes than words */
	want.changes = calloc((size_t)argc + 1, sizeof *want.changes);
	if (want.changes == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	while ((c = cmd_option(run, NULL, &arg)) != 0)
		parse(run, c, arg, &want.changes[want.n++]);
	if (want.n == 0)
		cmd_usage(run,
		    "no change is asked for: say -n, or one of the other options");
	status = cmd_filter(run, &reshape, &want);
	free(want.changes);
	return status;
}
