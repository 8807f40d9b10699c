/* SPDX-License-Identifier: ISC */
#include "array/chunks.h"

unsigned
taf_chunks_index(const struct taf_chunks *c, unsigned k)
{
	return c->reverse ? c->region.ndim - 1 - k : k;
}

uint64_t
taf_chunks_number(const struct taf_chunks *c, unsigned k, uint64_t i, uint64_t len)
{
	return (c->region.first[k] + i * c->region.step[k]) / len;
}

uint64_t
taf_chunks_end(const struct taf_chunks *c, unsigned k, uint64_t i, uint64_t len,
    uint64_t stop)
{
	const uint64_t step = c->region.step[k];
	const uint64_t inside = (c->region.first[k] + i * step) % len;
	const uint64_t more = (len - inside - 1) / step + 1;

	return more < stop - i ? i + more : stop;
}

/* The part at next->from, within all; next goes on, false behind the last one. */
static bool
advance(const struct taf_chunks *c, const uint64_t len[],
    const struct taf_chunk_range *all, struct taf_chunk_range *next,
    struct taf_chunk_range *part)
{
	unsigned k;

	for (k = 0; k < c->region.ndim; k++) {
		part->from[k] = next->from[k];
		part->to[k] = taf_chunks_end(c, k, next->from[k], len[k], all->to[k]);
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
taf_chunks_walk(struct taf_chunks *c)
{
	c->next_shard = c->box;
	c->left = false;
	c->shards_left = true;
}

bool
taf_chunks_next(struct taf_chunks *c, struct taf_chunk_range *r)
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
taf_chunks_object(const struct taf_chunks *c, const struct taf_chunk_range *r,
    uint64_t number[TAF_MAX_DIM])
{
	unsigned k;

	for (k = 0; k < c->region.ndim; k++)
		number[taf_chunks_index(c, k)] = taf_chunks_number(c, k, r->from[k],
		    c->shard[k]);
}

uint64_t
taf_chunks_place(const struct taf_chunks *c, const struct taf_chunk_range *r)
{
	uint64_t at = 0;
	unsigned i;

	for (i = 0; i < c->region.ndim; i++) {
		const unsigned k = taf_chunks_index(c, i);
		const uint64_t chunks = c->shard[k] / c->chunk[k];

		at = at * chunks + taf_chunks_number(c, k, r->from[k], c->chunk[k]) %
		    chunks;
	}
	return at;
}

uint64_t
taf_chunks_length(uint64_t n, uint64_t *room)
{
	const uint64_t len = n > 0 ? n : 1, parts = (len - 1) / *room + 1;

	*room = parts > 1 ? 1 : *room / len;
	return (len - 1) / parts + 1;
}
