/* SPDX-License-Identifier: ISC */
/*
 * How MATLAB stores its arrays in HDF5: in its own files, version 7.3, and in Sandia data
 * archives, version 1.1.  Dimensions are turned: MATLAB's first one is the last index.
 * Sources: what MATLAB writes, as h5dump shows it; the reference archive of SDA.
 */
#ifndef TAF_CODEC_HDF_HDF_MATLAB_H
#define TAF_CODEC_HDF_HDF_MATLAB_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "codec/hdf/hdf.h"
#include "io/in.h"

/* The class of an array whose type does not show it: "logical" or "char". */
#define TAF_HDF_CLASS_KEY "matlab/class"

/* How elements of a dataset become those of the array. */
enum taf_hdf_way {
	TAF_HDF_AS_IS,
	TAF_HDF_EMPTY,		/* there are none */
	TAF_HDF_ROWS,		/* a row of real and one of imaginary parts */
	TAF_HDF_SPARSE		/* rows of indices from 1, and of values */
};

/* A dataset of MATLAB; zero-initialised is none. */
struct taf_hdf_matlab {
	bool turned;		/* it is one */
	const char *class;	/* for TAF_HDF_CLASS_KEY, or NULL */
	enum taf_hdf_way way;
	int64_t data;
	enum taf_type part;	/* of rows */
	uint64_t columns, at, most;	/* of rows; given; read at a time */
	unsigned char *block, *rows;	/* elements as they are given, rows of parts */
	uint64_t filled, used, bytes;	/* of block; of all elements */
	double *sparse;		/* rows, columns, values */
};
void taf_hdf_matlab_free(struct taf_hdf_matlab *m);

/* Is the file an archive of SDA? */
bool taf_hdf_is_archive(int64_t file, struct taf_err *e);

/*
 * What kind of record a group or dataset of an archive is, appended to a text; false
 * where it is none.
 */
bool taf_hdf_record_type(int64_t object, struct taf_str *to);

/* Has a record of this type one dataset alone, called like itself? */
bool taf_hdf_record_simple(const char *type);

/*
 * The path of the dataset that the record of an archive at path has, appended: its own
 * where path is no group.  TAF_EDATA for records that are several arrays.
 */
TAF_MUST enum taf_status taf_hdf_record(int64_t file, const char *path,
    struct taf_str *to, struct taf_err *e);

/* TAF_EDATA for a dataset whose class in MATLAB is none of numbers. */
TAF_MUST enum taf_status taf_hdf_matlab_check(int64_t object, const char *path,
    bool archive, struct taf_err *e);

/*
 * What MATLAB has made of a dataset that set describes as it is stored: set becomes what
 * the array is.  Sparse ones take memory, as much as they have elements.
 */
TAF_MUST enum taf_status taf_hdf_matlab_look(struct taf_hdf_matlab *m, int64_t data,
    const char *path, bool archive, uint64_t memory, struct taf_hdf_set *set,
    struct taf_err *e);

/* Elements of a dataset that is not stored as it is: all of it, as taf_hdf_read. */
TAF_MUST enum taf_status taf_hdf_matlab_read(struct taf_hdf_matlab *m,
    const struct taf_hdf_set *set, const struct taf_region *part, uint64_t memory,
    const char *name, struct taf_in **in, struct taf_err *e);

/* Does an attribute of a dataset say nothing but how MATLAB has stored it? */
bool taf_hdf_matlab_name(const char *name);

/*
 * What an archive says beside a dataset: the description of its record becomes the
 * comment; a field Grid beside a field Data, if it is uniform, the grid of dimension 1.
 */
TAF_MUST enum taf_status taf_hdf_archive_describe(int64_t file, const char *path,
    struct taf_array *a, struct taf_err *e);

#endif
