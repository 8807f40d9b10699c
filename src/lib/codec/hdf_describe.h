/* What attributes and dimension scales say of a dataset of HDF5. */
#ifndef TAF_CODEC_HDF_DESCRIBE_H
#define TAF_CODEC_HDF_DESCRIBE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/*
 * An attribute NAME of the file is the attribute hdf/NAME of the array.  Numbers go
 * without quotes, with commas between them.  Their type is the one that taf_hdf_guess
 * says; where it is another one, and not that of the elements, hdftype/NAME names it.
 */
#define TAF_HDF_KEY "hdf/"
#define TAF_HDF_TYPE_KEY "hdftype/"
/* Attributes of an array which no other file has are attributes of the file so. */
#define TAF_HDF_OURS "taf:"
/* Of a scale: start and step, which its coordinates do not give to the last bit. */
#define TAF_HDF_GRID "taf_grid"
/* What stands in place of a name in the scale of a dimension without coordinates. */
#define TAF_HDF_NO_VARIABLE "This is a netCDF dimension but not a netCDF variable."

/*
 * Does an attribute of this name compare with stored elements (CF)?  Then it has their
 * type.
 */
TAF_MUST bool taf_hdf_is_stored(const char *name);

/*
 * The type of numbers with commas between them: int32 or int64 where they are whole, else
 * uint64 or flt64.  False where the text is something else.
 */
TAF_MUST bool taf_hdf_guess(const char *text, enum taf_type *type);

/* A dataset, by identifiers of the library, and where remarks on it go. */
struct taf_hdf_described {
	int64_t file, data;
	enum taf_type type;	/* of an element */
	unsigned rank;
	bool reverse;
	void (*remark)(void *ctx, const char *text);
	void *ctx;
};

TAF_MUST enum taf_status taf_hdf_describe_set(const struct taf_hdf_described *d,
    struct taf_array *a, struct taf_err *e);

/* Are signed integers to be taken as unsigned (netCDF's _Unsigned)? */
bool taf_hdf_unsigned(int64_t data, struct taf_err *e);
enum taf_type taf_hdf_as_unsigned(enum taf_type type);

#endif
