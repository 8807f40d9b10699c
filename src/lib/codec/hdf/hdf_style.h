/* SPDX-License-Identifier: ISC */
/*
 * How MATLAB 7.3 and Sandia data archives, version 1.1, want a dataset to be written.
 * Sources: what MATLAB writes, as h5dump shows it; the reference archive of SDA.
 */
#ifndef TAF_CODEC_HDF_HDF_STYLE_H
#define TAF_CODEC_HDF_HDF_STYLE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/hdf/hdf_drive.h"

enum taf_hdf_style { TAF_HDF_NETCDF, TAF_HDF_MATLAB, TAF_HDF_SDA };

/* TAF_EUSAGE where this can be the name of no variable, or the label of no record. */
TAF_MUST enum taf_status taf_hdf_style_name(enum taf_hdf_style style, const char *name,
    struct taf_err *e);

/* TAF_EDATA where the array cannot be written so. */
TAF_MUST enum taf_status taf_hdf_style_check(enum taf_hdf_style style,
    const struct taf_array *a, bool packed, struct taf_err *e);

/* TAF_EDATA where such a dataset has no place in a file that is there. */
TAF_MUST enum taf_status taf_hdf_style_look(enum taf_hdf_style style, int64_t file,
    const char *label, int fd, struct taf_err *e);

/* The user block of a new file of MATLAB. */
void taf_hdf_style_block(unsigned char block[TAF_HDF_BLOCK]);

/* A dataset, and the group and file that it is in, by identifiers of the library. */
struct taf_hdf_styled {
	enum taf_hdf_style style;
	int64_t file, group, data;
	const struct taf_array *a;
	enum taf_type type;	/* of an element there */
	bool new;		/* the file is */
	int deflate;		/* 0 to 9, or -1 */
	const char *date;	/* now, as 18-Nov-2016 14:08:16 */
};

/* Say what it is; false where the library fails. */
bool taf_hdf_style_describe(const struct taf_hdf_styled *s);

#endif
