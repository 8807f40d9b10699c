/* SPDX-License-Identifier: ISC */
/* The payloads of a FilesDaf store: elements, sparse ones, strings. */
#include "codec/daf/daf.h"

#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "base/num.h"
#include "codec/daf/daf_pack.h"

enum { BLOCK = 64 * 1024 };

/* --- elements --- */

struct taf_daf_flow {
	struct taf_in *in;
	unsigned type;
	size_t size;
	uint64_t done;
	struct taf_daf_chunks *chunks;	/* NULL: not packed */
	uint64_t rows, chunk;	/* packed: of a column, of a chunk */
	uint64_t row, here;	/* first row of the open chunk, elements left in it */
};

enum taf_status
taf_daf_flow_new(struct taf_daf_flow **result, struct taf_in *in,
    const struct taf_daf_part *p, uint64_t rows, uint64_t columns, struct taf_err *e)
{
	struct taf_daf_flow *f = calloc(1, sizeof *f);
	enum taf_status st = TAF_OK;

	if (f == NULL) {
		taf_in_close(in);
		return taf_fail_mem(e);
	}
	f->in = in;
	f->type = p->type;
	f->size = taf_daf_size(p->type);
	f->rows = rows;
	f->chunk = p->chunk;
	if (p->packed)
		st = taf_daf_chunks_new(&f->chunks, in, p, rows, columns, e);
	if (st != TAF_OK) {
		taf_daf_flow_close(f);
		return st;
	}
	*result = f;
	return TAF_OK;
}

void
taf_daf_flow_close(struct taf_daf_flow *f)
{
	if (f == NULL)
		return;
	taf_daf_chunks_free(f->chunks);
	taf_in_close(f->in);
	free(f);
}

/* n elements of the chunks, at most those of one. */
static enum taf_status
read_chunk(struct taf_daf_flow *f, unsigned char *to, size_t n, size_t *got,
    struct taf_err *e)
{
	uint64_t padding = 0;
	bool absent;

	if (f->here == 0) {
		if (taf_daf_chunk_open(f->chunks, &absent, e) != TAF_OK)
			return e->code;
		f->here = f->rows - f->row < f->chunk ? f->rows - f->row : f->chunk;
	}
	*got = f->here < n ? (size_t)f->here : n;
	if (taf_daf_chunk_read(f->chunks, to, *got * f->size, e) != TAF_OK)
		return e->code;
	f->here -= *got;
	if (f->here > 0)
		return TAF_OK;
	/* the last chunk of a column is as long as any */
	if (f->rows - f->row < f->chunk &&
	    !taf_mul(f->chunk - (f->rows - f->row), f->size, &padding))
		padding = UINT64_MAX;
	f->row = f->rows - f->row <= f->chunk ? 0 : f->row + f->chunk;
	return taf_daf_chunk_close(f->chunks, padding, e);
}

static enum taf_status
check_bools(const struct taf_daf_flow *f, const unsigned char *p, size_t n,
    struct taf_err *e)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p[i] > 1)
			return taf_fail(e, TAF_EDATA, "%s: element %llu, a Bool, is %u",
			    taf_in_name(f->in), (unsigned long long)(f->done + i + 1),
			    p[i]);
	return TAF_OK;
}

static void
swap(unsigned char *p, size_t size, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++, p += size)
		for (k = 0; k < size / 2; k++) {
			unsigned char c = p[k];

			p[k] = p[size - 1 - k];
			p[size - 1 - k] = c;
		}
}

static enum taf_status
read_stored(struct taf_daf_flow *f, unsigned char *p, size_t n, struct taf_err *e)
{
	size_t got = 0;

	if (f->chunks == NULL)
		return taf_in_read(f->in, p, n * f->size, e);
	while (n > 0) {
		if (read_chunk(f, p, n, &got, e) != TAF_OK)
			return e->code;
		p += got * f->size;
		n -= got;
	}
	return TAF_OK;
}

