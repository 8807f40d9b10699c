/* SPDX-License-Identifier: ISC */
#include "format/daf_change.h"

#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "base/num.h"
#include "codec/daf/daf_write.h"
#include "io/spool.h"
#include "stream/reorder_private.h"
#include "stream/values.h"

enum { BLOCK = 64 * 1024 };

static enum taf_status
shape_error(const struct taf_daf_given *p, const struct taf_array *a, struct taf_err *e)
{
	return taf_fail(e, TAF_EDATA, "%llu x %llu%s elements, but %s is %llu x %llu",
	    (unsigned long long)a->dim[0].n,
	    (unsigned long long)(a->ndim > 1 ? a->dim[1].n : 1),
	    a->ndim > 2 ? " x ..." : "", p->item.name, (unsigned long long)p->item.n[0],
	    (unsigned long long)p->item.n[1]);
}

/* Stored entries say themselves of what. */
static enum taf_status
check_entries(const struct taf_daf_given *p, const struct taf_array *a, const char *shape,
    struct taf_err *e)
{
	const char *blank = strchr(shape, ' ');
	uint64_t rows, columns;

	if (blank == NULL || !taf_parse_u64(shape, (size_t)(blank - shape), &rows) ||
	    !taf_parse_u64(blank + 1, strlen(blank + 1), &columns) || a->ndim < 2 ||
	    a->dim[1].n != 3 || taf_array_count(a) != 3 * a->dim[0].n)
		return taf_fail(e, TAF_EDATA, "daf/shape, but not three columns");
	if (rows != p->item.n[0] || columns != p->item.n[1])
		return taf_fail(e, TAF_EDATA,
		    "entries of %llu x %llu elements, but %s is %llu x %llu",
		    (unsigned long long)rows, (unsigned long long)columns, p->item.name,
		    (unsigned long long)p->item.n[0], (unsigned long long)p->item.n[1]);
	return TAF_OK;
}

static enum taf_status
check_shape(const struct taf_daf_given *p, const struct taf_array *a, struct taf_err *e)
{
	const char *const *axis = (const char *const *)p->item.axis;
	const char *rows = taf_attr_get(a, "label", TAF_OF_DIM, 1);
	const char *columns = taf_attr_get(a, "label", TAF_OF_DIM, 2);
	unsigned k, longer = 0;

	if (p->item.kind == TAF_DAF_MATRIX) {
		for (k = 2; k < a->ndim; k++)
			longer += a->dim[k].n != 1;
		if (a->dim[0].n != p->item.n[0] || longer > 0 ||
		    (a->ndim > 1 ? a->dim[1].n : 1) != p->item.n[1])
			return shape_error(p, a, e);
		/* lengths that happen to be equal must not hide it */
		if (rows != NULL && columns != NULL && strcmp(axis[0], axis[1]) != 0 &&
		    strcmp(rows, axis[1]) == 0 && strcmp(columns, axis[0]) == 0)
			return taf_fail(e, TAF_EDATA,
			    "the array is %s x %s (taftranspose turns it)",
			    rows, columns);
		return TAF_OK;
	}
	for (k = 0; k < a->ndim; k++)
		longer += a->dim[k].n != 1;
	return longer <= 1 && taf_array_count(a) == p->item.n[0] ? TAF_OK :
	    shape_error(p, a, e);
}

/* The type of the item: -t, that which it had in a store, or that of the values. */
static enum taf_status
find_type(struct taf_daf_given *p, const struct taf_array *a, struct taf_err *e)
{
	const char *had = taf_attr_get(a, "daf/type", TAF_OF_ARRAY, 0);
	const char *index = taf_attr_get(a, "daf/index", TAF_OF_ARRAY, 0);

	if (taf_type_is_pair(a->type))
		return taf_fail(e, TAF_EDATA, "complex elements: a store has none");
	if (!p->typed && (had == NULL || !taf_daf_type_parse(had, &p->type)))
		p->type = taf_values_type(a, false);
	if (p->type == TAF_DAF_STRING)
		return taf_fail(e, TAF_EDATA, "numbers are no strings");
	p->column = p->entries ? a->type : taf_daf_element(p->type);
	if (index == NULL || !taf_daf_type_parse(index, &p->index) ||
	    p->index > TAF_FLT64 || !taf_type_is_int((enum taf_type)p->index))
		p->index = TAF_UINT32;
	return TAF_OK;
}

