/* SPDX-License-Identifier: ISC */
/* pgm2taf - images of netpbm (PBM, PGM, PPM, PAM) as TAF or RSF. */
/* link: m */
#include "cli/cmd.h"
#include "format/image.h"

enum { TRANSPOSE = 256 };

struct intent {
	struct taf_image_reading how;
};

static const struct cmd_option options[] = {
	{ TRANSPOSE, "transpose", NULL, "rows are dimension 1, columns dimension 2",
	    SET(FLAG, how.transpose) },
	{ 0 },
};

static const struct cmd self = {
	"pgm2taf", "convert images of netpbm to TAF",
	"[--transpose] [-J N] [-m SIZE] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_PICK | CMD_JOBS,
};

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .how = { 0 } };

	cmd_options(run, &want);
	return cmd_import(run, taf_image_check, taf_image_import, &want.how);
}