enum taf_status
taf_daf_flow_read(struct taf_daf_flow *f, void *to, size_t n, struct taf_err *e)
{
	if (read_stored(f, to, n, e) != TAF_OK ||
	    (f->type == TAF_DAF_BOOL && check_bools(f, to, n, e) != TAF_OK))
		return e->code;
	if (taf_host_is_big())
		swap(to, f->size, n);
	f->done += n;
	return TAF_OK;
}

enum taf_status
taf_daf_flow_open(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_part *p, struct taf_daf_flow **f, struct taf_err *e)
{
	const bool columns = p == &it->d.value && !it->d.sparse;
	struct taf_in *in;

	if (taf_daf_payload(s, it, p, &in, e) != TAF_OK)
		return e->code;
	return taf_daf_flow_new(f, in, p, columns ? it->n[it->transposed] : p->n,
	    columns ? it->n[!it->transposed] : 1, e);
}

/* --- sparse --- */

void
taf_daf_sparse_free(struct taf_daf_sparse *m)
{
	free(m->ptr);
	free(m->row);
	free(m->value);
	memset(m, 0, sizeof *m);
}

/*
 * All integers of a payload, which count from 1, as indices that count from 0; *list is
 * for free(), also on failure.  Room grows with what is really there.
 */
static enum taf_status
load_indices(const struct taf_daf *s, const struct taf_daf_item *it,
    const struct taf_daf_part *p, uint64_t **list, struct taf_err *e)
{
	struct taf_daf_flow *f = NULL;
	struct taf_buf numbers = { 0 };
	enum taf_status st = taf_daf_flow_open(s, it, p, &f, e);
	unsigned char block[BLOCK];
	uint64_t done, v;
	size_t n, i;

	if (st == TAF_OK)
		st = taf_buf_reserve(&numbers, sizeof v, e);
	for (done = 0; done < p->n && st == TAF_OK; done += n) {
		n = p->n - done < BLOCK / 8 ? (size_t)(p->n - done) : BLOCK / 8;
		st = taf_buf_reserve(&numbers, n * sizeof v, e);
		if (st == TAF_OK)
			st = taf_daf_flow_read(f, block, n, e);
		for (i = 0; i < n && st == TAF_OK; i++, numbers.len += sizeof v) {
			v = taf_type_load((enum taf_type)p->type,
			    block + i * taf_daf_size(p->type)) - 1;
			memcpy(numbers.data + numbers.len, &v, sizeof v);
		}
	}
	taf_daf_flow_close(f);
	*list = (uint64_t *)(void *)numbers.data;
	return st;
}

/* Bytes that stand for a stored entry. */
static size_t
entry_size(const struct taf_daf_sparse *m)
{
	return m->type == TAF_DAF_STRING ? sizeof(uint64_t) : taf_daf_size(m->type);
}

/* Each entry has the string of its own number. */
static enum taf_status
number_strings(struct taf_daf_sparse *m, struct taf_err *e)
{
	uint64_t k;

	m->value = taf_alloc((size_t)m->n + 1, sizeof k);
	if (m->value == NULL)
		return taf_fail_mem(e);
	for (k = 0; k < m->n; k++)
		memcpy(m->value + k * sizeof k, &k, sizeof k);
	return TAF_OK;
}

static enum taf_status
read_values(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_daf_sparse *m, struct taf_err *e)
{
	struct taf_daf_flow *f;
	enum taf_status st;

	m->value = taf_alloc((size_t)m->n + 1, taf_daf_size(m->type));
	if (m->value == NULL)
		return taf_fail_mem(e);
	if (!it->d.value.there) {
		memset(m->value, 1, (size_t)m->n);
		return TAF_OK;
	}
	st = taf_daf_flow_open(s, it, &it->d.value, &f, e);
	if (st != TAF_OK)
		return st;
	st = taf_daf_flow_read(f, m->value, (size_t)m->n, e);
	taf_daf_flow_close(f);
	return st;
}

