/* SPDX-License-Identifier: ISC */
/* tafbackup - copies in a new folder that has the time in its name. */
#include "cli/cmd.h"
#include "io/backup.h"
#include "io/recover.h"

struct intent {
	const char *directory;
};

static const struct cmd_option options[] = {
	{ 'D', "directory", "DIR", "make the folder in DIR", SET(TEXT, directory) },
	{ 0 },
};

static const struct cmd self = {
	"tafbackup", "copy files into a backup folder", "[-D DIR] file ...",
	options, CMD_OPERANDS | CMD_AS_IS | CMD_UNPLANNED,
};

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	enum taf_status st = TAF_OK;
	struct taf_buf name = { 0 };
	struct intent want = { NULL };
	struct taf_out *out;
	int i;

	cmd_options(run, &want);
	cmd_named(run);
	/* a copy of a half-changed file would be no backup */
	for (i = 0; i < run->nfiles && st == TAF_OK; i++)
		st = taf_undo_recover(run->files[i], &run->err);
	out = st == TAF_OK ? cmd_out(run) : NULL;
	if (out != NULL)
		st = taf_backup(want.directory, run->files, run->nfiles, &name,
		    &run->err);
	if (st == TAF_EUSAGE)
		cmd_usage(run, "%s", run->err.text);
	for (i = 0; i < run->nfiles && st == TAF_OK && out != NULL; i++)
		cmd_say(run, "%s: copied", run->files[i]);
	if (out != NULL && st == TAF_OK && taf_buf_puts(&name, "\n", &run->err) == TAF_OK)
		st = taf_out_write(out, name.data, name.len, &run->err);
	if (run->err.code != TAF_OK)
		cmd_report(run, NULL);
	taf_buf_free(&name);
	return cmd_end(run);
}
