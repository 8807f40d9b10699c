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

static enum taf_status
check(void *ctx, const struct taf_import *im, struct taf_in *in, struct taf_err *e)
{
	return taf_image_check(ctx, im, in, e);
}

static enum taf_status
import(void *ctx, struct taf_import *im, struct taf_in **in, struct taf_err *e)
{
	return taf_image_import(ctx, im, *in, e);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .how = { 0 } };

	cmd_options(run, &want);
	return cmd_import(run, check, import, &want.how);
}
