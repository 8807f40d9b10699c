/* SPDX-License-Identifier: ISC */
/* tafexport - a matrix as text: a header, a line for each row, the comment. */
#include <fnmatch.h>

#include "array/region.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "op/move/rows.h"
#include "stream/values.h"
#include "text/spell.h"
#include "text/table.h"

enum { OPT_CSV = 256, OPT_NO_HEADER, OPT_PRINTF };

struct intent {
	struct taf_bounds bounds;
	struct taf_number number;
	bool coordinates, raw, csv, no_header;
	uint64_t arrays;	/* seen so far */
};

static const struct cmd_option options[] = {
	{ 'c', "coordinates", NULL, "the grid of dimension 1 as first column",
	    SET(FLAG, coordinates) },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension",
	    SET(BOUNDS, bounds) },
	{ 'r', "raw", NULL, "values as they are stored", SET(FLAG, raw) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension",
	    SET(BOUNDS, bounds) },
	{ OPT_CSV, "csv", NULL, "commas between, and one line of names above",
	    SET(FLAG, csv) },
	{ OPT_NO_HEADER, "no-header", NULL, "numbers alone", SET(FLAG, no_header) },
	{ OPT_PRINTF, "printf", "FMT", "print values by a format of printf",
	    SET(PARSED, number), .parse = taf_number_parse },
	{ 0 },
};

static const struct cmd self = {
	"tafexport", "print a matrix as a table of text or CSV",
	"[-cr] [-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--printf FMT] [--csv]\n"
	"           [--no-header] [-N K] [-m SIZE] [-J N] [-o FILE] [file]",
	options, CMD_FILE | CMD_PICK | CMD_JOBS | CMD_ONE,
};

/* One array on its way out. */
struct way {
	struct taf_table table;		/* first, as taf_table_put has it */
	uint64_t done;			/* values read */
	struct taf_rows *rows;
	const struct taf_service *service;
};

static enum taf_status
check(const void *ctx, const struct taf_array *whole, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_region region;
	struct taf_array part, *a = &part;

	if (taf_bounds_part(&want->bounds, whole, &region, a, e) != TAF_OK)
		return e->code;
	if (taf_table_check(a, !want->no_header, e) != TAF_OK)
		return e->code;
	return taf_number_check(&want->number, taf_values_type(a, want->raw), e);
}

static enum taf_status
read_values(void *ctx, const void **p, size_t *n, struct taf_err *e)
{
	struct way *w = ctx;
	enum taf_status st = taf_rows_read(w->rows, p, n, e);

	w->done += *n;
	taf_progress(w->service, w->done * taf_type_size(w->table.a->type),
	    taf_array_bytes(w->table.a));
	return st;
}

static enum taf_status
export(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;
	struct taf_region region;
	struct taf_array part, *a = &part;
	struct way w = { { a, .number = &want->number, .coordinates = want->coordinates },
	    0, NULL, &run->service };
	struct taf_spell values = { &w, 1, 0, read_values, taf_table_put };
	const char *file = taf_arrays_name(all);
	struct taf_str around = { .err = e };
	enum taf_status st;

	if (taf_bounds_part(&want->bounds, &all->a, &region, a, e) != TAF_OK ||
	    taf_reader_narrow(all->r, &all->a, &region, e) != TAF_OK)
		return e->code;
	w.table.type = taf_values_type(a, want->raw);
	taf_table_columns(&w.table, &all->a, &region);
	values.esize = taf_type_size(w.table.type);
	values.count = taf_array_count(a);
	if (want->arrays++ > 0)
		taf_str_puts(&around, "\n");
	st = taf_rows_open(&w.rows, all->r, a, want->raw, run->service.memory, e);
	if (st == TAF_OK && !want->no_header && (want->csv ||
	    taf_table_header(&w.table, file, &around)))
		taf_table_names(&w.table, run->out, &around);
	if (st == TAF_OK)
		st = around.st;
	if (st == TAF_OK)
		st = taf_out_str(run->out, &around);
	if (st == TAF_OK)
		st = taf_spell(&run->service, run->out, &values, e);
	if (!want->no_header && !want->csv)
		taf_table_comment(&around, a->comment.data, a->comment.len);
	if (st == TAF_OK)
		st = taf_out_str(run->out, &around);
	if (st == TAF_OK && want->csv && !want->no_header && a->comment.len > 0)
		cmd_remark(run, "%s: the comment has no place in CSV: left out", file);
	if (st == TAF_OK && !want->raw && taf_array_mapped(&all->a))
		cmd_remark_missing(run, &all->a);
	taf_rows_close(w.rows);
	taf_str_free(&around);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .number = { .between = ' ', .after = ' ' } };

	cmd_options(run, &want);
	if (want.csv)
		want.number.between = want.number.after = ',';
	else if (run->output != NULL && fnmatch("*.csv", run->output, 0) == 0)
		cmd_remark(run, "%s has blanks between its columns: --csv writes commas",
		    run->output);
	/* the header names labels and units */
	run->late = want.no_header;
	return cmd_export(run, check, export, NULL, &want);
}
