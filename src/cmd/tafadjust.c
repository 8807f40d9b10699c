/* SPDX-License-Identifier: ISC */
/* tafadjust - change grids, names and mappings; no element is touched. */
#include <stdlib.h>
#include <string.h>

#include "array/adjust.h"
#include "cli/cmd.h"
#include "codec/rsf.h"

/* An option is this much above what it does. */
enum { FIRST = 256 };

static const struct cmd_option options[] = {
	{ FIRST + TAF_ADJUST_SHIFT, "shift", "DIM=V", "add V to the start of the grid",
	    OWN },
	{ FIRST + TAF_ADJUST_SCALE, "scale", "DIM=V", "multiply start and step by V",
	    OWN },
	{ FIRST + TAF_ADJUST_START, "start", "DIM=V", "set the start", OWN },
	{ FIRST + TAF_ADJUST_STEP, "step", "DIM=V", "set the step", OWN },
	{ FIRST + TAF_ADJUST_SPAN, "span", "DIM=MIN:MAX",
	    "set start and step so that the grid spans this", OWN },
	{ FIRST + TAF_ADJUST_LABEL, "label", "DIM=TEXT",
	    "set the label; empty removes it", OWN },
	{ FIRST + TAF_ADJUST_UNIT, "unit", "DIM=TEXT", "set the unit; empty removes it",
	    OWN },
	{ FIRST + TAF_ADJUST_SLOPE, "slope", "V", "set the slope of the mapping", OWN },
	{ FIRST + TAF_ADJUST_INTERCEPT, "intercept", "V",
	    "set the intercept of the mapping", OWN },
	{ FIRST + TAF_ADJUST_VALUE_SCALE, "value-scale", "V",
	    "multiply all values by V, by the mapping", OWN },
	{ FIRST + TAF_ADJUST_VALUE_SHIFT, "value-shift", "V",
	    "add V to all values, by the mapping", OWN },
	{ FIRST + TAF_ADJUST_VALUE_UNIT, "value-unit", "TEXT",
	    "set the unit of the values; empty removes it", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafadjust", "adjust the grids and the mapping of arrays",
	"[--shift DIM=V] [--scale DIM=V] [--start DIM=V] [--step DIM=V]\n"
	"       [--span DIM=MIN:MAX] [--label DIM=TEXT] [--unit DIM=TEXT] [--slope V]\n"
	"       [--intercept V] [--value-scale V] [--value-shift V] [--value-unit TEXT]\n"
	"       [-i] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_PICK,
};

/* One change, in the order of the command line. */
struct change {
	enum taf_adjust what;
	const char *arg;
};

struct intent {
	struct change *changes;
	size_t n;
};

static void
parse(struct cmd_run *run, enum taf_adjust what, const char *arg, struct change *c)
{
	const bool text = what == TAF_ADJUST_LABEL || what == TAF_ADJUST_UNIT;
	const struct taf_word word = { .text = arg, .mark = '=', .units = !text };

	c->what = what;
	c->arg = arg;
	cmd_check(run, taf_adjust(NULL, what, arg, &run->err));
	if (text && !taf_rsf_label_ok(strchr(arg, '=') + 1))
		cmd_value(run, "%s: a label holds no quote and no control character",
		    arg);
	if (what < TAF_ADJUST_SLOPE && taf_word_named(&word))
		run->named = true;
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
		st = taf_adjust(out, want->changes[i].what, want->changes[i].arg, e);
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
	while ((c = cmd_option(run, NULL, &arg)) != 0)
		parse(run, (enum taf_adjust)(c - FIRST), arg, &want.changes[want.n++]);
	status = cmd_filter(run, &adjust, &want);
	free(want.changes);
	return status;
}
