/* SPDX-License-Identifier: ISC */
/* tafpermute - another order of the dimensions, their grids with them. */
#include "cli/cmd.h"
#include "stream/reorder.h"

struct intent {
	unsigned order[TAF_MAX_DIM], n;	/* from 0 */
};

static enum taf_status
parse(void *to, const char *arg, struct taf_err *e)
{
	struct intent *want = to;
	uint64_t v[TAF_MAX_DIM];
	bool seen[TAF_MAX_DIM] = { false };
	unsigned k;

	if (!taf_list_parse(arg, v, TAF_MAX_DIM, &want->n))
		return taf_fail(e, TAF_EUSAGE, "%s: not a list of dimensions, as 3,1,2",
		    arg);
	if (want->n == 1 && taf_dims_commas(v[0], NULL, e) != TAF_OK)
		return e->code;
	for (k = 0; k < want->n; k++) {
		if (v[k] < 1 || v[k] > want->n || seen[v[k] - 1])
			return taf_fail(e, TAF_EUSAGE,
			    "%s: not every dimension from 1 to %u once", arg, want->n);
		seen[v[k] - 1] = true;
		want->order[k] = (unsigned)v[k] - 1;
	}
	return TAF_OK;
}

static const struct cmd_option options[] = {
	{ 'd', "dim", "ORDER", "the dimensions in their new order, as 3,1,2",
	    ALONG(parse, ',') },
	{ 0 },
};

static const struct cmd self = {
	"tafpermute", "change the order of dimensions",
	"-d ORDER [-J N] [-m SIZE] [-N K] [-i] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_IN_PLACE | CMD_PICK | CMD_JOBS,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;

	(void)plan;
	if (in->ndim != want->n)
		return taf_fail(e, TAF_EDATA,
		    "-d names %u dimensions, the array has %u: name each of these once",
		    want->n, in->ndim);
	taf_array_permute(out, want->order);
	return TAF_OK;
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct taf_reorder how = { .order = want->order, .writer = m->w,
	    .memory = m->service->memory, .jobs = taf_threads(m->service) };

	return taf_reorder(&how, m->r, m->in, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter permute = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { { 0 }, 0 };

	cmd_options(run, &want);
	if (want.n == 0)
		cmd_missing(run, 'd');
	return cmd_filter(run, &permute, &want);
}
