/* SPDX-License-Identifier: ISC */
/* Attributes of HDF5 objects, as they are written. */
#ifndef TAF_CODEC_HDF_HDF_ATTR_H
#define TAF_CODEC_HDF_HDF_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "codec/hdf/hdf_describe.h"
#include "codec/hdf/hdf_drive.h"
#include "codec/hdf/hdf_file.h"

/*
 * How an attribute of HDF5 was stored, where its text does not show it.  hdftype/NAME
 * says it of hdf/NAME: a type of numbers, "text" or "string" (of any length), lengths
 * behind it in brackets, none for a null dataspace, and "escaped" where the text has %XX.
 */
struct taf_hdf_note {
	bool numbers;		/* of this type */
	bool any_length;	/* else strings of any length, or of one length */
	bool escaped;		/* they have %XX for NUL, an LF within one, and % */
	bool null;		/* a null dataspace: no elements, and no lengths */
	enum taf_type type;
	unsigned rank;		/* 0 for one element */
	uint64_t n[TAF_HDF_RANK];
};

/* How many elements; 0 where a product of hostile lengths is too large. */
uint64_t taf_hdf_note_count(const struct taf_hdf_note *note);

/*
 * Append what is to be said of text that was stored so: nothing where that follows from
 * the text.  Numbers show usual, which is the type of elements, or, where it is NULL,
 * what taf_hdf_guess says.
 */
void taf_hdf_note_format(struct taf_str *to, const struct taf_hdf_note *note,
    const char *text, const enum taf_type *usual);

/* False where text is none. */
TAF_MUST bool taf_hdf_note_parse(struct taf_hdf_note *note, const char *text);

/*
 * The type of numbers with commas between them: int32 or int64 where they are whole, else
 * uint64 or flt64.  False where the text is something else.
 */
TAF_MUST bool taf_hdf_guess(const char *text, enum taf_type *type);

/*
 * Set an attribute: n elements, or for n = 0 a scalar, of a type that is memory's in v;
 * or as many as note says, in its lengths, where that is not NULL.  One that is there is
 * replaced.  False where the library fails.
 */
struct taf_hdf_value {
	int64_t type, memory;
	uint64_t n;
	const void *v;
	const struct taf_hdf_note *note;
};
bool taf_hdf_attr_put(int64_t object, const char *name,
    const struct taf_hdf_value *value);

/* The same with text, of a fixed length, as netCDF writes it; n flt64. */
bool taf_hdf_attr_text(int64_t object, const char *name, const char *text, size_t n);
bool taf_hdf_attr_flt64(int64_t object, const char *name, uint64_t n, const double *v);

/* The mapping of a, where it has one. */
bool taf_hdf_packing(int64_t object, const struct taf_array *a);

/*
 * Those of a, or of its dimension k where that is not 0, but for its name and label: unit
 * and label become units and long_name, hdf/NAME becomes NAME, as hdftype/NAME says or
 * with numbers that have no quotes as numbers, others taf:KEY.
 */
TAF_MUST enum taf_status taf_hdf_attrs(const struct taf_hdf_drive *f, int64_t object,
    const struct taf_array *a, unsigned k, struct taf_err *e);

/* Is a one element that had no dimension, with nothing that only a dimension has? */
TAF_MUST bool taf_hdf_is_scalar(const struct taf_array *a);

#endif
