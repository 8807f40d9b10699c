#include "spread/feed.h"

#include "array/region.h"
#include "base/buf.h"
#include "spread/slab.h"
#include "stream/reader.h"
#include "stream/select.h"

enum taf_status
taf_feed_slab(const struct taf_plan *p, uint64_t k, struct taf_writer *w,
    struct taf_err *e)
{
	struct taf_bounds all = { .most = 0 };
	struct taf_select *select = NULL;
	struct taf_region region;
	struct taf_reader *r = NULL;
	struct taf_array in = { 0 }, a = { 0 };
	uint64_t lo, hi;
	enum taf_status st;

	taf_plan_slab(p, k, &lo, &hi);
	st = taf_reader_open(&r, p->input, TAF_READ_SILENTLY, e);
	if (st == TAF_OK)
		st = taf_reader_next(r, &in, e);
	if (st == TAF_OK)
		st = taf_dim_there(&in, p->dim, e);
	if (st == TAF_OK && hi > in.dim[p->dim - 1].n)
		st = taf_fail(e, TAF_EDATA, "%s: has changed since the work began",
		    p->input);
	if (st == TAF_OK)
		st = taf_bounds_resolve(&all, &in, &region, e);
	if (st == TAF_OK) {
		region.first[p->dim - 1] = lo;
		region.count[p->dim - 1] = hi - lo;
		st = taf_array_copy(&a, &in, e);
	}
	if (st == TAF_OK) {
		taf_region_apply(&region, &a);
		st = taf_writer_begin(w, &a, TAF_NEXT_NO, e);
	}
	if (st == TAF_OK)
		st = taf_select_open(&select, r, &in, &region, e);
	if (st == TAF_OK)
		st = taf_select_copy(select, w, e);
	if (st == TAF_OK)
		st = taf_reader_finish(r, &a, e);
	if (st == TAF_OK)
		st = taf_writer_end(w, &a, e);
	taf_select_close(select);
	taf_reader_close(r);
	taf_array_fini(&in);
	taf_array_fini(&a);
	return st;
}

enum taf_status
taf_feed_results(const struct taf_plan *p, struct taf_writer *w, struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	struct taf_buf path = { 0 };
	struct taf_array a = { 0 };
	struct taf_reader *r;
	uint64_t k;

	for (k = 0; st == TAF_OK && k < p->slabs; k++) {
		r = NULL;
		st = taf_slab_part(p, k, &path, e);
		if (st == TAF_OK)
			st = taf_reader_open(&r, path.data, TAF_READ_SILENTLY, e);
		if (st == TAF_OK)
			st = taf_reader_next(r, &a, e);
		if (st == TAF_OK)
			st = taf_writer_begin(w, &a, k + 1 < p->slabs ? TAF_NEXT_YES :
			    TAF_NEXT_NO, e);
		if (st == TAF_OK)
			st = taf_writer_copy(w, r, taf_reader_left(r), e);
		if (st == TAF_OK)
			st = taf_writer_end(w, &a, e);
		taf_reader_close(r);
	}
	taf_array_fini(&a);
	taf_buf_free(&path);
	return st;
}
