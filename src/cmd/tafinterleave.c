/* SPDX-License-Identifier: ISC */
/* tafinterleave - the points of several arrays in turn along a dimension. */
#include <stdlib.h>

#include "base/num.h"
#include "cli/cmd.h"
#include "op/move/join.h"

struct intent {
	unsigned dim;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", SET(DIM, dim) },
	{ 0 },
};

static const struct cmd self = {
	"tafinterleave", "take points of several arrays in turn",
	"[-d DIM] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

/* How the grids of the inputs go together along the dimension. */
struct plan {
	bool even;		/* the points of all of them are equally far apart */
};

/* Can another one be taken in turn with the first, of the file name? */
static enum taf_status
check(const struct taf_operand *first, const char *name, const struct taf_operand *other,
    struct taf_err *e)
{
	const struct taf_array *const a = other->a;
	struct taf_recode how;
	enum taf_status st = taf_fit_shape(TAF_MAX_DIM, first->a, a, e);

	if (st == TAF_OK)
		st = taf_fit_units(first->a, name, a, e);
	return st != TAF_OK || taf_join_alike(first->a, a) ? st :
	    taf_values_plan_as(&how, a, first->a, false, e);
}

/* Are they all on one grid, or each a part of a step behind the one before? */
static bool
is_even(const struct taf_operand *in, unsigned nin, unsigned dim)
{
	const struct taf_dim *first = &in[0].a->dim[dim - 1];
	const double part = first->step / nin;
	bool same = true, shifted = true;
	unsigned k;

	for (k = 1; k < nin; k++) {
		const struct taf_dim *d = &in[k].a->dim[dim - 1];

		if (!taf_grid_near(d->step, first->step, first->step))
			return false;
		same = same && taf_grid_near(d->start, first->start, part);
		shifted = shifted && taf_grid_near(d->start, first->start + k * part,
		    part);
	}
	return same || shifted;
}

static enum taf_status
resolve(const void *intent, const struct taf_steps *s, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct plan *to = plan;
	struct taf_dim *d = &out->dim[want->dim - 1];
	enum taf_status st = taf_dim_there(s->now[0].a, want->dim, e);
	unsigned k;

	for (k = 1; k < s->n && st == TAF_OK; k++) {
		st = check(&s->now[0], s->name[0], &s->now[k], e);
		taf_err_name(e, s->name[k]);
	}
	if (st != TAF_OK)
		return st;
	*d = s->now[0].a->dim[want->dim - 1];
	if (!taf_mul(d->n, s->n, &d->n))
		return taf_fail(e, TAF_EDATA, "dimension %u: too many points", want->dim);
	to->even = is_even(s->now, s->n, want->dim);
	if (to->even) {
		d->step /= s->n;
		return TAF_OK;
	}
	d->start = d->step = 1;
	return taf_attr_set(out, "unit", TAF_OF_DIM, want->dim, NULL, e);
}

static enum taf_status
remark(const struct taf_move *m, unsigned dim, bool even, struct taf_err *e)
{
	struct taf_fit fit = { .dim = dim - 1 };
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 0; k < m->n && st == TAF_OK; k++)
		st = taf_fit_add(&fit, m->each[k].a, m->name[k], e);
	taf_fit_remark(&fit, TAF_FIT_UNIT, m->service);
	taf_fit_remark(&fit, TAF_FIT_LABEL, m->service);
	taf_fit_remark(&fit, TAF_FIT_MISSING, m->service);
	taf_fit_fini(&fit);
	if (!even)
		taf_remark(m->service,
		    "the grids do not go together: the grid of dimension %u counts from 1",
		    dim);
	taf_remark_grids(m, dim, 1);
	return st;
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct plan *plan = m->plan;
	const struct taf_cut cut = taf_array_cut(m->each[0].a, want->dim);
	struct taf_join_part *part = calloc(m->n, sizeof *part);
	const struct taf_join how = { .part = part, .parts = m->n,
		.rows = cut.len * cut.outer, .out = m->out, .w = m->w,
		.memory = m->service->memory,
		.threads = taf_threads(m->service) };
	enum taf_status st;
	unsigned k;

	st = part != NULL ? remark(m, want->dim, plan->even, e) : taf_fail_mem(e);
	for (k = 0; k < m->n && st == TAF_OK; k++)
		part[k] = (struct taf_join_part){ .a = m->each[k].a, .run = cut.inner,
		    .name = m->name[k], .r = m->each[k].r };
	if (st == TAF_OK)
		st = taf_join(&how, e);
	for (k = 0; k < m->n && part != NULL; k++)
		taf_values_close(part[k].v);
	free(part);
	return st;
}

int
main(int argc, char **argv)
{
	static struct plan plan;
	static const struct cmd_filter interleave = { .join = resolve, .move = move,
	    .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 1 };

	cmd_options(run, &want);
	return cmd_filter(run, &interleave, &want);
}
