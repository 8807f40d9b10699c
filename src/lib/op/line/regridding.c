/* SPDX-License-Identifier: ISC */
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

/* The lines in and the results, each of them on a grid or in a table. */
static struct taf_regrid
between(const struct taf_dim *from, const struct taf_dim *to,
    const struct taf_regridding_places *places)
{
	return (struct taf_regrid){ .by = TAF_REGRID_LINEAR, .from = *from, .to = *to,
	    .points = places->from.table, .results = places->at.table };
}

/* The first or the last coordinate of points. */
static double
end_of(const struct taf_regrid *how, bool last)
{
	const uint64_t i = last ? how->from.n - 1 : 0;

	return how->points.at != NULL ? how->points.at[i] :
	    how->from.start + (double)i * how->from.step;
}

/* Does the new grid go the other way? */
static bool
turned(const struct taf_regrid *how)
{
	return (how->to.step < 0) != (how->points.at != NULL ? how->points.way < 0 :
	    how->from.step < 0);
}

/*
 * How many points the new grid has, from its start on, up to the end of the old line.  0
 * if there is none.
 */
static uint64_t
covering(const struct taf_regrid *how)
{
	struct taf_regrid back = { .from = how->to, .to = how->from };
	double last;

	if (how->points.at != NULL) {
		back.from.n = 0;
		back.to = (struct taf_dim){ 0, end_of(how, !turned(how)), 0 };
		last = taf_regrid_place(&back, 0);
	} else {
		last = taf_regrid_place(&back, turned(how) ? 0 : how->from.n - 1);
	}
	return last >= 0 && last < 0x1p62 ? (uint64_t)last + 1 : 0;
}

/* The numbers of the outermost results; false where all are nowhere. */
static bool
outermost(const struct taf_regrid *how, uint64_t end[2])
{
	const double *at = how->results.at;
	const bool *nowhere = how->results.nowhere;
	uint64_t i = 0;

	end[0] = 0;
	end[1] = how->to.n - 1;
	if (at == NULL)
		return true;
	while (i < how->to.n && nowhere != NULL && nowhere[i])
		i++;
	for (end[0] = end[1] = i; i < how->to.n; i++)
		if (nowhere == NULL || !nowhere[i]) {
			end[0] = at[i] < at[end[0]] ? i : end[0];
			end[1] = at[i] > at[end[1]] ? i : end[1];
		}
	return end[0] < how->to.n;
}

static enum taf_status
check_inside(const struct taf_regrid *how, unsigned dim, struct taf_err *e)
{
	const double first = end_of(how, false), last = end_of(how, true);
	uint64_t end[2];
	unsigned k;

	if (!outermost(how, end))
		return TAF_OK;
	for (k = 0; k < 2; k++) {
		const double place = how->results.at != NULL ? how->results.at[end[k]] :
		    how->to.start + (double)end[k] * how->to.step;

		if (taf_regrid_outside(how, taf_regrid_place(how, end[k])))
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

/* The grid of the results, of which n may be missing. */
static enum taf_status
new_grid(struct taf_regrid *how, unsigned dim, const struct taf_regridding_grid *grid,
    struct taf_err *e)
{
	struct taf_dim *const to = &how->to;

	if (grid->factor > 0) {
		to->step /= grid->factor;
	} else {
		to->start = grid->start;
		to->step = grid->step;
	}
	if (to->step == 0 || !taf_is_finite(to->step))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: from steps of %s to steps of %s", dim,
		    taf_brief_beside(how->from.step, to->step).s,
		    taf_brief_beside(to->step, how->from.step).s);
	to->n = grid->n > 0 ? grid->n : grid->factor > 0 ?
	    times(how->from.n, grid->factor) : covering(how);
	if (to->n == 0 && grid->factor > 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %s times its %llu points are too many", dim,
		    taf_f64(grid->factor).s, (unsigned long long)how->from.n);
	if (to->n == 0)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: no point of the new grid is on the old one", dim);
	return TAF_OK;
}

/* Places of a table have numbers alone. */
static enum taf_status
number(struct taf_array *out, struct taf_regrid *how, unsigned dim, uint64_t n,
    struct taf_err *e)
{
	how->to = (struct taf_dim){ n, 1, 1 };
	if (taf_attr_set(out, "label", TAF_OF_DIM, dim, NULL, e) != TAF_OK)
		return e->code;
	return taf_attr_set(out, "unit", TAF_OF_DIM, dim, NULL, e);
}

enum taf_status
taf_regridding_shape(struct taf_array *out, const struct taf_array *in, unsigned dim,
    const struct taf_regridding_grid *grid, const struct taf_regridding_places *places,
    bool inside, struct taf_err *e)
{
	const struct taf_dim *from = &in->dim[dim - 1];
	struct taf_regrid how;
	enum taf_status st;

	if (taf_windows_shape(out, in, dim, e) != TAF_OK)
		return e->code;
	how = between(from, from, places);
	if (places->from.n > 0 && places->from.n != from->n)
		return taf_fail(e, TAF_EDATA,
		    "%s has %llu places, and dimension %u %llu points", places->from.file,
		    (unsigned long long)places->from.n, dim, (unsigned long long)from->n);
	if (places->from.n == 0 && (from->step == 0 || !taf_is_finite(from->step) ||
	    !taf_is_finite(from->start)))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: points from %s in steps of %s", dim,
		    taf_brief(from->start).s, taf_brief(from->step).s);
	st = places->at.n > 0 ? number(out, &how, dim, places->at.n, e) :
	    new_grid(&how, dim, grid, e);
	if (st != TAF_OK)
		return st;
	out->dim[dim - 1] = how.to;
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
	struct job j = { l, between(&l->a->dim[l->dim - 1], &l->out->dim[l->dim - 1],
	    how->places) };
	const struct taf_windows windows = { .along = l, .span = span, .window = window,
	    .ctx = &j, .blocks = true,
	    .uneven = how->places->from.n > 0 || how->places->at.n > 0, .need.shared =
	    taf_places_memory(&how->places->from) + taf_places_memory(&how->places->at),
	    .scaling = TAF_SCALING_ONCE };

	j.regrid.by = how->by;
	j.regrid.edge = how->edge;
	j.regrid.outside = how->outside;
	return taf_windows(&windows, e);
}
