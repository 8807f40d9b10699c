/* SPDX-License-Identifier: ISC */
/* tafhist - how many values are in which bin. */
#include <stdio.h>

#include "array/unit.h"
#include "array/word.h"
#include "base/num.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "op/stat/histogram.h"

enum { BINS = 256, RANGE, WIDTH, DENSITY, CUMULATIVE };

struct intent {
	/* what is wanted of it, but for what may have a unit */
	struct taf_histogram h;
	struct taf_amount range[2], width;
	unsigned dim;			/* 0: all values together */
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "of each line along this dimension by itself",
	    SET(DIM, dim) },
	{ BINS, "bins", "N", "so many bins, default 100", SET(NUMBER, h.bins), .least = 1,
	    .most = (1 << 30) - 1, .wrong = "not a number of bins" },
	{ CUMULATIVE, "cumulative", NULL, "each bin with all before it",
	    SET(FLAG, h.cumulative) },
	{ DENSITY, "density", NULL, "parts of all, by the width of a bin",
	    SET(FLAG, h.density) },
	{ RANGE, "range", "LO:HI", "from the first bin to the last, default all values",
	    OWN },
	{ WIDTH, "width", "W", "bins of this width", SET(AMOUNT, width), ABOVE_0,
	    .wrong = "not a width above 0" },
	{ 0 },
};

