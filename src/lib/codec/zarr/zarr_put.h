/* SPDX-License-Identifier: ISC */
/*
 * An array that is put into a Zarr store.  All of it is made in a folder of its own,
 * which no reader looks at.  When it is whole, it gets its name.
 *
 * The order of calls is look, begin, objects and describe, commit, discard.
 */
#ifndef TAF_CODEC_ZARR_ZARR_PUT_H
#define TAF_CODEC_ZARR_ZARR_PUT_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/chunk/pack.h"
#include "codec/zarr/zarr.h"
#include "io/names.h"
#include "io/out.h"

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
	struct taf_names from, to;	/* what appears is moved from here to there */
	size_t left;		/* so many of these are not moved yet */
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

/* --- texts --- */

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

/* Does dimension k, from 1, need coordinates?  Is it too long to have them? */
bool taf_zarr_has_axis(const struct taf_array *a, unsigned k);
bool taf_zarr_too_long(const struct taf_array *a, unsigned k);

#endif
