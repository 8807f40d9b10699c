/* txt2taf - tables of numbers in text to TAF.  A table is read to its end first. */
#include "cli/cmd.h"
#include "codec/text.h"
#include "stream/columns.h"

static const struct cmd_option options[] = {
	{ 'c', "coordinates", NULL, "the first column is the grid of dimension 1" },
	{ 't', "type", "TYPE", "element type, default flt32" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"txt2taf", "convert tables of numbers in text to TAF",
	"[-t TYPE] [-c] [-m SIZE] [-o FILE] [file ...]",
	options, CMD_STREAM | CMD_TO_TAF | CMD_MEMORY,
};

struct intent {
	enum taf_type type;
	bool grid;
};

static enum taf_status
read_rows(struct cmd_run *run, struct taf_text *t, struct taf_columns *c, struct taf_in *in,
    struct taf_err *e)
{
	const uint64_t total = taf_in_offset(in) + taf_in_left(in);
	enum taf_status st;
	void *room;
	size_t n;

	do {
		st = taf_columns_room(c, &room, &n, e);
		if (st == TAF_OK)
			st = taf_text_read(t, room, n, &n, e);
		if (st != TAF_OK)
			return st;
		taf_columns_take(c, n);
		cmd_progress(run, taf_in_offset(in), taf_in_seekable(in) ? total : 0);
	} while (n > 0);
	return TAF_OK;
}

static void
remark(struct cmd_run *run, const char *file, const struct taf_text_notes *notes)
{
	if (notes->rounded > 0)
		cmd_remark(run, "%s: %llu values were rounded to integers", file,
		    (unsigned long long)notes->rounded);
	if (notes->broken > 0)
		cmd_remark(run, "%s: line %llu: another number of columns: the table ends before "
		    "it", file, (unsigned long long)notes->broken);
	if (notes->cut > 0)
		cmd_remark(run, "%s: %llu bytes of text around the table are left out", file,
		    (unsigned long long)notes->cut);
}

static enum taf_status
convert(struct cmd_run *run, void *ctx, const char *file, struct taf_in *in,
    struct cmd_import *im, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_array a = { 0 };
	struct taf_columns *c = NULL;
	struct taf_text *t = NULL;
	enum taf_status st;
	bool wanted = false;

	st = taf_text_open(&t, in, want->type, want->grid, e);
	if (st == TAF_OK)
		st = taf_columns_open(&c, taf_type_size(want->type), taf_text_columns(t),
		    run->memory, e);
	if (st == TAF_OK)
		st = read_rows(run, t, c, in, e);
	if (st == TAF_OK)
		st = taf_text_array(t, &a, e);
	if (st == TAF_OK)
		st = cmd_import_begin(im, &a, false, &wanted, e);
	if (st == TAF_OK && wanted) {
		remark(run, file, taf_text_notes(t));
		st = taf_columns_write(c, im->w, e);
		if (st == TAF_OK)
			st = taf_writer_end(im->w, &a, e);
	}
	taf_columns_close(c);
	taf_text_close(t);
	taf_array_fini(&a);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { TAF_FLT32, false };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'c':
			want.grid = true;
			break;
		case 't':
			if (!taf_type_parse(arg, &want.type))
				cmd_usage(run, "-t %s: not an element type", arg);
			break;
		}
	return cmd_import(run, convert, &want);
}
