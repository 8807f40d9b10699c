#include "op/columns.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/num.h"
#include "kernel/move/strided.h"
#include "stream/spool.h"

enum { FIRST = 256 * 1024 };	/* bytes of rows, to begin with */

/*
 * Rows are collected in a block; a full one goes, column by column, to the temporary
 * file.  So a column lies there in one run in each block.
 */
struct taf_columns {
	size_t esize, columns, row;	/* row in bytes */
	size_t most;			/* rows in a full block */
	size_t cap, n;			/* rows of the present one */
	uint64_t blocks;		/* full ones, in the temporary file */
	unsigned char *rows, *transposed;
	struct taf_spool spool;
};

enum taf_status
taf_columns_open(struct taf_columns **result, size_t esize, size_t columns,
    uint64_t memory, struct taf_err *e)
{
	struct taf_columns *c = calloc(1, sizeof *c);
	uint64_t row, most;

	if (c == NULL || !taf_mul(esize, columns, &row) || row > SIZE_MAX / 4) {
		free(c);
		return taf_fail_mem(e);
	}
	c->esize = esize;
	c->columns = columns;
	c->row = (size_t)row;
	most = (memory < SIZE_MAX / 4 ? memory : SIZE_MAX / 4) / 2 / row;
	c->most = most > 0 ? (size_t)most : 1;
	c->spool.fd = -1;
	*result = c;
	return TAF_OK;
}

void
taf_columns_close(struct taf_columns *c)
{
	if (c == NULL)
		return;
	taf_spool_discard(&c->spool);
	free(c->rows);
	free(c->transposed);
	free(c);
}

static enum taf_status
transpose(struct taf_columns *c, struct taf_err *e)
{
	const size_t n[2] = { c->columns, c->n };
	const ptrdiff_t from[2] = { (ptrdiff_t)c->esize, (ptrdiff_t)c->row };
	const ptrdiff_t to[2] = { (ptrdiff_t)(c->n * c->esize), (ptrdiff_t)c->esize };

	if (c->transposed == NULL && (c->transposed = taf_alloc(c->cap, c->row)) == NULL)
		return taf_fail_mem(e);
	taf_strided_copy(c->transposed, c->rows,
	    &(struct taf_strided){ c->esize, 2, n, to, from });
	return TAF_OK;
}

static enum taf_status
spool_block(struct taf_columns *c, struct taf_err *e)
{
	enum taf_status st = transpose(c, e);

	if (st == TAF_OK && c->spool.out == NULL)
		st = taf_spool_begin(&c->spool, e);
	if (st == TAF_OK)
		st = taf_out_write(c->spool.out, c->transposed, c->n * c->row, e);
	return st;
}

enum taf_status
taf_columns_room(struct taf_columns *c, void **room, size_t *rows, struct taf_err *e)
{
	enum taf_status st;
	unsigned char *p;
	size_t cap;

	if (c->n == c->most) {
		st = spool_block(c, e);
		if (st != TAF_OK)
			return st;
		c->blocks++;
		c->n = 0;
	}
	if (c->n == c->cap) {
		cap = c->cap > 0 ? c->cap * 2 : FIRST / c->row;
		cap = cap == 0 ? 1 : cap < c->most ? cap : c->most;
		p = realloc(c->rows, cap * c->row);
		if (p == NULL)
			return taf_fail_mem(e);
		c->rows = p;
		c->cap = cap;
	}
	*room = c->rows + c->n * c->row;
	*rows = c->cap - c->n;
	return TAF_OK;
}

void
taf_columns_take(struct taf_columns *c, size_t rows)
{
	c->n += rows;
}

/* One column of the blocks in the temporary file, the last of which has c->n rows. */
static enum taf_status
write_column(const struct taf_columns *c, const struct taf_in *in, size_t column,
    struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	uint64_t block, start;
	size_t n;

	for (block = 0; block <= c->blocks && st == TAF_OK; block++) {
		n = block < c->blocks ? c->most : c->n;
		start = block * c->most * c->row + column * (n * c->esize);
		st = taf_in_pread(in, c->transposed, n * c->esize, start, e);
		if (st == TAF_OK)
			st = taf_writer_put(w, c->transposed, n, e);
	}
	return st;
}

enum taf_status
taf_columns_write(struct taf_columns *c, struct taf_writer *w, struct taf_err *e)
{
	struct taf_in *in = NULL;
	enum taf_status st;
	size_t k;

	if (c->blocks == 0 && c->n == 0)
		return TAF_OK;
	if (c->blocks == 0) {
		st = transpose(c, e);
		return st != TAF_OK ? st :
		    taf_writer_put(w, c->transposed, c->n * c->columns, e);
	}
	st = spool_block(c, e);
	st = taf_spool_end(&c->spool, st, "temporary file", &in, e);
	for (k = 0; k < c->columns && st == TAF_OK; k++)
		st = write_column(c, in, k, w, e);
	taf_in_close(in);
	return st;
}
