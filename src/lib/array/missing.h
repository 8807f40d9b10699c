/* SPDX-License-Identifier: ISC */
/*
 * Attributes that say which elements are missing, or cannot be: the numbers of netCDF's
 * _FillValue and the like, which compare with elements as they are stored (CF).
 */
#ifndef TAF_ARRAY_MISSING_H
#define TAF_ARRAY_MISSING_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/* In front of the name that such an attribute has in HDF5, and in Zarr. */
#define TAF_MISSING_KEY "hdf/"
#define TAF_MISSING_ZARR "zarr/"
/* The same for how it was stored there, which holds while its numbers do. */
#define TAF_MISSING_NOTE "hdftype/"

/* What marked them in a FITS file.  An array with it has been made by fits2taf. */
#define TAF_MISSING_FITS "fits/BLANK"

/* Is this the name of one? */
TAF_MUST bool taf_missing_name(const char *name);

/* The name behind the first of these in a key; NULL where it has neither. */
const char *taf_missing_tail(const char *key);

/* Is it one of the array? */
TAF_MUST bool taf_missing_is(const struct taf_attr *t);

/* The first of them that is not NaN alone, or NULL: what it marks looks like a number. */
const struct taf_attr *taf_missing_first(const struct taf_array *a);

/* What to tell who computes with elements that it marks; false where it is NULL. */
TAF_MUST bool taf_missing_tell(const struct taf_array *a, char *text, size_t size);

/* Give the one of this key other numbers, or NULL for none, of the type of elements. */
TAF_MUST enum taf_status taf_missing_set(struct taf_array *a, const char *key,
    const char *numbers, struct taf_err *e);

/* The mapping of a is gone: what said how it was stored goes, too. */
TAF_MUST enum taf_status taf_missing_unpack(struct taf_array *a, struct taf_err *e);

/*
 * The elements of a have been computed.  Nothing marks them any more, but for NaN among
 * floats.  BLANK of FITS goes, too.
 */
TAF_MUST enum taf_status taf_missing_drop(struct taf_array *a, struct taf_err *e);

#endif
