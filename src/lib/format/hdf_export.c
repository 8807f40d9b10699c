#include "format/hdf_export.h"

#include <stdlib.h>

#include "codec/ndarray.h"
#include "format/export.h"
#include "kernel/number/convert_private.h"
#include "stream/relay.h"
#include "stream/reorder_private.h"

/* Blocks on their way, one for each thread. */
struct blocks {
	const struct taf_service *service;
	struct taf_hdf_put *p;
	const struct taf_hdf_way *way;
	struct taf_reader *r;
	const struct taf_array *a;
	uint64_t taken, done;	/* done: bytes */
	struct taf_hdf_block block[TAF_RELAY_MOST];
};

static enum taf_status
take_block(void *ctx, unsigned slot, bool *more, struct taf_err *e)
{
	struct blocks *all = ctx;
	struct taf_hdf_block *b = &all->block[slot];
	const enum taf_type type = all->a->type;

	*more = all->taken < all->way->blocks;
	if (!*more)
		return TAF_OK;
	if (b->elements == NULL)
		b->elements = malloc(all->way->room);
	if (b->packed == NULL)
		b->packed = malloc(all->way->room);
	if (b->elements == NULL || b->packed == NULL)
		return taf_fail_mem(e);
	b->number = all->taken++;
	b->n = taf_hdf_put_extent(all->p, b->number);
	if (taf_reader_read(all->r, b->elements, (size_t)b->n, e) != TAF_OK)
		return e->code;
	if (taf_swap_needed(type, false))
		taf_swap_elements(b->elements, type, (size_t)b->n);
	return TAF_OK;
}

static enum taf_status
pack_block(void *ctx, unsigned slot, struct taf_err *e)
{
	struct blocks *all = ctx;

	return taf_hdf_put_pack(all->p, &all->block[slot], e);
}

static enum taf_status
give_block(void *ctx, unsigned slot, struct taf_err *e)
{
	struct blocks *all = ctx;
	const struct taf_hdf_block *b = &all->block[slot];

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
	const struct taf_relay relay = { &all, take_block, pack_block, give_block };
	const unsigned threads = way->blocks > 1 ? taf_threads(service) : 1;
	enum taf_status st;
	unsigned k;

	st = taf_relay(&relay, taf_threads_some(service->memory,
	    taf_threads_for(threads, way->blocks), 0, 2 * way->room), e);
	for (k = 0; k < TAF_RELAY_MOST; k++) {
		free(all.block[k].elements);
		free(all.block[k].packed);
	}
	return st;
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
	struct taf_hdf_way way;
	struct taf_ndarray nd;

	taf_ndarray_export(a, a->type, true, how->reverse, &nd, order);
	if (taf_hdf_put_begin(p, a, &nd, how, &way, e) != TAF_OK)
		return e->code;
	to.out = way.out;
	if (to.out != NULL)
		return taf_export_elements(service, &to, r, a, e);
	if (taf_reorder_moves(a, order))
		return put_transposed(service, p, &way, order, r, a, e);
	return put_blocks(service, p, &way, r, a, e);
}
