/* SPDX-License-Identifier: ISC */
/* tafcat - the arrays of several streams one behind the other, or some of them. */
#include "array/picks.h"
#include "cli/cmd.h"

enum { PICK = 256 };

static const struct cmd_option options[] = {
	{ PICK, "pick", "LIST", "these arrays in this order, as 1-3,7,-2", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafcat", "put the arrays of streams one behind the other",
	"[--pick LIST] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK,
};

int
main(int argc, char **argv)
{
	static const struct cmd_filter filter = { .resolve = NULL };
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_picks picks = { 0 };
	const char *arg;
	int status;

	while (cmd_option(run, NULL, &arg) != 0) {
		if (run->list != NULL)
			cmd_usage(run, "--pick %s: there is another one", arg);
		cmd_check(run, taf_picks_parse(&picks, arg, &run->err));
		run->list = &picks;
	}
	if (run->list != NULL && run->pick != 0)
		cmd_usage(run, "either --pick or -N");
	status = cmd_filter(run, &filter, NULL);
	taf_picks_free(&picks);
	return status;
}
