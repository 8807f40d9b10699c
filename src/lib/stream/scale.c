#include "stream/scale.h"

#include <stdlib.h>

#include "base/buf.h"
#include "kernel/convert.h"

enum { BLOCK = 64 * 1024 };	/* elements */

enum taf_status
taf_scale_plan(struct taf_reader *r, enum taf_type from, enum taf_type to,
    double *intercept, double *slope, struct taf_err *e)
{
	uint64_t left = taf_reader_left(r), at = 0;
	struct taf_range range = { 0 };
	enum taf_status st = taf_reader_random(r, e);
	void *block;

	if (st != TAF_OK)
		return st;
	block = taf_alloc(BLOCK, sizeof(double));
	if (block == NULL)
		return taf_fail_mem(e);
	while (at < left && st == TAF_OK) {
		size_t n = left - at < BLOCK ? (size_t)(left - at) : BLOCK;

		st = taf_reader_at(r, block, at, n, e);
		if (st == TAF_OK)
			taf_range_add(&range, block, from, n);
		at += n;
	}
	free(block);
	if (st == TAF_OK && !taf_quantize_plan(&range, to, intercept, slope))
		st = taf_fail(e, TAF_EDATA, range.finite == 0 ? "no value is finite" :
		    "the range of the values is too large to be scaled");
	return st;
}

enum taf_status
taf_scale_copy(struct taf_reader *r, enum taf_type from, const struct taf_array *out,
    struct taf_writer *w, uint64_t *clipped, struct taf_err *e)
{
	uint64_t left = taf_reader_left(r);
	enum taf_status st = TAF_OK;
	void *in, *to;

	*clipped = 0;
	in = taf_alloc(BLOCK, sizeof(double));
	to = taf_alloc(BLOCK, sizeof(double));
	if (in == NULL || to == NULL)
		st = taf_fail_mem(e);
	while (left > 0 && st == TAF_OK) {
		size_t n = left < BLOCK ? (size_t)left : BLOCK;

		st = taf_reader_read(r, in, n, e);
		if (st == TAF_OK) {
			(void)taf_quantize(to, out->type, in, from, n, out->intercept,
			    out->slope, clipped);
			st = taf_writer_put(w, to, n, e);
		}
		left -= n;
	}
	free(in);
	free(to);
	return st;
}
