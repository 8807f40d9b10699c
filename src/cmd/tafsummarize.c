/* tafsummarize - number, extremes, mean and deviation of the values of arrays. */
/* link: m */
#include <stdlib.h>

#include "array/region.h"
#include "base/buf.h"
#include "cli/cmd.h"
#include "op/quantiles.h"
#include "op/summary.h"
#include "text/statistics.h"

enum { QUANTILES = 256 };

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "each index along this dimension by itself" },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension" },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension" },
	{ QUANTILES, "quantiles", "P[,P...]", "these quantiles too, 0.5 is the median" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafsummarize", "summary statistics: extremes, average, deviation",
	"[-j] [-d DIM] [-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI]\n"
	"              [--quantiles P[,P...]] [-N K] [-J N] [-m SIZE] [file ...]",
	options, CMD_JSON | CMD_PICK | CMD_JOBS | CMD_COMPUTES,
};

enum { MOST_EMPTY = 1000000 };	/* lines that no byte of the input stands for */

struct intent {
	struct taf_bounds bounds;
	struct taf_quantiles quantiles;
	unsigned dim;		/* 0: the array as a whole */
};

/* Those of the next n indices, or of the whole; *room is what held the ones before. */
static enum taf_status
find_quantiles(const struct cmd_arrays *all, const struct taf_array *part,
    struct taf_statistics *one, double **room, size_t n, struct taf_err *e)
{
	const struct taf_quantiles_of of = { one->dim, one->index, n };
	struct taf_service service = all->run->service;

	if (one->wanted->n == 0)
		return TAF_OK;
	service.memory /= 2;
	free(*room);
	*room = n > SIZE_MAX / one->wanted->n ? NULL :
	    taf_alloc(n * one->wanted->n, sizeof **room);
	if (*room == NULL)
		return taf_fail_mem(e);
	one->apart = n;
	return taf_quantiles(one->wanted, &of, all->r, part, *room, &service, e);
}

static enum taf_status
summarize(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct cmd_run *run = all->run;
	struct taf_region region;
	struct taf_array part, *a = &part;
	struct taf_str text = { .err = e };
	struct taf_statistics one = { .a = &all->a, .region = &region, .dim = want->dim,
		.json = run->json, .to = &text, .wanted = &want->quantiles,
		.file = cmd_arrays_name(all), .number = all->number };
	/* quantiles need the most of it, and 256 bytes an index for what they are */
	const struct taf_summary_how how = { want->dim, taf_threads(&run->service),
		want->quantiles.n > 0 ? cmd_memory(run) / 8 : cmd_memory(run) };
	struct taf_summary *s = NULL;
	const struct taf_stats *stats;
	double *quantiles = NULL;
	enum taf_status st;
	size_t n, i;

	if (taf_bounds_part(&want->bounds, &all->a, &region, a, e) != TAF_OK)
		return e->code;
	if (want->dim > 0 && want->dim <= a->ndim && taf_array_count(a) == 0 &&
	    a->dim[want->dim - 1].n > MOST_EMPTY)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %llu indices without an element", want->dim,
		    (unsigned long long)a->dim[want->dim - 1].n);
	st = taf_reader_narrow(all->r, &all->a, &region, e);
	if (st == TAF_OK && want->quantiles.n > 0)
		st = taf_reader_random(all->r, e);
	if (st == TAF_OK)
		st = taf_summary_open(&s, all->r, a, &how, e);
	one.s = s;
	if (!run->json)
		taf_statistics_head(&one);
	while (st == TAF_OK) {
		st = taf_summary_next(s, &stats, &n, e);
		taf_progress(&run->service, taf_summary_done(s) * taf_type_size(a->type),
		    taf_array_bytes(a));
		if (st == TAF_OK && n > 0)
			st = find_quantiles(all, a, &one, &quantiles, n, e);
		if (st == TAF_OK && n > 0 && want->dim == 0)
			st = taf_reader_finish(all->r, &all->a, e);
		for (i = 0; i < n && st == TAF_OK; i++, one.index++) {
			one.stats = &stats[i];
			one.quantiles = quantiles != NULL ? quantiles + i : NULL;
			taf_statistics_put(&one);
			st = taf_out_str(run->out, &text);
		}
	}
	free(quantiles);
	taf_summary_close(s);
	taf_str_free(&text);
	return st == TAF_END ? TAF_OK : st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { 0 };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		if (c == 'd')
			cmd_dim(run, arg, &want.dim);
		else if (c == QUANTILES)
			cmd_check(run, taf_quantiles_parse(&want.quantiles, arg,
			    &run->err));
		else
			cmd_bound(run, c, arg, &want.bounds);
	/* of the whole, units stand behind */
	run->late = want.dim == 0;
	return cmd_each(run, summarize, &want);
}
