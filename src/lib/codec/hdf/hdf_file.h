/* SPDX-License-Identifier: ISC */
/*
 * What all that read or write HDF5 share: the library, its failures, types of elements.
 * Nothing of this is there without the library.  Its identifiers (hid_t) are int64_t, so
 * that this header does not need those of the library.
 */
#ifndef TAF_CODEC_HDF_HDF_FILE_H
#define TAF_CODEC_HDF_HDF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/region.h"
#include "array/type.h"
#include "base/attr.h"
#include "base/err.h"

/* Before anything else: failures are told by us, and no file makes code load. */
TAF_MUST enum taf_status taf_hdf_begin(struct taf_err *e);

/*
 * Has a call of the library failed since the last time that this was asked?  *memory says
 * that there was too little of it: the library says so, or the system has said it to a
 * library that this one uses.  What is asked for and not there is no failure.
 */
bool taf_hdf_troubled(bool *memory);

/* Close an object of the library, of whatever kind; -1 is none. */
void taf_hdf_let(int64_t id);

enum { TAF_HDF_RANK = 32 };

/* The lengths of a dataspace: their number, or -1 where they cannot be read. */
int taf_hdf_extent(int64_t space, uint64_t n[TAF_HDF_RANK]);

/*
 * Read, or write, n numbers from an index on, of a dataset that has one dimension, or
 * more of which all but one have length 1.
 */
bool taf_hdf_doubles(int64_t data, uint64_t from, uint64_t n, double *x, bool write);

/* Was a fill value set for a dataset?  Then p has it, of a type in memory. */
bool taf_hdf_fill_set(int64_t data, int64_t type, unsigned char p[16]);

/* An attribute that is open: -1 where something cannot be had. */
struct taf_hdf_opened {
	int64_t attr, type, space;
	int64_t n;		/* elements */
};

/* False, and nothing is open, where there is no such attribute. */
bool taf_hdf_attr_open(int64_t object, const char *name, struct taf_hdf_opened *a);
void taf_hdf_attr_close(struct taf_hdf_opened *a);

/*
 * The library has failed: TAF_EDATA, or TAF_ESYS where it had too little memory, with the
 * text and what the library says of the cause behind it.
 */
enum taf_status taf_hdf_fail(struct taf_err *e, const char *fmt, ...) TAF_PRINTF(2, 3);

/* What a type of the file is as an element (spec of the types: H5T). */
struct taf_hdf_type {
	enum taf_type type;
	bool half;		/* stored as 16-bit floats; type is flt32 */
	bool big;		/* stored big-endian */
	bool same;		/* stored bytes are elements, but for their order */
	bool matlab;		/* parts of a pair are called real and imag */
};

/*
 * TAF_EDATA, which names what it is, for one that no array can be: strings, compounds
 * other than two floats named r and i or real and imag, and so on.
 */
TAF_MUST enum taf_status taf_hdf_type(int64_t type, struct taf_hdf_type *t,
    struct taf_err *e);

/* What elements of a type are, for those that are none of an array. */
const char *taf_hdf_class(int64_t type);

/* The little-endian type of elements of an array; the caller closes it. */
int64_t taf_hdf_memory_type(enum taf_type type);

/* That of numbers in memory: flt32, or flt64, int64, uint64; not to be closed. */
int64_t taf_hdf_native(enum taf_type type, size_t *size);

/*
 * The value that netCDF gives to elements which nobody wrote, where a dataset does not
 * say another one: the bytes of an element, little-endian.  0 for complex elements.
 */
void taf_hdf_default_fill(enum taf_type type, unsigned char p[16]);

/*
 * Has a part of a dataset, or NULL for the whole of it, elements that nobody wrote and
 * that have no fill value (netCDF's NOFILL)?  Where the library reads such ones it leaves
 * the memory as it is.
 */
bool taf_hdf_undefined(int64_t data, const struct taf_region *part);

/* The one to read elements with, of whose type in the file taf_hdf_type has made t. */
int64_t taf_hdf_read_type(int64_t type, const struct taf_hdf_type *t);

#endif
