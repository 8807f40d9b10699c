/* SPDX-License-Identifier: ISC */
/*
 * Dimension scales, as the library's own H5DS and netCDF-4 have them: a dataset each,
 * with who uses it.
 */
#ifndef TAF_CODEC_HDF_HDF_SCALE_H
#define TAF_CODEC_HDF_HDF_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/hdf/hdf_drive.h"

/* A dataset, and the array that it is of. */
struct taf_hdf_user {
	const struct taf_hdf_drive *f;
	int64_t group, data;	/* where it is, and itself */
	const char *name;	/* in that group */
	const struct taf_array *a;
	bool reverse;		/* dimension 1 of a is its last one */
};

/*
 * Give it scales, one for each dimension, where any has a grid other than 1:1, a label or
 * attributes.  One that is in the group already, and says the same, is shared.
 */
TAF_MUST enum taf_status taf_hdf_scales_add(const struct taf_hdf_user *u,
    struct taf_err *e);

/*
 * A dimension without limit is as long as the longest dataset that has it, as in netCDF:
 * n, the lengths of data, grow up to that.  Lengths that are known are kept for others.
 */
struct taf_hdf_lengths {
	uint64_t scale[8], n[8];	/* a reference, and the length of what it is of */
	unsigned used;
};
TAF_MUST enum taf_status taf_hdf_grow(int64_t data, unsigned rank, uint64_t n[],
    struct taf_hdf_lengths *known, struct taf_err *e);

/* The first scale of each index of a dataset, for the caller to close; -1 for none. */
TAF_MUST enum taf_status taf_hdf_scales_open(int64_t data, unsigned rank, int64_t scale[],
    struct taf_err *e);

/* It will be removed: its scales forget it, and those that were made for it alone go. */
TAF_MUST enum taf_status taf_hdf_scales_drop(const struct taf_hdf_user *u,
    struct taf_err *e);

#endif
