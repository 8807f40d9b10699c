/* SPDX-License-Identifier: ISC */
/* How the points of an array, or of a region of it, lie in chunks and shards. */
#ifndef TAF_FORMAT_ZARR_CUT_H
#define TAF_FORMAT_ZARR_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/service.h"

/* Points of the region from from to before to, by dimension. */
struct taf_zarr_range {
	uint64_t from[TAF_MAX_DIM], to[TAF_MAX_DIM];
};

/* All by dimension; the caller says what the first members are. */
struct taf_zarr_cut {
	struct taf_region region;
	bool reverse;		/* dimensions are indices from the last one on */
	uint64_t chunk[TAF_MAX_DIM], shard[TAF_MAX_DIM];	/* their lengths */
	/* a walk: through what, the shard that its chunks are of, those that come next */
	struct taf_zarr_range box, in_shard, next_shard, next;
	bool left, shards_left;
	uint64_t entries;	/* shards whose turn came, of all walks */
};

/* The index of a dimension, both from 0. */
unsigned taf_zarr_cut_index(const struct taf_zarr_cut *c, unsigned k);

/* The chunk, or shard, of len points that point i of the region lies in. */
uint64_t taf_zarr_cut_number(const struct taf_zarr_cut *c, unsigned k, uint64_t i,
    uint64_t len);

/* The first point of the region that lies in a later one, stop at most. */
uint64_t taf_zarr_cut_end(const struct taf_zarr_cut *c, unsigned k, uint64_t i,
    uint64_t len, uint64_t stop);

/* Begin a walk through c->box, which has points. */
void taf_zarr_cut_walk(struct taf_zarr_cut *c);

/* The part of the box that lies in the next chunk; false behind the last one. */
bool taf_zarr_cut_next(struct taf_zarr_cut *c, struct taf_zarr_range *r);

/* The numbers of its shard, by index; and its place in that, in the order of C. */
void taf_zarr_cut_object(const struct taf_zarr_cut *c, const struct taf_zarr_range *r,
    uint64_t number[TAF_MAX_DIM]);
uint64_t taf_zarr_cut_place(const struct taf_zarr_cut *c, const struct taf_zarr_range *r);

/*
 * How many threads have the memory for a chunk of so many bytes: shared of it is taken
 * once, and each by each.  TAF_EDATA where not even one has it.
 */
TAF_MUST enum taf_status taf_zarr_cut_threads(const struct taf_service *s,
    uint64_t shared, uint64_t each, uint64_t bytes, unsigned *threads,
    struct taf_err *e);

#endif
