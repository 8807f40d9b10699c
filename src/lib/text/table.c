/* SPDX-License-Identifier: ISC */
#include "text/table.h"

#include <stdio.h>
#include <string.h>

#include "array/columns.h"
#include "base/decimal.h"
#include "codec/textnames.h"
#include "text/history.h"

enum {
	FLUSH = 256 * 1024,	/* bytes of names to a write */
	NAMES = 1024 * 1024	/* of columns without a single row, or in a header */
};

enum taf_status
taf_table_check(const struct taf_array *a, bool named, struct taf_err *e)
{
	unsigned k, longer = 0;

	for (k = 0; k < a->ndim; k++)
		longer += a->dim[k].n != 1;
	for (k = 3; k <= a->ndim; k++)
		if (a->dim[k - 1].n != 1 && longer <= 2)
			return taf_fail(e, TAF_EDATA,
			    "%u dimensions, a table has 2: tafcrop --squeeze drops those of one point",
			    a->ndim);
		else if (a->dim[k - 1].n != 1)
			return taf_fail(e, TAF_EDATA,
			    "%u dimensions, a table has 2: take a point of dimension %u (length %llu), as -x %u=1 does",
			    a->ndim, k, (unsigned long long)a->dim[k - 1].n, k);
	if (named && a->dim[0].n == 0 && a->ndim > 1 && a->dim[1].n > NAMES)
		return taf_fail(e, TAF_EDATA,
		    "no rows, and %llu columns: %d are named at most",
		    (unsigned long long)a->dim[1].n, (int)NAMES);
	return TAF_OK;
}

void
taf_table_columns(struct taf_table *t, const struct taf_array *whole,
    const struct taf_region *region)
{
	t->columns = taf_array_cut(t->a, 1).outer;
	t->of = taf_array_cut(whole, 1).outer;
	t->first = 0;
	t->every = 1;
	/* of a plane of more than a matrix the columns have no other numbers */
	if (whole->ndim > 1) {
		t->first = region->first[1];
		t->every = region->step[1];
		t->of = whole->dim[1].n;
	}
}

static void
put_grid(const struct taf_table *t, unsigned k, struct taf_str *s)
{
	const char *label = taf_attr_get(t->a, "label", TAF_OF_DIM, k);
	const char *unit = taf_attr_get(t->a, "unit", TAF_OF_DIM, k);

	taf_str_printf(s, "# grid %u: start %s, step %s", k,
	    taf_f64(t->a->dim[k - 1].start).s, taf_f64(t->a->dim[k - 1].step).s);
	if (unit != NULL) {
		taf_str_puts(s, " ");
		taf_str_safe(s, unit, strlen(unit));
	}
	if (label != NULL) {
		taf_str_puts(s, ", ");
		taf_str_safe(s, label, strlen(label));
	}
	taf_str_puts(s, "\n");
}

void
taf_table_comment(struct taf_str *s, const char *text, size_t n)
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

bool
taf_table_header(const struct taf_table *t, const char *name, struct taf_str *s)
{
	unsigned k;

	taf_str_puts(s, "# name: ");
	taf_str_safe(s, name, strlen(name));
	taf_str_puts(s, "\n# time: ");
	taf_put_time(s);
	taf_str_printf(s, "\n# rows: %llu\n# columns: %llu\n",
	    (unsigned long long)t->a->dim[0].n, (unsigned long long)t->columns);
	for (k = 1; k <= t->a->ndim; k++)
		put_grid(t, k, s);
	if (t->columns > NAMES)
		return false;
	taf_str_puts(s, TAF_TEXT_NAMES);
	return true;
}

/* A name with its unit; what could be read as another one, or as a number, has quotes. */
static void
put_name(struct taf_str *s, const char *name, size_t n, const char *unit)
{
	struct taf_str all = { .err = s->err };
	const char *p, *end;
	bool plain;

	taf_str_safe(&all, name, n);
	if (unit != NULL) {
		taf_str_puts(&all, " (");
		taf_str_safe(&all, unit, strlen(unit));
		taf_str_puts(&all, ")");
	}
	if (all.st != TAF_OK) {
		s->st = all.st;
		return;
	}
	p = all.buf.data;
	end = p + all.buf.len;
	plain = all.buf.len > 0 &&
	    ((*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z')) &&
	    strpbrk(p, ",;\"") == NULL && end[-1] != ' ';
	taf_str_puts(s, plain ? "" : "\"");
	for (; p < end; p++)
		taf_str_put(s, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
	taf_str_puts(s, plain ? "" : "\"");
	taf_str_free(&all);
}

void
taf_table_names(const struct taf_table *t, struct taf_out *out, struct taf_str *s)
{
	const char *const parts[] = { "real", "imag", "C" };
	const bool pair = taf_type_is_pair(t->type);
	const char *label = taf_attr_get(t->a, "label", TAF_OF_DIM, 1);
	const char *unit = taf_attr_get(t->a, "unit", TAF_OF_ARRAY, 0);
	const char *name = pair ? NULL : taf_columns_list(t->a, t->of);
	char number[32];
	uint64_t k, i;
	int part;

	label = label != NULL ? label : "grid";
	if (t->coordinates)
		put_name(s, label, strlen(label),
		    taf_attr_get(t->a, "unit", TAF_OF_DIM, 1));
	for (k = 0, i = 0; k < t->columns && s->st == TAF_OK; k++) {
		const uint64_t at = t->first + k * t->every;

		for (; name != NULL && i < at; i++)
			name = strchr(name, ',') + 1;
		for (part = pair ? 0 : 2; part < (pair ? 2 : 3); part++) {
			taf_str_puts(s, k > 0 || t->coordinates || part == 1 ? "," : "");
			(void)snprintf(number, sizeof number, "%s%llu", parts[part],
			    (unsigned long long)at + 1);
			put_name(s, name != NULL ? name : number, name != NULL ?
			    strcspn(name, ",") : strlen(number), unit);
		}
		if (s->buf.len >= FLUSH)
			s->st = taf_out_str(out, s);
	}
	taf_str_puts(s, "\n");
}

static enum taf_status
put_coordinate(const struct taf_table *t, struct taf_buf *b, uint64_t row,
    struct taf_err *e)
{
	const struct taf_dim *d = &t->a->dim[0];
	char text[TAF_DECIMAL_MAX + 1];
	size_t n = taf_print_f64(text, d->start + (double)row * d->step);

	text[n] = t->number->after;
	return taf_buf_put(b, text, n + 1, e);
}

enum taf_status
taf_table_put(const void *ctx, struct taf_buf *b, const void *values, size_t n,
    uint64_t first, struct taf_err *e)
{
	const struct taf_table *t = ctx;
	const size_t esize = taf_type_size(t->type);
	uint64_t row = first / t->columns, column = first % t->columns;
	const unsigned char *p = values;
	enum taf_status st = TAF_OK;
	size_t part;

	for (; n > 0 && st == TAF_OK; p += part * esize, n -= part) {
		part = n < t->columns - column ? n : (size_t)(t->columns - column);
		if (column == 0 && t->coordinates)
			st = put_coordinate(t, b, row, e);
		if (st == TAF_OK)
			st = taf_number_put(b, t->number, t->type, p, part, e);
		column += part;
		if (column == t->columns && st == TAF_OK) {
			b->data[b->len - 1] = '\n';
			column = 0;
			row++;
		}
	}
	return st;
}
