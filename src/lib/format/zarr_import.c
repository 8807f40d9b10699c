/* SPDX-License-Identifier: ISC */
#include "format/zarr_import.h"

#include <stdlib.h>
#include <string.h>

#include "array/chunks.h"
#include "array/missing.h"
#include "array/uniform.h"
#include "base/buf_private.h"
#include "base/half.h"
#include "base/num.h"
#include "format/to_nan.h"
#include "io/spool.h"
#include "io/url.h"
#include "kernel/move/permute_plan.h"
#include "kernel/move/strided.h"
#include "kernel/number/convert_private.h"
#include "stream/tiles.h"
#include "stream/writer_private.h"

enum {
	BOX = 16 << 20,		/* bytes of elements at a time, where that suffices */
	SHORT_RUN = 8 << 10	/* shorter ones of the output cost more than cut chunks */
};

/* The part of a chunk that a thread has. */
struct piece {
	struct taf_chunk_range r;
	uint64_t at, bytes;		/* where it is in a shard */
	bool none;			/* there is no such chunk */
	bool fills;			/* there was none, once */
	/* sums of the states of chunks, as their first and last parts were read */
	uint64_t begun, ended;
	struct taf_convert_count lost;
};

/* Boxes of the region, one after the other, each made of parts of chunks. */
struct job {
	struct taf_zarr_import *im;
	const struct taf_zarr_array *z;
	struct taf_chunks c;		/* which walks through one box after the other */
	unsigned rank;
	/* by dimension: bytes to the next point, in a chunk and in a box */
	ptrdiff_t step[TAF_MAX_DIM], pitch[TAF_MAX_DIM];
	size_t size;			/* bytes of an element, as it goes out */
	unsigned char fill[16];		/* the same of one that is nowhere, */
	struct taf_convert_count lost;	/* and what that has lost */
	uint64_t extent[TAF_MAX_DIM];	/* points of a box, at most */
	bool same;			/* chunks have bytes as they go out, */
	bool plain;			/* in files, and of this machine */
	size_t run;			/* bytes of a box that are one in the output */
	bool sequential;		/* a box lies in one piece behind the last one */
	unsigned char *elements;
	size_t raw, packed, work;	/* bytes of scratch memory */
	uint64_t whole;			/* bytes of an object that may be read at once */
	unsigned threads;
	struct taf_err *e;		/* of who reads coordinates */
	struct taf_zarr_shard index;
	uint64_t read;			/* of which of c.entries index is */
	struct piece piece[TAF_THREADS_MOST];
};

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct piece *p = &j->piece[t->slot];

	if (!taf_chunks_next(&j->c, &p->r))
		return false;
	p->none = false;
	t->out = (struct taf_runs){ .n = 1, .runs = 1 };
	t->scratch_size = j->raw + j->packed + j->work;
	return true;
}

enum taf_status
taf_zarr_threads(const struct taf_service *s, uint64_t shared, uint64_t each,
    uint64_t bytes, unsigned *threads, struct taf_err *e)
{
	*threads = taf_threads_within(s->memory, taf_threads(s), shared, each);
	if (*threads == 0 && taf_memory_for(s->memory, shared + each) >= shared + each)
		*threads = 1;
	return *threads > 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "a chunk of %llu bytes does not fit the memory (-m)",
	    (unsigned long long)bytes);
}

/* --- one piece --- */

static enum taf_status
open_object(const struct job *j, const struct piece *p, struct taf_in **in,
    struct taf_err *e)
{
	struct taf_str key = { .err = e };
	uint64_t number[TAF_MAX_DIM];
	enum taf_status st;

	taf_str_printf(&key, "%s%s", j->im->path, j->im->path[0] != '\0' ? "/" : "");
	taf_chunks_object(&j->c, &p->r, number);
	taf_zarr_key(j->z, number, &key);
	st = key.st == TAF_OK ? taf_objects_get(j->im->store, key.buf.data, j->whole,
	    j->z->sharded, in, e) : key.st;
	taf_str_free(&key);
	return st;
}

