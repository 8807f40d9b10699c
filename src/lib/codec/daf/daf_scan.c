/* link: zlib zstd blosc */
#include "codec/daf/daf_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/utf8.h"

enum { BLOCK = 8192 };

/* --- lines --- */

struct lines {
	struct taf_in *in;
	char block[BLOCK];
	size_t at, got;
	struct taf_buf line;
	uint64_t done;
};

/* The next line, without its end; TAF_END behind the last one. */
static enum taf_status
next_line(struct lines *l, struct taf_err *e)
{
	const char *from, *end = NULL;
	size_t n;

	for (l->line.len = 0; end == NULL; l->at += n + (end != NULL)) {
		if (l->at == l->got) {
			l->at = 0;
			if (taf_in_read_part(l->in, l->block, BLOCK, &l->got, e) !=
			    TAF_OK)
				return e->code;
			if (l->got == 0)
				return l->line.len == 0 ? TAF_END :
				    taf_fail(e, TAF_EDATA, "%s: its last line has no end",
				    taf_in_name(l->in));
		}
		from = l->block + l->at;
		end = memchr(from, '\n', l->got - l->at);
		n = end != NULL ? (size_t)(end - from) : l->got - l->at;
		if (taf_buf_put(&l->line, from, n, e) != TAF_OK)
			return e->code;
	}
	l->done++;
	return TAF_OK;
}

/* --- indices --- */

struct indices {
	struct taf_daf_flow *flow;
	unsigned type;
	uint64_t left;		/* in the flow */
	unsigned char block[BLOCK];
	size_t at, got;
};

static uint64_t
number(const unsigned char *p, unsigned type)
{
	int8_t i1;
	int16_t i2;
	uint16_t u2;
	int32_t i4;
	uint32_t u4;
	uint64_t v;

	switch (type) {
	case TAF_INT8:
		memcpy(&i1, p, sizeof i1);
		return (uint64_t)(int64_t)i1;
	case TAF_UINT8:
		return *p;
	case TAF_INT16:
		memcpy(&i2, p, sizeof i2);
		return (uint64_t)(int64_t)i2;
	case TAF_UINT16:
		memcpy(&u2, p, sizeof u2);
		return u2;
	case TAF_INT32:
		memcpy(&i4, p, sizeof i4);
		return (uint64_t)(int64_t)i4;
	case TAF_UINT32:
		memcpy(&u4, p, sizeof u4);
		return u4;
	default:
		memcpy(&v, p, sizeof v);
		return v;
	}
}

/* The next one, from 0; an index of 0 or below it ends up too large for any axis. */
static enum taf_status
next_index(struct indices *x, uint64_t *v, struct taf_err *e)
{
	size_t size = taf_daf_size(x->type);

	if (x->at == x->got) {
		x->at = 0;
		x->got = x->left < BLOCK / size ? (size_t)x->left : BLOCK / size;
		x->left -= x->got;
		if (taf_daf_flow_read(x->flow, x->block, x->got, e) != TAF_OK)
			return e->code;
	}
	*v = number(x->block + x->at++ * size, x->type) - 1;
	return TAF_OK;
}

/* --- an item --- */

struct scan {
	const struct taf_daf_item *it;
	struct taf_daf_sum *sum;	/* or NULL */
	bool turned;			/* counted as the transpose */
	uint64_t rows, columns;
	struct indices ptr, row;
	struct taf_daf_flow *value;
	struct lines lines;
};

static uint64_t
mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* An element that is not zero. */
static void
count(const struct scan *c, uint64_t row, uint64_t column, uint64_t v)
{
	uint64_t h = mix((c->turned ? column : row) + UINT64_C(0x9e3779b97f4a7c15));

	h = mix(h + (c->turned ? row : column));
	c->sum->n++;
	c->sum->digest += mix(h ^ mix(v + 1));
}

static void
count_element(const struct scan *c, uint64_t row, uint64_t column, const void *p)
{
	uint64_t v = 0;

	if (c->sum == NULL)
		return;
	memcpy(&v, p, taf_daf_size(c->it->d.type));
	if (v != 0)
		count(c, row, column, v);
}

