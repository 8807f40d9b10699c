/* SPDX-License-Identifier: ISC */
/* taffill - a value into a region of arrays, or something in the place of their NaN. */
#include "array/region.h"
#include "cli/cmd.h"
#include "op/line/fill.h"
#include "stream/values_private.h"

enum { FILL_NAN = 256, VALUE };

static const char one_way[] = "one --value or one --nan";

struct intent {
	struct taf_bounds bounds;
	enum taf_fill_how how;
	enum taf_gap_rule rule;
	struct taf_value value;
	unsigned dim;		/* 0: not said */
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "dimension along which NaN are filled, default 1",
	    SET(DIM, dim) },
	{ 'g', "grid", "DIM=LO:HI", "these grid values of a dimension alone",
	    SET(BOUNDS, bounds) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "these indices of a dimension alone",
	    SET(BOUNDS, bounds) },
	{ FILL_NAN, "nan", "V|linear|nearest|previous", "what takes the place of NaN",
	    OWN, .one = one_way },
	{ VALUE, "value", "V", "fill with this value", OWN, .one = one_way },
	{ 0 },
};

static const struct cmd self = {
	"taffill", "fill a region of arrays, or their missing values (NaN)",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--value V]\n"
	"       [--nan V|linear|nearest|previous] [-d DIM] [-J N] [-m SIZE] [-N K]\n"
	"       [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

struct plan {
	struct taf_region region;
	unsigned char element[16];	/* of the widest type */
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct plan *p = plan;

	(void)out;
	if (taf_dim_there(in, want->dim, e) != TAF_OK ||
	    taf_bounds_resolve(&want->bounds, in, &p->region, e) != TAF_OK)
		return e->code;
	/* no NaN is in integers, so it need not fit them */
	if (want->how == TAF_FILL_GAPS ||
	    (want->how == TAF_FILL_NAN && taf_type_is_int(in->type)))
		return TAF_OK;
	return taf_value_store(&want->value, in, p->element, e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct plan *p = m->plan;
	const struct taf_fill fill = { m->service, m->r, m->in, m->w, &p->region,
	    want->how, p->element, want->rule, want->dim > 0 ? want->dim : 1 };

	return taf_fill(&fill, e);
}

static void
parse_nan(struct cmd_run *run, const char *arg, struct intent *want)
{
	const unsigned k = cmd_choice(run, arg);

	want->how = k == 0 ? TAF_FILL_NAN : TAF_FILL_GAPS;
	want->rule = (enum taf_gap_rule)(k == 0 ? 0 : k - 1);
	if (want->how == TAF_FILL_NAN && !taf_value_parse(&want->value, arg))
		cmd_no_choice(run, arg);
}

int
main(int argc, char **argv)
{
	static struct plan plan;
	static const struct cmd_filter filter = { .resolve = resolve, .move = move,
	    .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &want, &arg)) != 0)
		if (c == FILL_NAN)
			parse_nan(run, arg, &want);
		else if (!taf_value_parse(&want.value, arg))
			cmd_value(run, "%s: not a number", arg);
	if (!cmd_has(run, FILL_NAN) && !cmd_has(run, VALUE))
		cmd_usage(run, "nothing to fill with: say --value or --nan");
	if (want.dim > 0 && want.how != TAF_FILL_GAPS)
		cmd_usage(run, "-d is for --nan linear, nearest and previous");
	return cmd_filter(run, &filter, &want);
}
