/* SPDX-License-Identifier: ISC */
/* An array of a Zarr store on its way to a writer. */
#ifndef TAF_FORMAT_ZARR_IMPORT_H
#define TAF_FORMAT_ZARR_IMPORT_H

#include "array/region.h"
#include "codec/zarr/zarr.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_to_nan;

struct taf_zarr_import {
	const struct taf_objects *store;
	const char *path;	/* of the array in it, "" for the store itself */
	const struct taf_service *service;
	bool reverse;
	bool nan;		/* what is missing becomes NaN */
	struct taf_bounds bounds;
	/* Filled in by taf_zarr_import_begin, freed by taf_zarr_import_end. */
	struct taf_zarr_array z;
	struct taf_layout layout;
	struct taf_to_nan *missing;	/* with nan */
	struct taf_region region;
	struct taf_array a;	/* what goes out; what it owns is layout.a's */
};

/*
 * The array that it is, in layout.a: its whole.  Then, with the bounds that are meant for
 * it, the part of it that goes out; and its elements to w, where nothing was written yet.
 */
TAF_MUST enum taf_status taf_zarr_import_begin(struct taf_zarr_import *im,
    struct taf_err *e);
TAF_MUST enum taf_status taf_zarr_import_write(struct taf_zarr_import *im,
    struct taf_writer *w, struct taf_err *e);
void taf_zarr_import_end(struct taf_zarr_import *im);

#endif
