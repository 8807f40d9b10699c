/* Attributes of HDF5 objects, as they are written. */
#ifndef TAF_CODEC_HDF_HDF_ATTR_H
#define TAF_CODEC_HDF_HDF_ATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/hdf/hdf_describe.h"
#include "codec/hdf/hdf_drive.h"
#include "codec/hdf/hdf_note.h"

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