static enum taf_status
count_string(const struct scan *c, uint64_t row, uint64_t column, const char *p, size_t n,
    struct taf_err *e)
{
	if (!taf_utf8_text(p, n))
		return taf_fail(e, TAF_EDATA,
		    "the string of row %llu, column %llu is not UTF-8 without NUL",
		    (unsigned long long)row + 1, (unsigned long long)column + 1);
	if (c->sum != NULL && n > 0)
		count(c, row, column, taf_digest(0, p, n));
	return TAF_OK;
}

static enum taf_status
take_line(struct scan *c, uint64_t row, uint64_t column, uint64_t all, struct taf_err *e)
{
	enum taf_status st = next_line(&c->lines, e);

	if (st == TAF_END)
		return taf_fail(e, TAF_EDATA, "%s: %llu lines, but %llu strings",
		    taf_in_name(c->lines.in), (unsigned long long)c->lines.done,
		    (unsigned long long)all);
	return st != TAF_OK ? st : count_string(c, row, column,
	    c->lines.line.len > 0 ? c->lines.line.data : "", c->lines.line.len, e);
}

static enum taf_status
last_line(struct scan *c, uint64_t all, struct taf_err *e)
{
	enum taf_status st = next_line(&c->lines, e);

	if (st == TAF_OK)
		st = taf_fail(e, TAF_EDATA, "%s: more lines than %llu strings",
		    taf_in_name(c->lines.in), (unsigned long long)all);
	return st == TAF_END ? TAF_OK : st;
}

static enum taf_status
scan_dense(const struct taf_daf *s, struct scan *c, struct taf_err *e)
{
	size_t size = taf_daf_size(c->it->d.type), n, i;
	uint64_t left = c->it->d.value.n, row = 0, column = 0;
	unsigned char block[BLOCK];

	if (taf_daf_dense(s, c->it, &c->value, e) != TAF_OK)
		return e->code;
	for (; left > 0; left -= n) {
		n = left < BLOCK / size ? (size_t)left : BLOCK / size;
		if (taf_daf_flow_read(c->value, block, n, e) != TAF_OK)
			return e->code;
		for (i = 0; i < n; i++) {
			count_element(c, row, column, block + i * size);
			if (++row == c->rows) {
				row = 0;
				column++;
			}
		}
	}
	return TAF_OK;
}

static enum taf_status
scan_dense_strings(const struct taf_daf *s, struct scan *c, struct taf_err *e)
{
	uint64_t k, all = c->it->d.value.n;

	if (taf_daf_payload(s, c->it, &c->it->d.value, &c->lines.in, e) != TAF_OK)
		return e->code;
	for (k = 0; k < all; k++)
		if (take_line(c, k % c->rows, k / c->rows, all, e) != TAF_OK)
			return e->code;
	return last_line(c, all, e);
}

static enum taf_status
scan_packed_strings(const struct taf_daf *s, struct scan *c, struct taf_err *e)
{
	struct taf_daf_strings t = { 0 };
	enum taf_status st = taf_daf_strings_load(s, c->it, &t, e);
	size_t k;

	for (k = 0; k < t.n && st == TAF_OK; k++)
		st = count_string(c, k % c->rows, k / c->rows, t.at[k + 1] > t.at[k] ?
		    t.bytes.data + t.at[k] : "", t.at[k + 1] - t.at[k], e);
	taf_daf_strings_free(&t);
	return st;
}

static enum taf_status
open_part(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_part *p, struct taf_daf_flow **f, struct taf_err *e)
{
	struct taf_in *in;

	if (taf_daf_payload(s, it, p, &in, e) != TAF_OK)
		return e->code;
	return taf_daf_flow_new(f, in, p, p->n, 1, e);
}

static enum taf_status
open_sparse(const struct taf_daf *s, struct scan *c, struct taf_err *e)
{
	const struct taf_daf_descriptor *d = &c->it->d;

	c->row.type = d->index.type;
	c->row.left = d->index.n;
	c->ptr.type = d->colptr.type;
	c->ptr.left = d->colptr.n;
	if (open_part(s, c->it, &d->index, &c->row.flow, e) != TAF_OK ||
	    (d->colptr.there &&
	    open_part(s, c->it, &d->colptr, &c->ptr.flow, e) != TAF_OK))
		return e->code;
	if (d->type == TAF_DAF_STRING)
		return taf_daf_payload(s, c->it, &d->value, &c->lines.in, e);
	return d->value.there ? open_part(s, c->it, &d->value, &c->value, e) : TAF_OK;
}

