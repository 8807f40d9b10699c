#include "format/hdf_import.h"

#include "stream/reorder.h"

static void
remark(void *ctx, const char *text)
{
	const struct taf_hdf_import *im = ctx;

	taf_remark(im->service, "%s: %s", taf_in_name(im->in), text);
}

enum taf_status
taf_hdf_import_begin(struct taf_hdf_import *im, struct taf_err *e)
{
	struct taf_ndarray nd = *taf_hdf_shape(im->file);

	/* what the library reads for us is no half, and little-endian */
	if (im->part || im->nan)
		nd.half = nd.big = false;
	if (taf_ndarray_import(&nd, im->reverse, &im->layout, e) != TAF_OK ||
	    taf_hdf_describe(im->file, &im->layout.a, im->reverse, remark, im, e) !=
	    TAF_OK || !im->nan)
		return e->code;
	if (taf_hdf_unwritten(im->file, &im->layout.a, e) == TAF_OK &&
	    taf_hdf_missing_plan(&im->missing, &im->layout.a, e) == TAF_OK)
		im->layout.stored.type = im->layout.a.type;
	return e->code;
}

/* The part by the indices of the dataset, and its lengths as they are stored. */
static struct taf_region
by_index(struct taf_hdf_import *im, unsigned rank)
{
	struct taf_region r = { .ndim = rank };
	unsigned k;

	for (k = 0; k < rank; k++) {
		const unsigned stored = im->layout.order[k], i = rank - 1 - stored;

		im->layout.stored.dim[stored].n = im->region.count[k];
		r.first[i] = im->region.first[k];
		r.step[i] = im->region.step[k];
		r.count[i] = im->region.count[k];
	}
	return r;
}

static enum taf_status
open_elements(struct taf_hdf_import *im, struct taf_in **in, bool *big, struct taf_err *e)
{
	const struct taf_ndarray *nd = taf_hdf_shape(im->file);
	uint64_t offset;
	struct taf_region r = by_index(im, nd->ndim);

	*big = false;
	if (im->part || im->nan || !taf_hdf_plain(im->file, &offset)) {
		if (taf_hdf_read(im->file, &r, im->service->memory, in, e) != TAF_OK ||
		    !im->nan)
			return e->code;
		return taf_hdf_missing_open(im->missing, in, taf_array_count(&im->a), e);
	}
	*big = nd->big;
	return taf_in_again(in, im->in, offset, e);
}

enum taf_status
taf_hdf_import_write(struct taf_hdf_import *im, struct taf_writer *w, struct taf_err *e)
{
	const struct taf_reorder how = { .order = im->layout.order,
	    .recode = !im->part && !im->nan && taf_hdf_shape(im->file)->half ?
	    TAF_CHANGE_HALF : TAF_CHANGE_NONE, .writer = w, .memory = im->service->memory,
	    .jobs = taf_threads(im->service) };
	struct taf_in *in = NULL;
	enum taf_status st;
	bool big;

	if (taf_bounds_part(&im->bounds, &im->layout.a, &im->region, &im->a, e) !=
	    TAF_OK ||
	    taf_array_check(&im->a, e) != TAF_OK ||
	    open_elements(im, &in, &big, e) != TAF_OK ||
	    taf_writer_begin(w, &im->a, TAF_NEXT_NO, e) != TAF_OK) {
		taf_in_close(in);
		return e->code;
	}
	taf_watch(im->service, w, NULL, taf_array_bytes(&im->a));
	st = taf_reorder_in(&how, in, &im->layout.stored, big, e);
	if (st == TAF_OK)
		st = taf_in_unchanged(im->in, e);
	taf_watch_end(im->service);
	taf_in_close(in);
	if (st == TAF_OK)
		st = taf_writer_end(w, &im->a, e);
	if (st == TAF_OK && im->nan)
		taf_remark_lost(im->service, taf_hdf_missing_lost(im->missing),
		    taf_array_count(&im->a), im->a.type);
	return st;
}

void
taf_hdf_import_end(struct taf_hdf_import *im)
{
	taf_array_fini(&im->layout.a);
	taf_hdf_missing_free(im->missing);
}
