#include "stream/split.h"

#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/endian.h"
#include "kernel/strided.h"
#include "stream/reorder.h"
#include "stream/select.h"
#include "stream/spool.h"

enum {
	RUN = 8 * 1024,		/* a file is read again for runs of so many bytes, */
	PASSES = 16		/* or so many times */
};

struct taf_split {
	const struct taf_split_plan *how;
	struct taf_cut cut;
	size_t esize;
	uint64_t done;			/* points of all pieces that are written */
	bool in_order;			/* pieces lie one behind the other, */
	struct taf_reader *spool;	/* whole ones here, if that is not NULL */
	uint64_t most;			/* points of pieces that fit the memory, or 0 */
	unsigned char *all;		/* elements of a pipe, */
	const unsigned char *from;	/* or where else all of them are */
	unsigned char *pieces;		/* those of points from first on, before end */
	uint64_t first, end;
};

/* Elements of a piece, or of several, with so many points. */
static uint64_t
elements(const struct taf_split *s, uint64_t points)
{
	return s->cut.inner * points * s->cut.outer;
}

/* The part of the array with n points from point first on. */
static struct taf_region
part(const struct taf_split *s, uint64_t first, uint64_t n)
{
	struct taf_region region = { .ndim = s->how->a->ndim };
	unsigned k;

	for (k = 0; k < region.ndim; k++) {
		region.count[k] = s->how->a->dim[k].n;
		region.step[k] = 1;
	}
	region.first[s->how->dim - 1] = first;
	region.count[s->how->dim - 1] = n;
	return region;
}

/* A selection of n points from point first on, by a reader of its own. */
static enum taf_status
select_part(const struct taf_split *s, uint64_t first, uint64_t n, struct taf_reader **r,
    struct taf_select **select, struct taf_err *e)
{
	const struct taf_region region = part(s, first, n);
	enum taf_status st = taf_reader_again(r, s->how->r, s->how->a, e);

	return st == TAF_OK ? taf_select_open(select, *r, s->how->a, &region, e) : st;
}

/* An array of these lengths, of the type of the one that is cut. */
static struct taf_array
shape(const struct taf_split *s, const uint64_t n[], unsigned ndim)
{
	struct taf_array a;
	unsigned k;

	taf_array_init(&a);
	a.type = s->how->a->type;
	for (k = 0; k < ndim; k++)
		taf_array_add_dim(&a, n[k], 1, 1);
	return a;
}

/* The first points, in a file of their own, in the order that they have. */
static enum taf_status
copy_points(const struct taf_split *s, uint64_t n, struct taf_in **in, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_select *select = NULL;
	struct taf_spool spool;
	enum taf_status st = taf_spool_begin(&spool, e);
	const void *p;
	size_t got = 1;

	if (st == TAF_OK)
		st = select_part(s, 0, n, &r, &select, e);
	while (st == TAF_OK && got > 0) {
		st = taf_select_read(select, &p, &got, e);
		if (st == TAF_OK && got > 0)
			st = taf_out_write(spool.out, p, got * s->esize, e);
	}
	taf_select_close(select);
	taf_reader_close(r);
	return taf_spool_end(&spool, st, "temporary file", in, e);
}

/* All whole pieces one behind the other in a file. */
static enum taf_status
spool_pieces(struct taf_split *s, struct taf_err *e)
{
	static const unsigned order[] = { 0, 1, 3, 2 };
	const uint64_t every = s->how->every, whole = s->cut.len / every;
	const uint64_t n[] = { s->cut.inner, every, whole, s->cut.outer };
	const uint64_t all = elements(s, whole * every);
	struct taf_array from = shape(s, n, 4), to = shape(s, &all, 1);
	struct taf_reader *r = NULL;
	struct taf_spool spool;
	struct taf_in *in;
	enum taf_status st = TAF_OK;

	if (whole * every < s->cut.len) {
		st = copy_points(s, whole * every, &in, e);
		if (st == TAF_OK)
			st = taf_reader_raw(&r, in, &from, taf_host_is_big(), e);
	}
	if (st == TAF_OK)
		st = taf_spool_begin(&spool, e);
	if (st != TAF_OK) {
		taf_reader_close(r);
		return st;
	}
	/* in the byte order of another format, which is little-endian */
	st = taf_reorder(&(struct taf_reorder){ .order = order, .out = spool.out,
	    .memory = s->how->service->memory, .jobs = taf_threads(s->how->service) },
	    r != NULL ? r : s->how->r, &from, e);
	taf_reader_close(r);
	st = taf_spool_end(&spool, st, "temporary file", &in, e);
	return st == TAF_OK ? taf_reader_raw(&s->spool, in, &to, false, e) : st;
}

