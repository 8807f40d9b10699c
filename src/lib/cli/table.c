#include "cli/table.h"

#include "stream/columns.h"

static enum taf_status
read_rows(struct cmd_run *run, struct taf_text *t, struct taf_columns *c,
    struct taf_in *in, struct taf_err *e)
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

enum taf_status
cmd_table(struct cmd_import *im, struct taf_in *in, enum taf_type type, bool grid,
    struct taf_text_notes *notes, struct taf_err *e)
{
	struct taf_array a = { 0 };
	struct taf_columns *c = NULL;
	struct taf_text *t = NULL;
	enum taf_status st;
	bool wanted = false;

	*notes = (struct taf_text_notes){ 0 };
	st = taf_text_open(&t, in, type, grid, e);
	if (st == TAF_OK)
		st = taf_columns_open(&c, taf_type_size(type), taf_text_columns(t),
		    im->run->memory, e);
	if (st == TAF_OK)
		st = read_rows(im->run, t, c, in, e);
	if (st == TAF_OK)
		st = taf_text_array(t, &a, e);
	if (st == TAF_OK)
		st = cmd_import_begin(im, &a, false, &wanted, e);
	if (st == TAF_OK && wanted) {
		*notes = *taf_text_notes(t);
		st = taf_columns_write(c, im->w, e);
		if (st == TAF_OK)
			st = taf_writer_end(im->w, &a, e);
	}
	taf_columns_close(c);
	taf_text_close(t);
	taf_array_fini(&a);
	return st;
}
