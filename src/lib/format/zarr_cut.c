/* SPDX-License-Identifier: ISC */
#include "format/zarr_cut.h"

#include "base/buf_private.h"
#include "base/threads.h"

unsigned
taf_zarr_cut_index(const struct taf_zarr_cut *c, unsigned k)
{
	return c->reverse ? c->region.ndim - 1 - k : k;
}

uint64_t
taf_zarr_cut_number(const struct taf_zarr_cut *c, unsigned k, uint64_t i, uint64_t len)
{
	return (c->region.first[k] + i * c->region.step[k]) / len;
}

uint64_t
taf_zarr_cut_end(const struct taf_zarr_cut *c, unsigned k, uint64_t i, uint64_t len,
    uint64_t stop)
{
	const uint64_t step = c->region.step[k];
	const uint64_t inside = (c->region.first[k] + i * step) % len;
	const uint64_t more = (len - inside - 1) / step + 1;

	return more < stop - i ? i + more : stop;
}

/* The part at next->from, within all; next goes on, false behind the last one. */
static bool
advance(const struct taf_zarr_cut *c, const uint64_t len[],
    const struct taf_zarr_range *all, struct taf_zarr_range *next,
    struct taf_zarr_range *part)
{
	unsigned k;

	for (k = 0; k < c->region.ndim; k++) {
		part->from[k] = next->from[k];
		part->to[k] = taf_zarr_cut_end(c, k, next->from[k], len[k], all->to[k]);
	}
	for (k = 0; k < c->region.ndim; k++) {
		next->from[k] = part->to[k];
		if (next->from[k] < all->to[k])
			return true;
		next->from[k] = all->from[k];
	}
	return false;
}

void
taf_zarr_cut_walk(struct taf_zarr_cut *c)
{
	c->next_shard = c->box;
	c->left = false;
	c->shards_left = true;
}

bool
taf_zarr_cut_next(struct taf_zarr_cut *c, struct taf_zarr_range *r)
{
	if (!c->left && !c->shards_left)
		return false;
	if (!c->left) {
		c->shards_left = advance(c, c->shard, &c->box, &c->next_shard,
		    &c->in_shard);
		c->next = c->in_shard;
		c->entries++;
	}
	c->left = advance(c, c->chunk, &c->in_shard, &c->next, r);
	return true;
}

void
taf_zarr_cut_object(const struct taf_zarr_cut *c, const struct taf_zarr_range *r,
    uint64_t number[TAF_MAX_DIM])
{
	unsigned k;

	for (k = 0; k < c->region.ndim; k++)
		number[taf_zarr_cut_index(c, k)] = taf_zarr_cut_number(c, k, r->from[k],
		    c->shard[k]);
}

uint64_t
taf_zarr_cut_place(const struct taf_zarr_cut *c, const struct taf_zarr_range *r)
{
	uint64_t at = 0;
	unsigned i;

	for (i = 0; i < c->region.ndim; i++) {
		const unsigned k = taf_zarr_cut_index(c, i);
		const uint64_t chunks = c->shard[k] / c->chunk[k];

		at = at * chunks + taf_zarr_cut_number(c, k, r->from[k], c->chunk[k]) %
		    chunks;
	}
	return at;
}

enum taf_status
taf_zarr_cut_threads(const struct taf_service *s, uint64_t shared, uint64_t each,
    uint64_t bytes, unsigned *threads, struct taf_err *e)
{
	*threads = taf_threads_within(s->memory, taf_threads(s), shared, each);
	if (*threads == 0 && taf_memory_for(s->memory, shared + each) >= shared + each)
		*threads = 1;
	return *threads > 0 ? TAF_OK : taf_fail(e, TAF_EDATA,
	    "a chunk of %llu bytes does not fit the memory (-m)",
	    (unsigned long long)bytes);
}
