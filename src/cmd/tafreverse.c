/* SPDX-License-Identifier: ISC */
/* tafreverse - the points of dimensions in the opposite order. */
#include "array/columns.h"
#include "cli/cmd.h"
#include "op/move/rearrange.h"

enum { KEEP_GRID = 256 };

struct dims {
	unsigned dim[TAF_MAX_DIM], n;
};

struct intent {
	struct dims dims;
	bool keep_grid;
};

static enum taf_status
parse_dims(void *to, const char *arg, struct taf_err *e)
{
	struct dims *dims = to;

	return taf_dims_parse(arg, dims->dim, &dims->n, e);
}

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIMS", "the dimensions to reverse, as 1,3", SET(ALONG, dims),
	    .parse = parse_dims, .mark = ',' },
	{ KEEP_GRID, "keep-grid", NULL, "leave the grid as it is", SET(FLAG, keep_grid) },
	{ 0 },
};

static const struct cmd self = {
	"tafreverse", "reverse the order of points along dimensions",
	"-d DIMS [--keep-grid] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	const struct dims *dims = &want->dims;
	struct taf_arrangement *as = plan;
	enum taf_status st;
	unsigned k;

	st = taf_dims_there(in, dims->dim, dims->n, e);
	taf_arrangement_begin(as, in);
	for (k = 0; k < dims->n && st == TAF_OK; k++) {
		struct taf_dim *d = &out->dim[dims->dim[k] - 1];

		if (d->n == 0)
			continue;
		st = taf_points_add(&as->points[dims->dim[k] - 1], d->n - 1, -1, d->n, e);
		if (want->keep_grid)
			continue;
		d->start += (double)(d->n - 1) * d->step;
		d->step = -d->step;
	}
	return st == TAF_OK ? taf_columns_pick(out, in, &as->points[1], e) : st;
}

int
main(int argc, char **argv)
{
	static struct taf_arrangement plan;
	static const struct cmd_filter reverse =
	    { .resolve = resolve, .move = taf_rearrange_move, .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };

	cmd_options(run, &want);
	if (want.dims.n == 0)
		cmd_missing(run, 'd');
	return cmd_filter(run, &reverse, &want);
}
