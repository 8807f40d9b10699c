/* SPDX-License-Identifier: ISC */
#include "op/move/split.h"

#include <stdlib.h>

#include "array/region.h"
#include "base/buf.h"
#include "base/endian.h"
#include "io/spool.h"
#include "kernel/move/strided.h"
#include "stream/reorder.h"
#include "stream/select.h"
#include "stream/tiles.h"

enum {
	RUN = 8 * 1024,		/* a file is read again for runs of so many bytes, */
	PASSES = 16,		/* or so many times */
	SHORT = 128,		/* bytes of a mapped line that a thread takes at least */
	NARROW = 256,		/* bytes of a line that are worth a copy of their own */
	BLOCK = 1024 * 1024	/* bytes of a large piece that are made at a time */
};

/* Points from first on, and their pieces: some lines of one, or all lines of some. */
struct slot {
	uint64_t first, n, line, lines;
};

struct job {
	const struct taf_split *how;
	struct taf_cut cut;
	size_t esize;
	struct taf_reader *spool;	/* whole pieces, one behind the other, or NULL */
	unsigned char *all;		/* elements of a pipe, */
	const unsigned char *from;	/* or where else all of them are */
	uint64_t most, lines;		/* of a slot: points, and lines of each piece */
	uint64_t next, line;		/* the first that are in no slot yet */
	struct slot slot[TAF_THREADS_MOST];
};

/* Elements of a piece, or of several, with so many points. */
static uint64_t
elements(const struct job *s, uint64_t points)
{
	return s->cut.inner * points * s->cut.outer;
}

/* The part of the array with n points from point first on. */
static struct taf_region
part(const struct job *s, uint64_t first, uint64_t n)
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
select_part(const struct job *s, uint64_t first, uint64_t n, struct taf_reader **r,
    struct taf_select **select, struct taf_err *e)
{
	const struct taf_region region = part(s, first, n);
	enum taf_status st = taf_reader_again(r, s->how->r, s->how->a, e);

	return st == TAF_OK ? taf_select_open(select, *r, s->how->a, &region, e) : st;
}

/* An array of these lengths, of the type of the one that is cut. */
static struct taf_array
shape(const struct job *s, const uint64_t n[], unsigned ndim)
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
copy_points(const struct job *s, uint64_t n, struct taf_in **in, struct taf_err *e)
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
spool_pieces(struct job *s, struct taf_err *e)
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
find_elements(struct job *s, uint64_t memory, struct taf_err *e)
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
	return s->all == NULL ? taf_fail_mem(e) :
	    taf_reader_read(r, s->all, (size_t)all, e);
}

/* n points from point first on, which follow in r. */
static enum taf_status
pass_piece(const struct job *s, struct taf_reader *r, uint64_t first, uint64_t n,
    struct taf_err *e)
{
	const struct taf_split *how = s->how;

	if (how->begin(how->ctx, first, n, e) != TAF_OK ||
	    taf_writer_copy(how->w, r, elements(s, n), e) != TAF_OK)
		return e->code;
	return how->end(how->ctx, e);
}

/* The same, which lie in the file in parts. */
static enum taf_status
select_piece(const struct job *s, uint64_t first, uint64_t n, struct taf_err *e)
{
	const struct taf_split *how = s->how;
	struct taf_reader *r = NULL;
	struct taf_select *select = NULL;
	enum taf_status st = how->begin(how->ctx, first, n, e);

	if (st == TAF_OK)
		st = select_part(s, first, n, &r, &select, e);
	if (st == TAF_OK)
		st = taf_select_copy(select, how->w, e);
	taf_select_close(select);
	taf_reader_close(r);
	return st == TAF_OK ? how->end(how->ctx, e) : st;
}

/* All pieces by a reader of whole ones, or of r, and by selection. */
static enum taf_status
run_pieces(const struct job *s, struct taf_reader *r, struct taf_err *e)
{
	const uint64_t len = s->cut.len;
	enum taf_status st = TAF_OK;
	uint64_t first, n;

	for (first = 0; first < len && st == TAF_OK; first += n) {
		n = len - first < s->how->every ? len - first : s->how->every;
		st = r == NULL || (r == s->spool && n < s->how->every) ?
		    select_piece(s, first, n, e) : pass_piece(s, r, first, n, e);
	}
	return st;
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *s = ctx;
	const uint64_t left = s->cut.len - s->next, lines = s->cut.outer - s->line;
	struct slot *m = &s->slot[t->slot];

	m->first = s->next;
	m->n = left < s->most ? left : s->most;
	m->line = s->line;
	m->lines = lines < s->lines ? lines : s->lines;
	s->line += m->lines;
	if (s->line == s->cut.outer) {
		s->line = 0;
		s->next += m->n;
	}
	t->out.n = (size_t)(s->cut.inner * m->n * m->lines);
	t->out.runs = 1;
	t->scratch_size = (size_t)(s->cut.inner * s->most * s->lines) * s->esize;
	return left > 0;
}