/* Where the chunk is in its shard. */
static enum taf_status
find(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct piece *p = &j->piece[t->slot];
	enum taf_status st = TAF_OK;
	struct taf_in *in;
	const uint64_t *place;

	if (j->read != j->c.entries) {
		j->index.n = 0;
		st = open_object(j, p, &in, e);
		if (st == TAF_OK) {
			st = taf_zarr_shard_read(j->z, in, &j->index, e);
			taf_in_close(in);
		}
		j->read = j->c.entries;
	}
	if (st != TAF_OK && st != TAF_END)
		return st;
	p->none = j->index.n == 0;
	if (p->none)
		return TAF_OK;
	place = j->index.place + 2 * taf_chunks_place(&j->c, &p->r);
	p->at = place[0];
	p->bytes = place[1];
	p->none = p->at == UINT64_MAX && p->bytes == UINT64_MAX;
	return TAF_OK;
}

/* A piece as it lies in its chunk, and in the box. */
struct view {
	unsigned char *to;	/* where it begins in the box, */
	size_t from;		/* and in the chunk, in bytes */
	size_t n[TAF_MAX_DIM];
	ptrdiff_t step[TAF_MAX_DIM];	/* from point to point of the chunk */
	uint64_t points;
	uint64_t span;		/* bytes of the chunk that have all of them */
	bool run;		/* it is one run in both */
};

static void
look(const struct job *j, const struct piece *p, struct view *v)
{
	unsigned k;

	*v = (struct view){ .to = j->elements, .points = 1, .run = true };
	for (k = 0; k < j->rank; k++) {
		const uint64_t from = p->r.from[k], n = p->r.to[k] - from;
		const uint64_t step = j->c.region.step[k];
		const uint64_t point = j->c.region.first[k] + from * step;
		const ptrdiff_t run = (ptrdiff_t)(v->points * j->size);

		v->from += (size_t)(point % j->c.chunk[k]) * (size_t)j->step[k];
		v->to += (size_t)(from - j->c.box.from[k]) * (size_t)j->pitch[k];
		v->n[k] = (size_t)n;
		/* a step over the chunk is never gone */
		v->step[k] = n > 1 ? j->step[k] * (ptrdiff_t)step : 0;
		v->span += (n - 1) * (uint64_t)v->step[k];
		v->run = v->run && (n == 1 || (v->step[k] == run && j->pitch[k] == run));
		v->points *= n;
	}
	v->span += j->size;
}

/* Its points, the first of which is at from, to the box. */
static void
copy(const struct job *j, const struct view *v, const void *from)
{
	taf_strided_copy(v->to, from, &(struct taf_strided){ j->size, j->rank, v->n,
	    j->pitch, v->step });
}

static enum taf_status
wrong(const struct taf_in *in, const char *what, struct taf_err *e)
{
	return what[0] == '\0' ? taf_fail_mem(e) : taf_fail(e, TAF_EDATA, "%s: %s",
	    taf_in_name(in), what);
}

/*
 * Parts of a chunk may be read at different times.  If it changed between the first and
 * the last of them, the sums differ at the end.
 */
static void
note_state(const struct job *j, struct piece *p, const struct taf_in *in)
{
	bool first = true, last = true;
	unsigned k;

	for (k = 0; k < j->rank; k++) {
		const uint64_t from = p->r.from[k], to = p->r.to[k], n = j->c.chunk[k];

		first = first && (from == 0 || taf_chunks_number(&j->c, k, from - 1,
		    n) < taf_chunks_number(&j->c, k, from, n));
		last = last && (to == j->c.region.count[k] || taf_chunks_number(&j->c,
		    k, to - 1, n) < taf_chunks_number(&j->c, k, to, n));
	}
	p->begun += first ? taf_in_state(in) : 0;
	p->ended += last ? taf_in_state(in) : 0;
}