static const struct cmd self = {
	"tafhist", "count the values of arrays in bins: a histogram",
	"[--bins N | --width W] [--range LO:HI] [-d DIM] [--density]\n"
	"       [--cumulative] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

/*
 * What is wanted of array a, or of any array (NULL) where no number has a unit.  A range
 * must have a whole number of bins of the width.
 */
static enum taf_status
settle(const struct intent *want, const struct taf_array *a, struct taf_histogram *h,
    struct taf_err *e)
{
	const struct taf_amount *const r = want->range;
	double n;

	*h = want->h;
	if (taf_amount_of_values(&r[0], a, &h->low, e) != TAF_OK ||
	    taf_amount_of_values(&r[1], a, &h->high, e) != TAF_OK ||
	    taf_amount_of_values(&want->width, a, &h->width, e) != TAF_OK)
		return e->code;
	if (want->width.value > 0 && !(h->width > 0 && taf_is_finite(h->width)))
		return taf_fail(e, TAF_EUSAGE, "--width %s: not a width above 0",
		    taf_amount_typed(&want->width).s);
	if (h->ranged && (!taf_is_finite(h->high - h->low) || h->low >= h->high))
		return taf_fail(e, TAF_EUSAGE,
		    "--range %s:%s: not LO:HI, finite and LO below HI",
		    taf_amount_typed(&r[0]).s, taf_amount_typed(&r[1]).s);
	if (h->width == 0 || !h->ranged)
		return TAF_OK;
	n = (h->high - h->low) / h->width;
	if (!(n < 1 << 30) || n < 0.5)
		return taf_fail(e, TAF_EUSAGE, "--width %s: %s bins in the range",
		    taf_amount_typed(&want->width).s, taf_brief(n).s);
	h->bins = (uint64_t)(n + 0.5);
	return n - (double)h->bins <= 1e-6 && (double)h->bins - n <= 1e-6 ? TAF_OK :
	    taf_fail(e, TAF_EUSAGE,
	    "--width %s: %s bins in the range, not a whole number",
	    taf_amount_typed(&want->width).s, taf_brief_beside(n, (double)h->bins).s);
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	struct taf_histogram h;
	enum taf_status st;

	(void)plan;
	if (taf_type_is_pair(in->type))
		return taf_fail(e, TAF_EDATA, "complex elements have no order");
	if (want->dim > 0) {
		st = taf_dim_there(in, want->dim, e);
		if (st != TAF_OK)
			return st;
	}
	out->type = taf_histogram_type(&want->h);
	taf_array_unmap(out);
	return settle(want, in, &h, e);
}

/* One dimension of bins in the place of that of the lines, or of all. */
static enum taf_status
describe(const struct taf_histogram *h, unsigned dim, const struct taf_array *in,
    struct taf_array *out, struct taf_err *e)
{
	const double width = (h->edge[h->n] - h->edge[0]) / (double)h->n;
	const char *unit = taf_attr_get(in, "unit", TAF_OF_ARRAY, 0);
	const char *label = h->cumulative ? h->density ? "Cumulative share" :
	    "Cumulative count" : h->density ? "Density" : "Count";
	struct taf_buf name = { NULL, 0, 0 }, per = { NULL, 0, 0 };
	unsigned gone[TAF_MAX_DIM] = { 0 };
	enum taf_status st;

	if (dim == 0) {
		taf_attr_renumber(out, gone);
		out->ndim = 1;
		out->code = TAF_CODE_GENERIC;
		dim = 1;
	}
	out->dim[dim - 1] = (struct taf_dim){ h->n, h->edge[0] + width / 2, width };
	st = taf_array_called(in, &name, e);
	if (st == TAF_OK && h->density && !h->cumulative && unit != NULL)
		st = taf_unit_inverse(&per, unit, e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "label", TAF_OF_DIM, dim, name.data, e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_DIM, dim, unit, e);
	/* by which tafplot draws bars */
	if (st == TAF_OK)
		st = taf_attr_set(out, "hist/bins", TAF_OF_DIM, dim, "middle", e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "label", TAF_OF_ARRAY, 0, label, e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, per.data, e);
	taf_buf_free(&name);
	taf_buf_free(&per);
	return st;
}

/* What is in no bin. */
static enum taf_status
tell_outside(const struct taf_move *m, const struct taf_histogram *h,
    struct taf_array *out, struct taf_err *e)
{
	static const char *const keys[] = { "hist/below", "hist/above", "hist/nan" };
	const unsigned long long n[] = { h->count[0], h->count[h->n + 1],
	    h->count[h->n + 2] };
	enum taf_status st = TAF_OK;
	char text[32];
	int i;

	for (i = 0; i < 3 && st == TAF_OK; i++) {
		(void)snprintf(text, sizeof text, "%llu", n[i]);
		st = taf_attr_set(out, keys[i], TAF_OF_ARRAY, 0, text, e);
		taf_attr_bare(out, keys[i], TAF_OF_ARRAY, 0);
	}
	if (st == TAF_OK && n[0] + n[1] + n[2] > 0)
		taf_remark(m->service, "in no bin: %llu below, %llu above, %llu NaN",
		    n[0], n[1], n[2]);
	return st;
}

static enum taf_status
look(const struct taf_move *m, struct taf_array *out, struct taf_err *e)
{
	const struct intent *want = m->intent;
	struct taf_histogram *h = *(struct taf_histogram *const *)m->plan;
	enum taf_status st;

	taf_histogram_free(h);
	st = settle(want, m->in, h, e);
	h->service = m->service;
	h->once = want->dim == 0;
	if (st == TAF_OK)
		st = taf_histogram_count(h, m->r, m->in, e);
	if (st == TAF_OK)
		st = describe(h, want->dim, m->in, out, e);
	return st == TAF_OK ? tell_outside(m, h, out, e) : st;
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_histogram *h = *(struct taf_histogram *const *)m->plan;
	const struct intent *want = m->intent;

	return want->dim == 0 ? taf_histogram_put(h, m->w, e) :
	    taf_histogram_lines(h, m->r, m->in, want->dim, m->out, m->w, e);
}

/* LO:HI; how they lie is looked at where their unit is known. */
static void
parse_range(struct cmd_run *run, const char *arg, struct intent *want)
{
	if (!taf_amounts_read(want->range, arg, ':', &run->err)) {
		cmd_check(run, run->err.code);
		cmd_usage(run, "--range %s: not LO:HI, finite and LO below HI", arg);
	}
	want->h.ranged = true;
}

/* Is there a number whose meaning is known with the array alone? */
static bool
has_units(const struct intent *want)
{
	return want->range[0].text != NULL || want->range[1].text != NULL ||
	    want->width.text != NULL;
}

int
main(int argc, char **argv)
{
	static struct taf_histogram h, *plan = &h;
	static const struct cmd_filter hist = { .resolve = resolve, .look = look,
	    .move = move, .plan = &plan };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .h = { .bins = 0 } };
	const char *arg;

	while (cmd_option(run, &want, &arg) != 0)
		parse_range(run, arg, &want);
	if (want.h.bins > 0 && want.width.value > 0)
		cmd_usage(run, "--bins and --width: one of them");
	if (!has_units(&want) && settle(&want, NULL, &h, &run->err) != TAF_OK)
		cmd_usage(run, "%s", run->err.text);
	return cmd_filter(run, &hist, &want);
}
