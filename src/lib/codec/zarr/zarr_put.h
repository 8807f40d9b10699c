/*
 * An array that is put into a Zarr store.  All of it is made in a folder of its own,
 * which no reader looks at, and then gets its name: an unfinished one is not there.
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
	struct taf_zarr s;	/* the store; real is NULL where it is not there */
	const char *path;	/* of the array in it */
	const char *name;	/* the end of that */
	unsigned version;
	bool replaces;		/* it is there already */
	size_t first;		/* bytes of the path of the first that is missing */
	bool grouped;		/* that is the array alone */
	char *place;		/* what appears: the array, or the first missing group */
	char *stage;		/* where it is made: a folder beside that, */
	char *inner;		/* and the one in it that stands for the group */
	int lock;		/* on the former; -1 without */
	struct taf_names made;	/* paths in the store of what is made */
	struct taf_names from, to;	/* where what appears is and will be, */
	size_t left;		/* and how many of those have no place yet */
};

/*
 * Look at the place; both strings are kept.  TAF_EDATA where something else is in the
 * way, or without force an array.  Nothing is changed yet.  Ended by discard, also where
 * it fails.
 */
TAF_MUST enum taf_status taf_zarr_put_look(struct taf_zarr_put *p, const char *store,
    const char *path, unsigned version, bool force, struct taf_err *e);

/* Make its folder.  TAF_ESYS where another program makes the same array. */
TAF_MUST enum taf_status taf_zarr_put_begin(struct taf_zarr_put *p, struct taf_err *e);

/* A new object of z, called node: that of a chunk or a shard; on any thread. */
TAF_MUST enum taf_status taf_zarr_put_object(const struct taf_zarr_put *p,
    const char *node, const struct taf_zarr_array *z, const uint64_t number[],
    struct taf_out **out, struct taf_err *e);

/* It is written if st is TAF_OK: safe on disk then.  Takes out; returns what failed. */
TAF_MUST enum taf_status taf_zarr_put_close(struct taf_out *out, enum taf_status st,
    struct taf_err *e);

/*
 * Write the metadata: a, whose lengths by index, chunks and order z has, packed by pack
 * unless that is NULL.  Grids become coordinates.
 */
TAF_MUST enum taf_status taf_zarr_put_describe(struct taf_zarr_put *p,
    const struct taf_zarr_array *z, const struct taf_pack *pack, bool reverse,
    const struct taf_array *a, struct taf_err *e);

/* All is written: it appears, and consolidated metadata tell of it. */
TAF_MUST enum taf_status taf_zarr_put_commit(struct taf_zarr_put *p, struct taf_err *e);

/* What was not committed goes.  Also twice. */
void taf_zarr_put_discard(struct taf_zarr_put *p);

/* --- texts --- */

/* The metadata of z, with names of dimensions and attributes as JSON: a list, members. */
void taf_zarr_format(const struct taf_zarr_array *z, const struct taf_pack *pack,
    const char *names, const char *attrs, struct taf_str *to);

/*
 * Members for the attributes of a; where k is not 0, of its dimension k, whose axis is
 * called name.  Those of dimensions that are too long for one go with the array.
 */
void taf_zarr_format_attrs(const struct taf_array *a, unsigned k, const char *name,
    bool reverse, struct taf_str *to);

/* Has dimension k, from 1, more to say than a name?  And is it too long to say it? */
bool taf_zarr_has_axis(const struct taf_array *a, unsigned k);
bool taf_zarr_too_long(const struct taf_array *a, unsigned k);

#endif
