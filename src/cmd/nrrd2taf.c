/* SPDX-License-Identifier: ISC */
/* nrrd2taf - NRRD files to arrays. */
/* link: zlib zstd blosc */
#include "cli/vendor.h"
#include "format/capture_import.h"

struct intent {
	struct taf_capture_import im;
};

static const struct cmd_option options[] = {
	{ 'x', "index", "DIM=LO:HI[:STEP]", "read these indices of a dimension alone",
	    SET(BOUNDS, im.how.bounds) },
	{ 0 },
};

static const struct cmd self = {
	"nrrd2taf", "convert NRRD files to arrays",
	"[-x DIM=LO:HI[:STEP]] [-N K] [-o FILE] [file ...]",
	options, CMD_VENDOR | CMD_BESIDE,
};

int
main(int argc, char **argv)
{
	return cmd_vendor(&self, taf_nrrd_decode, argc, argv);
}
