/* SPDX-License-Identifier: ISC */
/*
 * A dataset that is put into an HDF5 file, or a new one.  The file that is there is never
 * touched: a copy of it, made beside it, gets the dataset and then its name.
 */
#ifndef TAF_CODEC_HDF_HDF_WRITE_H
#define TAF_CODEC_HDF_HDF_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/hdf/hdf_style.h"
#include "codec/ndarray.h"
#include "io/out.h"

struct taf_hdf_put;

/* How it is stored. */
struct taf_hdf_storage {
	int deflate;		/* -1 is plain, else chunks, packed with it */
	bool shuffle;
	bool reverse;		/* the order of bytes stays, not that of dimensions */
	enum taf_hdf_style style;	/* as taf_hdf_put_look has it */
	const char *date;	/* now, for archives of SDA */
};

/* TAF_EUSAGE where this can be the name of no dataset. */
TAF_MUST enum taf_status taf_hdf_put_name(const char *dataset, struct taf_err *e);

/*
 * Look at the file at path, and keep others from changing it.  In an archive of SDA
 * dataset is the label of a record.  TAF_EDATA where something else is in the way, or
 * without force a dataset of this name.
 */
TAF_MUST enum taf_status taf_hdf_put_look(struct taf_hdf_put **p, const char *path,
    const char *dataset, enum taf_hdf_style style, bool force, struct taf_err *e);

/* How its elements are written: all of them, little-endian, last index fastest. */
struct taf_hdf_way {
	struct taf_out *out;	/* here; or NULL: by blocks, which are */
	uint64_t blocks;	/* so many */
	size_t room;		/* bytes of room for one */
};

/*
 * Make the dataset, which is a with its indices as nd has them, and its attributes.
 * TAF_EDATA where there can be no such dataset.
 */
TAF_MUST enum taf_status taf_hdf_put_begin(struct taf_hdf_put *p,
    const struct taf_array *a, const struct taf_ndarray *nd,
    const struct taf_hdf_storage *how, struct taf_hdf_way *way, struct taf_err *e);

/* Some of its elements on their way. */
struct taf_hdf_block {
	uint64_t number;	/* from 0 */
	uint64_t n;
	/* both have the room that is asked for */
	unsigned char *elements, *packed;
	size_t bytes;		/* of packed */
};

/* Elements of a block. */
uint64_t taf_hdf_put_extent(const struct taf_hdf_put *p, uint64_t number);

/* Pack a block, whose elements are little-endian, and then lost.  On any thread. */
TAF_MUST enum taf_status taf_hdf_put_pack(const struct taf_hdf_put *p,
    struct taf_hdf_block *b, struct taf_err *e);

/* Store one that is packed: block after block, on whatever thread. */
TAF_MUST enum taf_status taf_hdf_put_block(struct taf_hdf_put *p,
    const struct taf_hdf_block *b, struct taf_err *e);

/* All is written: the file gets its name.  Frees p. */
TAF_MUST enum taf_status taf_hdf_put_commit(struct taf_hdf_put *p, struct taf_err *e);

/* NULL is allowed. */
void taf_hdf_put_discard(struct taf_hdf_put *p);

#endif
