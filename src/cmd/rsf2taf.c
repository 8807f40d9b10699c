/* SPDX-License-Identifier: ISC */
/* rsf2taf - any RSF to TAF: packed or split, native, xdr or text. */
#include "cli/cmd.h"

static const struct cmd self = {
	"rsf2taf", "convert RSF to TAF", "[-N K] [-o FILE] [file ...]",
	NULL, CMD_STREAM | CMD_PICK | CMD_TO_TAF | CMD_ARRAYS,
};

int
main(int argc, char **argv)
{
	static const struct cmd_filter same = { .resolve = NULL };
	struct cmd_run *run = cmd_begin(&self, argc, argv);

	cmd_options(run, NULL);
	return cmd_filter(run, &same, NULL);
}
