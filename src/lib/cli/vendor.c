/* SPDX-License-Identifier: ISC */
#include "cli/vendor.h"

#include "format/capture_import.h"

enum { MATRIX = 256 };

struct intent {
	struct taf_capture_import how;
};

const struct cmd_option cmd_vendor_options[] = {
	{ MATRIX, "matrix", NULL, "records side by side as columns of one array",
	    SET(FLAG, how.how.matrix) },
	{ 0 },
};

int
cmd_vendor(const struct cmd *self, taf_capture_decode *decode, int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(self, argc, argv);
	struct intent want = { .how = { .decode = decode } };

	cmd_options(run, &want);
	want.how.how.words = &run->words;
	return cmd_import(run, taf_capture_look, taf_capture_import, &want.how);
}
