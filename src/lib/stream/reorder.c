#include "stream/reorder.h"

#include <string.h>

#include "base/endian.h"
#include "stream/permute.h"
#include "stream/spool.h"

struct ends {
	struct taf_reader *r;
	struct taf_writer *w;
	struct taf_out *out;	/* at base, where it can be written at random */
	uint64_t base;
	size_t esize;
};

static enum taf_status
read_at(void *ctx, void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	struct ends *x = ctx;

	return taf_reader_at(x->r, buf, off / x->esize, n / x->esize, e);
}

static enum taf_status
write_at(void *ctx, const void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	struct ends *x = ctx;

	return taf_out_pwrite(x->out, buf, n, x->base + off, e);
}

static enum taf_status
write_next(void *ctx, const void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	struct ends *x = ctx;

	(void)off;
	return taf_writer_put(x->w, buf, n / x->esize, e);
}

void
taf_reorder_shape(struct taf_array *a, const unsigned order[])
{
	struct taf_dim old[TAF_MAX_DIM];
	unsigned to[TAF_MAX_DIM] = { 0 }, k;

	memcpy(old, a->dim, sizeof old);
	for (k = 0; k < a->ndim; k++) {
		a->dim[k] = old[order[k]];
		to[order[k]] = k + 1;
	}
	taf_attr_renumber(a, to);
}

/* Through a temporary file, which is then read from its start. */
static enum taf_status
by_spool(struct ends *x, struct taf_permute_io *io, const struct taf_array *in,
    const uint64_t n[], const unsigned order[], size_t memory, unsigned threads,
    struct taf_err *e)
{
	struct taf_reader *again = NULL;
	struct taf_spool spool;
	struct taf_array out = *in;
	struct taf_in *file = NULL;
	enum taf_status st;
	unsigned k;

	for (k = 0; k < in->ndim; k++)
		out.dim[k] = in->dim[order[k]];
	st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = taf_out_region(spool.out, taf_array_bytes(in), &x->base, e);
	if (st == TAF_OK) {
		x->out = spool.out;
		io->write = write_at;
		st = taf_permute(io, x->esize, in->ndim, n, order, memory, threads, e);
	}
	if (st == TAF_OK)
		st = taf_spool_end(&spool, "temporary file", &file, e);
	else
		taf_spool_discard(&spool);
	if (st == TAF_OK)
		st = taf_reader_raw(&again, file, &out, taf_host_is_big(), e);
	if (st == TAF_OK)
		st = taf_writer_copy(x->w, again, taf_array_count(in), e);
	taf_reader_close(again);
	return st;
}

enum taf_status
taf_reorder(struct taf_reader *r, const struct taf_array *in, const unsigned order[],
    struct taf_writer *w, size_t memory, unsigned threads, struct taf_err *e)
{
	struct ends x = { r, w, NULL, 0, taf_type_size(in->type) };
	struct taf_permute_io io = { &x, read_at, write_next, true };
	uint64_t n[TAF_MAX_DIM];
	enum taf_status st;
	unsigned k;

	if (taf_array_count(in) == 0)
		return TAF_OK;
	for (k = 0; k < in->ndim; k++)
		n[k] = in->dim[k].n;
	for (k = 0; k < in->ndim && order[k] == k; k++)
		;
	if (k == in->ndim)
		return taf_writer_copy(w, r, taf_array_count(in), e);
	st = taf_reader_random(r, e);
	if (st == TAF_OK)
		st = taf_writer_region(w, &x.out, &x.base, e);
	if (st != TAF_OK)
		return st;
	if (x.out == NULL &&
	    taf_permute_wants_random_output(x.esize, in->ndim, n, order, memory, threads)) {
		io.sequential = false;
		return by_spool(&x, &io, in, n, order, memory, threads, e);
	}
	if (x.out != NULL) {
		io.sequential = false;
		io.write = write_at;
	}
	return taf_permute(&io, x.esize, in->ndim, n, order, memory, threads, e);
}