/* Where all elements lie in memory: a file mapped, or what a pipe gives. */
static enum taf_status
find_elements(struct taf_split *s, uint64_t memory, struct taf_err *e)
{
	struct taf_reader *r = s->how->r;
	const uint64_t all = elements(s, s->cut.len);
	enum taf_status st;

	if (taf_reader_plain(r) || memory / s->esize < all) {
		st = taf_reader_random(r, e);
		s->from = st == TAF_OK ? taf_reader_map(r) : NULL;
		return st;
	}
	s->all = taf_alloc((size_t)all, s->esize);
	s->from = s->all;
	return s->all == NULL ? taf_fail_mem(e) : taf_reader_read(r, s->all, (size_t)all, e);
}

/* How pieces are brought together whose elements do not lie together. */
static enum taf_status
begin_apart(struct taf_split *s, struct taf_err *e)
{
	const uint64_t memory = s->how->service->memory / 2, point = elements(s, 1) * s->esize;
	const uint64_t every = s->how->every;
	enum taf_status st = find_elements(s, memory, e);

	s->most = memory / point / every * every;
	if (st == TAF_OK && s->most == 0 && s->cut.inner * every * s->esize >= RUN)
		return TAF_OK;
	if (st == TAF_OK && (s->from == NULL || s->most == 0 ||
	    (s->cut.inner * s->most * s->esize < RUN && s->cut.len / s->most >= PASSES)))
		return spool_pieces(s, e);
	if (st != TAF_OK)
		return st;
	if (s->most > s->cut.len)
		s->most = s->cut.len;
	s->pieces = taf_alloc((size_t)elements(s, s->most), s->esize);
	return s->pieces != NULL ? TAF_OK : taf_fail_mem(e);
}

enum taf_status
taf_split_open(struct taf_split **result, const struct taf_split_plan *how,
    struct taf_err *e)
{
	struct taf_split *s = calloc(1, sizeof *s);
	enum taf_status st = TAF_OK;

	if (s == NULL)
		return taf_fail_mem(e);
	s->how = how;
	s->cut = taf_array_cut(how->a, how->dim);
	s->esize = taf_type_size(how->a->type);
	s->in_order = s->cut.outer <= 1 || elements(s, 1) == 0 || how->every >= s->cut.len;
	if (!s->in_order)
		st = begin_apart(s, e);
	if (st == TAF_OK)
		*result = s;
	else
		taf_split_close(s);
	return st;
}

void
taf_split_close(struct taf_split *s)
{
	if (s == NULL)
		return;
	taf_reader_close(s->spool);
	free(s->all);
	free(s->pieces);
	free(s);
}

/* Bring together count pieces of every points, from point at of the group on. */
static void
cut_pieces(const struct taf_split *s, uint64_t at, uint64_t every, uint64_t count)
{
	const uint64_t line = s->cut.inner * s->esize;
	const size_t n[] = { (size_t)(s->cut.inner * every), (size_t)s->cut.outer,
	    (size_t)count };
	const ptrdiff_t to[] = { (ptrdiff_t)s->esize, (ptrdiff_t)(line * every),
	    (ptrdiff_t)(line * every * s->cut.outer) };
	const ptrdiff_t from[] = { to[0], (ptrdiff_t)(line * s->cut.len),
	    (ptrdiff_t)(line * every) };

	taf_strided_copy(s->pieces + line * at * s->cut.outer,
	    s->from + line * (s->done + at),
	    &(struct taf_strided){ s->esize, 3, n, to, from });
}

/* As many pieces as fit. */
static void
cut_group(struct taf_split *s)
{
	const uint64_t left = s->cut.len - s->done, n = left < s->most ? left : s->most;
	const uint64_t whole = n / s->how->every * s->how->every;

	s->first = s->done;
	s->end = s->first + n;
	cut_pieces(s, 0, s->how->every, whole / s->how->every);
	cut_pieces(s, whole, n - whole, 1);
}

/* A piece that is selected in the file. */
static enum taf_status
copy_piece(struct taf_split *s, struct taf_writer *w, uint64_t n, struct taf_err *e)
{
	struct taf_reader *r = NULL;
	struct taf_select *select = NULL;
	enum taf_status st = select_part(s, s->done, n, &r, &select, e);

	if (st == TAF_OK)
		st = taf_select_copy(select, w, e);
	taf_select_close(select);
	taf_reader_close(r);
	return st;
}

enum taf_status
taf_split_next(struct taf_split *s, struct taf_writer *w, struct taf_err *e)
{
	const uint64_t left = s->cut.len - s->done;
	const uint64_t n = left < s->how->every ? left : s->how->every;
	enum taf_status st = TAF_OK;

	if (s->in_order)
		st = taf_writer_copy(w, s->how->r, elements(s, n), e);
	else if (s->spool != NULL && n == s->how->every)
		st = taf_writer_copy(w, s->spool, elements(s, n), e);
	else if (s->pieces == NULL)
		st = copy_piece(s, w, n, e);
	else if (s->done == s->end)
		cut_group(s);
	if (s->pieces != NULL)
		st = taf_writer_put(w, s->pieces + elements(s, s->done - s->first) *
		    s->esize, (size_t)elements(s, n), e);
	s->done += n;
	return st;
}