/*
 * An index type that holds the lengths and one more than the stored entries: the given
 * one, or a wider one.
 */
static unsigned
wide_index(unsigned index, const struct taf_daf_sparse *m)
{
	uint64_t most = m->n + 1;

	most = most < m->rows ? m->rows : most;
	most = most < m->columns ? m->columns : most;
	if (most <= taf_type_facts((enum taf_type)index)->max)
		return index;
	return most <= UINT32_MAX ? TAF_UINT32 : TAF_UINT64;
}

static enum taf_status
check_bools(const unsigned char *p, size_t n, struct taf_err *e)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p[i] > 1)
			return taf_fail(e, TAF_EDATA, "%u is no Bool", p[i]);
	return TAF_OK;
}

/* All values into a temporary file; those of a Bool are 0 and 1. */
static enum taf_status
spool(const struct taf_service *service, struct taf_daf_given *p, struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e)
{
	size_t size = taf_type_size(p->column), n;
	struct taf_values *v = NULL;
	struct taf_spool to = { 0 };
	struct taf_recode how;
	enum taf_status st;
	const void *block;

	st = taf_values_plan(&how, a, p->column, false, p->clip && !p->entries, e);
	if (st == TAF_OK)
		st = taf_values_open(&v, r, a, NULL, &how, e);
	if (st == TAF_OK)
		st = taf_spool_begin(&to, e);
	while (st == TAF_OK) {
		st = taf_values_read(v, &block, &n, e);
		if (st != TAF_OK || n == 0)
			break;
		if (p->type == TAF_DAF_BOOL && !p->entries)
			st = check_bools(block, n, e);
		if (st == TAF_OK)
			st = taf_out_write(to.out, block, n * size, e);
	}
	if (st == TAF_OK)
		taf_remark_lost(service, taf_values_count(v), taf_array_count(a),
		    p->column);
	st = taf_spool_end(&to, st, p->item.name, &p->values, e);
	taf_values_close(v);
	return st;
}

/* The stored entries of a sparse item, on their way to p->m. */
struct entries {
	struct taf_buf rows, values;
};

static enum taf_status
add_entry(struct taf_daf_sparse *m, struct entries *to, uint64_t row, const void *value,
    struct taf_err *e)
{
	m->n++;
	return taf_buf_put(&to->rows, &row, sizeof row, e) != TAF_OK ? e->code :
	    taf_buf_put(&to->values, value, taf_daf_size(m->type), e);
}

/* Store what is not zero; a zero with its sign set is kept. */
static enum taf_status
collect(struct taf_daf_given *p, struct entries *to, struct taf_err *e)
{
	static const unsigned char zero[8];
	struct taf_daf_sparse *m = &p->m;
	size_t size = taf_daf_size(p->type), n, i;
	uint64_t all = m->rows * m->columns, done = 0, row = 0;
	unsigned char *block = taf_alloc(BLOCK, size);
	enum taf_status st = block == NULL ? taf_fail_mem(e) : TAF_OK;

	for (; done < all && st == TAF_OK; done += n) {
		n = all - done < BLOCK ? (size_t)(all - done) : BLOCK;
		st = taf_in_read(p->values, block, n * size, e);
		for (i = 0; i < n && st == TAF_OK; i++) {
			if (memcmp(block + i * size, zero, size) != 0)
				st = add_entry(m, to, row, block + i * size, e);
			if (++row == m->rows) {
				row = 0;
				m->ptr[(done + i) / m->rows + 1] = m->n;
			}
		}
	}
	free(block);
	return st;
}

