/* SPDX-License-Identifier: ISC */
/* link: zlib zstd blosc */
#include "codec/daf/daf_scan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/str.h"
#include "base/utf8.h"

enum {
	BLOCK = 8192,
	MOST = 64 << 20,	/* bytes of elements, or of their places */
	TILE = 32
};

/* --- strings of a file, one by one --- */

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

/* --- elements of a file, one by one --- */

struct cells {
	struct taf_daf_flow *flow;	/* NULL: there is none */
	unsigned type;
	uint64_t left;			/* in the flow */
	size_t size, at, got;		/* elements of the block */
	unsigned char block[BLOCK];
};

static enum taf_status
open_cells(struct cells *x, const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_part *p, struct taf_err *e)
{
	x->type = p->type;
	x->size = taf_daf_size(p->type);
	x->left = p->n;
	return p->there ? taf_daf_flow_open(s, it, p, &x->flow, e) : TAF_OK;
}

static enum taf_status
fill(struct cells *x, struct taf_err *e)
{
	const size_t most = BLOCK / x->size;

	x->at = 0;
	x->got = x->left < most ? (size_t)x->left : most;
	x->left -= x->got;
	return taf_daf_flow_read(x->flow, x->block, x->got, e);
}

/* The next element; NULL where that fails. */
static const unsigned char *
next_cell(struct cells *x, struct taf_err *e)
{
	if (x->at == x->got && fill(x, e) != TAF_OK)
		return NULL;
	return x->block + x->at++ * x->size;
}

/* The next index, from 0; one of 0 or below it ends up too large for any axis. */
static enum taf_status
next_index(struct cells *x, uint64_t *v, struct taf_err *e)
{
	const unsigned char *cell = next_cell(x, e);

	if (cell == NULL)
		return e->code;
	*v = taf_type_load((enum taf_type)x->type, cell) - 1;
	return TAF_OK;
}

/* --- an item --- */

struct scan {
	const struct taf_daf *s;
	const struct taf_daf_item *it;
	unsigned how;
	struct taf_daf_sum *sum;
	bool transposed;		/* counted as the transpose */
	size_t size;			/* bytes of an element, but for strings */
	uint64_t rows, columns;
	struct cells ptr, row, value;
	struct lines lines;
	struct taf_daf_strings packed;	/* instead of lines */
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
	const uint64_t i = c->transposed ? column : row, j = c->transposed ? row : column;

	c->sum->n++;
	c->sum->digest += mix(mix(i * UINT64_C(0x9e3779b97f4a7c15) +
	    j * UINT64_C(0xc2b2ae3d27d4eb4f)) + v);
}

static void
count_cell(const struct scan *c, uint64_t row, uint64_t column, const unsigned char *cell)
{
	uint64_t v = 0;

	memcpy(&v, cell, c->size);
	if (v != 0)
		count(c, row, column, v);
}

/* The next string, number k of those that are stored. */
static enum taf_status
take_string(struct scan *c, uint64_t row, uint64_t column, size_t k, struct taf_err *e)
{
	const struct taf_buf *bytes = &c->lines.line;
	size_t from = 0, n;

	if (c->packed.at != NULL) {
		bytes = &c->packed.bytes;
		from = c->packed.at[k];
		n = c->packed.at[k + 1] - from;
	} else {
		if (next_line(&c->lines, e) != TAF_OK)
			return e->code;
		n = bytes->len;
	}
	if (n == 0)
		return TAF_OK;
	if ((c->how & TAF_DAF_TEXT) != 0 && !taf_utf8_text(bytes->data + from, n))
		return taf_fail(e, TAF_EDATA,
		    "the string of row %llu, column %llu is not UTF-8 without NUL",
		    (unsigned long long)row + 1, (unsigned long long)column + 1);
	if ((c->how & TAF_DAF_SUM) != 0)
		count(c, row, column, taf_digest(0, bytes->data + from, n));
	return TAF_OK;
}

/* There must be as many lines as strings: st is TAF_END where there were fewer. */
static enum taf_status
check_lines(struct scan *c, enum taf_status st, struct taf_err *e)
{
	struct lines *l = &c->lines;

	while (st == TAF_OK && l->in != NULL)
		st = next_line(l, e);
	if (st != TAF_END || l->done == c->it->d.value.n)
		return st == TAF_END ? TAF_OK : st;
	return taf_fail(e, TAF_EDATA, "%s: %llu lines, but %llu strings",
	    taf_in_name(l->in), (unsigned long long)l->done,
	    (unsigned long long)c->it->d.value.n);
}

static enum taf_status
scan_dense(struct scan *c, struct taf_err *e)
{
	const bool sum = (c->how & TAF_DAF_SUM) != 0, logical =
	    c->it->d.type == TAF_DAF_BOOL;
	uint64_t row = 0, column = 0;
	struct cells *x = &c->value;
	const unsigned char *cell;

	while (x->left > 0) {
		if (fill(x, e) != TAF_OK)
			return e->code;
		for (; (sum || logical) && x->at < x->got; x->at++) {
			cell = x->block + x->at * x->size;
			c->sum->on += logical && *cell;
			if (sum)
				count_cell(c, row, column, cell);
			if (++row == c->rows) {
				row = 0;
				column++;
			}
		}
	}
	return TAF_OK;
}

