/* SPDX-License-Identifier: ISC */
/* tafsummarize - number, extremes, mean and deviation of the values of arrays. */
/* link: m */
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "cli/cmd.h"
#include "op/stat/reduction.h"
#include "text/statistics.h"

enum { QUANTILES = 256 };

struct intent {
	struct taf_bounds bounds;
	struct taf_quantiles quantiles;
	unsigned dim;		/* 0: the array as a whole */
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "each index along this dimension by itself", SET(DIM, dim) },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension",
	    SET(BOUNDS, bounds) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension",
	    SET(BOUNDS, bounds) },
	{ QUANTILES, "quantiles", "P[,P...]", "these quantiles too, 0.5 is the median",
	    SET(PARSED, quantiles), .parse = taf_quantiles_parse },
	{ 0 },
};

static const struct cmd self = {
	"tafsummarize", "summary statistics: extremes, average, deviation",
	"[-j] [-d DIM] [-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI]\n"
	"              [--quantiles P[,P...]] [-N K] [-J N] [-m SIZE] [file ...]",
	options, CMD_JSON | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

enum { MOST_EMPTY = 1000000 };	/* lines that no byte of the input stands for */

/* What is printed of an array, while its results come. */
struct printing {
	struct taf_out *out;
	struct taf_arrays *all;
	struct taf_statistics one;
};

static enum taf_status
print(void *ctx, const struct taf_reduction_found *some, struct taf_err *e)
{
	struct printing *p = ctx;
	struct taf_statistics *one = &p->one;
	enum taf_status st = TAF_OK;
	uint64_t i;

	/* of the whole, units stand behind */
	if (one->dim == 0)
		st = taf_reader_finish(p->all->r, &p->all->a, e);
	one->to->err = e;
	one->apart = some->apart;
	one->how = some->how;
	for (i = 0; i < some->n && st == TAF_OK; i++, one->index++) {
		one->acc = some->acc + i * some->how->words;
		one->quantiles = some->order + i;
		taf_statistics_put(one);
		st = taf_out_str(p->out, one->to);
	}
	return st;
}

/* Extremes, mean, deviation and the like, of all values or of each index. */
static struct taf_reduction_intent
intent_of(const struct intent *want, const struct taf_array *a)
{
	struct taf_reduction_intent r = { .finite = true, .summary = true,
		.nops = want->quantiles.n };
	unsigned k;

	memcpy(r.op, want->quantiles.op, sizeof r.op);
	for (k = 1; want->dim > 0 && k <= a->ndim; k++)
		if (k != want->dim)
			r.dim[r.ndims++] = k;
	if (want->dim > 0 && r.ndims == 0) {
		r.dim[r.ndims++] = want->dim;
		r.every = 1;
	}
	return r;
}

static enum taf_status
summarize(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_region region;
	struct taf_array part, *a = &part;
	struct taf_str text = { .err = e };
	struct printing p = { run->out, all, { .a = &all->a, .region = &region,
		.dim = want->dim, .json = run->json, .to = &text,
		.wanted = &want->quantiles, .file = taf_arrays_name(all),
		.number = all->number } };
	struct taf_reduction_intent reduction;
	enum taf_status st;

	if (taf_bounds_part(&want->bounds, &all->a, &region, a, e) != TAF_OK)
		return e->code;
	if (want->dim > 0 && taf_dim_there(a, want->dim, e) != TAF_OK)
		return e->code;
	if (want->dim > 0 && taf_array_count(a) == 0 &&
	    a->dim[want->dim - 1].n > MOST_EMPTY)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %llu indices without an element", want->dim,
		    (unsigned long long)a->dim[want->dim - 1].n);
	reduction = intent_of(want, a);
	st = taf_reader_narrow(all->r, &all->a, &region, e);
	if (!run->json)
		taf_statistics_head(&p.one);
	if (st == TAF_OK)
		st = taf_reduction_each(&reduction, all->r, a, print, &p, &run->service,
		    e);
	taf_str_free(&text);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };

	cmd_options(run, &want);
	/* of the whole, units stand behind */
	run->late = want.dim == 0;
	return cmd_each(run, summarize, &want);
}
