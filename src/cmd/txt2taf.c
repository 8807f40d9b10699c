/* txt2taf - tables of numbers in text to TAF.  A table is read to its end first. */
#include "cli/table.h"

enum { CLIP = 256 };

static const struct cmd_option options[] = {
	{ 'c', "coordinates", NULL, "the first column is the grid of dimension 1" },
	{ 't', "type", "TYPE", "element type, default flt32" },
	{ CLIP, "clip", NULL, "store what does not fit as the nearest that does" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"txt2taf", "convert tables of numbers in text to TAF",
	"[-t TYPE] [--clip] [-c] [-m SIZE] [-J N] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_JOBS,
};

struct intent {
	enum taf_type type;
	bool grid, clip;
};

static void
remark(struct cmd_run *run, const char *file, const struct taf_text_notes *notes)
{
	if (notes->rounded > 0)
		cmd_remark(run, "%s: %llu values were rounded to integers", file,
		    (unsigned long long)notes->rounded);
	if (notes->clipped > 0)
		cmd_remark(run, "%s: %llu values were clipped", file,
		    (unsigned long long)notes->clipped);
	if (notes->broken > 0)
		cmd_remark(run, "%s: line %llu: numbers that are no row of the table, "
		    "which has ended", file, (unsigned long long)notes->broken);
	if (notes->cut > 0)
		cmd_remark(run, "%s: %llu bytes of text around the table are left out",
		    file, (unsigned long long)notes->cut);
}

static enum taf_status
convert(struct cmd_run *run, void *ctx, struct taf_in **in, struct cmd_import *im,
    struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_text_notes notes;
	enum taf_status st = cmd_table(im, *in, want->type, want->grid, want->clip, &notes, e);

	remark(run, taf_in_name(*in), &notes);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { TAF_FLT32, false, false };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case CLIP:
			want.clip = true;
			break;
		case 'c':
			want.grid = true;
			break;
		case 't':
			if (!taf_type_parse(arg, &want.type))
				cmd_usage(run, "-t %s: not an element type", arg);
			break;
		}
	return cmd_import(run, NULL, convert, &want);
}
