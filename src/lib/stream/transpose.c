/* SPDX-License-Identifier: ISC */
#include "stream/transpose.h"

#include <string.h>

#include "base/endian.h"
#include "base/need.h"
#include "io/spool.h"
#include "stream/permute.h"
#include "stream/writer_private.h"

struct job {
	struct taf_cut cut;		/* cut.inner lines of cut.len lie side by side */
	size_t size;			/* bytes of an element */
	const struct taf_service *service;
	struct taf_reader *r;		/* where elements come from: this, */
	struct taf_in *in;		/* or this */
	struct taf_out *out;		/* they go here, from base on, in any order */
	uint64_t base;
	struct taf_writer *w;		/* where out is NULL: they go here, in order, */
	size_t number;			/* as numbers of so many bytes */
};

static uint64_t
bytes_of(const struct job *j)
{
	return j->cut.inner * j->cut.len * j->cut.outer * j->size;
}

static enum taf_status
read_at(void *ctx, void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	const struct job *j = ctx;

	return j->r != NULL ? taf_reader_at(j->r, buf, off / j->size, n / j->size, e) :
	    taf_in_pread(j->in, buf, n, off, e);
}

static enum taf_status
write_at(void *ctx, const void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	const struct job *j = ctx;

	if (j->out == NULL)
		return taf_writer_put(j->w, buf, n / j->number, e);
	return taf_out_pwrite(j->out, buf, n, j->base + off, e);
}

/* All elements, if they are mapped. */
static const unsigned char *
map_of(const struct job *j)
{
	return j->r != NULL ? taf_reader_map(j->r) : taf_in_map(j->in, 0, bytes_of(j));
}

static enum taf_status exchange(struct job *j, uint64_t a, uint64_t b,
    struct taf_err *e);

/* Through a temporary file to j's writer. */
static enum taf_status
exchange_by_file(struct job *j, uint64_t a, uint64_t b, struct taf_err *e)
{
	struct taf_spool spool = { .fd = -1 };
	enum taf_status st = taf_spool_region(&spool, bytes_of(j), &j->base, e);

	j->out = spool.out;
	if (st == TAF_OK)
		st = exchange(j, a, b, e);
	return taf_writer_spool(j->w, &spool, st, bytes_of(j) / j->number, e);
}

/* Exchange the first two of the lengths: a, b and cut.outer. */
static enum taf_status
exchange(struct job *j, uint64_t a, uint64_t b, struct taf_err *e)
{
	static const unsigned order[] = { 1, 0, 2 };
	const uint64_t n[] = { a, b, j->cut.outer }, most = j->service->memory;
	const struct taf_permute_shape shape = { j->size, 3, n, order };
	const size_t memory = most < SIZE_MAX ? (size_t)most : SIZE_MAX;
	const unsigned threads = taf_threads(j->service);
	const struct taf_permute_io io = { .ctx = j, .read = read_at, .write = write_at,
	    .sequential = j->out == NULL, .map = map_of(j) };

	return io.sequential && taf_permute_wants_random_output(&shape, io.map != NULL,
	    memory, threads) ? exchange_by_file(j, a, b, e) :
	    taf_permute(&io, &shape, memory, threads, e);
}

/*
 * *in has the elements of j's reader, none of which was read, line after line.  They have
 * the byte order of the host.  The caller closes it.
 */
static enum taf_status
to_lines(struct job *j, struct taf_in **in, struct taf_err *e)
{
	struct taf_spool spool = { .fd = -1 };
	enum taf_status st = taf_spool_region(&spool, bytes_of(j), &j->base, e);

	*in = NULL;
	j->out = spool.out;
	/* a pipe comes when it is known that all of it has room */
	if (st == TAF_OK)
		st = taf_reader_random(j->r, e);
	if (st == TAF_OK)
		st = exchange(j, j->cut.inner, j->cut.len, e);
	taf_need_wait(true);
	return taf_spool_end(&spool, taf_need_goes_on(st, e) ? TAF_OK : st,
	    "temporary file", in, e);
}

/* Lines of j's in go side by side to to, or where it is NULL to j's writer. */
static enum taf_status
from_lines(struct job *j, struct taf_out *to, struct taf_err *e)
{
	const enum taf_status st = to != NULL ?
	    taf_out_region(to, bytes_of(j), &j->base, e) :
	    taf_writer_region(j->w, &j->out, &j->base, e);

	if (to != NULL)
		j->out = to;
	return st == TAF_OK ? exchange(j, j->cut.len, j->cut.inner, e) : st;
}

enum taf_status
taf_transpose_open(const struct taf_service *service, struct taf_reader *r,
    const struct taf_array *a, unsigned dim, struct taf_array *lines,
    struct taf_reader **to, struct taf_err *e)
{
	struct job j = { .cut = taf_array_cut(a, dim), .size = taf_type_size(a->type),
	    .service = service, .r = r };
	struct taf_in *in;

	*to = NULL;
	*lines = *a;
	memmove(lines->dim + 1, a->dim, (dim - 1) * sizeof *a->dim);
	lines->dim[0] = a->dim[dim - 1];
	if (j.cut.inner == 1 || j.cut.len == 1)
		return TAF_OK;
	if (to_lines(&j, &in, e) != TAF_OK)
		return e->code;
	return taf_reader_raw(to, in, lines, taf_host_is_big(), e);
}

enum taf_status
taf_transposed(const struct taf_transposed *t, struct taf_err *e)
{
	const struct taf_along *l = t->along;
	const size_t record = t->record > 0 ? t->record : 1;
	struct job j = { .cut = taf_along_cut(l, l->a), .service = l->service,
	    .w = l->w, .number = taf_type_size(taf_along_type(l, l->out)) };
	struct taf_spool spool = { .fd = -1 };
	struct taf_reader *there, *r;
	struct taf_array lines;
	struct taf_in *file = NULL;
	/* pairs have no mapping, and so have their parts */
	const struct taf_array parts = { .type = taf_along_type(l, l->a), .ndim = 3,
	    .intercept = l->a->intercept, .slope = l->a->slope,
	    .dim = { { .n = j.cut.inner }, { .n = j.cut.len },
		{ .n = j.cut.outer } } };
	enum taf_status st;

	j.size = j.number * record;
	taf_need_wait(j.cut.outer == 1 && j.cut.len > 1);
	st = taf_transpose_open(l->service, l->r, l->parts ? &parts : l->a,
	    l->parts ? 2 : l->dim, &lines, &there, e);
	r = there != NULL ? there : l->r;
	j.cut.len = l->out->dim[l->dim - 1].n;
	if (st == TAF_OK && j.cut.inner == 1)
		return t->lines(t->ctx, r, &lines, t->to, e);
	if (st == TAF_OK)
		st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = t->lines(t->ctx, r, &lines, spool.out, e);
	if (taf_need_goes_on(st, e))
		st = taf_spool_fill(&spool, bytes_of(&j), e);
	taf_reader_close(there);
	st = taf_spool_end(&spool, st, "temporary file", &file, e);
	taf_watch(l->service, t->to == NULL ? l->w : NULL, t->to, bytes_of(&j));
	j.in = file;
	if (st == TAF_OK)
		st = from_lines(&j, t->to, e);
	taf_in_close(file);
	return st;
}