/* All of a chunk, of n bytes at an offset, as elements that go out; NULL with e set. */
static unsigned char *
unpack(const struct job *j, struct piece *p, struct taf_in *in, uint64_t at, size_t n,
    unsigned char *scratch, struct taf_err *e)
{
	const struct taf_zarr_array *z = j->z;
	const size_t count = (size_t)z->bytes / z->size;
	const enum taf_type type = z->nd.half ? TAF_UINT16 : z->nd.type;
	unsigned char *next = scratch + z->bytes, *packed = scratch + j->raw;
	const char *fault = NULL;

	if (taf_in_pread(in, z->way.n == 0 ? scratch : packed, n, at, e) != TAF_OK)
		return NULL;
	if (z->way.n > 0)
		fault = taf_chunk_unpack(&z->way, packed, n, scratch, (size_t)z->bytes,
		    packed + j->packed);
	if (fault != NULL && wrong(in, fault, e) != TAF_OK)
		return NULL;
	if (taf_swap_needed(type, z->nd.big))
		taf_swap_elements(scratch, type, count);
	if (z->nd.half) {
		taf_half_to_flt32(next, scratch, count);
		scratch = next;
		next += count * taf_type_size(z->nd.type);
	}
	if (j->im->missing == NULL)
		return scratch;
	taf_to_nan(j->im->missing, next, scratch, count, &p->lost);
	return next;
}

static enum taf_status
read_chunk(const struct job *j, struct piece *p, const struct view *v, struct taf_in *in,
    unsigned char *scratch, struct taf_err *e)
{
	const struct taf_zarr_array *z = j->z;
	const uint64_t at = taf_in_offset(in) + (z->sharded ? p->at : 0);
	const uint64_t n = z->sharded ? p->bytes : taf_in_left(in);
	const void *mapped;

	if (z->way.n == 0 && n != z->bytes)
		return taf_fail(e, TAF_EDATA, "%s: %llu bytes, expected %llu",
		    taf_in_name(in), (unsigned long long)n,
		    (unsigned long long)z->bytes);
	if (n == 0 || n > taf_chunk_longest(z->bytes))
		return wrong(in, n == 0 ? "is empty" :
		    "is longer than any such chunk", e);
	if (v->run && j->same) {
		if (taf_in_pread(in, v->to, (size_t)v->span, at + v->from, e) == TAF_OK &&
		    taf_swap_needed(z->nd.type, z->nd.big))
			taf_swap_elements(v->to, z->nd.type, (size_t)v->points);
		return e->code;
	}
	mapped = j->plain && v->points < z->bytes / j->size ?
	    taf_in_map(in, at + v->from, v->span) : NULL;
	if (mapped == NULL) {
		scratch = unpack(j, p, in, at, (size_t)n, scratch, e);
		if (scratch == NULL)
			return e->code;
		mapped = scratch + v->from;
	}
	copy(j, v, mapped);
	return TAF_OK;
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct piece *p = &j->piece[t->slot];
	struct taf_in *in;
	enum taf_status st = p->none ? TAF_END : open_object(j, p, &in, e);
	struct view v;

	look(j, p, &v);
	if (st == TAF_OK) {
		st = read_chunk(j, p, &v, in, t->scratch, e);
		if (st == TAF_OK)
			st = taf_in_unchanged(in, e);
		note_state(j, p, in);
		taf_in_close(in);
	} else if (st == TAF_END) {
		memset(v.step, 0, sizeof v.step);
		copy(j, &v, j->fill);
		p->lost.rounded += j->lost.rounded * v.points;
		p->fills = true;
		st = TAF_OK;
	}
	return st;
}

/* --- boxes --- */

/* As many points as fit the memory, the fastest dimensions first; pieces stay whole. */
static uint64_t
choose_extent(struct job *j, uint64_t most)
{
	uint64_t bytes = j->size, n;
	bool whole = true;
	unsigned k;

	for (k = 0; k < j->rank; k++) {
		n = (j->c.chunk[k] - 1) / j->c.region.step[k] + 1;
		j->extent[k] = n < j->c.region.count[k] ? n : j->c.region.count[k];
		if (!taf_mul(bytes, j->extent[k], &bytes))
			return UINT64_MAX;
	}
	j->sequential = true;
	j->run = j->size;
	for (k = 0; k < j->rank; k++) {
		const uint64_t one = bytes / j->extent[k];

		if (!whole) {
			j->sequential = j->sequential && j->extent[k] == 1;
			continue;
		}
		n = most / one;
		n = n < j->c.region.count[k] ? n : j->c.region.count[k];
		j->extent[k] = n > j->extent[k] ? n : j->extent[k];
		whole = j->extent[k] == j->c.region.count[k];
		bytes = one * j->extent[k];
		j->run *= (size_t)j->extent[k];
	}
	return bytes;
}

