/* SPDX-License-Identifier: ISC */
#include "format/zarr_export.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf_private.h"
#include "base/crc.h"
#include "base/endian.h"
#include "base/num.h"
#include "codec/chunk/chunk_index.h"
#include "format/boxes.h"
#include "kernel/number/convert_private.h"
#include "stream/tiles.h"

enum { CHUNK = 4 << 20 };	/* bytes, each of which is one run of elements */

/* The chunk that a thread has. */
struct piece {
	struct taf_chunk_range b;
	bool first;		/* of its shard */
	uint64_t place;		/* in its shard */
	const unsigned char *bytes;	/* as they are stored */
	size_t n;
};

struct job {
	const struct taf_zarr_export *x;
	struct taf_zarr_put *p;
	struct taf_reader *r;
	const struct taf_array *a;
	struct taf_zarr_array z;
	struct taf_chunks c;	/* of all of a */
	bool in_order;		/* each chunk is one run, and so is each shard */
	size_t size, bytes;	/* of an element and a chunk */
	size_t packed;		/* of scratch memory behind those of a chunk */
	struct piece piece[TAF_THREADS_MOST];
	/* the shard that is being written */
	struct taf_out *out;
	unsigned char *index;
	uint64_t entries, at;
	uint64_t done;		/* bytes of elements */
};

/* --- one chunk --- */

static bool
next(void *ctx, struct taf_tile *t)
{
	struct job *j = ctx;
	struct piece *p = &j->piece[t->slot];
	const uint64_t shards = j->c.entries;
	unsigned k;

	if (!taf_chunks_next(&j->c, &p->b))
		return false;
	p->first = j->c.entries > shards;
	p->place = taf_chunks_place(&j->c, &p->b);
	t->out = (struct taf_runs){ .n = 1, .runs = 1 };
	for (k = j->a->ndim; k > 0; k--) {
		t->out.n *= (size_t)(p->b.to[k - 1] - p->b.from[k - 1]);
		t->out.first = t->out.first * j->a->dim[k - 1].n + p->b.from[k - 1];
	}
	if (j->in_order)
		t->in[0] = t->out;
	t->scratch_size = j->bytes + j->packed;
	return true;
}

/*
 * Its elements in their places in a chunk of full size, whose rest is 0; they lie at
 * from, or where that is NULL in the array.
 */
static enum taf_status
gather(const struct job *j, const struct taf_chunk_range *b, const unsigned char *from,
    unsigned char *to, struct taf_err *e)
{
	uint64_t i[TAF_MAX_DIM] = { 0 }, first, at;
	enum taf_status st = TAF_OK;
	const unsigned rank = j->a->ndim;
	const size_t run = (size_t)(b->to[0] - b->from[0]);
	unsigned k = 0;

	memset(to, 0, j->bytes);
	while (k < rank && st == TAF_OK) {
		for (first = at = 0, k = rank; k > 0; k--) {
			first = first * j->a->dim[k - 1].n + b->from[k - 1] + i[k - 1];
			at = at * j->c.chunk[k - 1] + i[k - 1];
		}
		if (from == NULL) {
			st = taf_reader_at(j->r, to + at * j->size, first, run, e);
		} else {
			memcpy(to + at * j->size, from, run * j->size);
			from += run * j->size;
		}
		for (k = 1; k < rank && ++i[k] == b->to[k] - b->from[k]; k++)
			i[k] = 0;
	}
	return st;
}

/* The file of a chunk, or of the shard that it is in. */
static enum taf_status
put_object(const struct job *j, const struct taf_chunk_range *b, struct taf_out **out,
    struct taf_err *e)
{
	uint64_t number[TAF_MAX_DIM];

	taf_chunks_object(&j->c, b, number);
	return taf_zarr_put_object(j->p, j->p->path, &j->z, number, out, e);
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	struct piece *p = &j->piece[t->slot];
	unsigned char *from = j->in_order ? t->raw[0] : NULL;
	enum taf_status st = TAF_OK;
	struct taf_out *out;

