#include "op/line/regridding.h"

#include <math.h>
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "base/str.h"
#include "stream/windows.h"

enum taf_status
taf_regridding_like(struct taf_regridding_grid *grid, const char *file, unsigned dim,
    const struct taf_array *to, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_array a;
	const char *label = to == NULL ? NULL :
	    taf_attr_get(to, "label", TAF_OF_DIM, dim);
	const char *other;
	enum taf_status st;

	taf_array_init(&a);
	st = taf_reader_open(&r, file, label == NULL ? TAF_LATE_COMMENT : 0, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &a, e);
	if (st == TAF_OK)
		st = taf_dim_there(&a, dim, e);
	other = taf_attr_get(&a, "label", TAF_OF_DIM, dim);
	if (st == TAF_OK && label != NULL && other != NULL && strcmp(label, other) != 0)
		st = taf_fail(e, TAF_EDATA, "%s: dimension %u is %s, but %s in the array",
		    file, dim, other, label);
	if (st == TAF_OK && a.dim[dim - 1].n == 0)
		st = taf_fail(e, TAF_EDATA, "dimension %u has no points", dim);
	if (st == TAF_OK)
		*grid = (struct taf_regridding_grid){ a.dim[dim - 1].start,
		    a.dim[dim - 1].step, 0, a.dim[dim - 1].n };
	taf_reader_close(r);
	taf_array_fini(&a);
	return st;
}

/*
 * Points from start on that do not pass the last one of the old grid; 0 where there is
 * none.
 */
static uint64_t
covering(const struct taf_dim *old, const struct taf_dim *new)
{
	struct taf_regrid back = { .from = *new, .to = *old };
	const bool opposite = (old->step < 0) != (new->step < 0);
	const double last = taf_regrid_place(&back, opposite ? 0 : old->n - 1);

	return last >= 0 && last < 0x1p62 ? (uint64_t)last + 1 : 0;
}

static enum taf_status
check_inside(const struct taf_regrid *how, unsigned dim, struct taf_err *e)
{
	const double first = how->from.start;
	const double last = first + (double)(how->from.n - 1) * how->from.step;
	const uint64_t ends[2] = { 0, how->to.n - 1 };
	unsigned k;

	for (k = 0; k < 2; k++) {
		const double place = how->to.start + (double)ends[k] * how->to.step;

		if (taf_regrid_outside(how, taf_regrid_place(how, ends[k])))
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: %s lies outside of %s to %s", dim,
			    taf_brief_beside(place, k == 0 ? first : last).s,
			    taf_brief_beside(first, place).s,
			    taf_brief_beside(last, place).s);
	}
	return TAF_OK;
}

/* So many times n points, one at least; 0 where there cannot be so many. */
static uint64_t
times(uint64_t n, double factor)
{
	const double all = (double)n * factor + 0.5;

	return all < 1 ? 1 : all < 0x1p62 ? (uint64_t)all : 0;
}

enum taf_status
taf_regridding_shape(struct taf_array *out, const struct taf_array *in, unsigned dim,
    const struct taf_regridding_grid *grid, bool inside, struct taf_err *e)
{
	struct taf_regrid how = { .by = TAF_REGRID_LINEAR };
	struct taf_dim *to = &how.to;

	if (taf_windows_shape(out, in, dim, e) != TAF_OK)
		return e->code;
	how.from = in->dim[dim - 1];
	*to = how.from;
	if (grid->factor > 0) {
		to->step /= grid->factor;
	} else {
		to->start = grid->start;
		to->step = grid->step;
	}
	if (how.from.step == 0 || !taf_is_finite(how.from.step) ||
	    !taf_is_finite(how.from.start) || to->step == 0 || !taf_is_finite(to->step))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: from steps of %s to steps of %s", dim,
		    taf_brief_beside(how.from.step, to->step).s,
		    taf_brief_beside(to->step, how.from.step).s);
	to->n = grid->n > 0 ? grid->n : grid->factor > 0 ?
	    times(how.from.n, grid->factor) : covering(&how.from, to);
	if (to->n == 0 && grid->factor > 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %s times its %llu points are too many", dim,
		    taf_f64(grid->factor).s, (unsigned long long)how.from.n);
	if (to->n == 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: no point of the new grid is on the old one", dim);
	out->dim[dim - 1] = *to;
	if (taf_array_check(out, e) != TAF_OK)
		return e->code;
	return inside ? check_inside(&how, dim, e) : TAF_OK;
}

struct job {
	const struct taf_along *along;
	struct taf_regrid regrid;
};

static void
span(const void *ctx, uint64_t at, uint64_t n, uint64_t bounds[2])
{
	const struct job *j = ctx;

	taf_regrid_span(&j->regrid, at, n, bounds);
}

static enum taf_status
window(void *ctx, const struct taf_window *w, struct taf_err *e)
{
	const struct job *j = ctx;
	struct taf_regrid how = j->regrid;
	const struct taf_points_at points = { w->in, w->first, w->n_in, how.from.n };

	(void)e;
	/* a number outside has the imaginary part 0 */
	if (taf_along_imaginary(j->along, w->line) && !isnan(how.outside))
		how.outside = 0;
	taf_regrid(&how, w->out, w->at, w->n, &points);
	return TAF_OK;
}

enum taf_status
taf_regridding(const struct taf_regridding *how, struct taf_err *e)
{
	const struct taf_along *l = how->along;
	struct job j = { l, { how->by, l->a->dim[l->dim - 1], l->out->dim[l->dim - 1],
	    how->edge, how->outside } };
	const struct taf_windows windows = { .along = l, .span = span, .window = window,
	    .ctx = &j, .blocks = true,
	    .scaling = TAF_SCALING_ONCE };

	return taf_windows(&windows, e);
}
