/* SPDX-License-Identifier: ISC */
/*
 * Datasets of HDF5 and netCDF-4 files: what they are as arrays, and their elements.
 * Element [i,j] of a dataset is row-major: the last index is the fastest.
 */
#ifndef TAF_CODEC_HDF_HDF_H
#define TAF_CODEC_HDF_HDF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/ndarray.h"
#include "io/in.h"

struct taf_hdf;

/*
 * Open a file for reading through in, which is seekable and must outlive it.  TAF_EDATA
 * where it is none, or where this program was built without the library.
 */
TAF_MUST enum taf_status taf_hdf_open(struct taf_hdf **f, struct taf_in *in,
    struct taf_err *e);
void taf_hdf_close(struct taf_hdf *f);

/* A dataset that was found. */
struct taf_hdf_set {
	struct taf_ndarray nd;
	bool plain;		/* its elements lie in the file as they are, */
	uint64_t offset;	/* from here on */
	bool turned;		/* MATLAB has stored it: its dimensions are turned */
};

/*
 * Find the dataset at a path; *set is lent until the next one is found.  TAF_EDATA where
 * there is none, where it is no array of numbers, or where its elements are not in this
 * file or packed by a filter that the library does not have.  A chunk takes at most
 * memory bytes.
 */
TAF_MUST enum taf_status taf_hdf_find(struct taf_hdf *f, const char *path,
    uint64_t memory, const struct taf_hdf_set **set, struct taf_err *e);

/* How the dataset is described, and where remarks on it go. */
struct taf_hdf_how {
	bool reverse;		/* dimensions are its indices in reverse order */
	/* where nothing says which elements are missing: those that nobody wrote */
	bool unwritten;
	void (*remark)(void *ctx, const char *text);
	void *ctx;
};

/*
 * Grids, mapping and attributes of the dataset for a, which has its lengths (spec of
 * scales: H5DS; of units and mappings: CF).
 */
TAF_MUST enum taf_status taf_hdf_describe(struct taf_hdf *f, struct taf_array *a,
    const struct taf_hdf_how *how, struct taf_err *e);

/* For who puts the elements of a dataset in chunks in another order. */
struct taf_hdf_bands {
	unsigned order[TAF_MAX_DIM];	/* indices: the fastest one there comes first */
	size_t size;			/* bytes of an element there */
	/*
	 * Filled in: lengths of a band, by index, if elements come by bands, which follow
	 * one another in that order; within a band the last index is the fastest.
	 */
	bool used;
	uint64_t n[TAF_MAX_DIM];
};

/*
 * Read a part of the dataset, by its indices: little-endian elements of the type that
 * was found, none of them 16-bit floats, the last index fastest.  They come by bands
 * where those are wanted, not NULL, and no chunk is unpacked for more than one of them
 * but at its edges.  About memory bytes are used.  f must outlive *in.
 */
TAF_MUST enum taf_status taf_hdf_read(struct taf_hdf *f, const struct taf_region *part,
    uint64_t memory, struct taf_hdf_bands *bands, struct taf_in **in, struct taf_err *e);

/*
 * A dataset of a list, or a record of an archive that has several; lengths as "5,7,9", ""
 * of a single element.
 */
struct taf_hdf_entry {
	const char *path, *type, *lengths;
	const char *description;	/* of a record, or NULL */
	bool scale;		/* it has coordinates for a dimension of others */
	bool other;		/* no array of numbers, or a part of another */
};

/*
 * Every dataset of the file and every record of an archive, by path; each may stop it
 * with another status.
 */
TAF_MUST enum taf_status taf_hdf_list(struct taf_hdf *f,
    enum taf_status (*each)(void *ctx, const struct taf_hdf_entry *d,
    struct taf_err *e), void *ctx, struct taf_err *e);

#endif