static enum taf_status
scan_entry(struct scan *c, uint64_t row, uint64_t column, struct taf_err *e)
{
	unsigned char cell[8] = { 1 };

	if (c->lines.in != NULL)
		return take_line(c, row, column, c->it->d.index.n, e);
	if (c->value != NULL && taf_daf_flow_read(c->value, cell, 1, e) != TAF_OK)
		return e->code;
	count_element(c, row, column, cell);
	return TAF_OK;
}

/* The stored entries from *k up to end, which are of a column. */
static enum taf_status
scan_column(struct scan *c, uint64_t column, uint64_t *k, uint64_t end, struct taf_err *e)
{
	uint64_t row, last = 0, first = *k;

	for (; *k < end; ++*k, last = row) {
		if (next_index(&c->row, &row, e) != TAF_OK)
			return e->code;
		if (row >= c->rows)
			return taf_fail(e, TAF_EDATA, "stored entry %llu: index %lld, "
			    "but there are 1 to %llu", (unsigned long long)*k + 1,
			    (long long)(row + 1), (unsigned long long)c->rows);
		if (*k > first && row <= last)
			return taf_fail(e, TAF_EDATA,
			    "stored entry %llu: index %llu after %llu",
			    (unsigned long long)*k + 1, (unsigned long long)row + 1,
			    (unsigned long long)last + 1);
		if (scan_entry(c, row, column, e) != TAF_OK)
			return e->code;
	}
	return TAF_OK;
}

static enum taf_status
scan_sparse(const struct taf_daf *s, struct scan *c, struct taf_err *e)
{
	uint64_t n = c->it->d.index.n, column, k = 0, end = 0;

	if (open_sparse(s, c, e) != TAF_OK)
		return e->code;
	if (c->ptr.flow != NULL && next_index(&c->ptr, &end, e) != TAF_OK)
		return e->code;
	if (end != 0)
		return taf_fail(e, TAF_EDATA, "the first column pointer is %lld, not 1",
		    (long long)(end + 1));
	for (column = 0; column < c->columns; column++) {
		end = n;
		if (c->ptr.flow != NULL && next_index(&c->ptr, &end, e) != TAF_OK)
			return e->code;
		if (end < k || end > n)
			return taf_fail(e, TAF_EDATA,
			    "column pointer %llu is %lld, after %llu, with %llu stored "
			    "entries", (unsigned long long)column + 2,
			    (long long)(end + 1), (unsigned long long)k + 1,
			    (unsigned long long)n);
		if (scan_column(c, column, &k, end, e) != TAF_OK)
			return e->code;
	}
	if (k != n)
		return taf_fail(e, TAF_EDATA,
		    "the last column pointer is %llu, but %llu entries are stored",
		    (unsigned long long)k + 1, (unsigned long long)n);
	return c->lines.in != NULL ? last_line(c, n, e) : TAF_OK;
}

static enum taf_status
scan(const struct taf_daf *s, struct scan *c, struct taf_err *e)
{
	const struct taf_daf_descriptor *d = &c->it->d;

	if (d->type == TAF_DAF_STRING && d->value.packed)
		return scan_packed_strings(s, c, e);
	if (d->sparse)
		return scan_sparse(s, c, e);
	if (d->type == TAF_DAF_STRING)
		return scan_dense_strings(s, c, e);
	return c->sum != NULL || d->type == TAF_DAF_BOOL || d->value.packed ?
	    scan_dense(s, c, e) : TAF_OK;
}

enum taf_status
taf_daf_scan(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_daf_sum *sum, struct taf_err *e)
{
	struct scan *c = calloc(1, sizeof *c);
	enum taf_status st;

	if (c == NULL)
		return taf_fail_mem(e);
	c->it = it;
	c->sum = sum;
	c->rows = it->n[0];
	c->columns = it->n[1];
	c->turned = it->kind == TAF_DAF_MATRIX && strcmp(it->axis[0], it->axis[1]) > 0;
	if (sum != NULL)
		memset(sum, 0, sizeof *sum);
	st = scan(s, c, e);
	taf_daf_flow_close(c->ptr.flow);
	taf_daf_flow_close(c->row.flow);
	taf_daf_flow_close(c->value);
	taf_in_close(c->lines.in);
	taf_buf_free(&c->lines.line);
	free(c);
	return st;
}
