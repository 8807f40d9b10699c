/* SPDX-License-Identifier: ISC */
#include "format/hdf_import.h"

#include <stdlib.h>
#include <string.h>

#include "array/missing.h"
#include "format/to_nan.h"
#include "kernel/number/convert_private.h"
#include "stream/permute.h"
#include "stream/reorder_private.h"

/* --- missing elements as NaN --- */

enum { BLOCK = 4096 };		/* elements at a time */

struct taf_hdf_missing {
	struct taf_to_nan *how;
	struct taf_in *in;
	enum taf_type type, to;		/* of what comes, and goes */
	struct taf_convert_count lost;
	uint64_t left;
	unsigned char from[BLOCK * 8], floats[BLOCK * 8];
	size_t filled, used;		/* bytes of floats */
};

static enum taf_status
missing_plan(struct taf_hdf_missing **result, struct taf_array *a, struct taf_err *e)
{
	struct taf_hdf_missing *m = calloc(1, sizeof *m);

	*result = m;
	if (m == NULL)
		return taf_fail_mem(e);
	m->type = a->type;
	if (taf_to_nan_plan(&m->how, a, TAF_MISSING_KEY "_FillValue", NULL, e) == TAF_OK)
		m->to = a->type;
	return e->code;
}

static enum taf_status
fill(struct taf_hdf_missing *m, struct taf_err *e)
{
	const size_t size = taf_type_size(m->type), n = m->left < BLOCK ?
	    (size_t)m->left : BLOCK;

	if (taf_in_read(m->in, m->from, n * size, e) != TAF_OK)
		return e->code;
	if (taf_swap_needed(m->type, false))
		taf_swap_elements(m->from, m->type, n);
	taf_to_nan(m->how, m->floats, m->from, n, &m->lost);
	if (taf_swap_needed(m->to, false))
		taf_swap_elements(m->floats, m->to, n);
	m->left -= n;
	m->used = 0;
	m->filled = n * taf_type_size(m->to);
	return TAF_OK;
}

static enum taf_status
give(void *ctx, void *buf, size_t n, size_t *got, struct taf_err *e)
{
	struct taf_hdf_missing *m = ctx;

	*got = 0;
	if (m->used == m->filled && m->left > 0 && fill(m, e) != TAF_OK)
		return e->code;
	*got = n < m->filled - m->used ? n : m->filled - m->used;
	memcpy(buf, m->floats + m->used, *got);
	m->used += *got;
	return TAF_OK;
}

/*
 * So many little-endian elements of *in, which m keeps, as those of the array: *in
 * becomes what gives them.  m must outlive it.
 */
static enum taf_status
missing_open(struct taf_hdf_missing *m, struct taf_in **in, uint64_t count,
    struct taf_err *e)
{
	m->in = *in;
	m->left = count;
	*in = NULL;
	return taf_in_call(in, give, m, taf_in_name(m->in), e);
}

static void
missing_free(struct taf_hdf_missing *m)
{
	if (m == NULL)
		return;
	taf_in_close(m->in);
	taf_to_nan_free(m->how);
	free(m);
}

/* --- a dataset --- */

static void
remark(void *ctx, const char *text)
{
	const struct taf_hdf_import *im = ctx;

	taf_remark(im->service, "%s: %s", taf_in_name(im->in), text);
}