/* One number of one column of entries, from 0; it must be a whole one in 1 to most. */
static enum taf_status
entry_index(const struct taf_daf_given *p, unsigned column, uint64_t k, uint64_t most,
    uint64_t *v, struct taf_err *e)
{
	size_t size = taf_type_size(p->column);
	struct taf_convert_count lost = { 0 };
	unsigned char cell[8];

	if (taf_in_pread(p->values, cell, size, (column * p->stored + k) * size, e) !=
	    TAF_OK)
		return e->code;
	if (taf_convert(v, TAF_UINT64, cell, p->column, 1, NULL, false, &lost) != 1 ||
	    lost.rounded > 0 || *v < 1 || *v > most)
		return taf_fail(e, TAF_EDATA, "entry %llu: no index from 1 to %llu",
		    (unsigned long long)k + 1, (unsigned long long)most);
	--*v;
	return TAF_OK;
}

/* The entries as they came: explicit zeros stay. */
static enum taf_status
collect_entries(struct taf_daf_given *p, struct entries *to, struct taf_err *e)
{
	const size_t from = taf_type_size(p->column);
	struct taf_daf_sparse *m = &p->m;
	uint64_t column = 0, i, j;
	unsigned char cell[8], value[8];

	while (m->n < p->stored) {
		if (entry_index(p, 0, m->n, m->rows, &i, e) != TAF_OK ||
		    entry_index(p, 1, m->n, m->columns, &j, e) != TAF_OK)
			return e->code;
		if (j < column)
			return taf_fail(e, TAF_EDATA,
			    "entry %llu: column %llu after %llu",
			    (unsigned long long)m->n + 1, (unsigned long long)j + 1,
			    (unsigned long long)column + 1);
		while (column < j)
			m->ptr[++column] = m->n;
		if (taf_in_pread(p->values, cell, from, (2 * p->stored + m->n) * from,
		    e) != TAF_OK)
			return e->code;
		if (taf_convert(value, taf_daf_element(p->type), cell, p->column, 1, NULL,
		    p->clip, &p->lost) != 1 || (p->type == TAF_DAF_BOOL && value[0] > 1))
			return taf_fail(e, TAF_EDATA, "entry %llu: the value is no %s",
			    (unsigned long long)m->n + 1, taf_daf_type_name(p->type));
		if (add_entry(m, to, i, value, e) != TAF_OK)
			return e->code;
	}
	while (column < m->columns)
		m->ptr[++column] = m->n;
	return TAF_OK;
}

static enum taf_status
make_sparse(struct taf_daf_given *p, struct taf_err *e)
{
	struct taf_daf_sparse *m = &p->m;
	struct entries to = { { 0 }, { 0 } };
	enum taf_status st;

	m->rows = p->item.n[0];
	m->columns = p->item.n[1];
	m->type = p->type;
	if (m->columns >= SIZE_MAX / sizeof m->ptr[0] - 1)
		return taf_fail_mem(e);
	m->ptr = calloc((size_t)m->columns + 1, sizeof m->ptr[0]);
	if (m->ptr == NULL)
		return taf_fail_mem(e);
	st = taf_buf_reserve(&to.rows, 1, e);
	if (st == TAF_OK)
		st = taf_buf_reserve(&to.values, 1, e);
	if (st == TAF_OK)
		st = p->entries ? collect_entries(p, &to, e) : collect(p, &to, e);
	m->row = (uint64_t *)(void *)to.rows.data;
	m->value = (unsigned char *)to.values.data;
	return st == TAF_OK && p->entries ? taf_daf_sparse_check(m, e) : st;
}

