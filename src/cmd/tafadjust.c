/* tafadjust - change grids, labels and units; no element is touched. */
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "cli/cmd.h"
#include "codec/rsf.h"

enum { SHIFT = 256, SCALE, START, STEP, SPAN, LABEL, UNIT };

static const struct cmd_option options[] = {
	{ SHIFT, "shift", "DIM=V", "add V to the start of the grid" },
	{ SCALE, "scale", "DIM=V", "multiply start and step by V" },
	{ START, "start", "DIM=V", "set the start" },
	{ STEP, "step", "DIM=V", "set the step" },
	{ SPAN, "span", "DIM=MIN:MAX", "set start and step so that the grid spans this" },
	{ LABEL, "label", "DIM=TEXT", "set the label; empty removes it" },
	{ UNIT, "unit", "DIM=TEXT", "set the unit; empty removes it" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafadjust", "adjust the grids of arrays",
	"[--shift DIM=V] [--scale DIM=V] [--start DIM=V] [--step DIM=V]\n"
	"       [--span DIM=MIN:MAX] [--label DIM=TEXT] [--unit DIM=TEXT] [-i] [-o FILE] "
	"[file ...]",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_PICK,
};

/* One change, in the order of the command line. */
struct change {
	int what;
	unsigned dim;
	double v, max;
	const char *text;
};

struct intent {
	struct change *changes;
	size_t n;
};

static void
parse(struct cmd_run *run, int what, const char *arg, struct change *c)
{
	const char *v, *colon;
	bool number = what != LABEL && what != UNIT;

	c->what = what;
	cmd_check(run, taf_dim_parse(arg, &c->dim, &v, &run->err));
	c->text = v;
	colon = what == SPAN ? strchr(v, ':') : v + strlen(v);
	if (!number && !taf_rsf_label_ok(v))
		cmd_value(run, "%s: a label holds no quote and no control character",
		    arg);
	if (number && (colon == NULL || !taf_parse_f64(v, (size_t)(colon - v), &c->v) ||
	    (what == SPAN && !taf_parse_f64(colon + 1, strlen(colon + 1), &c->max))))
		cmd_value(run, "%s: not %s", arg,
		    what == SPAN ? "DIM=MIN:MAX" : "DIM=NUMBER");
	if (number && (!taf_is_finite(c->v) || !taf_is_finite(c->max)))
		cmd_value(run, "%s: not a finite number", arg);
	if ((what == SCALE || what == STEP) && c->v == 0)
		cmd_value(run, "%s: 0 would make all grid points one", arg);
	if (what == SPAN && c->v == c->max)
		cmd_value(run, "%s: a span of 0 would make all grid points one", arg);
}

static enum taf_status
apply(const struct change *c, struct taf_array *a, struct taf_err *e)
{
	struct taf_dim *d = &a->dim[c->dim - 1];

	if (taf_dim_there(a, c->dim, e) != TAF_OK)
		return TAF_EDATA;
	switch (c->what) {
	case SHIFT:
		d->start += c->v;
		break;
	case SCALE:
		d->start *= c->v;
		d->step *= c->v;
		break;
	case START:
		d->start = c->v;
		break;
	case STEP:
		d->step = c->v;
		break;
	case SPAN:
		if (d->n < 2)
			return taf_fail(e, TAF_EDATA,
			    "dimension %u: %llu points span nothing", c->dim,
			    (unsigned long long)d->n);
		d->start = c->v;
		d->step = (c->max - c->v) / (double)(d->n - 1);
		break;
	default:
		return taf_attr_set(a, c->what == LABEL ? "label" : "unit", TAF_OF_DIM,
		    c->dim, c->text[0] != '\0' ? c->text : NULL, e);
	}
	/* finite operands can still overflow, or vanish; what is not set may be mended later */
	if ((c->what != STEP && !taf_is_finite(d->start)) ||
	    ((c->what == SCALE || c->what == STEP || c->what == SPAN) &&
	    (!taf_is_finite(d->step) || d->step == 0)))
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: its grid would not be finite", c->dim);
	return TAF_OK;
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	enum taf_status st = TAF_OK;
	size_t i;

	(void)in, (void)plan;
	for (i = 0; i < want->n && st == TAF_OK; i++)
		st = apply(&want->changes[i], out, e);
	return st;
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter adjust = { .resolve = resolve };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { NULL, 0 };
	const char *arg;
	int c, status;

	/* no more changes than words */
	want.changes = calloc((size_t)argc + 1, sizeof *want.changes);
	if (want.changes == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	while ((c = cmd_option(run, &arg)) != 0)
		parse(run, c, arg, &want.changes[want.n++]);
	status = cmd_filter(run, &adjust, &want);
	free(want.changes);
	return status;
}
