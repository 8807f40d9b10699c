/* SPDX-License-Identifier: ISC */
/*
 * Arrays of Zarr stores, versions 2 and 3 (Zarr storage specification v2; Zarr core
 * specification v3 and its codecs; of v2's names of codecs: numcodecs).  An array is cut
 * into chunks of one shape, an object each, or into shards of several chunks.
 */
#ifndef TAF_CODEC_ZARR_ZARR_H
#define TAF_CODEC_ZARR_ZARR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/uniform.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "codec/chunk/chunk.h"
#include "codec/ndarray.h"
#include "codec/objects.h"
#include "io/in.h"

struct json_t;

struct taf_zarr_array {
	unsigned version;		/* 2 or 3 */
	bool group;			/* that is there, and no array */
	struct taf_ndarray nd;		/* lengths by index; of one element none */
	char type[24];			/* as the store calls it */
	uint64_t chunk[TAF_MAX_DIM];	/* lengths of a chunk, by index */
	unsigned order[TAF_MAX_DIM];	/* indices within a chunk, the slowest first */
	size_t size;			/* bytes of a stored element */
	uint64_t bytes;			/* of a chunk that is not packed */
	struct taf_chunk_way way;	/* from an object, or a place of a shard, to it */
	char packing[64];		/* what packs it, by its names */
	unsigned char fill[16];		/* the element where there is no chunk */
	bool no_fill;			/* it is nowhere said: 0 */
	double slope, intercept;	/* of a filter that scales; NaN without */
	char separator;			/* in the key of a chunk, */
	bool prefixed;			/* which begins with "c" */
	bool sharded;
	uint64_t shard[TAF_MAX_DIM];	/* lengths of a shard, or of a chunk without */
	struct taf_chunk_way index;	/* to the index of a shard */
	bool index_first;		/* it is at the shard's begin, not its end */
	bool index_big;
	/* why its elements cannot be read here; "" where they can */
	char refused[160];
	uint64_t digest;	/* of its metadata and their file, as they were read */
	struct json_t *doc, *attrs, *names;	/* the latter may be NULL */
};

/*
 * What a text of metadata says: .zarray with the .zattrs beside it, where that is not
 * NULL, or zarr.json.  TAF_EDATA where it is no sound one; TAF_END where a zarr.json is
 * that of a group.  Numbers that are not where they are wanted are refused, what is only
 * not known here is in z->refused.
 */
struct taf_zarr_text {
	const char *p;
	size_t n;
};
TAF_MUST enum taf_status taf_zarr_parse(struct taf_zarr_array *z, unsigned version,
    const struct taf_zarr_text *meta, const struct taf_zarr_text *attrs,
    struct taf_err *e);

/* The same of objects (codec/json.h) that are taken over; attrs may be NULL. */
TAF_MUST enum taf_status taf_zarr_take(struct taf_zarr_array *z, unsigned version,
    struct json_t *doc, struct json_t *attrs, struct taf_err *e);

/* Also of a zeroed one. */
void taf_zarr_array_free(struct taf_zarr_array *z);

/* Labels, mapping and attributes of it for a, which has its lengths. */
TAF_MUST enum taf_status taf_zarr_describe(const struct taf_zarr_array *z, bool reverse,
    struct taf_array *a, struct taf_err *e);

/*
 * The name of a dimension, where its label is something else; and an attribute of its
 * coordinates: start and step, which they do not give to the last bit (as in HDF5).
 */
#define TAF_ZARR_NAME "zarr/NAME"
#define TAF_ZARR_GRID "taf_grid"

/* The attribute with the names of those dimensions that have none; and is it one? */
#define TAF_ZARR_UNNAMED "taf_unnamed"
TAF_MUST bool taf_zarr_unnamed(const struct taf_zarr_array *z, const char *name);

/*
 * What is known of the coordinates that z is, but how they are read; false where they can
 * be none.  grid is memory for c.
 */
TAF_MUST bool taf_zarr_coordinates(const struct taf_zarr_array *z,
    struct taf_coordinates *c, double grid[2]);

/* Attributes of z, which is called name and is dimension k's grid or not, for it in a. */
TAF_MUST enum taf_status taf_zarr_describe_dim(const struct taf_zarr_array *z,
    const char *name, unsigned k, bool grid, struct taf_array *a, struct taf_err *e);

/* Append the key of the chunk, or the shard, with these numbers. */
void taf_zarr_key(const struct taf_zarr_array *z, const uint64_t number[],
    struct taf_str *key);

/* --- shards --- */

/* Where the chunks of a shard are. */
struct taf_zarr_shard {
	uint64_t *place;	/* offset, bytes, in the order of C; UINT64_MAX: none */
	uint64_t n;
};

/* The index of a shard that in has, checked; s had another one, or is zeroed. */
TAF_MUST enum taf_status taf_zarr_shard_read(const struct taf_zarr_array *z,
    const struct taf_in *in, struct taf_zarr_shard *s, struct taf_err *e);
void taf_zarr_shard_free(struct taf_zarr_shard *s);

/* --- stores --- */

/* TAF_EDATA where the metadata of an array, which was found, are others now. */
TAF_MUST enum taf_status taf_zarr_unchanged(const struct taf_objects *s, const char *path,
    const struct taf_zarr_array *z, struct taf_err *e);

/*
 * Find the array at a path, "" for the store itself, whose elements can be read.
 * TAF_EDATA where there is none; TAF_END where there is no node at all.  taf_zarr_look
 * finds one that may be refused, and says TAF_END of a group, too.
 */
TAF_MUST enum taf_status taf_zarr_look(const struct taf_objects *s, const char *path,
    struct taf_zarr_array *z, struct taf_err *e);
TAF_MUST enum taf_status taf_zarr_find(const struct taf_objects *s, const char *path,
    struct taf_zarr_array *z, struct taf_err *e);

/* Every array of the store, by path; each may stop it with another status. */
typedef enum taf_status taf_zarr_each(void *ctx, const char *path,
    const struct taf_zarr_array *z, struct taf_err *e);
TAF_MUST enum taf_status taf_zarr_list(const struct taf_objects *s, taf_zarr_each *each,
    void *ctx, struct taf_err *e);

#endif