/* The value of a scalar, which must have a spelling. */
static enum taf_status
make_scalar(struct taf_daf_given *p, struct taf_err *e)
{
	struct taf_buf text = { 0 };
	enum taf_status st;

	p->scalar.type = p->type;
	if (taf_in_read(p->values, p->scalar.value, taf_daf_size(p->type), e) != TAF_OK)
		return e->code;
	st = taf_daf_format_scalar(&p->scalar, &text, e);
	taf_buf_free(&text);
	return st;
}

/* Note what a store has no place for; what it says itself is not lost. */
static enum taf_status
note_dropped(struct taf_daf_given *p, struct taf_array *a, struct taf_err *e)
{
	static const char *const own[] = { "daf/name", "daf/type", "daf/index",
	    "daf/shape" };
	enum taf_status st = TAF_OK;
	const char *label;
	unsigned k;

	for (k = 0; k < sizeof own / sizeof own[0] && st == TAF_OK; k++)
		st = taf_attr_set(a, own[k], TAF_OF_ARRAY, 0, NULL, e);
	for (k = 0; k < 2 && st == TAF_OK && p->item.axis[k] != NULL; k++) {
		label = taf_attr_get(a, "label", TAF_OF_DIM, k + 1);
		if (label != NULL && strcmp(label, p->item.axis[k]) == 0)
			st = taf_attr_set(a, "label", TAF_OF_DIM, k + 1, NULL, e);
	}
	taf_dropped_note(&p->dropped, a);
	return st;
}

enum taf_status
taf_daf_take(const struct taf_service *service, struct taf_daf_given *p,
    struct taf_reader *r, const struct taf_array *a, struct taf_err *e)
{
	const char *shape = taf_attr_get(a, "daf/shape", TAF_OF_ARRAY, 0);

	p->big = taf_host_is_big();
	p->entries = shape != NULL;
	p->sparse = p->sparse || p->entries;
	p->stored = a->dim[0].n;
	if ((p->entries ? check_entries(p, a, shape, e) : check_shape(p, a, e)) != TAF_OK)
		return e->code;
	if (p->sparse && p->item.kind == TAF_DAF_SCALAR)
		return taf_fail(e, TAF_EDATA, "a scalar is not sparse");
	if (find_type(p, a, e) != TAF_OK)
		return e->code;
	return spool(service, p, r, a, e);
}

enum taf_status
taf_daf_taken(const struct taf_service *service, struct taf_daf_given *p,
    struct taf_array *a, struct taf_err *e)
{
	if (p->sparse && make_sparse(p, e) != TAF_OK)
		return e->code;
	if (p->sparse)
		taf_remark_lost(service, &p->lost, p->stored, taf_daf_element(p->type));
	if (p->item.kind == TAF_DAF_SCALAR && make_scalar(p, e) != TAF_OK)
		return e->code;
	return note_dropped(p, a, e);
}

/* The elements as how says, which are to be packed on their way to b. */
static enum taf_status
pack(struct taf_daf_given *p, struct taf_daf_body *b, struct taf_reorder *how,
    struct taf_in *from, const struct taf_array *a, struct taf_err *e)
{
	uint64_t left = taf_array_bytes(a);
	struct taf_spool transposed = { 0 };
	struct taf_in *in = NULL;
	unsigned char *block;
	enum taf_status st;
	size_t n;

	st = taf_spool_begin(&transposed, e);
	how->out = transposed.out;
	if (st == TAF_OK)
		st = taf_reorder_in(how, from, a, p->big, e);
	st = taf_spool_end(&transposed, st, p->item.name, &in, e);
	block = malloc(BLOCK);
	if (st == TAF_OK && block == NULL)
		st = taf_fail_mem(e);
	for (; left > 0 && st == TAF_OK; left -= n) {
		n = left < BLOCK ? (size_t)left : BLOCK;
		st = taf_in_read(in, block, n, e);
		if (st == TAF_OK)
			st = taf_daf_body_write(b, block, n, e);
	}
	free(block);
	taf_in_close(in);
	return st;
}