	if (from == NULL || t->out.n * j->size < j->bytes) {
		st = gather(j, &p->b, from, t->scratch, e);
		from = t->scratch;
	}
	if (st == TAF_OK && taf_swap_needed(j->a->type, false))
		taf_swap_elements(from, j->a->type, j->bytes / j->size);
	p->bytes = from;
	p->n = j->bytes;
	if (st == TAF_OK && !j->x->pack.none) {
		p->bytes = (unsigned char *)t->scratch + j->bytes;
		p->n = taf_pack(&j->x->pack, from, j->bytes, (unsigned char *)t->scratch +
		    j->bytes);
		if (p->n == 0)
			return taf_fail_mem(e);
	}
	if (st != TAF_OK || j->z.sharded)
		return st;
	st = put_object(j, &p->b, &out, e);
	return st != TAF_OK ? st : taf_stage_settle(out, taf_out_write(out, p->bytes,
	    p->n, e), e);
}

/* --- shards --- */

/* The index goes behind its chunks. */
static enum taf_status
end_shard(struct job *j, enum taf_status st, struct taf_err *e)
{
	const size_t n = (size_t)j->entries * TAF_CHUNK_PLACE;
	struct taf_out *out = j->out;

	if (out == NULL)
		return st;
	j->out = NULL;
	taf_put32(j->index + n, taf_crc32c(0, j->index, n), false);
	if (st == TAF_OK)
		st = taf_out_write(out, j->index, n + TAF_CHUNK_SUM, e);
	return taf_stage_settle(out, st, e);
}

static enum taf_status
begin_shard(struct job *j, const struct piece *p, struct taf_err *e)
{
	if (end_shard(j, TAF_OK, e) != TAF_OK)
		return e->code;
	memset(j->index, 0xff, (size_t)j->entries * TAF_CHUNK_PLACE);
	j->at = 0;
	return put_object(j, &p->b, &j->out, e);
}

static enum taf_status
give(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct job *j = ctx;
	const struct piece *p = &j->piece[t->slot];

	if (j->z.sharded) {
		if (p->first && begin_shard(j, p, e) != TAF_OK)
			return e->code;
		taf_chunk_place_put(j->index + p->place * TAF_CHUNK_PLACE, j->at, p->n);
		j->at += p->n;
		if (taf_out_write(j->out, p->bytes, p->n, e) != TAF_OK)
			return e->code;
	}
	j->done += t->out.n * j->size;
	taf_progress(j->x->service, j->done, taf_array_bytes(j->a));
	return TAF_OK;
}

/* --- how it is cut --- */

/* Are boxes of these lengths one run of elements each? */
static bool
are_runs(const struct job *j, const uint64_t len[])
{
	bool cut = false;
	unsigned k;

	for (k = 0; k < j->a->ndim; k++) {
		if (cut && len[k] > 1 && j->c.box.to[k] > 1)
			return false;
		cut = cut || len[k] < j->c.box.to[k];
	}
	return true;
}

/* How it is cut, by index, for the metadata. */
static void
turn(struct job *j)
{
	struct taf_zarr_array *z = &j->z;
	const char *ndim = taf_attr_get(j->a, "ndim", TAF_OF_ARRAY, 0);
	unsigned k, i;

	z->version = j->x->version;
	z->separator = '.';
	z->prefixed = z->version == 3;
	z->sharded = j->x->shard.count > 0;
	z->nd.type = j->a->type;
	z->nd.ndim = j->a->ndim;
	for (k = 0; k < j->a->ndim; k++) {
		i = taf_chunks_index(&j->c, k);
		z->nd.n[i] = j->c.box.to[k];
		z->chunk[i] = j->c.chunk[k];
		z->shard[i] = j->c.shard[k];
		z->order[j->a->ndim - 1 - k] = i;
	}
	if (j->a->ndim == 1 && j->c.box.to[0] == 1 && j->c.chunk[0] == 1 && !z->sharded &&
	    ndim != NULL && strcmp(ndim, "0") == 0)
		z->nd.ndim = 0;
}

