/* SPDX-License-Identifier: ISC */
#include "format/boxes.h"

#include "base/buf_private.h"
#include "base/num.h"
#include "base/threads.h"
#include "io/spool.h"
#include "kernel/move/permute_plan.h"
#include "stream/writer_private.h"

enum { SHORT_RUN = 8 << 10 };	/* shorter ones of the output cost more than cut chunks */

/* As many points as fit the memory, the fastest dimensions first; pieces stay whole. */
static uint64_t
choose_extent(struct taf_boxes *b, uint64_t most)
{
	uint64_t bytes = b->size, n;
	bool whole = true;
	unsigned k;

	for (k = 0; k < b->rank; k++) {
		n = (b->c.chunk[k] - 1) / b->c.region.step[k] + 1;
		b->extent[k] = n < b->c.region.count[k] ? n : b->c.region.count[k];
		if (!taf_mul(bytes, b->extent[k], &bytes))
			return UINT64_MAX;
	}
	b->sequential = true;
	b->run = b->size;
	for (k = 0; k < b->rank; k++) {
		const uint64_t one = bytes / b->extent[k];

		if (!whole) {
			b->sequential = b->sequential && b->extent[k] == 1;
			continue;
		}
		n = most / one;
		n = n < b->c.region.count[k] ? n : b->c.region.count[k];
		b->extent[k] = n > b->extent[k] ? n : b->extent[k];
		whole = b->extent[k] == b->c.region.count[k];
		bytes = one * b->extent[k];
		b->run *= (size_t)b->extent[k];
	}
	return bytes;
}

/* Boxes that cut chunks, and have long runs in them and in the output. */
static uint64_t
choose_block(struct taf_boxes *b, uint64_t most, const ptrdiff_t *step)
{
	struct taf_permutation p = { .esize = b->size, .bytes = b->size, .nd = b->rank };
	struct taf_permute_plan q;
	uint64_t bytes = b->size;
	unsigned i, k;

	for (k = 0; k < b->rank; k++) {
		p.n[k] = b->c.region.count[k];
		p.bytes *= p.n[k];
		p.out[k] = k;
		for (i = k; i > 0 && step[p.in[i - 1]] > step[k]; i--)
			p.in[i] = p.in[i - 1];
		p.in[i] = k;
	}
	taf_permute_plan(&q, &p, (size_t)most, 1, false);
	for (k = 0; k < b->rank; k++) {
		b->extent[k] = q.block[k];
		bytes *= q.block[k];
	}
	return bytes;
}

uint64_t
taf_boxes_plan(struct taf_boxes *b, uint64_t most, uint64_t share, const ptrdiff_t *step)
{
	uint64_t bytes = choose_extent(b, most < share ? most : share);

	if (!b->sequential)
		bytes = choose_extent(b, share);
	return b->sequential || step == NULL || b->run >= SHORT_RUN ? bytes :
	    choose_block(b, share, step);
}

/* Read the box, whose ends are known. */
static enum taf_status
read_box(struct taf_boxes *b, struct taf_err *e)
{
	unsigned k;

	b->count = b->pieces = 1;
	for (k = 0; k < b->rank; k++) {
		const uint64_t from = b->c.box.from[k], to = b->c.box.to[k];
		const uint64_t len = b->c.chunk[k];

		b->pitch[k] = (ptrdiff_t)(b->count * b->size);
		b->count *= to - from;
		b->pieces *= taf_chunks_number(&b->c, k, to - 1, len) -
		    taf_chunks_number(&b->c, k, from, len) + 1;
	}
	taf_chunks_walk(&b->c);
	return b->read(b->ctx, e);
}