enum taf_status
taf_daf_pointer_check(uint64_t ptr, uint64_t before, uint64_t n, uint64_t column,
    uint64_t columns, struct taf_err *e)
{
	if (column == 0 && ptr != 0)
		return taf_fail(e, TAF_EDATA, "the first column pointer is %lld, not 1",
		    (long long)(ptr + 1));
	if (ptr < before || ptr > n)
		return taf_fail(e, TAF_EDATA,
		    "column pointer %llu is %lld, after %llu, with %llu stored entries",
		    (unsigned long long)column + 1, (long long)(ptr + 1),
		    (unsigned long long)before + 1, (unsigned long long)n);
	return column < columns || ptr == n ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "the last column pointer is %llu, but %llu entries are stored",
	    (unsigned long long)ptr + 1, (unsigned long long)n);
}

enum taf_status
taf_daf_index_check(uint64_t row, uint64_t before, uint64_t rows, uint64_t k,
    struct taf_err *e)
{
	if (row >= rows)
		return taf_fail(e, TAF_EDATA,
		    "stored entry %llu: index %lld, but there are 1 to %llu",
		    (unsigned long long)k + 1, (long long)(row + 1),
		    (unsigned long long)rows);
	return before == UINT64_MAX || row > before ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "stored entry %llu: index %llu after %llu", (unsigned long long)k + 1,
	    (unsigned long long)row + 1, (unsigned long long)before + 1);
}

enum taf_status
taf_daf_sparse_check(const struct taf_daf_sparse *m, struct taf_err *e)
{
	uint64_t j, k, row;

	for (j = 0; j <= m->columns; j++) {
		if (taf_daf_pointer_check(m->ptr[j], j > 0 ? m->ptr[j - 1] : 0, m->n, j,
		    m->columns, e) != TAF_OK)
			return e->code;
		for (k = j > 0 ? m->ptr[j - 1] : 0, row = UINT64_MAX; k < m->ptr[j];
		    row = m->row[k++])
			if (taf_daf_index_check(m->row[k], row, m->rows, k, e) != TAF_OK)
				return e->code;
	}
	return TAF_OK;
}

enum taf_status
taf_daf_sparse_load(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_daf_sparse *m, struct taf_err *e)
{
	enum taf_status st;

	*m = (struct taf_daf_sparse){ .rows = it->n[it->transposed],
		.columns = it->n[!it->transposed], .n = it->d.index.n,
		.type = it->d.type };
	st = load_indices(s, it, &it->d.index, &m->row, e);
	if (st == TAF_OK && it->d.colptr.there) {
		st = load_indices(s, it, &it->d.colptr, &m->ptr, e);
	} else if (st == TAF_OK) {
		m->ptr = calloc(2, sizeof m->ptr[0]);
		if (m->ptr == NULL)
			st = taf_fail_mem(e);
		else
			m->ptr[1] = m->n;
	}
	if (st == TAF_OK && taf_daf_sparse_check(m, e) != TAF_OK)
		st = taf_daf_about(it, e);
	if (st == TAF_OK)
		st = m->type != TAF_DAF_STRING ? read_values(s, it, m, e) :
		    number_strings(m, e);
	if (st != TAF_OK)
		taf_daf_sparse_free(m);
	return st;
}

enum taf_status
taf_daf_sparse_transpose(const struct taf_daf_sparse *m, struct taf_daf_sparse *to,
    struct taf_err *e)
{
	size_t size = entry_size(m);
	uint64_t j, k;

	memset(to, 0, sizeof *to);
	to->rows = m->columns;
	to->columns = m->rows;
	to->n = m->n;
	to->type = m->type;
	to->text = m->text;
	if (to->columns >= SIZE_MAX / sizeof to->ptr[0] - 2)
		return taf_fail_mem(e);
	to->ptr = taf_alloc((size_t)to->columns + 2, sizeof to->ptr[0]);
	to->row = taf_alloc((size_t)m->n + 1, sizeof to->row[0]);
	to->value = taf_alloc((size_t)m->n + 1, size);
	if (to->ptr == NULL || to->row == NULL || to->value == NULL) {
		taf_daf_sparse_free(to);
		return taf_fail_mem(e);
	}
	memset(to->ptr, 0, ((size_t)to->columns + 2) * sizeof to->ptr[0]);
	/* ptr[i + 2] counts row i, so that ptr[i + 1] may be where its next entry goes */
	for (k = 0; k < m->n; k++)
		to->ptr[m->row[k] + 2]++;
	for (j = 2; j <= to->columns; j++)
		to->ptr[j] += to->ptr[j - 1];
	for (j = 0; j < m->columns; j++)
		for (k = m->ptr[j]; k < m->ptr[j + 1]; k++) {
			uint64_t at = to->ptr[m->row[k] + 1]++;

			to->row[at] = j;
			memcpy(to->value + at * size, m->value + k * size, size);
		}
	return TAF_OK;
}

