/* SPDX-License-Identifier: ISC */
#include "format/zarr_import.h"

#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "base/buf_private.h"
#include "base/half.h"
#include "base/num.h"
#include "format/boxes.h"
#include "format/to_nan.h"
#include "io/url.h"
#include "kernel/move/strided.h"
#include "kernel/number/convert_private.h"
#include "stream/tiles.h"

enum { BOX = 16 << 20 };	/* bytes of elements at a time, where that suffices */

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
	struct taf_boxes b;		/* elements as they go out */
	ptrdiff_t step[TAF_MAX_DIM];	/* bytes from point to point of a chunk */
	unsigned char fill[16];		/* the same of one that is nowhere, */
	struct taf_convert_count lost;	/* and what that has lost */
	bool same;			/* chunks have bytes as they go out, */
	bool plain;			/* in files, and of this machine */
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

	if (!taf_chunks_next(&j->b.c, &p->r))
		return false;
	p->none = false;
	t->out = (struct taf_runs){ .n = 1, .runs = 1 };
	t->scratch_size = j->raw + j->packed + j->work;
	return true;
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
	taf_chunks_object(&j->b.c, &p->r, number);
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

	if (j->read != j->b.c.entries) {
		j->index.n = 0;
		st = open_object(j, p, &in, e);
		if (st == TAF_OK) {
			st = taf_zarr_shard_read(j->z, in, &j->index, e);
			taf_in_close(in);
		}
		j->read = j->b.c.entries;
	}
	if (st != TAF_OK && st != TAF_END)
		return st;
	p->none = j->index.n == 0;
	if (p->none)
		return TAF_OK;
	place = j->index.place + 2 * taf_chunks_place(&j->b.c, &p->r);
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

	*v = (struct view){ .to = j->b.elements, .points = 1, .run = true };
	for (k = 0; k < j->b.rank; k++) {
		const uint64_t from = p->r.from[k], n = p->r.to[k] - from;
		const uint64_t step = j->b.c.region.step[k];
		const uint64_t point = j->b.c.region.first[k] + from * step;
		const ptrdiff_t run = (ptrdiff_t)(v->points * j->b.size);

		v->from += (size_t)(point % j->b.c.chunk[k]) * (size_t)j->step[k];
		v->to += (size_t)(from - j->b.c.box.from[k]) * (size_t)j->b.pitch[k];
		v->n[k] = (size_t)n;
		/* a step over the chunk is never gone */
		v->step[k] = n > 1 ? j->step[k] * (ptrdiff_t)step : 0;
		v->span += (n - 1) * (uint64_t)v->step[k];
		v->run = v->run && (n == 1 || (v->step[k] == run &&
		    j->b.pitch[k] == run));
		v->points *= n;
	}
	v->span += j->b.size;
}

