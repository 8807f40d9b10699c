/* SPDX-License-Identifier: ISC */
/* tafroll - shift points along dimensions, those at the end to the beginning. */
#include <string.h>

#include "array/columns.h"
#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "op/move/rearrange.h"
#include "stream/values_private.h"

enum { BY = 256, FILL, MOVE_GRID };

struct shifts {
	int64_t by[TAF_MAX_DIM];
	bool wanted[TAF_MAX_DIM];
	unsigned most;
};

struct intent {
	struct shifts shifts;
	struct taf_value fill;
	bool fills, move_grid;
};

static enum taf_status
parse_by(void *to, const char *arg, struct taf_err *e)
{
	struct shifts *want = to;
	const char *v;
	unsigned dim;

	if (taf_dim_parse(arg, "DIM=N", &dim, &v, e) != TAF_OK)
		return e->code;
	if (want->wanted[dim - 1])
		return taf_fail(e, TAF_EUSAGE, "%s: dimension %u is named twice", arg,
		    dim);
	if (!taf_parse_i64(v, strlen(v), &want->by[dim - 1]) ||
	    want->by[dim - 1] == INT64_MIN)
		return taf_fail(e, TAF_EUSAGE, "%s: not DIM=N", arg);
	want->wanted[dim - 1] = true;
	if (dim > want->most)
		want->most = dim;
	return TAF_OK;
}

static const struct cmd_option options[] = {
	{ BY, "by", "DIM=N", "shift by N points towards higher indices",
	    SET(ALONG, shifts), .parse = parse_by, .mark = '=' },
	{ FILL, "fill", "V", "put this value in place of what leaves at the other end",
	    OWN },
	{ MOVE_GRID, "move-grid", NULL, "let coordinates follow their elements",
	    SET(FLAG, move_grid) },
	{ 0 },
};

static const struct cmd self = {
	"tafroll", "shift points along dimensions",
	"--by DIM=N [--fill V] [--move-grid] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

/* Points from, then points after that. */
static enum taf_status
add_two(struct taf_points *p, uint64_t from, uint64_t n, uint64_t then, uint64_t m,
    struct taf_err *e)
{
	enum taf_status st = taf_points_add(p, from, 1, n, e);

	return st == TAF_OK ? taf_points_add(p, then, 1, m, e) : st;
}

/* A dimension of length n > 0 goes up by so many points. */
static enum taf_status
shift(struct taf_points *p, uint64_t n, int64_t by, bool fills, struct taf_err *e)
{
	const uint64_t far = by < 0 ? -(uint64_t)by : (uint64_t)by;
	const uint64_t part = far < n ? far : n;
	const uint64_t up = by < 0 ? (n - far % n) % n : far % n;

	if (!fills)
		return add_two(p, n - up, up, 0, n - up, e);
	return by < 0 ? add_two(p, part, n - part, TAF_POINT_NEW, part, e) :
	    add_two(p, TAF_POINT_NEW, part, 0, n - part, e);
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	const struct shifts *shifts = &want->shifts;
	struct taf_arrangement *as = plan;
	enum taf_status st = taf_dim_there(in, shifts->most, e);
	unsigned k;

	taf_arrangement_begin(as, in);
	if (st == TAF_OK && want->fills)
		st = taf_value_store(&want->fill, in, as->fill, e);
	for (k = 0; k < shifts->most && st == TAF_OK; k++) {
		if (!shifts->wanted[k] || in->dim[k].n == 0)
			continue;
		st = shift(&as->points[k], in->dim[k].n, shifts->by[k], want->fills, e);
		if (want->move_grid)
			out->dim[k].start -= (double)shifts->by[k] * in->dim[k].step;
	}
	return st == TAF_OK ? taf_columns_pick(out, in, &as->points[1], e) : st;
}

int
main(int argc, char **argv)
{
	static struct taf_arrangement plan;
	static const struct cmd_filter roll = { .resolve = resolve,
	    .move = taf_rearrange_move, .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0) {
		want.fills = true;
		if (!taf_value_parse(&want.fill, arg))
			cmd_value(run, "%s: not a number", arg);
	}
	if (want.shifts.most == 0)
		cmd_missing(run, BY);
	return cmd_filter(run, &roll, &want);
}
