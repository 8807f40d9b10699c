/* SPDX-License-Identifier: ISC */
/* What attributes and dimension scales say of a dataset of HDF5. */
#ifndef TAF_CODEC_HDF_HDF_DESCRIBE_H
#define TAF_CODEC_HDF_HDF_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/missing.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "codec/hdf/hdf.h"

/*
 * An attribute NAME of the file is the attribute hdf/NAME of the array.  Numbers go
 * without quotes, with commas between them, and several strings with line feeds.
 * hdftype/NAME says how it was stored where that does not show (hdf_note.h).
 */
#define TAF_HDF_KEY TAF_MISSING_KEY
#define TAF_HDF_TYPE_KEY TAF_MISSING_NOTE
/*
 * Attributes of an array which no other file has are attributes of the file so.  Their
 * text is in quotes where it reads as a number and is none, or would lose quotes so.
 */
#define TAF_HDF_OURS "taf:"
/* 0 where the dataset is a single element without a dimension. */
#define TAF_HDF_NDIM_KEY "ndim"
/* hdftype/NAME of a half of the mapping that is not in the file. */
#define TAF_HDF_NONE "none"
/* Of a dimension: what its scale is called, where its label is something else. */
#define TAF_HDF_NAME_KEY "hdf/NAME"
/* Of a scale: start and step, which its coordinates do not give to the last bit. */
#define TAF_HDF_GRID "taf_grid"
/* What stands in place of a name in the scale of a dimension without coordinates. */
#define TAF_HDF_NO_VARIABLE "This is a netCDF dimension but not a netCDF variable."

/* How many pairs of quotes are around a number; 0 where the text is something else. */
TAF_MUST unsigned taf_hdf_quotes(const char *text);

/* Is it an attribute that ties objects of a file together? */
bool taf_hdf_is_link(const char *name);

/* A dataset, by identifiers of the library. */
struct taf_hdf_described {
	int64_t file, data;
	enum taf_type type;	/* of an element */
	unsigned rank;
	const struct taf_hdf_how *how;
	bool turned;		/* MATLAB has stored it */
};

TAF_MUST enum taf_status taf_hdf_describe_set(const struct taf_hdf_described *d,
    struct taf_array *a, struct taf_err *e);

/*
 * Is an attribute a string whose first n bytes, up to a NUL, are those of text?  Where
 * memory fails, e says so.
 */
bool taf_hdf_says(int64_t object, const char *name, const char *text, size_t n,
    struct taf_err *e);

/* Is an attribute a string?  Then append its text, up to a NUL. */
bool taf_hdf_text(int64_t object, const char *name, struct taf_str *to);

/* Is a dataset a dimension scale? */
bool taf_hdf_is_scale(int64_t object, struct taf_err *e);

/* Does a scale stand for a dimension of netCDF without coordinates? */
bool taf_hdf_no_coordinates(int64_t scale, struct taf_err *e);

/* Is the scale a grid of n coordinates, and which one? */
bool taf_hdf_grid(int64_t scale, uint64_t n, struct taf_dim *dim, struct taf_err *e);

/* Are signed integers to be taken as unsigned (netCDF's _Unsigned)? */
bool taf_hdf_unsigned(int64_t data, struct taf_err *e);
enum taf_type taf_hdf_as_unsigned(enum taf_type type);

#endif
