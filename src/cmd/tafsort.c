/* SPDX-License-Identifier: ISC */
/* tafsort - the elements of each line along a dimension in order. */
#include "cli/cmd.h"
#include "op/stat/sorting.h"

enum { DESCENDING = 256, INDEX };

struct intent {
	struct taf_sorting how;
};

static const struct cmd_option options[] = {
	{ 'd', "dim", "DIM", "along this dimension, default 1", SET(DIM, how.dim) },
	{ DESCENDING, "descending", NULL, "the largest first",
	    SET(FLAG, how.descending) },
	{ INDEX, "index", NULL, "not the elements, but the index that each had",
	    SET(FLAG, how.index) },
	{ 0 },
};

static const struct cmd self = {
	"tafsort", "sort arrays along a dimension",
	"[-d DIM] [--descending] [--index] [-J N] [-m SIZE] [-N K]\n"
	"       [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_JOBS,
};

int
main(int argc, char **argv)
{
	static const struct cmd_filter sort =
	    { .resolve = taf_sorting_resolve, .move = taf_sorting };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .how = { .dim = 1 } };

	cmd_options(run, &want);
	return cmd_filter(run, &sort, &want);
}
