/* tafexport - a matrix as text: a header, a line for each row, the comment. */
#include <string.h>

#include "base/decimal.h"
#include "cli/cmd.h"
#include "cli/number.h"
#include "cli/text.h"
#include "stream/rows.h"
#include "stream/values.h"

enum {
	OPT_CSV = 256,
	OPT_NO_HEADER,
	OPT_PRINTF,
	PORTION = 16384,	/* values printed at a time */
	FLUSH = 256 * 1024	/* bytes of text to a write */
};

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
	"[-cr] [--printf FMT] [--csv] [--no-header] [-N K] [-m SIZE] [-o FILE] [file]",
	options, CMD_FILE | CMD_PICK | CMD_MEMORY | CMD_ONE,
};

struct intent {
	struct cmd_number number;
	bool coordinates, raw, csv, no_header;
	uint64_t arrays;	/* seen so far */
};

/* One array on its way out. */
struct table {
	const struct intent *want;
	const struct taf_array *a;
	enum taf_type type;
	uint64_t columns;
	struct taf_buf b;
	struct taf_out *out;
	struct taf_err *e;
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
	return cmd_number_check(&want->number, taf_values_type(a, want->raw), e);
}

static enum taf_status
flush(struct table *t)
{
	enum taf_status st = taf_out_write(t->out, t->b.data, t->b.len, t->e);

	t->b.len = 0;
	return st;
}

static enum taf_status
put_grid(struct table *t, unsigned k)
{
	const char *label = taf_attr_get(t->a, "label", TAF_OF_DIM, k);
	const char *unit = taf_attr_get(t->a, "unit", TAF_OF_DIM, k);
	char start[TAF_DECIMAL_MAX], step[TAF_DECIMAL_MAX];
	enum taf_status st;

	st = taf_buf_printf(&t->b, t->e, "# grid %u: start %.*s, step %.*s", k,
	    (int)taf_print_f64(start, t->a->dim[k - 1].start), start,
	    (int)taf_print_f64(step, t->a->dim[k - 1].step), step);
	if (st == TAF_OK && unit != NULL && (st = taf_buf_puts(&t->b, " ", t->e)) == TAF_OK)
		st = cmd_put_quoted(&t->b, unit, strlen(unit), t->e);
	if (st == TAF_OK && label != NULL && (st = taf_buf_puts(&t->b, ", ", t->e)) == TAF_OK)
		st = cmd_put_quoted(&t->b, label, strlen(label), t->e);
	return st != TAF_OK ? st : taf_buf_puts(&t->b, "\n", t->e);
}

/* Each line has its #, so that none is taken for a row of numbers. */
static enum taf_status
put_header(struct table *t, const char *file)
{
	enum taf_status st;
	unsigned k;

	st = taf_buf_puts(&t->b, "# name: ", t->e);
	if (st == TAF_OK)
		st = cmd_put_quoted(&t->b, file, strlen(file), t->e);
	if (st == TAF_OK)
		st = taf_buf_puts(&t->b, "\n# time: ", t->e);
	if (st == TAF_OK)
		st = cmd_put_time(&t->b, t->e);
	if (st == TAF_OK)
		st = taf_buf_printf(&t->b, t->e, "\n# rows: %llu\n# columns: %llu\n",
		    (unsigned long long)t->a->dim[0].n, (unsigned long long)t->columns);
	for (k = 1; k <= t->a->ndim && st == TAF_OK; k++)
		st = put_grid(t, k);
	return st;
}

static enum taf_status
put_names(struct table *t)
{
	const char *format = t->type == TAF_COMPLEX ? "%sreal%llu,imag%llu" :
	    "%scolumn%llu";
	const char *before = t->want->coordinates ? "grid," : "";
	enum taf_status st = TAF_OK;
	uint64_t k;

	for (k = 1; k <= t->columns && st == TAF_OK; k++) {
		st = taf_buf_printf(&t->b, t->e, format, before, (unsigned long long)k,
		    (unsigned long long)k);
		if (st == TAF_OK && t->b.len >= FLUSH)
			st = flush(t);
		before = ",";
	}
	return st != TAF_OK ? st : taf_buf_puts(&t->b, "\n", t->e);
}

static enum taf_status
put_coordinate(struct table *t, uint64_t row)
{
	const struct taf_dim *d = &t->a->dim[0];
	const char after = t->want->number.after;
	enum taf_status st = cmd_put_f64(&t->b, d->start + (double)row * d->step, t->e);

	return st != TAF_OK ? st : taf_buf_put(&t->b, &after, 1, t->e);
}

static enum taf_status
put_rows(struct cmd_run *run, struct table *t, struct taf_rows *rows)
{
	const uint64_t total = taf_array_bytes(t->a);
	const size_t esize = taf_type_size(t->type);
	uint64_t row = 0, column = 0, done = 0;
	enum taf_status st;
	const unsigned char *p;
	const void *block;
	size_t n, part;

	st = taf_rows_read(rows, &block, &n, t->e);
	while (n > 0 && st == TAF_OK) {
		done += n;
		for (p = block; n > 0 && st == TAF_OK; p += part * esize, n -= part) {
			part = n < PORTION ? n : PORTION;
			if (part > t->columns - column)
				part = (size_t)(t->columns - column);
			if (t->b.len >= FLUSH)
				st = flush(t);
			if (st == TAF_OK && column == 0 && t->want->coordinates)
				st = put_coordinate(t, row);
			if (st == TAF_OK)
				st = cmd_number_put(&t->b, &t->want->number, t->type, p,
				    part, t->e);
			column += part;
			if (column < t->columns || st != TAF_OK)
				continue;
			t->b.data[t->b.len - 1] = '\n';
			column = 0;
			row++;
		}
		cmd_progress(run, done * taf_type_size(t->a->type), total);
		if (st == TAF_OK)
			st = taf_rows_read(rows, &block, &n, t->e);
	}
	return st;
}

static enum taf_status
export(struct cmd_run *run, void *ctx, struct taf_reader *r, struct taf_array *a,
    bool last, struct taf_err *e)
{
	struct intent *want = ctx;
	const enum taf_type type = taf_values_type(a, want->raw);
	struct table t = { want, a, type, 1, { 0 }, run->out, e };
	struct taf_rows *rows = NULL;
	const char *file = run->files[0];
	enum taf_status st = TAF_OK;
	unsigned k;

	(void)last;
	for (k = 1; k < a->ndim; k++)
		t.columns *= a->dim[k].n;
	if (file == NULL || strcmp(file, "-") == 0)
		file = "standard input";
	if (want->arrays++ > 0)
		st = taf_buf_puts(&t.b, "\n", e);
	if (st == TAF_OK && !want->no_header)
		st = want->csv ? put_names(&t) : put_header(&t, file);
	if (st == TAF_OK)
		st = taf_rows_open(&rows, r, a, want->raw, run->memory, e);
	if (st == TAF_OK)
		st = put_rows(run, &t, rows);
	if (st == TAF_OK && !want->no_header && !want->csv)
		st = cmd_put_lines(&t.b, "#", a->comment.data, a->comment.len, e);
	if (st == TAF_OK)
		st = flush(&t);
	if (st == TAF_OK && want->csv && !want->no_header && a->comment.len > 0)
		cmd_remark(run, "%s: the comment has no place in CSV: left out", file);
	taf_rows_close(rows);
	taf_buf_free(&t.b);
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
			cmd_check(run, cmd_number_parse(&want.number, arg, &run->err));
			break;
		}
	/* the header names labels and units */
	run->late = want.no_header;
	return cmd_export(run, check, export, &want);
}
