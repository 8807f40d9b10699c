/* taftranspose - rows become columns. */
#include "cli/cmd.h"
#include "stream/reorder.h"

static const struct cmd self = {
	"taftranspose", "swap rows and columns",
	"[-J N] [-m SIZE] [-N K] [-i] [-o FILE] [file ...]",
	NULL, CMD_STREAM | CMD_IN_PLACE | CMD_PICK | CMD_JOBS,
};

/* Rows and columns; what stands behind them stays, where its length is 1. */
static void
order_of(const struct taf_array *a, unsigned order[TAF_MAX_DIM])
{
	unsigned k;

	for (k = 0; k < a->ndim; k++)
		order[k] = k < 2 ? 1 - k : k;
}

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out,
    struct taf_err *e)
{
	unsigned order[TAF_MAX_DIM], k;

	(void)intent;
	if (in->ndim == 1)
		return taf_fail(e, TAF_EDATA,
		    "1 dimension, not 2: tafappend -d 2 makes it a column");
	for (k = 2; k < in->ndim; k++)
		if (in->dim[k].n != 1)
			return taf_fail(e, TAF_EDATA, "%u dimensions, not 2: use tafpermute",
			    in->ndim);
	order_of(in, order);
	taf_array_permute(out, order);
	return TAF_OK;
}

static enum taf_status
move(struct cmd_run *run, const void *intent, const struct taf_array *in,
    const struct taf_array *out, struct taf_reader *r, struct taf_writer *w,
    struct taf_err *e)
{
	unsigned order[TAF_MAX_DIM];
	const struct taf_reorder how = { .order = order, .writer = w,
	    .memory = run->memory, .jobs = cmd_threads(run) };

	(void)intent, (void)out;
	order_of(in, order);
	return taf_reorder(&how, r, in, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter transpose = { resolve, move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	const char *arg;

	while (cmd_option(run, &arg) != 0)
		;
	return cmd_filter(run, &transpose, NULL);
}