static enum taf_status
scan_strings(struct scan *c, struct taf_err *e)
{
	const uint64_t all = c->it->d.value.n;
	enum taf_status st = TAF_OK;
	uint64_t k;

	for (k = 0; k < all && st == TAF_OK; k++)
		st = take_string(c, k % c->rows, k / c->rows, (size_t)k, e);
	return st;
}

/* Stored entry k. */
static enum taf_status
scan_entry(struct scan *c, uint64_t row, uint64_t column, uint64_t k, struct taf_err *e)
{
	static const unsigned char is_true = 1;
	const unsigned char *cell = &is_true;

	if (c->it->d.type == TAF_DAF_STRING)
		return take_string(c, row, column, (size_t)k, e);
	if (c->value.flow != NULL)
		cell = next_cell(&c->value, e);
	if (cell == NULL)
		return e->code;
	if ((c->how & TAF_DAF_SUM) != 0)
		count_cell(c, row, column, cell);
	return TAF_OK;
}

/* The stored entries from *k up to end, which are of a column. */
static enum taf_status
scan_column(struct scan *c, uint64_t column, uint64_t *k, uint64_t end, struct taf_err *e)
{
	uint64_t row = 0, last = UINT64_MAX;
	enum taf_status st = TAF_OK;

	for (; *k < end && st == TAF_OK; last = row, ++*k) {
		st = next_index(&c->row, &row, e);
		if (st == TAF_OK)
			st = taf_daf_index_check(row, last, c->rows, *k, e);
		if (st == TAF_OK)
			st = scan_entry(c, row, column, *k, e);
	}
	return st;
}

static enum taf_status
scan_sparse(struct scan *c, struct taf_err *e)
{
	const struct taf_daf_descriptor *d = &c->it->d;
	uint64_t column, k = 0, end = d->colptr.there ? 0 : d->index.n;
	enum taf_status st = TAF_OK;

	if (open_cells(&c->row, c->s, c->it, &d->index, e) != TAF_OK ||
	    open_cells(&c->ptr, c->s, c->it, &d->colptr, e) != TAF_OK)
		return e->code;
	for (column = 0; column <= c->columns && st == TAF_OK; column++) {
		/* pointers are before columns; a vector has none */
		if (d->colptr.there)
			st = next_index(&c->ptr, &end, e);
		else if (column == c->columns)
			break;
		if (st == TAF_OK && d->colptr.there)
			st = taf_daf_pointer_check(end, k, d->index.n, column,
			    c->columns, e);
		if (st == TAF_OK)
			st = scan_column(c, column - d->colptr.there, &k, end, e);
	}
	return st;
}

static enum taf_status
scan(struct scan *c, struct taf_err *e)
{
	const struct taf_daf_descriptor *d = &c->it->d;
	const bool strings = d->type == TAF_DAF_STRING;
	enum taf_status st = TAF_OK;

	if (!strings && !d->sparse && (c->how & TAF_DAF_SUM) == 0 &&
	    d->type != TAF_DAF_BOOL && !d->value.packed)
		return TAF_OK;
	if (!strings)
		st = open_cells(&c->value, c->s, c->it, &d->value, e);
	else if (d->value.packed)
		st = taf_daf_strings_stored(c->s, c->it, &c->packed, e);
	else
		st = taf_daf_payload(c->s, c->it, &d->value, &c->lines.in, e);
	if (st == TAF_OK)
		st = d->sparse ? scan_sparse(c, e) : strings ? scan_strings(c, e) :
		    scan_dense(c, e);
	return check_lines(c, st, e);
}

enum taf_status
taf_daf_check(const struct taf_daf *s, const struct taf_daf_item *it, unsigned how,
    struct taf_daf_sum *sum, struct taf_err *e)
{
	struct scan *c;
	enum taf_status st;

	*sum = (struct taf_daf_sum){ .on = it->d.sparse ? it->d.index.n : 0 };
	if (it->kind == TAF_DAF_SCALAR || it->indices || taf_daf_foreign(it) != NULL)
		return TAF_OK;
	c = calloc(1, sizeof *c);
	if (c == NULL)
		return taf_fail_mem(e);
	c->s = s;
	c->it = it;
	c->how = how;
	c->sum = sum;
	c->size = it->d.type != TAF_DAF_STRING ? taf_daf_size(it->d.type) : 0;
	c->rows = it->n[it->transposed];
	c->columns = it->n[!it->transposed];
	c->transposed = it->kind == TAF_DAF_MATRIX &&
	    strcmp(it->axis[0], it->axis[1]) > 0;
	st = scan(c, e);
	if (st == TAF_EDATA)
		st = taf_daf_about(it, e);
	taf_daf_flow_close(c->ptr.flow);
	taf_daf_flow_close(c->row.flow);
	taf_daf_flow_close(c->value.flow);
	taf_in_close(c->lines.in);
	taf_buf_free(&c->lines.line);
	taf_daf_strings_free(&c->packed);
	free(c);
	return st;
}

