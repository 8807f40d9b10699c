/* tafregrid - arrays on another grid along a dimension. */
#include <math.h>
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "op/line/regridding.h"

enum { FACTOR = 256, LIKE, METHOD, OUTSIDE, SIZE };

static const char one_grid[] = "one grid at a time: -a, --factor or --like";

struct intent {
	struct taf_regridding_grid grid;
	enum taf_regrid_by by;
	bool edge, inside;
	double outside;
	unsigned dim, size_dim;		/* 0: not said */
	const char *like;		/* its grid, where a label says which dimension */
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
	{ 'd', "dim", "DIM", "the dimension that --like is for, default 1",
	    SET(DIM, dim) },
	{ FACTOR, "factor", "DIM=R", "R times as many points on the same way",
	    ALONG(parse_factor, '='), .one = one_grid },
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
	"-a DIM=START:STEP [--size DIM=N] | --factor DIM=R |\n"
	"       --like FILE [-d DIM] [--method nearest|linear|cubic|sinc]\n"
	"       [--outside nan|edge|error|V] [-J N] [-m SIZE] [-N K] [-o FILE] "
	"[file ...]",
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
	return taf_regridding_shape(out, in, want->dim, &grid, want->inside, e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct taf_along l = taf_move_parts(m, want->dim);
	const struct taf_regridding how = { &l, want->by, want->edge, want->outside };

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

int
main(int argc, char **argv)
{
	static const struct cmd_filter regrid = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .by = TAF_REGRID_LINEAR, .outside = (double)NAN };
	const char *arg, *like;
	bool dim;
	int c;

	while ((c = cmd_option(run, &want, &arg)) != 0)
		if (c == OUTSIDE)
			parse_outside(run, arg, &want);
		else
			cmd_along(run,
			    &(struct taf_word){ .text = arg, .mark = '=', .units = true },
			    parse_axis, &want, 0);
	like = want.like;
	want.like = NULL;
	dim = cmd_has(run, 'd');
	if (like == NULL && !cmd_has(run, 'a') && !cmd_has(run, FACTOR))
		cmd_usage(run, "no grid: say -a, --factor or --like");
	if (like != NULL ? want.size_dim > 0 : dim)
		cmd_usage(run, like != NULL ? "--size is for -a and --factor" :
		    "-d is for --like");
	if (like != NULL && !dim)
		want.dim = 1;
	if (like != NULL && run->named)
		want.like = like;
	else if (like != NULL)
		cmd_check(run, taf_regridding_like(&want.grid, like, want.dim, NULL,
		    &run->err));
	if (!run->named && want.size_dim > 0 && want.size_dim != want.dim)
		cmd_usage(run, "--size is for dimension %u, and the grid for %u",
		    want.size_dim, want.dim);
	return cmd_filter(run, &regrid, &want);
}