void
taf_daf_sparse_fill(struct taf_daf_sparse *m, uint64_t first, size_t n, void *to)
{
	size_t size = taf_daf_size(m->type);
	unsigned char *p = to;
	uint64_t at;

	memset(to, 0, n * size);
	for (; m->at < m->n; m->at++) {
		while (m->ptr[m->column + 1] <= m->at)
			m->column++;
		at = m->column * m->rows + m->row[m->at];
		if (at - first >= n)
			break;
		memcpy(p + (at - first) * size, m->value + m->at * size, size);
	}
}

/* --- strings --- */

/* A string of n bytes, behind the others. */
static enum taf_status
add(struct taf_daf_strings *t, const char *p, size_t n, struct taf_err *e)
{
	size_t *grown = t->at;

	/* a power of two is full */
	if ((t->n & (t->n - 1)) == 0)
		grown = taf_alloc(t->n == 0 ? 2 : 2 * (size_t)t->n + 1, sizeof *grown);
	if (grown == NULL)
		return taf_fail_mem(e);
	if (grown != t->at) {
		if (t->at != NULL)
			memcpy(grown, t->at, ((size_t)t->n + 1) * sizeof *grown);
		else
			grown[0] = 0;
		free(t->at);
		t->at = grown;
	}
	t->at[++t->n] = t->bytes.len + n;
	return taf_buf_put(&t->bytes, p, n, e);
}

/* A string of the open chunk. */
static enum taf_status
read_string(struct taf_daf_chunks *c, struct taf_buf *to, struct taf_err *e)
{
	unsigned char four[4] = { 0 };
	uint32_t left;
	size_t part;

	if (taf_daf_chunk_read(c, four, 4, e) != TAF_OK)
		return e->code;
	to->len = 0;
	/* room grows with what is really there */
	for (left = taf_get32(four, false); left > 0; left -= (uint32_t)part) {
		part = left < BLOCK ? left : BLOCK;
		if (taf_buf_reserve(to, part, e) != TAF_OK ||
		    taf_daf_chunk_read(c, to->data + to->len, part, e) != TAF_OK)
			return e->code;
		to->len += part;
	}
	return TAF_OK;
}

/* The strings of the next chunk, real ones of it, and its padding of empty ones. */
static enum taf_status
read_string_chunk(struct taf_daf_chunks *c, uint64_t real, uint64_t chunk,
    struct taf_daf_strings *t, struct taf_err *e)
{
	struct taf_buf string = { 0 };
	unsigned char four[4] = { 0 };
	enum taf_status st;
	uint64_t k, count;
	bool absent;

	if (taf_daf_chunk_open(c, &absent, e) != TAF_OK ||
	    taf_daf_chunk_read(c, four, 4, e) != TAF_OK)
		return e->code;
	/* the last chunk of a column may have its padding or not */
	count = absent ? real : taf_get32(four, false);
	if (count < real || count > chunk)
		return taf_daf_chunk_fail(c, "another number of strings", e);
	for (k = 0, st = TAF_OK; k < count && st == TAF_OK; k++) {
		st = read_string(c, &string, e);
		if (st == TAF_OK && k < real)
			st = add(t, string.len > 0 ? string.data : "", string.len, e);
	}
	taf_buf_free(&string);
	return st != TAF_OK ? st : taf_daf_chunk_close(c, 0, e);
}

