#include "text/table.h"

#include <string.h>

#include "base/decimal.h"
#include "text/history.h"

enum { FLUSH = 256 * 1024 };	/* bytes of names to a write */

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

void
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
}

void
taf_table_names(const struct taf_table *t, struct taf_out *out, struct taf_str *s)
{
	const char *format = taf_type_is_pair(t->type) ? "%sreal%llu,imag%llu" :
	    "%scolumn%llu";
	const char *before = t->coordinates ? "grid," : "";
	uint64_t k;

	for (k = 1; k <= t->columns && s->st == TAF_OK; k++) {
		taf_str_printf(s, format, before, (unsigned long long)k,
		    (unsigned long long)k);
		if (s->buf.len >= FLUSH)
			s->st = taf_out_str(out, s);
		before = ",";
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
