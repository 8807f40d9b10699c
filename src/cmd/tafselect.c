/* SPDX-License-Identifier: ISC */
/* tafselect - points of a dimension by a list, a mask or an array of indices. */
#include "array/columns.h"
#include "array/points.h"
#include "cli/cmd.h"
#include "op/move/rearrange.h"
#include "stream/values.h"

enum { INDICES = 256, INVERT, LIST, MASK };

static const char one_way[] = "only one of --list, --mask and --indices";

struct intent {
	unsigned dim;
	int how;		/* LIST, MASK, INDICES */
	const char *file;
	struct taf_choice list;
	struct taf_points points;	/* of the file */
	uint64_t length;	/* of the mask */
	bool invert;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "the dimension whose points are chosen", SET(DIM, dim) },
	{ INDICES, "indices", "FILE", "the points whose indices this array has, from 1",
	    SET(TEXT, file), .one = one_way },
	{ INVERT, "invert", NULL, "all points but these", SET(FLAG, invert) },
	{ LIST, "list", "I,LO:HI,...", "the points with these indices", SET(PARSED, list),
	    .parse = taf_choice_parse, .one = one_way },
	{ MASK, "mask", "FILE", "the points where this array is not 0", SET(TEXT, file),
	    .one = one_way },
	{ 0 },
};

static const struct cmd self = {
	"tafselect", "choose points of a dimension",
	"-d DIM --list I,LO:HI,...|--mask FILE|--indices FILE [--invert] [-J N] "
	"[-m SIZE]\n"
	"       [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

struct plan {
	struct taf_arrangement as;
	bool uneven;		/* the points are not equally far apart */
};

/* The points that the values of an array name, n of them at a time. */
static enum taf_status
take(struct intent *want, const void *values, size_t n, struct taf_err *e)
{
	const double *mask = values;
	const int64_t *index = values;
	enum taf_status st = TAF_OK;
	size_t i;

	for (i = 0; i < n && st == TAF_OK; i++, want->length++)
		if (want->how == MASK && mask[i] != 0)
			st = taf_points_add(&want->points, want->length, 1, 1, e);
		else if (want->how == INDICES && index[i] < 1)
			st = taf_fail(e, TAF_EDATA, "%lld is no index: they count from 1",
			    (long long)index[i]);
		else if (want->how == INDICES)
			st = taf_points_add(&want->points, (uint64_t)index[i] - 1, 1, 1,
			    e);
	return st;
}

/* Read the array of --mask or --indices. */
static enum taf_status
read_points(struct intent *want, struct taf_err *e)
{
	const enum taf_type type = want->how == MASK ? TAF_FLT64 : TAF_INT64;
	struct taf_reader *r = NULL;
	struct taf_values *v = NULL;
	struct taf_array a = { 0 };
	struct taf_recode how;
	enum taf_status st = taf_reader_open(&r, want->file, 0, e);
	const void *values;
	size_t n = 1;

	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK)
		st = taf_values_plan(&how, &a, type, false, false, e);
	if (st == TAF_OK)
		st = taf_values_open(&v, r, &a, NULL, &how, e);
	while (st == TAF_OK && n > 0) {
		st = taf_values_read(v, &values, &n, e);
		if (st == TAF_OK)
			st = take(want, values, n, e);
	}
	if (st == TAF_OK && taf_values_count(v)->rounded > 0)
		st = taf_fail(e, TAF_EDATA, "not all of its values are integers");
	if (st == TAF_OK)
		st = taf_reader_last(r, e);
	taf_values_close(v);
	taf_reader_close(r);
	taf_array_fini(&a);
	taf_err_name(e, want->file);
	return st;
}

/* The points of want that lie in dimension dim, of length n. */
static enum taf_status
choose(const struct intent *want, const struct taf_array *in, struct taf_points *p,
    struct taf_err *e)
{
	const uint64_t n = in->dim[want->dim - 1].n;
	enum taf_status st;

	if (want->how == MASK && want->length != n)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u has %llu points, the mask %llu", want->dim,
		    (unsigned long long)n, (unsigned long long)want->length);
	st = want->how == LIST ? taf_choice_points(&want->list, in, want->dim, p, e) :
	    taf_points_append(p, &want->points, n, e);
	if (st == TAF_OK && want->invert)
		st = taf_points_invert(p, n, e);
	return st != TAF_OK || p->count > 0 ? st : taf_fail(e, TAF_EDATA,
	    "dimension %u: no point is chosen", want->dim);
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct plan *to = plan;
	struct taf_points *p = &to->as.points[want->dim - 1];
	struct taf_dim *d = &out->dim[want->dim - 1];
	enum taf_status st = taf_dim_there(in, want->dim, e);

	taf_arrangement_begin(&to->as, in);
	if (st == TAF_OK)
		st = choose(want, in, p, e);
	if (st == TAF_OK && want->dim == 2)
		st = taf_columns_pick(out, in, p, e);
	if (st != TAF_OK)
		return st;
	to->uneven = p->runs > 1 || (p->count > 1 && p->run[0].step == 0);
	d->n = p->count;
	d->start += (double)p->run[0].from * d->step;
	if (p->count > 1)
		d->step *= (double)p->run[0].step;
	if (!to->uneven)
		return TAF_OK;
	d->start = d->step = 1;
	return taf_attr_set(out, "unit", TAF_OF_DIM, want->dim, NULL, e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct plan *plan = m->plan;

	if (plan->uneven)
		taf_remark(m->service,
		    "the points are not equally far apart: the grid of dimension %u counts from 1",
		    want->dim);
	return taf_rearrange_move(m, e);
}

int
main(int argc, char **argv)
{
	static struct plan plan;
	static const struct cmd_filter filter = { .resolve = resolve, .move = move,
	    .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;

	cmd_options(run, &want);
	want.how = cmd_has(run, LIST) ? LIST : cmd_has(run, MASK) ? MASK :
	    cmd_has(run, INDICES) ? INDICES : 0;
	if (want.dim == 0)
		cmd_missing(run, 'd');
	if (want.how == 0)
		cmd_usage(run, "one of --list, --mask and --indices is missing");
	if (want.how != LIST)
		cmd_check(run, read_points(&want, &run->err));
	return cmd_filter(run, &filter, &want);
}