/* Boxes that cut chunks, and have long runs in them and in the output. */
static uint64_t
choose_block(struct job *j, uint64_t most)
{
	struct taf_permutation p = { .esize = j->size, .bytes = j->size, .nd = j->rank };
	struct taf_permute_plan q;
	uint64_t bytes = j->size;
	unsigned i, k;

	for (k = 0; k < j->rank; k++) {
		p.n[k] = j->c.region.count[k];
		p.bytes *= p.n[k];
		p.out[k] = k;
		for (i = k; i > 0 && j->step[p.in[i - 1]] > j->step[k]; i--)
			p.in[i] = p.in[i - 1];
		p.in[i] = k;
	}
	taf_permute_plan(&q, &p, (size_t)most, 1, false);
	for (k = 0; k < j->rank; k++) {
		j->extent[k] = q.block[k];
		bytes *= q.block[k];
	}
	return bytes;
}

/* TAF_EDATA where not even one chunk fits. */
static enum taf_status
plan(struct job *j, uint64_t *box, struct taf_err *e)
{
	const struct taf_zarr_array *z = j->z;
	const uint64_t memory = j->im->service->memory;
	const unsigned threads = taf_threads(j->im->service);
	const uint64_t share = taf_memory_share(memory, TAF_BATCH);
	const uint64_t wanted = z->bytes > BOX / threads / 4 ? z->bytes > share ? share :
	    4 * threads * z->bytes : BOX;
	const uint64_t longest = taf_chunk_longest(z->bytes);
	uint64_t each;

	j->raw = (size_t)(z->bytes + (z->nd.half ? 2 * z->bytes : 0) +
	    (j->im->missing != NULL ? z->bytes / z->size * j->size : 0));
	j->packed = z->way.n > 0 ? (size_t)longest : 0;
	j->work = taf_chunk_room(&z->way, (size_t)z->bytes);
	/* if it is no file, it is in memory */
	each = (uint64_t)j->raw + j->packed + j->work +
	    (j->im->store->real == NULL ? longest : 0);
	*box = choose_extent(j, share < wanted ? share : wanted);
	if (!j->sequential)
		*box = choose_extent(j, share);
	if (!j->sequential && j->plain && j->run < SHORT_RUN)
		*box = choose_block(j, share);
	if (taf_zarr_threads(j->im->service, *box, each, z->bytes, &j->threads, e) !=
	    TAF_OK)
		return e->code;
	/* of shards, those that are deflated are */
	j->whole = z->sharded ? memory / 4 / j->threads : longest;
	return TAF_OK;
}

/* Read a box, which is where j->c.box says; *count elements. */
static enum taf_status
read_box(struct job *j, uint64_t *count, struct taf_err *e)
{
	struct taf_tiles tiles = { .ctx = j, .next = next, .work = work,
		.pass = j->z->sharded ? find : NULL };
	uint64_t pieces = 1, n = 1;
	unsigned k;

	for (k = 0; k < j->rank; k++) {
		const uint64_t from = j->c.box.from[k], to = j->c.box.to[k];
		const uint64_t len = j->c.chunk[k];

		j->pitch[k] = (ptrdiff_t)(n * j->size);
		n *= to - from;
		pieces *= taf_chunks_number(&j->c, k, to - 1, len) -
		    taf_chunks_number(&j->c, k, from, len) + 1;
	}
	*count = n;
	taf_chunks_walk(&j->c);
	tiles.threads = taf_threads_for(j->threads, pieces);
	return taf_tiles(&tiles, e);
}

/* The box goes to its place in all of the region, which begins at base. */
static enum taf_status
put_box(const struct job *j, struct taf_out *out, uint64_t base, struct taf_err *e)
{
	uint64_t at[TAF_MAX_DIM], pitch[TAF_MAX_DIM], off = base, all = j->size;
	const unsigned char *p = j->elements;
	size_t run = j->size;
	unsigned k, rest = 0;

	for (k = 0; k < j->rank; k++) {
		at[k] = j->c.box.from[k];
		pitch[k] = all;
		off += at[k] * all;
		if (rest == k && all == run) {
			run *= (size_t)(j->c.box.to[k] - at[k]);
			rest++;
		}
		all *= j->c.region.count[k];
	}
	for (;;) {
		if (taf_out_pwrite(out, p, run, off, e) != TAF_OK)
			return e->code;
		p += run;
		for (k = rest; k < j->rank; k++) {
			off += pitch[k];
			if (++at[k] < j->c.box.to[k])
				break;
			off -= (at[k] - j->c.box.from[k]) * pitch[k];
			at[k] = j->c.box.from[k];
		}
		if (k >= j->rank)
			return TAF_OK;
	}
}