/* Bring together count pieces of every points, from point at of the slot on. */
static void
cut_pieces(const struct job *s, const struct taf_tile *t, uint64_t at, uint64_t every,
    uint64_t count)
{
	const struct slot *m = &s->slot[t->slot];
	const uint64_t line = s->cut.inner * s->esize;
	const size_t n[] = { (size_t)(s->cut.inner * every), (size_t)m->lines,
	    (size_t)count };
	const ptrdiff_t to[] = { (ptrdiff_t)s->esize, (ptrdiff_t)(line * every),
	    (ptrdiff_t)(line * every * m->lines) };
	const ptrdiff_t from[] = { to[0], (ptrdiff_t)(line * s->cut.len),
	    (ptrdiff_t)(line * every) };

	taf_strided_copy((unsigned char *)t->scratch + line * at * m->lines,
	    s->from + line * (m->line * s->cut.len + m->first + at),
	    &(struct taf_strided){ s->esize, 3, n, to, from });
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	const struct job *s = ctx;
	const struct slot *m = &s->slot[t->slot];
	const uint64_t every = s->how->every, whole = m->n / every * every;

	(void)e;
	cut_pieces(s, t, 0, every, whole / every);
	cut_pieces(s, t, whole, m->n - whole, 1);
	return TAF_OK;
}

static enum taf_status
give(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *s = ctx;
	const struct slot *m = &s->slot[t->slot];
	const struct taf_split *how = s->how;
	const uint64_t point = s->cut.inner * m->lines;		/* elements */
	const unsigned char *const pieces = t->scratch;
	enum taf_status st = TAF_OK;
	uint64_t at, n;

	for (at = 0; at < m->n && st == TAF_OK; at += n) {
		n = m->n - at < how->every ? m->n - at : how->every;
		if (m->line == 0)
			st = how->begin(how->ctx, m->first + at, n, e);
		if (st == TAF_OK)
			st = taf_writer_put(how->w, pieces + point * at * s->esize,
			    (size_t)(point * n), e);
		if (st == TAF_OK && m->line + m->lines == s->cut.outer)
			st = how->end(how->ctx, e);
	}
	return st;
}

static enum taf_status
run_tiles(struct job *s, unsigned threads, struct taf_err *e)
{
	const struct taf_tiles tiles = { .threads = threads, .ctx = s, .next = next,
		.work = work, .give = give };

	return taf_tiles(&tiles, e);
}

static unsigned
threads_for(const struct job *s, uint64_t slots)
{
	const unsigned threads = slots > 1 ? taf_threads(s->how->service) : 1;

	return threads < TAF_THREADS_MOST ? threads : TAF_THREADS_MOST;
}

/* Slots of whole pieces, for threads that share the memory. */
static enum taf_status
run_slots(struct job *s, uint64_t memory, struct taf_err *e)
{
	const uint64_t point = elements(s, 1) * s->esize, every = s->how->every;
	unsigned threads = threads_for(s, (s->cut.len - 1) / s->most + 1);

	/* not so many that a slot has less than a run of a line */
	while (threads > 1 && (memory / threads / point < every ||
	    memory / threads / point * s->cut.inner * s->esize < SHORT))
		threads--;
	s->most = memory / threads / point / every * every;
	if (s->most > s->cut.len)
		s->most = s->cut.len;
	s->lines = s->cut.outer;
	return run_tiles(s, threads, e);
}

/* Slots of some lines of one piece. */
static enum taf_status
run_lines(struct job *s, uint64_t memory, struct taf_err *e)
{
	const uint64_t line = s->cut.inner * s->how->every * s->esize;
	const unsigned threads = taf_threads_some(memory, threads_for(s, 2), 0, line);

	s->most = s->how->every;
	s->lines = (memory / threads < BLOCK ? memory / threads : BLOCK) / line;
	if (s->lines == 0)
		s->lines = 1;
	return run_tiles(s, threads, e);
}

/* Pieces whose elements do not lie together. */
static enum taf_status
run_apart(struct job *s, struct taf_err *e)
{
	const uint64_t memory = taf_memory_share(s->how->service->memory, TAF_HELD),
	    point = elements(s, 1) * s->esize;
	const uint64_t every = s->how->every, line = s->cut.inner * every * s->esize;

	if (find_elements(s, memory, e) != TAF_OK)
		return e->code;
	s->most = memory / point / every * every;
	if (s->most == 0 && line >= RUN)
		return run_pieces(s, NULL, e);
	/* few large pieces: each by a pass of its own, in blocks that stay in cache */
	if (s->from != NULL && line >= NARROW && line <= memory &&
	    line * s->cut.outer > BLOCK && s->cut.len / every < PASSES)
		return run_lines(s, memory, e);
	if (s->from != NULL && s->most > 0 && (s->cut.inner * s->most * s->esize >= RUN ||
	    s->cut.len / s->most < PASSES))
		return run_slots(s, memory, e);
	if (spool_pieces(s, e) != TAF_OK)
		return e->code;
	return run_pieces(s, s->spool, e);
}

enum taf_status
taf_split(const struct taf_split *how, struct taf_err *e)
{
	struct job *s = calloc(1, sizeof *s);
	enum taf_status st;

	if (s == NULL)
		return taf_fail_mem(e);
	s->how = how;
	s->cut = taf_array_cut(how->a, how->dim);
	s->esize = taf_type_size(how->a->type);
	if (s->cut.outer <= 1 || elements(s, 1) == 0 || how->every >= s->cut.len)
		st = run_pieces(s, how->r, e);
	else
		st = run_apart(s, e);
	taf_reader_close(s->spool);
	free(s->all);
	free(s);
	return st;
}
