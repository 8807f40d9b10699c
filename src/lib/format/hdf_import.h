/* SPDX-License-Identifier: ISC */
/* A dataset of an HDF5 file on its way to a writer. */
#ifndef TAF_FORMAT_HDF_IMPORT_H
#define TAF_FORMAT_HDF_IMPORT_H

#include <stdbool.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/hdf/hdf.h"
#include "codec/ndarray.h"
#include "io/in.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_hdf_missing;

struct taf_hdf_import {
	struct taf_hdf *file;
	const struct taf_hdf_set *set;	/* a dataset of it, which was found */
	struct taf_in *in;	/* of which it reads */
	const struct taf_service *service;
	bool reverse;
	bool part;		/* bounds are to be taken, not all */
	bool nan;		/* what is missing becomes NaN */
	struct taf_bounds bounds;
	/* Filled in by taf_hdf_import_begin, freed by taf_hdf_import_end. */
	struct taf_layout layout;
	struct taf_hdf_missing *missing;	/* with nan */
	struct taf_region region;
	struct taf_array a;	/* what goes out; what it owns is layout.a's */
};

/*
 * The array that the dataset is, in layout.a: its whole.  Then, with the bounds that are
 * meant for it, the part of it that goes out; and its elements to w, where nothing was
 * written yet.
 */
TAF_MUST enum taf_status taf_hdf_import_begin(struct taf_hdf_import *im,
    struct taf_err *e);
TAF_MUST enum taf_status taf_hdf_import_write(struct taf_hdf_import *im,
    struct taf_writer *w, struct taf_err *e);
void taf_hdf_import_end(struct taf_hdf_import *im);

#endif