/* The end of a box that begins at from: chunks stay whole, if one fits. */
static uint64_t
box_end(const struct job *j, unsigned k, uint64_t from)
{
	const struct taf_region *r = &j->c.region;
	const uint64_t left = r->count[k] - from, stop = from + j->extent[k];
	uint64_t chunk, end;

	if (left <= j->extent[k])
		return r->count[k];
	chunk = taf_chunks_number(&j->c, k, stop, j->c.chunk[k]) * j->c.chunk[k];
	end = chunk > r->first[k] ? (chunk - r->first[k] - 1) / r->step[k] + 1 : 0;
	return end > from ? end : stop;
}

/* The first box, or that behind the last one; false where there is none. */
static bool
next_box(struct job *j, bool first)
{
	struct taf_chunk_range *b = &j->c.box;
	bool carry = !first;
	unsigned k;

	for (k = 0; k < j->rank; k++) {
		b->from[k] = carry ? b->to[k] : first ? 0 : b->from[k];
		carry = carry && b->from[k] == j->c.region.count[k];
		if (carry)
			b->from[k] = 0;
		b->to[k] = box_end(j, k, b->from[k]);
	}
	return !carry;
}

static enum taf_status
move(struct job *j, struct taf_writer *w, struct taf_out *out, uint64_t base,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	uint64_t count;
	bool first;

	for (first = true; st == TAF_OK && next_box(j, first); first = false) {
		st = read_box(j, &count, e);
		if (st == TAF_OK)
			st = out != NULL ? put_box(j, out, base, e) :
			    taf_writer_put(w, j->elements, (size_t)count, e);
	}
	return st;
}

/* Boxes that do not lie one behind the other: at offsets, or by a temporary file. */
static enum taf_status
scatter(struct job *j, struct taf_writer *w, struct taf_err *e)
{
	const uint64_t count = taf_array_count(&j->im->a);
	struct taf_spool spool = { 0 };
	struct taf_out *out;
	uint64_t base;
	enum taf_status st = taf_writer_region(w, &out, &base, e);

	if (st != TAF_OK || out != NULL)
		return st == TAF_OK ? move(j, w, out, base, e) : st;
	st = taf_spool_region(&spool, count * j->size, &base, e);
	if (st == TAF_OK)
		st = move(j, w, spool.out, base, e);
	return taf_writer_spool(w, &spool, st, count, e);
}

static enum taf_status
lay_out(struct job *j, uint64_t *box, struct taf_err *e)
{
	const struct taf_zarr_array *z = j->z;
	size_t step = j->size;
	unsigned k, i;

	for (k = 0; k < j->rank; k++) {
		i = taf_chunks_index(&j->c, k);
		j->c.chunk[k] = z->nd.ndim > 0 ? z->chunk[i] : 1;
		j->c.shard[k] = z->nd.ndim > 0 ? z->shard[i] : 1;
	}
	for (k = z->nd.ndim; k > 0; k--) {
		i = z->order[k - 1];
		j->step[taf_chunks_index(&j->c, i)] = (ptrdiff_t)step;
		step *= (size_t)z->chunk[i];
	}
	j->same = z->way.n == 0 && !z->nd.half && j->im->missing == NULL;
	j->plain = j->same && j->im->store->real != NULL &&
	    !taf_swap_needed(z->nd.type, z->nd.big);
	return plan(j, box, e);
}

/* Begin to read what im says, of its region. */
static enum taf_status
begin(struct job **result, struct taf_zarr_import *im, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	unsigned char stored[16];
	uint64_t box = 0;

	*result = j;
	if (j == NULL)
		return taf_fail_mem(e);
	j->im = im;
	j->e = e;
	j->z = &im->z;
	j->c.region = im->region;
	j->c.reverse = im->reverse;
	j->rank = im->layout.a.ndim;
	j->size = taf_type_size(im->layout.a.type);
	memcpy(j->fill, im->z.fill, sizeof j->fill);
	memcpy(stored, im->z.fill, sizeof stored);
	if (im->missing != NULL)
		taf_to_nan(im->missing, j->fill, stored, 1, &j->lost);
	if (taf_region_count(&j->c.region) > 0 && lay_out(j, &box, e) != TAF_OK)
		return e->code;
	j->elements = taf_alloc((size_t)box, 1);
	return j->elements != NULL ? TAF_OK : taf_fail_mem(e);
}