/* The same of all chunks. */
static enum taf_status
read_string_chunks(struct taf_daf_chunks *c, uint64_t rows, uint64_t chunk,
    struct taf_daf_strings *t, struct taf_err *e)
{
	uint64_t k, row = 0, real;

	for (k = 0; k < taf_daf_chunks_count(c); k++) {
		real = rows - row < chunk ? rows - row : chunk;
		if (read_string_chunk(c, real, chunk, t, e) != TAF_OK)
			return e->code;
		row = real == rows - row ? 0 : row + real;
	}
	return TAF_OK;
}

static enum taf_status
read_packed_strings(const struct taf_daf *s, const struct taf_daf_item *it, uint64_t rows,
    uint64_t columns, struct taf_daf_strings *t, struct taf_err *e)
{
	const struct taf_daf_part *p = &it->d.value;
	struct taf_daf_chunks *c = NULL;
	struct taf_in *in = NULL;
	enum taf_status st = taf_daf_payload(s, it, p, &in, e);

	if (st == TAF_OK)
		st = taf_daf_chunks_new(&c, in, p, rows, columns, e);
	if (st == TAF_OK)
		st = read_string_chunks(c, rows, p->chunk, t, e);
	taf_daf_chunks_free(c);
	if (in != NULL)
		taf_in_close(in);
	return st;
}

enum taf_status
taf_daf_strings_stored(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_daf_strings *t, struct taf_err *e)
{
	memset(t, 0, sizeof *t);
	if (!it->d.value.packed)
		return taf_daf_lines(s, it, t, e);
	if (it->d.sparse)
		return read_packed_strings(s, it, it->d.value.n, 1, t, e);
	return read_packed_strings(s, it, it->n[it->transposed], it->n[!it->transposed],
	    t, e);
}

/*
 * Put the stored strings in the places that they have among rows x columns (those of
 * the file), column after column of the item, which is the transpose if transposed.
 */
static enum taf_status
place(const struct taf_daf_item *it, const struct taf_daf_sparse *m,
    struct taf_daf_strings *t, struct taf_err *e)
{
	const uint64_t rows = it->n[it->transposed], columns = it->n[!it->transposed];
	uint64_t i, j, k, at;
	struct taf_daf_strings out = { 0 };
	enum taf_status st = TAF_OK;
	size_t *which;

	/* 32 bits cannot tell all that the axes can */
	if (rows * columns >= SIZE_MAX / sizeof *which)
		return taf_fail_mem(e);
	which = calloc((size_t)(rows * columns) + 1, sizeof *which);
	if (which == NULL)
		return taf_fail_mem(e);
	/* which string, counted from 1, is where in the item's order; 0 for none */
	for (k = 0, j = 0; k < t->n; k++) {
		while (m != NULL && m->ptr[j + 1] <= k)
			j++;
		i = m != NULL ? m->row[k] : k % rows;
		at = m != NULL ? j : k / rows;
		which[it->transposed ? i * columns + at : at * rows + i] = (size_t)k + 1;
	}
	for (k = 0; k < rows * columns && st == TAF_OK; k++)
		st = which[k] == 0 ? add(&out, "", 0, e) :
		    add(&out, t->bytes.data + t->at[which[k] - 1],
		    t->at[which[k]] - t->at[which[k] - 1], e);
	free(which);
	taf_daf_strings_free(t);
	*t = out;
	return st;
}

enum taf_status
taf_daf_strings_load(const struct taf_daf *s, const struct taf_daf_item *it,
    struct taf_daf_strings *t, struct taf_err *e)
{
	struct taf_daf_sparse m = { 0 };
	enum taf_status st;

	memset(t, 0, sizeof *t);
	if (it->d.sparse && taf_daf_sparse_load(s, it, &m, e) != TAF_OK)
		return e->code;
	st = taf_daf_strings_stored(s, it, t, e);
	if (st == TAF_OK && (it->d.sparse || it->transposed))
		st = place(it, it->d.sparse ? &m : NULL, t, e);
	taf_daf_sparse_free(&m);
	if (st != TAF_OK)
		taf_daf_strings_free(t);
	return st;
}
