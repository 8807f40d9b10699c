/* SPDX-License-Identifier: ISC */
/* fits2taf - images of FITS files to arrays. */
#include "cli/cmd.h"
#include "codec/fits.h"
#include "format/capture_import.h"

enum { IMAGES = 256, TO_NAN };

struct intent {
	struct taf_capture_import im;
	struct taf_fits_how how;
};

static const struct cmd_option options[] = {
	{ 'r', "raw", NULL, "elements as they are stored, no mapping",
	    SET(FLAG, how.raw) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "read these indices of a dimension alone",
	    SET(BOUNDS, im.how.bounds) },
	{ IMAGES, "images", NULL, "leave tables out, which are refused else",
	    SET(FLAG, how.images) },
	{ TO_NAN, "nan", NULL, "what BLANK marks becomes NaN, and the values floats",
	    SET(FLAG, im.how.nan) },
	{ 0 },
};

static const struct cmd self = {
	"fits2taf", "convert images of FITS files to arrays",
	"[-r] [-x DIM=LO:HI[:STEP]] [--images] [--nan] [-N K] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_PICK | CMD_TO_TAF,
};

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;

	cmd_options(run, &want);
	want.im.decode = taf_fits_decode;
	want.im.options = &want.how;
	want.im.how.words = &run->words;
	return cmd_import(run, taf_capture_look, taf_capture_import, &want.im);
}
