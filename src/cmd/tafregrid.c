/* SPDX-License-Identifier: ISC */
/* tafregrid - arrays on another grid, or at other places, along a dimension. */
#include <math.h>
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "op/line/regridding.h"

enum { AT = 256, FACTOR, FROM, LIKE, METHOD, OUTSIDE, SIZE };

static const char one_grid[] = "one grid at a time: -a, --at, --factor or --like";

struct intent {
	struct taf_regridding_grid grid;
	struct taf_regridding_places places;
	enum taf_regrid_by by;
	bool edge, inside;
	double outside;
	unsigned dim, size_dim;		/* 0: not said */
	const char *like;		/* its grid, where a label says which dimension */
	const char *at, *from;
};

static enum taf_status
parse_factor(void *to, const char *arg, struct taf_err *e)
{
	struct intent *want = to;
	const char *factor;

	if (taf_dim_parse(arg, "DIM=R", &want->dim, &factor, e) != TAF_OK)
		return e->code;
	return taf_parse_f64(factor, strlen(factor), &want->grid.factor) &&
	    want->grid.factor > 0 && taf_is_finite(want->grid.factor) ? TAF_OK :
	    taf_fail(e, TAF_EUSAGE, "%s: not a number above 0", arg);
}

static enum taf_status
parse_size(void *to, const char *arg, struct taf_err *e)
{
	struct intent *want = to;
	const char *n;

	if (taf_dim_parse(arg, "DIM=N", &want->size_dim, &n, e) != TAF_OK)
		return e->code;
	return taf_parse_u64(n, strlen(n), &want->grid.n) && want->grid.n > 0 ? TAF_OK :
	    taf_fail(e, TAF_EUSAGE, "%s: not a number of points", arg);
}

static const struct cmd_option options[] = {
	{ 'a', "axis", "DIM=START:STEP", "onto this grid", OWN, .one = one_grid },
	{ AT, "at", "FILE", "at the places that are values of an array", SET(TEXT, at),
	    .one = one_grid },
	{ 'd', "dim", "DIM", "the dimension for --at and --like, default 1",
	    SET(DIM, dim) },
	{ FACTOR, "factor", "DIM=R", "R times as many points on the same way",
	    ALONG(parse_factor, '='), .one = one_grid },
	{ FROM, "from", "FILE", "points are at the values of an array, not on a grid",
	    SET(TEXT, from) },
	{ LIKE, "like", "FILE", "onto the grid of an array", SET(TEXT, like),
	    .one = one_grid },
	{ METHOD, "method", "nearest|linear|cubic|sinc", "how, default linear",
	    SET(CHOICE, by) },
	{ OUTSIDE, "outside", "nan|edge|error|V", "what is beyond the ends, default nan",
	    OWN },
	{ SIZE, "size", "DIM=N", "so many points", ALONG(parse_size, '=') },
	{ 0 },
};

static const struct cmd self = {
	"tafregrid", "bring arrays onto another grid: interpolate, resample",
	"-a DIM=START:STEP [--size DIM=N] | --factor DIM=R [--size DIM=N] |\n"
	"       --like FILE [-d DIM] | --at FILE [-d DIM] [--from FILE]\n"
	"       [--method nearest|linear|cubic|sinc] [--outside nan|edge|error|V]\n"
	"       [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct taf_regridding_grid grid = want->grid;

	(void)plan;
	if (want->size_dim > 0 && want->size_dim != want->dim)
		return taf_fail(e, TAF_EDATA,
		    "--size is for dimension %u, and the grid for %u",
		    want->size_dim, want->dim);
	if (want->like != NULL &&
	    taf_regridding_like(&grid, want->like, want->dim, in, e) != TAF_OK)
		return e->code;
	return taf_regridding_shape(out, in, want->dim, &grid, &want->places,
	    want->inside, e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct taf_along l = taf_move_parts(m, want->dim);
	const struct taf_regridding how = { &l, want->by, want->edge, want->outside,
		&want->places };

	return taf_regridding(&how, e);
}

static enum taf_status
parse_axis(void *to, const char *arg, struct taf_err *e)
{
	struct intent *want = to;

	return taf_axis_parse(arg, &want->dim, &want->grid.start, &want->grid.step, e);
}

static void
parse_outside(struct cmd_run *run, const char *arg, struct intent *want)
{
	enum { EDGE = 1, INSIDE, NUMBER };
	const unsigned how = cmd_choice(run, arg);

	want->edge = how == EDGE;
	want->inside = how == INSIDE;
	want->outside = (double)NAN;
	if (how == NUMBER && !taf_parse_f64(arg, strlen(arg), &want->outside))
		cmd_no_choice(run, arg);
}

/* The words go together. */
static void
check(struct cmd_run *run, const struct intent *want)
{
	const bool file = want->like != NULL || want->at != NULL;

	if (!file && !cmd_has(run, 'a') && !cmd_has(run, FACTOR))
		cmd_usage(run, "no grid: say -a, --at, --factor or --like");
	if (file && want->size_dim > 0)
		cmd_usage(run, "--size is for -a and --factor");
	if (!file && cmd_has(run, 'd'))
		cmd_usage(run, "-d is for --at and --like");
	if (want->from != NULL && cmd_has(run, FACTOR))
		cmd_usage(run, "--from is for -a, --at and --like");
	if (want->from != NULL && want->by == TAF_REGRID_SINC)
		cmd_usage(run, "--from: sinc is for points on a grid");
	if (!run->named && want->size_dim > 0 && want->size_dim != want->dim)
		cmd_usage(run, "--size is for dimension %u, and the grid for %u",
		    want->size_dim, want->dim);
}

/* Places, which many arrays may have in common. */
static void
read_places(struct cmd_run *run, struct taf_places *p, const char *file, bool points,
    bool spline)
{
	if (file == NULL)
		return;
	cmd_check(run, taf_places_read(p, file, points, spline, cmd_memory(run) / 8,
	    &run->err));
	if (p->values.rounded > 0)
		cmd_remark(run, "%s: %llu of %llu places were rounded", file,
		    (unsigned long long)p->values.rounded, (unsigned long long)p->n);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter regrid = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .by = TAF_REGRID_LINEAR, .outside = (double)NAN };
	const char *arg, *like;
	int c, status;

	while ((c = cmd_option(run, &want, &arg)) != 0)
		if (c == OUTSIDE)
			parse_outside(run, arg, &want);
		else
			cmd_along(run,
			    &(struct taf_word){ .text = arg, .mark = '=', .units = true },
			    parse_axis, &want, 0);
	check(run, &want);
	cmd_one_input(run, (const char *const[]){ want.at != NULL ? want.at : "",
	    want.from != NULL ? want.from : "", want.like != NULL ? want.like : "" }, 3);
	if (!cmd_has(run, 'a') && !cmd_has(run, FACTOR) && !cmd_has(run, 'd'))
		want.dim = 1;
	read_places(run, &want.places.at, want.at, false, false);
	read_places(run, &want.places.from, want.from, true, want.by == TAF_REGRID_CUBIC);
	like = want.like;
	want.like = NULL;
	if (like != NULL && run->named)
		want.like = like;
	else if (like != NULL)
		cmd_check(run, taf_regridding_like(&want.grid, like, want.dim, NULL,
		    &run->err));
	status = cmd_filter(run, &regrid, &want);
	taf_places_free(&want.places.at);
	taf_places_free(&want.places.from);
	return status;
}
