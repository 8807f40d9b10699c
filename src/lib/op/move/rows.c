/* SPDX-License-Identifier: ISC */
#include "op/move/rows.h"

#include <stdlib.h>

#include "base/buf.h"
#include "kernel/move/strided.h"
#include "stream/values.h"

enum {
	LEAST = 64 * 1024,		/* bytes of memory */
	WHOLE = 16 * 1024 * 1024,	/* so much is read at once, even of a pipe */
	RUN = 256 * 1024,		/* bytes of a column: longer ones are no faster */
	SHORT = 4096			/* a map is faster than a call for each */
};

struct taf_rows {
	struct taf_reader *r;
	enum taf_type from, to;
	struct taf_recode how;
	bool convert;
	uint64_t rows, columns;
	uint64_t row, column;		/* of the next value */
	size_t nrows, ncolumns;		/* of a block; of a single row perhaps a part */
	bool random;
	const unsigned char *map;
	unsigned char *in, *values, *out;
};

/* How much is held at once: in[], values[] where they are converted, out[]. */
static void
plan(struct taf_rows *t, uint64_t memory)
{
	const size_t esize = taf_type_size(t->from), vsize = taf_type_size(t->to);
	const uint64_t cost = esize + vsize + (t->convert ? vsize : 0);
	const uint64_t bytes = memory < LEAST ? LEAST : memory;
	const uint64_t most = (bytes < SIZE_MAX / 2 ? bytes : SIZE_MAX / 2) / cost;
	const uint64_t run = RUN / esize;
	uint64_t nrows, ncolumns = t->columns;

	if (t->rows <= most / t->columns && t->rows * t->columns <= WHOLE / cost) {
		nrows = t->rows;
	} else {
		nrows = most / t->columns;
		if (nrows > run)
			nrows = run;
		if (nrows > t->rows)
			nrows = t->rows;
		if (nrows == 0) {
			nrows = 1;
			ncolumns = most;
		}
		t->random = t->columns > 1;
	}
	/* both are at most most, which is a size of memory */
	t->nrows = (size_t)nrows;
	t->ncolumns = (size_t)ncolumns;
}

static enum taf_status
prepare(struct taf_rows *t, struct taf_err *e)
{
	const size_t count = t->nrows * t->ncolumns, vsize = taf_type_size(t->to);
	enum taf_status st = TAF_OK;

	/* first: what a pipe promises and does not have needs no memory */
	if (t->random)
		st = taf_reader_random(t->r, e);
	if (st != TAF_OK)
		return st;
	t->in = taf_alloc(count, taf_type_size(t->from));
	t->out = taf_alloc(count, vsize);
	if (t->convert)
		t->values = taf_alloc(count, vsize);
	if (t->in == NULL || t->out == NULL || (t->convert && t->values == NULL))
		return taf_fail_mem(e);
	if (t->random && t->nrows * taf_type_size(t->from) < SHORT)
		t->map = taf_reader_map(t->r);
	return st;
}

enum taf_status
taf_rows_open(struct taf_rows **result, struct taf_reader *r, const struct taf_array *a,
    bool raw, uint64_t memory, struct taf_err *e)
{
	struct taf_rows *t = calloc(1, sizeof *t);
	enum taf_status st;
	unsigned k;

	if (t == NULL)
		return taf_fail_mem(e);
	t->r = r;
	t->from = a->type;
	t->to = taf_values_type(a, raw);
	st = taf_values_plan(&t->how, a, t->to, raw, false, e);
	if (st != TAF_OK) {
		taf_rows_close(t);
		return st;
	}
	t->convert = !taf_recode_is_copy(&t->how);
	t->rows = a->dim[0].n;
	t->columns = 1;
	for (k = 1; k < a->ndim; k++)
		t->columns *= a->dim[k].n;
	if (t->rows == 0 || t->columns == 0) {
		t->rows = 0;
		*result = t;
		return TAF_OK;
	}
	plan(t, memory);
	st = prepare(t, e);
	if (st != TAF_OK)
		taf_rows_close(t);
	else
		*result = t;
	return st;
}

void
taf_rows_close(struct taf_rows *t)
{
	if (t == NULL)
		return;
	free(t->in);
	free(t->values);
	free(t->out);
	free(t);
}

/* The block into in[], column by column. */
static enum taf_status
gather(struct taf_rows *t, size_t nrows, size_t ncolumns, struct taf_err *e)
{
	const size_t esize = taf_type_size(t->from);
	uint64_t first = t->column * t->rows + t->row;
	enum taf_status st = TAF_OK;
	size_t k;

	if (!t->random)
		return taf_reader_read(t->r, t->in, nrows * ncolumns, e);
	if (t->map != NULL) {
		const size_t n[2] = { nrows, ncolumns };
		const ptrdiff_t to[2] = { (ptrdiff_t)esize, (ptrdiff_t)(nrows * esize) };
		const ptrdiff_t from[2] = { to[0], (ptrdiff_t)(t->rows * esize) };

		taf_strided_copy(t->in, t->map + first * esize,
		    &(struct taf_strided){ esize, 2, n, to, from });
		return TAF_OK;
	}
	for (k = 0; k < ncolumns && st == TAF_OK; k++, first += t->rows)
		st = taf_reader_at(t->r, t->in + k * nrows * esize, first, nrows, e);
	return st;
}

enum taf_status
taf_rows_read(struct taf_rows *t, const void **p, size_t *n, struct taf_err *e)
{
	const size_t vsize = taf_type_size(t->to);
	const unsigned char *block = t->in;
	size_t count[2];
	ptrdiff_t from[2], to[2];
	enum taf_status st;

	*n = 0;
	if (t->row == t->rows)
		return TAF_OK;
	count[0] = t->nrows < t->rows - t->row ? t->nrows : (size_t)(t->rows - t->row);
	count[1] = t->ncolumns < t->columns - t->column ? t->ncolumns :
	    (size_t)(t->columns - t->column);
	st = gather(t, count[0], count[1], e);
	if (st != TAF_OK)
		return st;
	if (t->convert) {
		/* no value is too large for flt64 */
		(void)taf_recode(&t->how, t->values, t->in, count[0] * count[1], NULL);
		block = t->values;
	}
	from[0] = to[1] = (ptrdiff_t)vsize;
	from[1] = (ptrdiff_t)(count[0] * vsize);
	to[0] = (ptrdiff_t)(count[1] * vsize);
	taf_strided_copy(t->out, block, &(struct taf_strided){ vsize, 2, count, to,
	    from });
	t->column += count[1];
	if (t->column == t->columns) {
		t->column = 0;
		t->row += count[0];
	}
	*p = t->out;
	*n = count[0] * count[1];
	return TAF_OK;
}
