/* SPDX-License-Identifier: ISC */
/* txt2taf - tables of numbers in text to TAF.  A table is read to its end first. */
#include <string.h>

#include "cli/cmd.h"
#include "format/table_import.h"

enum { CLIP = 256, DECIMAL, MISSING, TOLERANCE, TRAILER };

struct intent {
	struct taf_text_how how;
};

static const struct cmd_option options[] = {
	{ 'c', "coordinates", NULL, "the first column is the grid of dimension 1",
	    SET(FLAG, how.grid) },
	{ 't', "type", "TYPE", "element type, default flt32", OWN },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does",
	    SET(FLAG, how.clip) },
	{ DECIMAL, "decimal", ",|.", "the decimal sign of numbers, default .", OWN },
	{ MISSING, "missing", "nan", "what a field without a number is", OWN },
	{ TOLERANCE, "tolerance", "R", "with -c, so many steps off the grid are taken",
	    SET(REAL, how.tolerance), FROM_0, .wrong = "not a number of 0 or more" },
	{ TRAILER, "trailer", NULL, "text may stand below the table",
	    SET(FLAG, how.trailer) },
	{ 0 },
};

static const struct cmd self = {
	"txt2taf", "convert tables of numbers, text or CSV, to TAF",
	"[-t TYPE] [--clip] [-c] [--tolerance R] [--decimal ,] [--missing nan] [--trailer]\n"
	"       [-m SIZE] [-J N] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_JOBS,
};

static enum taf_status
convert(void *ctx, struct taf_import *im, struct taf_in **in, struct taf_err *e)
{
	struct taf_text_notes notes;
	enum taf_status st = taf_table_import(im, *in, ctx, &notes, e);

	taf_table_remark(im->service, taf_in_name(*in), &notes, "integers");
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { { .type = TAF_FLT32, .tolerance = -1 } };
	struct taf_text_how *const how = &want.how;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &want, &arg)) != 0)
		switch (c) {
		case DECIMAL:
			how->comma = strcmp(arg, ",") == 0;
			if (!how->comma && strcmp(arg, ".") != 0)
				cmd_usage(run, "--decimal %s: neither , nor .", arg);
			break;
		case MISSING:
			how->missing = strcmp(arg, "nan") == 0;
			if (!how->missing)
				cmd_usage(run, "--missing %s: not nan", arg);
			break;
		case 't':
			if (!taf_type_parse(arg, &how->type))
				cmd_usage(run, "-t %s: not an element type", arg);
			break;
		}
	if (how->tolerance >= 0 && !how->grid)
		cmd_usage(run, "--tolerance needs -c");
	if (how->tolerance < 0)
		how->tolerance = TAF_TEXT_TOLERANCE;
	return cmd_import(run, NULL, convert, how);
}
