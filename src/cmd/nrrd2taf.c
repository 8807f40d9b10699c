/* nrrd2taf - NRRD files to arrays. */
/* link: zlib zstd blosc */
#include "cli/cmd.h"
#include "codec/nrrd.h"
#include "format/capture_import.h"

struct intent {
	struct taf_capture_import im;
	struct taf_bounds bounds;
};

static const struct cmd_option options[] = {
	{ 'x', "index", "DIM=LO:HI[:STEP]", "read these indices of a dimension alone",
	    SET(BOUNDS, bounds) },
	{ 0 },
};

static const struct cmd self = {
	"nrrd2taf", "convert NRRD files to arrays",
	"[-x DIM=LO:HI[:STEP]] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_TO_TAF,
};

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;

	cmd_options(run, &want);
	want.im.decode = taf_nrrd_decode;
	want.im.how.bounds = cmd_has(run, 'x') ? &want.bounds : NULL;
	want.im.how.words = &run->words;
	return cmd_import(run, taf_capture_look, taf_capture_import, &want.im);
}