static enum taf_status
choose(struct job *j, struct taf_err *e)
{
	const struct taf_zarr_export *x = j->x;
	uint64_t bytes = j->size, room = CHUNK / j->size, length;
	const unsigned given[] = { x->chunk.count, x->shard.count };
	unsigned k;

	for (k = 0; k < 2; k++)
		if (given[k] > 0 && given[k] != j->a->ndim)
			return taf_fail(e, TAF_EDATA,
			    "lengths of chunks for %u dimensions, the array has %u",
			    given[k], j->a->ndim);
	j->entries = 1;
	for (k = 0; k < j->a->ndim; k++) {
		length = taf_chunks_length(j->c.box.to[k], &room);
		j->c.chunk[k] = x->chunk.count > 0 ? x->chunk.n[k] : length;
		j->c.shard[k] = x->shard.count > 0 ? x->shard.n[k] : j->c.chunk[k];
		if (j->c.shard[k] % j->c.chunk[k] != 0)
			return taf_fail(e, TAF_EDATA,
			    "shards of %llu points and chunks of %llu",
			    (unsigned long long)j->c.shard[k],
			    (unsigned long long)j->c.chunk[k]);
		if (!taf_mul(bytes, j->c.chunk[k], &bytes) || bytes > INT64_MAX / 16 ||
		    !taf_mul(j->entries, j->c.shard[k] / j->c.chunk[k], &j->entries) ||
		    j->entries > INT64_MAX / 64)
			return taf_fail(e, TAF_EDATA,
			    "chunks of more than 2^59 bytes, or 2^57 of them in a shard");
	}
	if (!x->pack.none && bytes > TAF_PACK_MOST)
		return taf_fail(e, TAF_EDATA,
		    "chunks of %llu bytes, of which %lld at most can be packed",
		    (unsigned long long)bytes, (long long)TAF_PACK_MOST);
	j->bytes = (size_t)bytes;
	j->in_order = are_runs(j, j->c.chunk) && are_runs(j, j->c.shard);
	turn(j);
	return TAF_OK;
}

/* How many threads have the memory for a chunk. */
static enum taf_status
fit(struct job *j, unsigned *threads, struct taf_err *e)
{
	const uint64_t held = j->z.sharded ? j->entries * TAF_CHUNK_PLACE : 0;

	j->packed = j->x->pack.none ? 0 : taf_pack_room(j->bytes);
	if (taf_boxes_threads(j->x->service, held, (uint64_t)j->bytes +
	    j->packed + (j->in_order ? j->bytes : 0), j->bytes, threads, e) != TAF_OK)
		return e->code;
	j->index = taf_alloc((size_t)held + TAF_CHUNK_SUM, 1);
	return j->index != NULL ? TAF_OK : taf_fail_mem(e);
}

static enum taf_status
put_chunks(struct job *j, unsigned threads, struct taf_err *e)
{
	const struct taf_tiles tiles = { .r = &j->r, .esize = &j->size,
		.nin = j->in_order, .threads = threads, .ctx = j, .next = next,
		.work = work, .give = give };
	enum taf_status st = TAF_OK;

	if (!j->in_order)
		st = taf_reader_random(j->r, e);
	taf_chunks_walk(&j->c);
	if (st == TAF_OK)
		st = end_shard(j, taf_tiles(&tiles, e), e);
	return st;
}

enum taf_status
taf_zarr_export(const struct taf_zarr_export *x, struct taf_zarr_put *p,
    struct taf_reader *r, struct taf_array *a, struct taf_err *e)
{
	struct job *j = calloc(1, sizeof *j);
	enum taf_status st;
	unsigned threads;

	if (j == NULL)
		return taf_fail_mem(e);
	*j = (struct job){ .x = x, .p = p, .r = r, .a = a, .size =
	    taf_type_size(a->type) };
	taf_region_all(&j->c.region, a);
	memcpy(j->c.box.to, j->c.region.count, sizeof j->c.box.to);
	j->c.reverse = x->reverse;
	st = choose(j, e);
	if (st == TAF_OK)
		st = fit(j, &threads, e);
	if (st == TAF_OK)
		st = taf_zarr_put_begin(p, e);
	if (st == TAF_OK && taf_array_count(a) > 0)
		st = put_chunks(j, threads, e);
	if (st == TAF_OK)
		st = taf_reader_finish(r, a, e);
	if (st == TAF_OK)
		st = taf_zarr_put_describe(p, &j->z, x->pack.none ? NULL : &x->pack,
		    x->reverse, a, e);
	free(j->index);
	free(j);
	return st;
}
