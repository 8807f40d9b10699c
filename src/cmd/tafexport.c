/* tafexport - a matrix as text: a header, a line for each row, the comment. */
#include <string.h>

#include "base/decimal.h"
#include "base/str.h"
#include "cli/cmd.h"
#include "stream/rows.h"
#include "stream/values.h"
#include "text/history.h"
#include "text/number.h"
#include "text/spell.h"

enum { OPT_CSV = 256, OPT_NO_HEADER, OPT_PRINTF };
enum {
	FLUSH = 256 * 1024,	/* bytes of names to a write */
	NAMES = 1024 * 1024	/* of columns without a single row */
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
struct table {
	const struct intent *want;
	const struct taf_array *a;
	enum taf_type type;
	uint64_t columns, done;		/* done: values read */
	struct taf_rows *rows;
	struct cmd_run *run;
	struct taf_str around;		/* what is around them */
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
		return taf_fail(e, TAF_EDATA, "no rows, and %llu columns: %d are named at "
		    "most", (unsigned long long)a->dim[1].n, (int)NAMES);
	return taf_number_check(&want->number, taf_values_type(a, want->raw), e);
}

static void
put_grid(struct table *t, unsigned k)
{
	const char *label = taf_attr_get(t->a, "label", TAF_OF_DIM, k);
	const char *unit = taf_attr_get(t->a, "unit", TAF_OF_DIM, k);

	taf_str_printf(&t->around, "# grid %u: start %s, step %s", k,
	    taf_f64(t->a->dim[k - 1].start).s, taf_f64(t->a->dim[k - 1].step).s);
	if (unit != NULL) {
		taf_str_puts(&t->around, " ");
		taf_str_safe(&t->around, unit, strlen(unit));
	}
	if (label != NULL) {
		taf_str_puts(&t->around, ", ");
		taf_str_safe(&t->around, label, strlen(label));
	}
	taf_str_puts(&t->around, "\n");
}

/* A line that is empty is a # alone. */
static void
put_lines(struct taf_str *s, const char *text, size_t n)
{
	size_t at, len;

	for (at = 0; at < n; at += len + 1) {
		const char *lf = memchr(text + at, '\n', n - at);

		len = lf != NULL ? (size_t)(lf - text) - at : n - at;
		taf_str_puts(s, len > 0 ? "# " : "#");
		taf_str_put(s, text + at, len);
		taf_str_puts(s, "\n");
	}
}

/* Each line has its #, so that none is taken for a row of numbers. */
static void
put_header(struct table *t, const char *file)
{
	unsigned k;

	taf_str_puts(&t->around, "# name: ");
	taf_str_safe(&t->around, file, strlen(file));
	taf_str_puts(&t->around, "\n# time: ");
	taf_put_time(&t->around);
	taf_str_printf(&t->around, "\n# rows: %llu\n# columns: %llu\n",
	    (unsigned long long)t->a->dim[0].n, (unsigned long long)t->columns);
	for (k = 1; k <= t->a->ndim; k++)
		put_grid(t, k);
}

static void
put_names(struct table *t)
{
	const char *format = taf_type_is_pair(t->type) ? "%sreal%llu,imag%llu" :
	    "%scolumn%llu";
	const char *before = t->want->coordinates ? "grid," : "";
	uint64_t k;

	for (k = 1; k <= t->columns && t->around.st == TAF_OK; k++) {
		taf_str_printf(&t->around, format, before, (unsigned long long)k,
		    (unsigned long long)k);
		if (t->around.buf.len >= FLUSH)
			t->around.st = taf_out_str(t->run->out, &t->around);
		before = ",";
	}
	taf_str_puts(&t->around, "\n");
}

static enum taf_status
put_coordinate(const struct table *t, struct taf_buf *b, uint64_t row, struct taf_err *e)
{
	const struct taf_dim *d = &t->a->dim[0];
	char text[TAF_DECIMAL_MAX + 1];
	size_t n = taf_print_f64(text, d->start + (double)row * d->step);

	text[n] = t->want->number.after;
	return taf_buf_put(b, text, n + 1, e);
}

/* Values of rows, from wherever one begins or goes on. */
static enum taf_status
put_values(const void *ctx, struct taf_buf *b, const void *values, size_t n, uint64_t first,
    struct taf_err *e)
{
	const struct table *t = ctx;
	const size_t esize = taf_type_size(t->type);
	uint64_t row = first / t->columns, column = first % t->columns;
	const unsigned char *p = values;
	enum taf_status st = TAF_OK;
	size_t part;

	for (; n > 0 && st == TAF_OK; p += part * esize, n -= part) {
		part = n < t->columns - column ? n : (size_t)(t->columns - column);
		if (column == 0 && t->want->coordinates)
			st = put_coordinate(t, b, row, e);
		if (st == TAF_OK)
			st = taf_number_put(b, &t->want->number, t->type, p, part, e);
		column += part;
		if (column == t->columns && st == TAF_OK) {
			b->data[b->len - 1] = '\n';
			column = 0;
			row++;
		}
	}
	return st;
}

static enum taf_status
read_values(void *ctx, const void **p, size_t *n, struct taf_err *e)
{
	struct table *t = ctx;
	enum taf_status st = taf_rows_read(t->rows, p, n, e);

	t->done += *n;
	taf_progress(&t->run->service, t->done * taf_type_size(t->a->type),
	    taf_array_bytes(t->a));
	return st;
}

static enum taf_status
export(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	struct intent *want = ctx;
	struct cmd_run *run = all->run;
	const struct taf_array *a = &all->a;
	const enum taf_type type = taf_values_type(a, want->raw);
	struct table t = { .want = want, .a = a, .type = type, .columns = 1, .run = run,
	    .around = { .err = e } };
	const struct taf_spell values = { &t, taf_type_size(type), taf_array_count(a),
	    read_values, put_values };
	const char *file = cmd_arrays_name(all);
	enum taf_status st;
	unsigned k;

	for (k = 1; k < a->ndim; k++)
		t.columns *= a->dim[k].n;
	if (want->arrays++ > 0)
		taf_str_puts(&t.around, "\n");
	if (!want->no_header && want->csv)
		put_names(&t);
	else if (!want->no_header)
		put_header(&t, file);
	st = t.around.st;
	if (st == TAF_OK)
		st = taf_rows_open(&t.rows, all->r, a, want->raw, run->service.memory, e);
	if (st == TAF_OK)
		st = taf_out_str(run->out, &t.around);
	if (st == TAF_OK)
		st = taf_spell(&run->service, run->out, &values, e);
	if (!want->no_header && !want->csv)
		put_lines(&t.around, a->comment.data, a->comment.len);
	if (st == TAF_OK)
		st = taf_out_str(run->out, &t.around);
	if (st == TAF_OK && want->csv && !want->no_header && a->comment.len > 0)
		cmd_remark(run, "%s: the comment has no place in CSV: left out", file);
	taf_rows_close(t.rows);
	taf_str_free(&t.around);
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
