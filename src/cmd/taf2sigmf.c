/* SPDX-License-Identifier: ISC */
/* taf2sigmf - an array as a recording of SigMF. */
/* link: jansson */
#include "cli/cmd.h"
#include "format/export.h"
#include "format/sigmf_export.h"

static const struct cmd_option options[] = { { 0 } };

static const struct cmd self = {
	"taf2sigmf", "write an array as a recording of SigMF",
	"[-J N] [-m SIZE] [-N K] -o NAME [file]",
	options, CMD_FILE | CMD_ONE | CMD_PICK | CMD_JOBS | CMD_UNPLANNED,
};

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	(void)ctx;
	return taf_sigmf_fits(a, e);
}

static enum taf_status
convert(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct taf_sigmf_files *files = ctx;
	struct taf_dropped dropped = { 0 };

	if (taf_arrays_more(all) == TAF_NEXT_YES || files->data != NULL)
		return taf_fail(e, TAF_EDATA,
		    "several arrays: a recording holds one (use -N K)");
	if (taf_sigmf_export(&run->service, all->r, &all->a, run->output, files, e) !=
	    TAF_OK)
		return e->code;
	taf_dropped_note(&dropped, &all->a);
	taf_dropped_remark(&run->service, &dropped, "a recording", NULL);
	return TAF_OK;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_sigmf_files files = { NULL, NULL };
	enum taf_status st;

	cmd_options(run, NULL);
	if (run->output == NULL)
		cmd_usage(run, "-o NAME is needed: it writes two files");
	cmd_input(run);
	st = cmd_arrays_each(run, check, convert, &files, &run->err);
	if (taf_sigmf_end(&files, st, &run->err) != TAF_OK)
		cmd_report(run, NULL);
	return cmd_end(run);
}
