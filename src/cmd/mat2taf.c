/* SPDX-License-Identifier: ISC */
/* mat2taf - variables of MATLAB's MAT-files to arrays. */
/* link: zlib zstd blosc */
#include "cli/cmd.h"
#include "format/capture_import.h"

enum { LIST = 256 };

struct intent {
	struct taf_capture_import im;
	bool listed;
};

static const struct cmd_option options[] = {
	{ LIST, "list", NULL, "list the variables of the file instead",
	    SET(FLAG, listed) },
	{ 0 },
};

static const struct cmd self = {
	"mat2taf", "convert variables of MATLAB's MAT-files to arrays",
	"[-m SIZE] [-N K] [-o FILE] [file [NAME]] | --list [file]",
	options, CMD_STREAM | CMD_PICK | CMD_TO_TAF | CMD_PLACE,
};

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .im.decode = taf_mat_decode };

	cmd_options(run, &want);
	if (run->nfiles > 2 - want.listed)
		cmd_usage(run, want.listed ? "--list takes one file" :
		    "one file and one NAME are read (--list shows the names)");
	if (want.listed)
		return cmd_list(run, taf_mat_list);
	want.im.name = run->nfiles > 1 ? run->files[1] : NULL;
	run->nfiles = 1;
	return cmd_import(run, taf_capture_look, taf_capture_import, &want.im);
}