/* --- two layouts --- */

/* Is there so much of a found item that it is not compared? */
static bool
is_large(const struct taf_daf_item *it)
{
	const size_t size = it->d.type == TAF_DAF_STRING ? 2 * sizeof(size_t) :
	    taf_daf_size(it->d.type);

	return it->n[0] * it->n[1] > MOST / size;
}

/* All elements of a dense item in the layout that is stored; they are at most MOST. */
static enum taf_status
load(const struct taf_daf *s, const struct taf_daf_item *it, unsigned char **p,
    struct taf_err *e)
{
	const size_t n = (size_t)it->d.value.n;
	struct taf_daf_flow *f = NULL;
	enum taf_status st;

	*p = malloc(n * taf_daf_size(it->d.type) + 1);
	st = *p == NULL ? taf_fail_mem(e) : taf_daf_flow_open(s, it, &it->d.value, &f, e);
	if (st == TAF_OK)
		st = taf_daf_flow_read(f, *p, n, e);
	taf_daf_flow_close(f);
	return st;
}

/* Is b, columns x rows, the transpose of a, both of elements of size bytes? */
static bool
is_transpose(const unsigned char *a, const unsigned char *b, size_t rows, size_t columns,
    size_t size)
{
	size_t i, j, k, l;

	for (j = 0; j < columns; j += TILE)
		for (i = 0; i < rows; i += TILE)
			for (l = j; l < columns && l < j + TILE; l++)
				for (k = i; k < rows && k < i + TILE; k++)
					if (memcmp(a + (l * rows + k) * size,
					    b + (k * columns + l) * size, size) != 0)
						return false;
	return true;
}

/* The same of two dense layouts, which is faster than their sums. */
static enum taf_status
compare_dense(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_item *other, bool *differ, struct taf_err *e)
{
	unsigned char *a = NULL, *b = NULL;

	if (load(s, it, &a, e) == TAF_OK && load(s, other, &b, e) == TAF_OK)
		*differ = !is_transpose(a, b, (size_t)it->n[0], (size_t)it->n[1],
		    taf_daf_size(it->d.type));
	free(a);
	free(b);
	return e->code;
}

enum taf_status
taf_daf_compare(const struct taf_daf *s, const struct taf_daf_item *it, bool *differ,
    struct taf_err *e)
{
	struct taf_daf_item other = { .kind = it->kind,
		.axis = { it->axis[1], it->axis[0] }, .name = it->name };
	struct taf_err ignored = { 0 };
	struct taf_daf_sum a, b;
	bool some = true, dense = false;
	enum taf_status st;

	*differ = false;
	st = taf_daf_find(s, &other, &ignored);
	if (st == TAF_OK && !other.transposed) {
		some = !is_large(it) || (it->d.sparse && other.d.sparse &&
		    it->d.type != TAF_DAF_STRING);
		dense = !it->d.sparse && !other.d.sparse && it->d.type != TAF_DAF_STRING;
		st = taf_daf_check(s, &other, some && !dense ? TAF_DAF_SUM : 0, &b,
		    &ignored);
	}
	if (st == TAF_ESYS)
		return taf_fail(e, st, "%s", ignored.text);
	/* none, or faulty by itself */
	if (st != TAF_OK || other.transposed || taf_daf_foreign(it) != NULL ||
	    taf_daf_foreign(&other) != NULL)
		return TAF_OK;
	*differ = it->d.type != other.d.type;
	if (*differ || !some)
		return TAF_OK;
	if (dense)
		return compare_dense(s, it, &other, differ, e);
	st = taf_daf_check(s, it, TAF_DAF_SUM, &a, e);
	*differ = st == TAF_OK && (a.n != b.n || a.digest != b.digest);
	return st;
}

/* --- what is left behind --- */

/* Is it the file of a payload? */
static bool
is_part(const struct taf_daf_item *it, const char *suffix)
{
	const struct taf_daf_part *part[] = { &it->d.value, &it->d.index, &it->d.colptr };
	size_t k;

	for (k = 0; k < 3; k++)
		if (part[k]->there && strcmp(taf_daf_suffix(it, part[k]), suffix) == 0)
			return true;
	return false;
}

enum taf_status
taf_daf_stale(const struct taf_daf *s, const struct taf_daf_item *it, struct taf_buf *to,
    struct taf_err *e)
{
	struct taf_str list = { *to, e, TAF_OK };
	char relative[TAF_DAF_PATH];
	struct stat sb;
	bool there;
	size_t i;

	for (i = 1; i < TAF_DAF_SUFFIXES && list.st == TAF_OK; i++) {
		const char *suffix = taf_daf_suffixes[i];

		if (is_part(it, suffix))
			continue;
		taf_daf_item_path(it, suffix, relative);
		list.st = taf_daf_look(s, relative, &there, &sb, e);
		if (there)
			taf_str_printf(&list, "%s%s", list.buf.len > 0 ? ", " : "",
			    suffix);
	}
	*to = list.buf;
	return list.st;
}
