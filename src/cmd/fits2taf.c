/* SPDX-License-Identifier: ISC */
/* fits2taf - images of FITS files to arrays. */
#include "cli/vendor.h"
#include "format/capture_import.h"

enum { IMAGES = 256, TO_NAN };

struct intent {
	struct taf_capture_import im;
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "elements as they are stored, no mapping",
	    SET(FLAG, im.raw) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "read these indices of a dimension alone",
	    SET(BOUNDS, im.how.bounds) },
	{ IMAGES, "images", NULL, "leave tables out, which are refused else",
	    SET(FLAG, im.arrays) },
	{ TO_NAN, "nan", NULL, "what BLANK marks becomes NaN, and the values floats",
	    SET(FLAG, im.how.nan) },
	{ 0 },
};

static const struct cmd self = {
	"fits2taf", "convert images of FITS files to arrays",
	"[-r] [-x DIM=LO:HI[:STEP]] [--images] [--nan] [-N K] [-o FILE] [file ...]",
	options, CMD_VENDOR,
};

int
main(int argc, char **argv)
{
	return cmd_vendor(&self, taf_fits_decode, argc, argv);
}