static enum taf_status
give_layout(struct taf_daf_given *p, struct taf_daf_put *to, bool transposed,
    struct taf_reorder *how, const struct taf_array *a, struct taf_err *e)
{
	const struct taf_daf_payload payload = { p->item.n[transposed],
		p->item.n[!transposed], taf_daf_size(p->type),
		p->item.kind == TAF_DAF_MATRIX, false };
	struct taf_daf_descriptor d = { .type = p->type };
	struct taf_in *again = NULL;
	struct taf_daf_body *b;
	enum taf_status st;

	if (taf_daf_body_new(&b, to, transposed, ".data", &payload, &d.value, e) !=
	    TAF_OK)
		return e->code;
	how->out = taf_daf_body_out(b);
	st = taf_in_again(&again, p->values, 0, e);
	if (st == TAF_OK)
		st = how->out == NULL ? pack(p, b, how, again, a, e) :
		    taf_reorder_in(how, again, a, p->big, e);
	taf_in_close(again);
	st = taf_daf_body_end(b, st, e);
	return st == TAF_OK ? taf_daf_put_descriptor(to, transposed, &d, e) : st;
}

static enum taf_status
give_dense(const struct taf_service *service, struct taf_daf_given *p,
    struct taf_daf_put *to, struct taf_err *e)
{
	static const unsigned order[2][2] = { { 0, 1 }, { 1, 0 } };
	struct taf_reorder how = { .recode = TAF_CHANGE_NONE, .memory = service->memory,
		.jobs = taf_threads(service) };
	enum taf_status st = TAF_OK;
	struct taf_array a;
	int transposed;

	taf_array_init(&a);
	a.type = taf_daf_element(p->type);
	taf_array_add_dim(&a, p->item.n[0], 1, 1);
	taf_array_add_dim(&a, p->item.n[1], 1, 1);
	for (transposed = p->other; st == TAF_OK &&
	    transposed < taf_daf_layouts(&p->item); transposed++) {
		how.order = order[transposed];
		st = give_layout(p, to, transposed != 0, &how, &a, e);
	}
	return st;
}

enum taf_status
taf_daf_take_lines(struct taf_daf_given *p, struct taf_in *in, struct taf_err *e)
{
	p->text = true;
	if (taf_daf_strings_read(in, &p->strings, e) != TAF_OK)
		return e->code;
	return p->strings.n == p->item.n[0] ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "%llu lines, but axis %s has %llu entries", (unsigned long long)p->strings.n,
	    p->item.axis[0], (unsigned long long)p->item.n[0]);
}

enum taf_status
taf_daf_give(const struct taf_service *service, struct taf_daf_given *p,
    const struct taf_daf *s, bool force, struct taf_err *e)
{
	const struct taf_daf_put_how how = { force, p->other, p->packing };
	struct taf_daf_put *to = NULL;
	enum taf_status st;

	st = taf_daf_put_begin(&to, s, &p->item, &how, e);
	if (st == TAF_OK && p->text)
		st = taf_daf_put_strings(to, &p->strings, e);
	else if (st == TAF_OK && p->sparse)
		st = taf_daf_put_sparse(to, &p->m, wide_index(p->index, &p->m), e);
	else if (st == TAF_OK && p->item.kind == TAF_DAF_SCALAR)
		st = taf_daf_put_scalar(to, &p->scalar, e);
	else if (st == TAF_OK)
		st = give_dense(service, p, to, e);
	if (st != TAF_OK) {
		taf_daf_put_discard(to);
		return st;
	}
	st = taf_daf_put_commit(to, e);
	if (st == TAF_OK)
		taf_dropped_remark(service, &p->dropped, "FilesDaf", NULL);
	return st;
}

void
taf_daf_given_free(struct taf_daf_given *p)
{
	taf_in_close(p->values);
	taf_daf_sparse_free(&p->m);
	taf_daf_strings_free(&p->strings);
	taf_daf_item_free(&p->item);
}
