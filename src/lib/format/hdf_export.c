/* SPDX-License-Identifier: ISC */
#include "format/hdf_export.h"

#include <stdlib.h>

#include "codec/ndarray.h"
#include "format/export.h"
#include "kernel/number/convert_private.h"
#include "stream/reorder_private.h"
#include "stream/tiles.h"

/* Blocks on their way, one for each thread. */
struct blocks {
	const struct taf_service *service;
	struct taf_hdf_put *p;
	const struct taf_hdf_way *way;
	struct taf_reader *r;
	const struct taf_array *a;
	uint64_t taken, done;	/* done: bytes */
	struct taf_hdf_block block[TAF_THREADS_MOST];
};

static bool
next(void *ctx, struct taf_tile *t)
{
	struct blocks *all = ctx;
	struct taf_hdf_block *b = &all->block[t->slot];

	if (all->taken == all->way->blocks)
		return false;
	b->number = all->taken++;
	b->n = taf_hdf_put_extent(all->p, b->number);
	t->out = (struct taf_runs){ .n = (size_t)b->n, .runs = 1 };
	t->scratch_size = 2 * (size_t)all->way->room;
	return true;
}

static enum taf_status
read_block(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct blocks *all = ctx;
	struct taf_hdf_block *b = &all->block[t->slot];

	b->elements = t->scratch;
	b->packed = b->elements + all->way->room;
	return taf_reader_read(all->r, b->elements, (size_t)b->n, e);
}

static enum taf_status
pack_block(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct blocks *all = ctx;
	struct taf_hdf_block *b = &all->block[t->slot];

	if (taf_swap_needed(all->a->type, false))
		taf_swap_elements(b->elements, all->a->type, (size_t)b->n);
	return taf_hdf_put_pack(all->p, b, e);
}

static enum taf_status
give_block(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct blocks *all = ctx;
	const struct taf_hdf_block *b = &all->block[t->slot];

	if (taf_hdf_put_block(all->p, b, e) != TAF_OK)
		return e->code;
	all->done += b->n * taf_type_size(all->a->type);
	taf_progress(all->service, all->done, taf_array_bytes(all->a));
	return TAF_OK;
}

/* Elements that come in the order of the file, a block at a time. */
static enum taf_status
put_blocks(const struct taf_service *service, struct taf_hdf_put *p,
    const struct taf_hdf_way *way, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e)
{
	struct blocks all = { .service = service, .p = p, .way = way, .r = r, .a = a };
	const unsigned threads = way->blocks > 1 ? taf_threads(service) : 1;
	const struct taf_tiles tiles = { .ctx = &all, .next = next, .pass = read_block,
		.work = pack_block, .give = give_block,
		.threads = taf_threads_some(service->memory,
		    taf_threads_for(threads, way->blocks), 0, 2 * way->room) };

	return taf_tiles(&tiles, e);
}

/* The same where they come in another order: by a temporary file. */
static enum taf_status
put_transposed(const struct taf_service *service, struct taf_hdf_put *p,
    const struct taf_hdf_way *way, const unsigned *order, struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e)
{
	const struct taf_reorder how = { .order = order, .memory = service->memory,
	    .jobs = taf_threads(service) };
	struct taf_reader *transposed = NULL;
	struct taf_array b = { 0 };
	enum taf_status st = taf_reorder_file(&how, r, a, &b, &transposed, e);

	if (st == TAF_OK)
		st = put_blocks(service, p, way, transposed, &b, e);
	taf_reader_close(transposed);
	return st;
}

enum taf_status
taf_hdf_export(const struct taf_service *service, struct taf_hdf_put *p,
    const struct taf_hdf_storage *how, struct taf_reader *r, struct taf_array *a,
    struct taf_err *e)
{
	unsigned order[TAF_MAX_DIM];
	struct taf_export to = { .order = order };
	const bool matlab = how->style != TAF_HDF_NETCDF;
	struct taf_dropped dropped = { 0 };
	struct taf_hdf_way way;
	struct taf_ndarray nd;

	/* MATLAB has the values, and its dimensions turned */
	taf_ndarray_export(a, matlab ? taf_export_type(a, false) : a->type, true,
	    how->reverse != matlab, &nd, order);
	if (taf_hdf_put_begin(p, a, &nd, how, &way, e) != TAF_OK)
		return e->code;
	taf_dropped_note(&dropped, a);
	if (matlab && dropped.grid)
		taf_dropped_remark(service, &(struct taf_dropped){ .grid = true },
		    how->style == TAF_HDF_SDA ? "a record" : "a variable", NULL);
	to.out = way.out;
	to.recode = matlab ? taf_export_recode(a, false) : TAF_CHANGE_NONE;
	if (to.out != NULL)
		return taf_export_elements(service, &to, r, a, e);
	if (taf_reorder_moves(a, order))
		return put_transposed(service, p, &way, order, r, a, e);
	return put_blocks(service, p, &way, r, a, e);
}