/* Were chunks not there that nothing says a value of? */
static bool
end(struct job *j)
{
	bool fills = false;
	unsigned k;

	if (j == NULL)
		return false;
	for (k = 0; k < TAF_THREADS_MOST; k++)
		fills = fills || (j->piece[k].fills && j->z->no_fill);
	taf_zarr_shard_free(&j->index);
	free(j->elements);
	free(j);
	return fills;
}

/* --- coordinates --- */

static bool
read_coordinates(void *ctx, uint64_t from, size_t n, double *x)
{
	struct job *j = ctx;
	struct taf_chunk_range *b = &j->c.box;
	uint64_t count, some;

	for (; n > 0; n -= (size_t)some, from += some, x += some) {
		if (from < b->from[0] || from >= b->to[0]) {
			b->from[0] = from;
			b->to[0] = box_end(j, 0, from);
			if (read_box(j, &count, j->e) != TAF_OK)
				return false;
		}
		some = b->to[0] - from < n ? b->to[0] - from : n;
		(void)taf_convert(x, TAF_FLT64, j->elements + (size_t)(from -
		    b->from[0]) * j->size, j->z->nd.type, (size_t)some, NULL, false,
		    NULL);
	}
	return true;
}

/* Are the coordinates, an array that was found, the grid of d? */
static bool
is_grid(struct taf_zarr_import *c, struct taf_dim *d, struct taf_err *e)
{
	struct taf_coordinates how;
	struct job *j = NULL;
	double told[2];
	bool yes = taf_zarr_coordinates(&c->z, &how, told) && how.n == d->n &&
	    taf_ndarray_import(&c->z.nd, false, &c->layout, e) == TAF_OK;

	if (yes) {
		taf_region_all(&c->region, &c->layout.a);
		yes = begin(&j, c, e) == TAF_OK;
		how.read = read_coordinates;
		how.ctx = j;
	}
	yes = yes && taf_uniform(&how, d);
	return !end(j) && yes;
}

/* The array beside this one that has the name of dimension k; *odd: it is no grid. */
static enum taf_status
take_axis(const struct taf_zarr_import *im, struct taf_array *a, unsigned k, bool *odd,
    struct taf_err *e)
{
	const char *label = taf_attr_get(a, "label", TAF_OF_DIM, k);
	const char *slash = strrchr(im->path, '/');
	const size_t group = slash != NULL ? (size_t)(slash + 1 - im->path) : 0;
	struct taf_zarr_import c = { .store = im->store, .service = im->service };
	struct taf_str path = { .err = e };
	struct taf_err none = { 0 };
	enum taf_status st;
	bool grid;

	if (im->path[0] == '\0' || label == NULL || strchr(label, '/') != NULL ||
	    taf_objects_path_check(label, &none) != TAF_OK)
		return TAF_OK;
	taf_str_put(&path, im->path, group);
	taf_str_puts(&path, label);
	st = path.st;
	if (st == TAF_OK && strcmp(path.buf.data, im->path) != 0)
		st = taf_zarr_look(im->store, path.buf.data, &c.z, e);
	if (st == TAF_OK && c.z.doc != NULL) {
		c.path = path.buf.data;
		grid = is_grid(&c, &a->dim[k - 1], e);
		*odd = !grid;
		st = e->code != TAF_OK ? e->code : taf_zarr_describe_dim(&c.z,
		    path.buf.data + group, k, grid, a, e);
	}
	taf_zarr_import_end(&c);
	taf_str_free(&path);
	return st == TAF_END ? TAF_OK : st;
}

