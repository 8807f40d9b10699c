/* SPDX-License-Identifier: ISC */
/* How the points of an array, or of a region of it, lie in chunks and shards. */
#ifndef TAF_ARRAY_CHUNKS_H
#define TAF_ARRAY_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "array/region.h"

/* Points of the region from from to before to, by dimension. */
struct taf_chunk_range {
	uint64_t from[TAF_MAX_DIM], to[TAF_MAX_DIM];
};

/* All by dimension; the caller says what the first members are. */
struct taf_chunks {
	struct taf_region region;
	bool reverse;		/* dimensions are indices from the last one on */
	uint64_t chunk[TAF_MAX_DIM], shard[TAF_MAX_DIM];	/* their lengths */
	/* a walk: through what, the shard that its chunks are of, those that come next */
	struct taf_chunk_range box, in_shard, next_shard, next;
	bool left, shards_left;
	uint64_t entries;	/* shards whose turn came, of all walks */
};

/* The index of a dimension, both from 0. */
unsigned taf_chunks_index(const struct taf_chunks *c, unsigned k);

/* The chunk, or shard, of len points that point i of the region lies in. */
uint64_t taf_chunks_number(const struct taf_chunks *c, unsigned k, uint64_t i,
    uint64_t len);

/* The first point of the region that lies in a later one, stop at most. */
uint64_t taf_chunks_end(const struct taf_chunks *c, unsigned k, uint64_t i,
    uint64_t len, uint64_t stop);

/* Begin a walk through c->box, which has points. */
void taf_chunks_walk(struct taf_chunks *c);

/* The part of the box that lies in the next chunk; false behind the last one. */
bool taf_chunks_next(struct taf_chunks *c, struct taf_chunk_range *r);

/* The numbers of its shard, by index; and its place in that, in the order of C. */
void taf_chunks_object(const struct taf_chunks *c, const struct taf_chunk_range *r,
    uint64_t number[TAF_MAX_DIM]);
uint64_t taf_chunks_place(const struct taf_chunks *c, const struct taf_chunk_range *r);

/*
 * The length of chunks along a dimension of length n: all of it, or equal parts, so that
 * no more than *room elements of this and of faster dimensions are one chunk.  *room is
 * then what slower ones have.
 */
uint64_t taf_chunks_length(uint64_t n, uint64_t *room);

#endif
