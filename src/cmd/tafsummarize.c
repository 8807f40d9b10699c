/* tafsummarize - number, extremes, mean and deviation of the values of arrays. */
/* link: m */
#include "cli/cmd.h"
#include "stream/summary.h"
#include "text/statistics.h"

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "each index along this dimension by itself" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafsummarize", "extremes, mean and deviation of arrays",
	"[-j] [-d DIM] [-N K] [-J N] [-m SIZE] [file ...]",
	options, CMD_JSON | CMD_PICK | CMD_JOBS,
};

enum { MOST_EMPTY = 1000000 };	/* lines that no byte of the input stands for */

struct intent {
	unsigned dim;		/* 0: the array as a whole */
};

static enum taf_status
summarize(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct cmd_run *run = all->run;
	struct taf_array *a = &all->a;
	struct taf_str text = { .err = e };
	struct taf_statistics one = { .a = a, .dim = want->dim, .json = run->json,
		.to = &text };
	const struct taf_summary_how how = { want->dim, taf_threads(&run->service),
		cmd_memory(run) };
	struct taf_summary *s = NULL;
	const struct taf_stats *stats;
	enum taf_status st;
	size_t n, i;

	if (want->dim > 0 && want->dim <= a->ndim && taf_array_count(a) == 0 &&
	    a->dim[want->dim - 1].n > MOST_EMPTY)
		return taf_fail(e, TAF_EDATA,
		    "dimension %u: %llu indices without an element", want->dim,
		    (unsigned long long)a->dim[want->dim - 1].n);
	st = taf_summary_open(&s, all->r, a, &how, e);
	one.s = s;
	if (!run->json)
		taf_statistics_head(&one, cmd_arrays_name(all));
	while (st == TAF_OK) {
		st = taf_summary_next(s, &stats, &n, e);
		taf_progress(&run->service, taf_summary_done(s) * taf_type_size(a->type),
		    taf_array_bytes(a));
		if (st == TAF_OK && n > 0 && want->dim == 0)
			st = taf_reader_finish(all->r, a, e);
		for (i = 0; i < n && st == TAF_OK; i++, one.index++) {
			one.stats = &stats[i];
			taf_statistics_put(&one);
			st = taf_out_str(run->out, &text);
		}
	}
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
			want.dim = cmd_dim(run, arg);
	/* of the whole, units stand behind */
	run->late = want.dim == 0;
	return cmd_each(run, summarize, &want);
}