static enum taf_status
take_axes(const struct taf_zarr_import *im, struct taf_array *a, struct taf_err *e)
{
	bool odd[TAF_MAX_DIM] = { false }, any = false;
	struct taf_str text = { .err = e };
	enum taf_status st = TAF_OK;
	unsigned k;

	for (k = 1; k <= im->z.nd.ndim && st == TAF_OK; k++) {
		const char *label;

		st = take_axis(im, a, k, &odd[k - 1], e);
		any = any || odd[k - 1];
		label = taf_attr_get(a, "label", TAF_OF_DIM, k);
		if (st == TAF_OK && label != NULL && taf_zarr_unnamed(&im->z, label))
			st = taf_attr_set(a, "label", TAF_OF_DIM, k, NULL, e);
	}
	if (st == TAF_OK && any) {
		taf_uniform_remark(&text, odd, a->ndim);
		if (text.st == TAF_OK)
			taf_remark(im->service, "%s: %s",
			    taf_url_shown(im->store->path), text.buf.data);
		st = text.st;
	}
	taf_str_free(&text);
	return st;
}

/* --- the array --- */

enum taf_status
taf_zarr_import_begin(struct taf_zarr_import *im, struct taf_err *e)
{
	enum taf_status st = taf_zarr_find(im->store, im->path, &im->z, e);
	struct taf_array *a = &im->layout.a;

	if (st == TAF_END)
		return taf_fail(e, TAF_EDATA, im->path[0] != '\0' ? "/%s: no such array" :
		    "%sno Zarr store: neither .zarray, .zgroup nor zarr.json is there",
		    im->path);
	if (st == TAF_OK)
		st = taf_ndarray_import(&im->z.nd, im->reverse, &im->layout, e);
	if (st == TAF_OK)
		st = taf_zarr_describe(&im->z, im->reverse, a, e);
	if (st == TAF_OK)
		st = take_axes(im, a, e);
	/* xarray masks by the fill_value of version 2, and not by that of version 3 */
	if (st == TAF_OK && im->nan)
		st = taf_to_nan_plan(&im->missing, a, TAF_MISSING_ZARR "_FillValue",
		    im->z.version == 2 && !im->z.no_fill ? im->z.fill : NULL, e);
	return st;
}

static enum taf_status
write_elements(struct job *j, struct taf_writer *w, struct taf_convert_count *lost,
    struct taf_err *e)
{
	const struct taf_array *a = &j->im->a;
	enum taf_status st = TAF_OK;
	uint64_t changed = 0;
	unsigned k;

	if (taf_array_count(a) > 0) {
		taf_watch(j->im->service, w, NULL, taf_array_bytes(a));
		st = j->sequential ? move(j, w, NULL, 0, e) : scatter(j, w, e);
		taf_watch_end(j->im->service);
	}
	for (k = 0; k < TAF_THREADS_MOST; k++) {
		changed += j->piece[k].begun - j->piece[k].ended;
		lost->rounded += j->piece[k].lost.rounded;
	}
	if (st == TAF_OK && changed != 0)
		return taf_fail(e, TAF_EDATA,
		    "/%s: a chunk changed while it was read", j->im->path);
	if (st == TAF_OK)
		st = taf_zarr_unchanged(j->im->store, j->im->path, j->z, e);
	return st == TAF_OK ? taf_writer_end(w, a, e) : st;
}

enum taf_status
taf_zarr_import_write(struct taf_zarr_import *im, struct taf_writer *w,
    struct taf_err *e)
{
	struct taf_convert_count lost = { 0 };
	struct job *j = NULL;

	if (taf_bounds_part(&im->bounds, &im->layout.a, &im->region, &im->a, e) ==
	    TAF_OK && taf_array_check(&im->a, e) == TAF_OK && begin(&j, im, e) ==
	    TAF_OK && taf_writer_begin(w, &im->a, TAF_NEXT_NO, e) == TAF_OK)
		(void)write_elements(j, w, &lost, e);
	if (end(j) && e->code == TAF_OK)
		taf_remark(im->service,
		    "%s: chunks that are not there are 0: no fill_value says what else",
		    taf_url_shown(im->store->path));
	if (e->code == TAF_OK && im->missing != NULL)
		taf_remark_lost(im->service, &lost, taf_array_count(&im->a), im->a.type);
	return e->code;
}

void
taf_zarr_import_end(struct taf_zarr_import *im)
{
	taf_array_fini(&im->layout.a);
	taf_zarr_array_free(&im->z);
	taf_to_nan_free(im->missing);
}
