/* SPDX-License-Identifier: ISC */
/*
 * Arrays of Zarr stores, versions 2 and 3 (Zarr storage specification v2; Zarr core
 * specification v3 and its codecs; of v2's names of codecs: numcodecs).  An array is cut
 * into chunks of one shape, an object each, or into shards of several chunks.
 */
#ifndef TAF_CODEC_ZARR_ZARR_H
#define TAF_CODEC_ZARR_ZARR_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/uniform.h"
#include "codec/chunk/chunk.h"
#include "codec/chunk/pack.h"
#include "codec/ndarray.h"
#include "codec/objects.h"
#include "io/stage.h"

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

/* Where the chunks of a shard are. */
struct taf_zarr_shard {
	uint64_t *place;	/* offset, bytes, in the order of C; UINT64_MAX: none */
	uint64_t n;
};

/* The index of a shard that in has, checked; s had another one, or is zeroed. */
TAF_MUST enum taf_status taf_zarr_shard_read(const struct taf_zarr_array *z,
    const struct taf_in *in, struct taf_zarr_shard *s, struct taf_err *e);
void taf_zarr_shard_free(struct taf_zarr_shard *s);

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

/* --- writing --- */

/*
 * An array that is put into a store.  All of it is made in a folder of its own, which no
 * reader looks at.  When it is whole, it gets its name.  The order of calls is look,
 * begin, objects and describe, commit, discard.
 */
struct taf_zarr_put {
	struct taf_objects s;	/* the store; real is NULL where it is not there */
	const char *path;	/* of the array in the store */
	const char *name;	/* the last part of the path */
	unsigned version;
	bool replaces;		/* the array is there already */
	struct taf_names nodes;	/* the store, "", and those on the path, the array last */
	size_t first;		/* of these that is missing, or the array */
	size_t skip;		/* bytes of the path of a node that stage stands for */
	char *stage;		/* the folder in which all is made */
	int lock;		/* on stage, or -1 */
	struct taf_names made;	/* paths in the store of nodes that are made */
	struct taf_moves moves;	/* from there to their places */
};

/*
 * Look at the place.  Nothing is changed yet.  TAF_EDATA if something else is in the way,
 * or without force if an array is there.  Both strings must stay.  Call discard in the
 * end, also where this fails.
 */
TAF_MUST enum taf_status taf_zarr_put_look(struct taf_zarr_put *p, const char *store,
    const char *path, unsigned version, bool force, struct taf_err *e);

/* Make the folder stage.  TAF_ESYS if another program makes the same array. */
TAF_MUST enum taf_status taf_zarr_put_begin(struct taf_zarr_put *p, struct taf_err *e);

/*
 * Open the file of a chunk, or of a shard.  number has its indices.  z is the array, and
 * node its path in the store.  Any thread may call it.
 */
TAF_MUST enum taf_status taf_zarr_put_object(const struct taf_zarr_put *p,
    const char *node, const struct taf_zarr_array *z, const uint64_t number[],
    struct taf_out **out, struct taf_err *e);

/*
 * Write the metadata of a.  z has its lengths in the store, its chunks and their order.
 * pack says how chunks are packed, or is NULL.  Grids become coordinates.
 */
TAF_MUST enum taf_status taf_zarr_put_describe(struct taf_zarr_put *p,
    const struct taf_zarr_array *z, const struct taf_pack *pack, bool reverse,
    const struct taf_array *a, struct taf_err *e);

/* All is written.  Now the array appears, and consolidated metadata tell of it. */
TAF_MUST enum taf_status taf_zarr_put_commit(struct taf_zarr_put *p, struct taf_err *e);

/* Remove what was not committed, and free all.  It may be called twice. */
void taf_zarr_put_discard(struct taf_zarr_put *p);

/*
 * Append the metadata of z.  names is a JSON list of the names of dimensions, and attrs
 * the members of a JSON object.
 */
void taf_zarr_format(const struct taf_zarr_array *z, const struct taf_pack *pack,
    const char *names, const char *attrs, struct taf_str *to);

/*
 * Append JSON members for the attributes of a.  If k is not 0, they are those of its
 * dimension k, from 1, whose coordinates are called name.  A dimension that is too long
 * has no coordinates.  Its attributes are among those of the array.
 */
void taf_zarr_format_attrs(const struct taf_array *a, unsigned k, const char *name,
    bool reverse, struct taf_str *to);

/* Is dimension k, from 1, too long to have coordinates? */
bool taf_zarr_too_long(const struct taf_array *a, unsigned k);

#endif