enum taf_status
taf_hdf_import_begin(struct taf_hdf_import *im, struct taf_err *e)
{
	const bool reverse = im->reverse != im->set->turned;
	const struct taf_hdf_how how = { reverse, im->nan, remark, im };
	struct taf_ndarray nd = im->set->nd;

	/* what the library reads for us is no half, and little-endian */
	if (im->part || im->nan)
		nd.half = nd.big = false;
	if (taf_ndarray_import(&nd, reverse, &im->layout, e) != TAF_OK ||
	    taf_hdf_describe(im->file, &im->layout.a, &how, e) != TAF_OK || !im->nan)
		return e->code;
	if (missing_plan(&im->missing, &im->layout.a, e) == TAF_OK)
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
open_elements(struct taf_hdf_import *im, struct taf_hdf_bands *bands, struct taf_in **in,
    bool *big, struct taf_err *e)
{
	const struct taf_ndarray *nd = &im->set->nd;
	const struct taf_array *a = &im->layout.stored;
	struct taf_region r = by_index(im, nd->ndim);
	const bool moves = taf_reorder_moves(a, im->layout.order);
	unsigned k;

	*big = false;
	if (im->part || im->nan || !im->set->plain) {
		for (k = 0; k < nd->ndim; k++)
			bands->order[k] = nd->ndim - 1 - im->layout.order[k];
		bands->size = taf_type_size(a->type);
		if (taf_hdf_read(im->file, &r, im->service->memory, moves ? bands : NULL,
		    in, e) != TAF_OK || !im->nan)
			return e->code;
		return missing_open(im->missing, in, taf_array_count(&im->a), e);
	}
	*big = nd->big;
	return taf_in_again(in, im->in, im->set->offset, e);
}

/* A band, and where it goes. */
struct band {
	struct taf_hdf_import *im;
	struct taf_writer *w;
	unsigned char *elements;
	size_t size;		/* of an element */
};

static enum taf_status
read_at(void *ctx, void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	const struct band *b = ctx;

	(void)e;
	memcpy(buf, b->elements + off, n);
	return TAF_OK;
}

static enum taf_status
write_next(void *ctx, const void *buf, uint64_t off, size_t n, struct taf_err *e)
{
	const struct band *b = ctx;

	(void)off;
	return taf_writer_put(b->w, buf, n / b->size, e);
}

/* Band after band is put in order in memory. */
static enum taf_status
reorder_bands(struct band *b, const struct taf_hdf_bands *bands, struct taf_in *in,
    struct taf_err *e)
{
	const struct taf_service *service = b->im->service;
	const struct taf_array *a = &b->im->layout.stored;
	const struct taf_permute_io io = { b, read_at, write_next, true,
	    b->elements };
	const uint64_t most = taf_memory_share(service->memory, TAF_BATCH);
	const size_t memory = most < SIZE_MAX ? (size_t)most : SIZE_MAX;
	uint64_t at[TAF_MAX_DIM] = { 0 }, n[TAF_MAX_DIM], count;
	const unsigned rank = a->ndim;
	unsigned k, i;

	do {
		/* the last index is dimension 1 of what is stored */
		for (count = 1, k = 0; k < rank; count *= n[k++]) {
			i = rank - 1 - k;
			n[k] = a->dim[k].n - at[i];
			n[k] = n[k] < bands->n[i] ? n[k] : bands->n[i];
		}
		if (taf_in_read(in, b->elements, (size_t)count * b->size, e) != TAF_OK)
			return e->code;
		if (taf_swap_needed(a->type, false))
			taf_swap_elements(b->elements, a->type, (size_t)count);
		if (taf_permute(&io, &(struct taf_permute_shape){ b->size, rank, n,
		    b->im->layout.order }, memory, taf_threads(service), e) != TAF_OK)
			return e->code;
		for (k = 0; k < rank; k++) {
			i = bands->order[k];
			at[i] += bands->n[i];
			if (at[i] < a->dim[rank - 1 - i].n)
				break;
			at[i] = 0;
		}
	} while (k < rank);
	return TAF_OK;
}

static enum taf_status
write_bands(struct taf_hdf_import *im, const struct taf_hdf_bands *bands,
    struct taf_in *in, struct taf_writer *w, struct taf_err *e)
{
	struct band b = { im, w, NULL, taf_type_size(im->layout.stored.type) };
	size_t n = 1;
	enum taf_status st;
	unsigned k;

	for (k = 0; k < im->layout.stored.ndim; k++)
		n *= (size_t)bands->n[k];
	b.elements = taf_alloc(n, b.size);
	st = b.elements != NULL ? reorder_bands(&b, bands, in, e) : taf_fail_mem(e);
	free(b.elements);
	return st;
}

enum taf_status
taf_hdf_import_write(struct taf_hdf_import *im, struct taf_writer *w, struct taf_err *e)
{
	const struct taf_reorder how = { .order = im->layout.order,
	    .recode = !im->part && !im->nan && im->set->nd.half ?
	    TAF_CHANGE_HALF : TAF_CHANGE_NONE, .writer = w, .memory = im->service->memory,
	    .jobs = taf_threads(im->service) };
	struct taf_hdf_bands bands = { .used = false };
	struct taf_in *in = NULL;
	enum taf_status st;
	bool big;

	if (taf_bounds_part(&im->bounds, &im->layout.a, &im->region, &im->a, e) !=
	    TAF_OK ||
	    taf_array_check(&im->a, e) != TAF_OK ||
	    open_elements(im, &bands, &in, &big, e) != TAF_OK ||
	    taf_writer_begin(w, &im->a, TAF_NEXT_NO, e) != TAF_OK) {
		taf_in_close(in);
		return e->code;
	}
	taf_watch(im->service, w, NULL, taf_array_bytes(&im->a));
	st = bands.used ? write_bands(im, &bands, in, w, e) :
	    taf_reorder_in(&how, in, &im->layout.stored, big, e);
	if (st == TAF_OK)
		st = taf_in_unchanged(im->in, e);
	taf_watch_end(im->service);
	taf_in_close(in);
	if (st == TAF_OK)
		st = taf_writer_end(w, &im->a, e);
	if (st == TAF_OK && im->nan)
		taf_remark_lost(im->service, &im->missing->lost,
		    taf_array_count(&im->a), im->a.type);
	return st;
}

void
taf_hdf_import_end(struct taf_hdf_import *im)
{
	taf_array_fini(&im->layout.a);
	missing_free(im->missing);
}
