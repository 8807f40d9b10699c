/* tafsort - the elements of each line along a dimension in order. */
#include "cli/cmd.h"
#include "op/stat/sorting.h"

enum { DESCENDING = 256, INDEX };

struct intent {
	unsigned dim;
	bool descending, index;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", SET(DIM, dim) },
	{ DESCENDING, "descending", NULL, "the largest first", SET(FLAG, descending) },
	{ INDEX, "index", NULL, "not the elements, but the index that each had",
	    SET(FLAG, index) },
	{ 0 },
};

static const struct cmd self = {
	"tafsort", "sort arrays along a dimension",
	"[-d DIM] [--descending] [--index] [-J N] [-m SIZE] [-N K]\n"
	"       [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

static enum taf_status
resolve(const void *intent, const struct taf_array *in, struct taf_array *out, void *plan,
    struct taf_err *e)
{
	const struct intent *want = intent;
	enum taf_status st;

	(void)plan;
	if (taf_type_is_pair(in->type))
		return taf_fail(e, TAF_EDATA, "complex elements have no order");
	st = taf_dim_there(in, want->dim, e);
	if (st != TAF_OK)
		return st;
	/* what is counted has neither the name nor the unit of what it counts */
	out->dim[want->dim - 1].start = 1;
	out->dim[want->dim - 1].step = 1;
	st = taf_attr_set(out, "label", TAF_OF_DIM, want->dim, NULL, e);
	if (st == TAF_OK)
		st = taf_attr_set(out, "unit", TAF_OF_DIM, want->dim, NULL, e);
	if (st != TAF_OK || !want->index)
		return st;
	out->type = TAF_INT64;
	taf_array_unmap(out);
	return taf_attr_set(out, "unit", TAF_OF_ARRAY, 0, NULL, e);
}

static enum taf_status
move(const struct taf_move *m, struct taf_err *e)
{
	const struct intent *want = m->intent;
	const struct taf_along l = taf_move_along(m, want->dim);
	const struct taf_sorting how = { &l, want->descending, want->index };

	return taf_sorting(&how, e);
}

int
main(int argc, char **argv)
{
	static const struct cmd_filter sort = { .resolve = resolve, .move = move };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .dim = 1 };

	cmd_options(run, &want);
	return cmd_filter(run, &sort, &want);
}
