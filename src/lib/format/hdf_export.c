#include "format/hdf_export.h"

#include <stdlib.h>

#include "base/buf.h"
#include "codec/ndarray.h"
#include "format/export.h"
#include "kernel/convert.h"
#include "stream/reorder.h"

/* Elements that come in the order of the file, a block at a time. */
static enum taf_status
put_blocks(const struct taf_service *service, struct taf_hdf_put *p, uint64_t largest,
    struct taf_reader *r, const struct taf_array *a, struct taf_err *e)
{
	const size_t size = taf_type_size(a->type);
	enum taf_status st = TAF_OK;
	uint64_t done = 0, n;
	void *block = taf_alloc((size_t)largest, size);

	if (block == NULL)
		return taf_fail_mem(e);
	while (st == TAF_OK && (n = taf_hdf_put_next(p)) > 0) {
		st = taf_reader_read(r, block, (size_t)n, e);
		if (taf_swap_needed(a->type, false))
			taf_swap_elements(block, a->type, (size_t)n);
		if (st == TAF_OK)
			st = taf_hdf_put_block(p, block, e);
		done += n * size;
		taf_progress(service, done, taf_array_bytes(a));
	}
	free(block);
	return st;
}

/* The same where they come in another order: by a temporary file. */
static enum taf_status
put_turned(const struct taf_service *service, struct taf_hdf_put *p, uint64_t largest,
    const unsigned *order, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e)
{
	const struct taf_reorder how = { .order = order, .memory = service->memory,
	    .jobs = taf_threads(service) };
	struct taf_reader *turned = NULL;
	struct taf_array b = { 0 };
	enum taf_status st = taf_reorder_file(&how, r, a, &b, &turned, e);

	if (st == TAF_OK)
		st = put_blocks(service, p, largest, turned, &b, e);
	taf_reader_close(turned);
	return st;
}

enum taf_status
taf_hdf_export(const struct taf_service *service, struct taf_hdf_put *p,
    const struct taf_hdf_storage *how, struct taf_reader *r, struct taf_array *a,
    struct taf_err *e)
{
	unsigned order[TAF_MAX_DIM];
	struct taf_export to = { .order = order };
	struct taf_ndarray nd;
	uint64_t largest;

	if (taf_hdf_put_check(a, e) != TAF_OK)
		return e->code;
	taf_ndarray_export(a, a->type, true, how->reverse, &nd, order);
	if (taf_hdf_put_begin(p, a, &nd, how, e) != TAF_OK)
		return e->code;
	to.out = taf_hdf_put_out(p, &largest);
	if (to.out != NULL)
		return taf_export_elements(service, &to, r, a, e);
	if (taf_reorder_moves(a, order))
		return put_turned(service, p, largest, order, r, a, e);
	return put_blocks(service, p, largest, r, a, e);
}
