#include "stream/transpose.h"

#include <string.h>

#include "base/endian.h"
#include "io/spool.h"
#include "stream/permute.h"

struct job {
	size_t size;
	struct taf_reader *r;		/* where elements come from: this, */
	const struct taf_in *in;	/* or this */
	struct taf_out *out;
	uint64_t base;
};

static uint64_t
bytes_of(const struct taf_transpose *how)
{
	return how->cut.inner * how->cut.len * how->cut.outer * how->size;
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

	return taf_out_pwrite(j->out, buf, n, j->base + off, e);
}

/* Exchange the first two of the lengths n. */
static enum taf_status
exchange(const struct taf_transpose *how, struct job *j, const uint64_t n[3],
    struct taf_err *e)
{
	static const unsigned order[] = { 1, 0, 2 };
	const struct taf_permute_io io = { .ctx = j, .read = read_at, .write = write_at };

	j->size = how->size;
	return taf_permute(&io, &(struct taf_permute_shape){ how->size, 3, n, order },
	    how->memory < SIZE_MAX ? (size_t)how->memory : SIZE_MAX, how->threads, e);
}

enum taf_status
taf_transpose_lines(const struct taf_transpose *how, struct taf_reader *r,
    struct taf_in **in, struct taf_err *e)
{
	const uint64_t n[] = { how->cut.inner, how->cut.len, how->cut.outer };
	struct taf_spool spool = { .fd = -1 };
	struct job j = { .r = r };
	enum taf_status st = taf_spool_region(&spool, bytes_of(how), &j.base, e);

	*in = NULL;
	j.out = spool.out;
	/* a pipe comes when it is known that all of it has room */
	if (st == TAF_OK)
		st = taf_reader_random(r, e);
	if (st == TAF_OK)
		st = exchange(how, &j, n, e);
	return taf_spool_end(&spool, st, "temporary file", in, e);
}

/* Elements of in to j's out, from base on. */
static enum taf_status
back(const struct taf_transpose *how, struct job *j, struct taf_err *e)
{
	const uint64_t n[] = { how->cut.len, how->cut.inner, how->cut.outer };

	return exchange(how, j, n, e);
}

/* The same to a pipe, which takes them in order. */
static enum taf_status
back_in_order(const struct taf_transpose *how, struct job *j, uint64_t numbers,
    struct taf_writer *w, struct taf_err *e)
{
	struct taf_spool spool = { .fd = -1 };
	struct taf_in *in = NULL;
	enum taf_status st = taf_spool_region(&spool, bytes_of(how), &j->base, e);

	j->out = spool.out;
	if (st == TAF_OK)
		st = back(how, j, e);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	if (st == TAF_OK)
		st = taf_writer_move(w, in, numbers, e);
	taf_in_close(in);
	return st;
}

enum taf_status
taf_transpose_back(const struct taf_transpose *how, const struct taf_in *in,
    size_t record, struct taf_writer *w, struct taf_out *to, struct taf_err *e)
{
	struct job j = { .in = in, .out = to };
	const enum taf_status st = to != NULL ?
	    taf_out_region(to, bytes_of(how), &j.base, e) :
	    taf_writer_region(w, &j.out, &j.base, e);

	if (st != TAF_OK)
		return st;
	return j.out != NULL ? back(how, &j, e) : back_in_order(how, &j,
	    bytes_of(how) / how->size * record, w, e);
}

enum taf_status
taf_transpose_open(const struct taf_service *service, struct taf_reader *r,
    const struct taf_array *a, unsigned dim, struct taf_array *lines,
    struct taf_reader **to, struct taf_err *e)
{
	const struct taf_transpose how = { .cut = taf_array_cut(a, dim),
	    .size = taf_type_size(a->type), .memory = service->memory,
	    .threads = taf_threads(service) };
	struct taf_in *in;

	*to = NULL;
	*lines = *a;
	memmove(lines->dim + 1, a->dim, (dim - 1) * sizeof *a->dim);
	lines->dim[0] = a->dim[dim - 1];
	if (how.cut.inner == 1 || how.cut.len == 1)
		return TAF_OK;
	if (taf_transpose_lines(&how, r, &in, e) != TAF_OK)
		return e->code;
	return taf_reader_raw(to, in, lines, taf_host_is_big(), e);
}

enum taf_status
taf_transposed(const struct taf_transposed *t, struct taf_err *e)
{
	const struct taf_along *l = t->along;
	const size_t record = t->record > 0 ? t->record : 1;
	struct taf_transpose how = { .cut = taf_along_cut(l, l->a),
	    .size = taf_type_size(taf_along_type(l, l->out)) * record,
	    .memory = l->service->memory, .threads = taf_threads(l->service) };
	struct taf_spool spool = { .fd = -1 };
	struct taf_reader *there, *r;
	struct taf_array lines;
	struct taf_in *file = NULL;
	/* pairs have no mapping, and so have their parts */
	const struct taf_array parts = { .type = taf_along_type(l, l->a), .ndim = 3,
	    .intercept = l->a->intercept, .slope = l->a->slope,
	    .dim = { { .n = how.cut.inner }, { .n = how.cut.len },
		{ .n = how.cut.outer } } };
	enum taf_status st = taf_transpose_open(l->service, l->r, l->parts ? &parts :
	    l->a, l->parts ? 2 : l->dim, &lines, &there, e);

	r = there != NULL ? there : l->r;
	how.cut.len = l->out->dim[l->dim - 1].n;
	if (st == TAF_OK && how.cut.inner == 1)
		return t->lines(t->ctx, r, &lines, t->to, e);
	if (st == TAF_OK)
		st = taf_spool_begin(&spool, e);
	if (st == TAF_OK)
		st = t->lines(t->ctx, r, &lines, spool.out, e);
	taf_reader_close(there);
	st = taf_spool_end(&spool, st, "temporary file", &file, e);
	taf_watch(l->service, t->to == NULL ? l->w : NULL, t->to, bytes_of(&how));
	if (st == TAF_OK)
		st = taf_transpose_back(&how, file, record, l->w, t->to, e);
	taf_in_close(file);
	return st;
}