/* The box goes to its place in all of the region, which begins at base. */
static enum taf_status
put_box(const struct taf_boxes *b, struct taf_out *out, uint64_t base, struct taf_err *e)
{
	uint64_t at[TAF_MAX_DIM], pitch[TAF_MAX_DIM], off = base, all = b->size;
	const unsigned char *p = b->elements;
	size_t run = b->size;
	unsigned k, rest = 0;

	for (k = 0; k < b->rank; k++) {
		at[k] = b->c.box.from[k];
		pitch[k] = all;
		off += at[k] * all;
		if (rest == k && all == run) {
			run *= (size_t)(b->c.box.to[k] - at[k]);
			rest++;
		}
		all *= b->c.region.count[k];
	}
	for (;;) {
		if (taf_out_pwrite(out, p, run, off, e) != TAF_OK)
			return e->code;
		p += run;
		for (k = rest; k < b->rank; k++) {
			off += pitch[k];
			if (++at[k] < b->c.box.to[k])
				break;
			off -= (at[k] - b->c.box.from[k]) * pitch[k];
			at[k] = b->c.box.from[k];
		}
		if (k >= b->rank)
			return TAF_OK;
	}
}

/* The end of a box that begins at from: chunks stay whole, if one fits. */
static uint64_t
box_end(const struct taf_boxes *b, unsigned k, uint64_t from)
{
	const struct taf_region *r = &b->c.region;
	const uint64_t left = r->count[k] - from, stop = from + b->extent[k];
	uint64_t chunk, end;

	if (left <= b->extent[k])
		return r->count[k];
	chunk = taf_chunks_number(&b->c, k, stop, b->c.chunk[k]) * b->c.chunk[k];
	end = chunk > r->first[k] ? (chunk - r->first[k] - 1) / r->step[k] + 1 : 0;
	return end > from ? end : stop;
}

/* The first box, or that behind the last one; false where there is none. */
static bool
next_box(struct taf_boxes *b, bool first)
{
	struct taf_chunk_range *x = &b->c.box;
	bool carry = !first;
	unsigned k;

	for (k = 0; k < b->rank; k++) {
		x->from[k] = carry ? x->to[k] : first ? 0 : x->from[k];
		carry = carry && x->from[k] == b->c.region.count[k];
		if (carry)
			x->from[k] = 0;
		x->to[k] = box_end(b, k, x->from[k]);
	}
	return !carry;
}

enum taf_status
taf_boxes_read(struct taf_boxes *b, uint64_t from, struct taf_err *e)
{
	b->c.box.from[0] = from;
	b->c.box.to[0] = box_end(b, 0, from);
	return read_box(b, e);
}

static enum taf_status
move(struct taf_boxes *b, struct taf_writer *w, struct taf_out *out, uint64_t base,
    struct taf_err *e)
{
	enum taf_status st = TAF_OK;
	bool first;

	for (first = true; st == TAF_OK && next_box(b, first); first = false) {
		st = read_box(b, e);
		if (st == TAF_OK)
			st = out != NULL ? put_box(b, out, base, e) :
			    taf_writer_put(w, b->elements, (size_t)b->count, e);
	}
	return st;
}

enum taf_status
taf_boxes_write(struct taf_boxes *b, struct taf_writer *w, struct taf_err *e)
{
	const uint64_t count = taf_region_count(&b->c.region);
	struct taf_spool spool = { 0 };
	struct taf_out *out = NULL;
	uint64_t base = 0;
	enum taf_status st = TAF_OK;

	if (!b->sequential)
		st = taf_writer_region(w, &out, &base, e);
	if (st != TAF_OK || b->sequential || out != NULL)
		return st == TAF_OK ? move(b, w, out, base, e) : st;
	st = taf_spool_region(&spool, count * b->size, &base, e);
	if (st == TAF_OK)
		st = move(b, w, spool.out, base, e);
	return taf_writer_spool(w, &spool, st, count, e);
}

enum taf_status
taf_boxes_threads(const struct taf_service *s, uint64_t shared, uint64_t each,
    uint64_t bytes, unsigned *threads, struct taf_err *e)
{
	*threads = taf_threads_within(s->memory, taf_threads(s), shared, each);
	if (*threads == 0 && taf_memory_for(s->memory, shared + each) >= shared + each)
		*threads = 1;
	return *threads > 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "a chunk of %llu bytes does not fit the memory (-m)",
	    (unsigned long long)bytes);
}
