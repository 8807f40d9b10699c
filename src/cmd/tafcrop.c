/* SPDX-License-Identifier: ISC */
/* tafcrop - keep part of an array, by index or by grid, in any dimensions at once. */
#include "array/columns.h"
#include "array/region.h"
#include "cli/cmd.h"
#include "stream/select.h"

enum { OPT_SQUEEZE = 256 };

struct intent {
	struct taf_bounds bounds;
	bool squeeze;
};

static const struct cmd_option options[] = {
	{ 'x', "index", "DIM=LO:HI[:STEP]", "keep these indices of a dimension",
	    SET(BOUNDS, bounds) },
	{ 'g', "grid", "DIM=LO:HI", "keep these grid values of a dimension",
	    SET(BOUNDS, bounds) },
	{ OPT_SQUEEZE, "squeeze", NULL, "drop dimensions of length 1",
	    SET(FLAG, squeeze) },
	{ 0 },
};

static const struct cmd self = {
	"tafcrop", "crop arrays by index or by grid",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--squeeze] [-i] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_PICK,
};

/* Dimensions of length 1 go, but one is left. */
static void
squeeze(struct taf_array *a)
{
	unsigned to[TAF_MAX_DIM] = { 0 }, k, kept = 0;

	for (k = 0; k < a->ndim; k++) {
		if (a->dim[k].n == 1 && !(kept == 0 && k + 1 == a->ndim))
			continue;
		a->dim[kept++] = a->dim[k];
		to[k] = kept;
	}
	for (; k < TAF_MAX_DIM; k++)
		to[k] = k + 1;
	a->ndim = kept;
	taf_attr_renumber(a, to);
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct taf_region *region = plan;
	struct taf_points kept = { 0 };
	enum taf_status st;

	st = taf_bounds_resolve(&want->bounds, in, region, e);
	if (st == TAF_OK)
		taf_region_apply(region, out);
	if (st == TAF_OK && in->ndim > 1)
		st = taf_points_add(&kept, region->first[1], (int64_t)region->step[1],
		    region->count[1], e);
	if (st == TAF_OK)
		st = taf_columns_pick(out, in, &kept, e);
	if (st == TAF_OK && want->squeeze)
		squeeze(out);
	taf_points_free(&kept);
	return st;
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	struct taf_select *s = NULL;
	enum taf_status st = taf_select_open(&s, m->r, m->in, m->plan, e);

	if (st == TAF_OK)
		st = taf_select_copy(s, m->w, e);
	taf_select_close(s);
	return st;
}

int
main(int argc, char **argv)
{
	static struct taf_region region;
	static const struct cmd_filter crop = { .resolve = resolve, .move = move,
	    .plan = &region };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;

	cmd_options(run, &want);
	return cmd_filter(run, &crop, &want);
}