/* Its points, the first of which is at from, to the box. */
static void
copy(const struct job *j, const struct view *v, const void *from)
{
	taf_strided_copy(v->to, from, &(struct taf_strided){ j->b.size, j->b.rank, v->n,
	    j->b.pitch, v->step });
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

	for (k = 0; k < j->b.rank; k++) {
		const uint64_t from = p->r.from[k], to = p->r.to[k], n = j->b.c.chunk[k];

		first = first && (from == 0 || taf_chunks_number(&j->b.c, k, from - 1,
		    n) < taf_chunks_number(&j->b.c, k, from, n));
		last = last && (to == j->b.c.region.count[k] || taf_chunks_number(&j->b.c,
		    k, to - 1, n) < taf_chunks_number(&j->b.c, k, to, n));
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
	mapped = j->plain && v->points < z->bytes / j->b.size ?
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

/* TAF_EDATA where not even one chunk fits. */
static enum taf_status
plan(struct job *j, uint64_t *box, struct taf_err *e)
{
	const struct taf_zarr_array *z = j->z;
	const uint64_t memory = j->im->service->memory;
	const uint64_t share = taf_memory_share(memory, TAF_BATCH);
	const uint64_t wanted = z->bytes > share ? share : 4 * z->bytes *
	    taf_threads(j->im->service);
	const uint64_t longest = taf_chunk_longest(z->bytes);
	uint64_t each;

	j->raw = (size_t)(z->bytes + (z->nd.half ? 2 * z->bytes : 0) +
	    (j->im->missing != NULL ? z->bytes / z->size * j->b.size : 0));
	j->packed = z->way.n > 0 ? (size_t)longest : 0;
	j->work = taf_chunk_room(&z->way, (size_t)z->bytes);
	/* if it is no file, it is in memory */
	each = (uint64_t)j->raw + j->packed + j->work +
	    (j->im->store->real == NULL ? longest : 0);
	*box = taf_boxes_plan(&j->b, wanted > BOX ? wanted : BOX, share,
	    j->plain ? j->step : NULL);
	if (taf_boxes_threads(j->im->service, *box, each, z->bytes, &j->threads, e) !=
	    TAF_OK)
		return e->code;
	/* of shards, those that are deflated are */
	j->whole = z->sharded ? memory / 4 / j->threads : longest;
	return TAF_OK;
}

static enum taf_status
read_box(void *ctx, struct taf_err *e)
{
	struct job *j = ctx;
	const struct taf_tiles tiles = { .ctx = j, .next = next, .work = work,
		.pass = j->z->sharded ? find : NULL,
		.threads = taf_threads_for(j->threads, j->b.pieces) };

	return taf_tiles(&tiles, e);
}

static enum taf_status
lay_out(struct job *j, uint64_t *box, struct taf_err *e)
{
	const struct taf_zarr_array *z = j->z;
	size_t step = j->b.size;
	unsigned k, i;

	for (k = 0; k < j->b.rank; k++) {
		i = taf_chunks_index(&j->b.c, k);
		j->b.c.chunk[k] = z->nd.ndim > 0 ? z->chunk[i] : 1;
		j->b.c.shard[k] = z->nd.ndim > 0 ? z->shard[i] : 1;
	}
	for (k = z->nd.ndim; k > 0; k--) {
		i = z->order[k - 1];
		j->step[taf_chunks_index(&j->b.c, i)] = (ptrdiff_t)step;
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
	j->b.read = read_box;
	j->b.ctx = j;
	j->z = &im->z;
	j->b.c.region = im->region;
	j->b.c.reverse = im->reverse;
	j->b.rank = im->layout.a.ndim;
	j->b.size = taf_type_size(im->layout.a.type);
	memcpy(j->fill, im->z.fill, sizeof j->fill);
	memcpy(stored, im->z.fill, sizeof stored);
	if (im->missing != NULL)
		taf_to_nan(im->missing, j->fill, stored, 1, &j->lost);
	if (taf_region_count(&j->b.c.region) > 0 && lay_out(j, &box, e) != TAF_OK)
		return e->code;
	j->b.elements = taf_alloc((size_t)box, 1);
	return j->b.elements != NULL ? TAF_OK : taf_fail_mem(e);
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
	free(j->b.elements);
	free(j);
	return fills;
}

/* --- coordinates --- */

static bool
read_coordinates(void *ctx, uint64_t from, size_t n, double *x)
{
	struct job *j = ctx;
	const struct taf_chunk_range *b = &j->b.c.box;
	uint64_t some;

	for (; n > 0; n -= (size_t)some, from += some, x += some) {
		if ((from < b->from[0] || from >= b->to[0]) &&
		    taf_boxes_read(&j->b, from, j->e) != TAF_OK)
			return false;
		some = b->to[0] - from < n ? b->to[0] - from : n;
		(void)taf_convert(x, TAF_FLT64, j->b.elements + (size_t)(from -
		    b->from[0]) * j->b.size, j->z->nd.type, (size_t)some, NULL, false,
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
		st = taf_boxes_write(&j->b, w, e);
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
