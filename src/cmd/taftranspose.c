/* SPDX-License-Identifier: ISC */
/* taftranspose - rows become columns. */
#include "cli/cmd.h"
#include "stream/reorder.h"

static const struct cmd self = {
	"taftranspose", "swap rows and columns",
	"[-J N] [-m SIZE] [-N K] [-i] [-o FILE] [file ...]",
	NULL, CMD_STREAM | CMD_IN_PLACE | CMD_PICK | CMD_JOBS,
};

/* Rows and columns; what stands behind them stays, where its length is 1. */
static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	unsigned *order = plan, k;

	(void)intent;
	if (in->ndim == 1)
		return taf_fail(e, TAF_EDATA,
		    "1 dimension, not 2: tafappend -d 2 makes it a column");
	for (k = 2; k < in->ndim; k++)
		if (in->dim[k].n != 1)
			return taf_fail(e, TAF_EDATA,
			    "%u dimensions, not 2: use tafpermute", in->ndim);
	for (k = 0; k < in->ndim; k++)
		order[k] = k < 2 ? 1 - k : k;
	taf_array_permute(out, order);
	return TAF_OK;
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct taf_reorder how = { .order = m->plan, .writer = m->w,
	    .memory = m->service->memory, .jobs = taf_threads(m->service) };

	return taf_reorder(&how, m->r, m->in, e);
}

int
main(int argc, char **argv)
{
	static unsigned order[TAF_MAX_DIM];
	static const struct cmd_filter transpose = { .resolve = resolve, .move = move,
	    .plan = order };
	struct cmd_run *run = cmd_begin(&self, argc, argv);

	cmd_options(run, NULL);
	return cmd_filter(run, &transpose, NULL);
}
