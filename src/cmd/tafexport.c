/* tafexport - a matrix as text: a header, a line for each row, the comment. */
#include "base/str.h"
#include "cli/cmd.h"
#include "stream/rows.h"
#include "stream/values.h"
#include "text/spell.h"
#include "text/table.h"

enum { OPT_CSV = 256, OPT_NO_HEADER, OPT_PRINTF };
enum { NAMES = 1024 * 1024 };	/* of columns without a single row */

static const struct cmd_option options[] = {
	{ 'c', "coordinates", NULL, "the grid of dimension 1 as first column" },
	{ 'r', "raw", NULL, "values as they are stored" },
	{ OPT_CSV, "csv", NULL, "commas between, and one line of names above" },
	{ OPT_NO_HEADER, "no-header", NULL, "numbers alone" },
	{ OPT_PRINTF, "printf", "FMT", "print values by a format of printf" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafexport", "print a matrix as a table of text",
	"[-cr] [--printf FMT] [--csv] [--no-header] [-N K] [-m SIZE] [-J N] [-o FILE] "
	"[file]",
	options, CMD_FILE | CMD_PICK | CMD_JOBS | CMD_ONE,
};

struct intent {
	struct taf_number number;
	bool coordinates, raw, csv, no_header;
	uint64_t arrays;	/* seen so far */
};

/* One array on its way out. */
struct way {
	struct taf_table table;		/* first, as taf_table_put has it */
	uint64_t done;			/* values read */
	struct taf_rows *rows;
	const struct taf_service *service;
};

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;
	unsigned k;

	for (k = 3; k <= a->ndim; k++)
		if (a->dim[k - 1].n != 1)
			return taf_fail(e, TAF_EDATA, "%u dimensions, a table has 2: "
			    "crop dimension %u (length %llu), as tafcrop -x %u=1 does",
			    a->ndim, k, (unsigned long long)a->dim[k - 1].n, k);
	if (want->csv && !want->no_header && a->dim[0].n == 0 && a->ndim > 1 &&
	    a->dim[1].n > NAMES)
		return taf_fail(e, TAF_EDATA,
		    "no rows, and %llu columns: %d are named at "
		    "most", (unsigned long long)a->dim[1].n, (int)NAMES);
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
export(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;
	struct cmd_run *run = all->run;
	const struct taf_array *a = &all->a;
	struct way w = { { a, taf_values_type(a, want->raw), taf_array_cut(a, 1).outer,
	    &want->number, want->coordinates }, 0, NULL, &run->service };
	const struct taf_spell values = { &w, taf_type_size(w.table.type),
	    taf_array_count(a), read_values, taf_table_put };
	const char *file = cmd_arrays_name(all);
	struct taf_str around = { .err = e };
	enum taf_status st;

	if (want->arrays++ > 0)
		taf_str_puts(&around, "\n");
	if (!want->no_header && want->csv)
		taf_table_names(&w.table, run->out, &around);
	else if (!want->no_header)
		taf_table_header(&w.table, file, &around);
	st = around.st;
	if (st == TAF_OK)
		st = taf_rows_open(&w.rows, all->r, a, want->raw, run->service.memory, e);
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
	taf_rows_close(w.rows);
	taf_str_free(&around);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want = { .number = { .between = ' ', .after = ' ' } };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'c':
			want.coordinates = true;
			break;
		case 'r':
			want.raw = true;
			break;
		case OPT_CSV:
			want.csv = true;
			want.number.between = want.number.after = ',';
			break;
		case OPT_NO_HEADER:
			want.no_header = true;
			break;
		case OPT_PRINTF:
			cmd_check(run, taf_number_parse(&want.number, arg, &run->err));
			break;
		}
	/* the header names labels and units */
	run->late = want.no_header;
	return cmd_export(run, check, export, NULL, &want);
}
