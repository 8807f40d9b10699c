/* SPDX-License-Identifier: ISC */
/* Arrays of the row-major formats on their way in. */
#ifndef TAF_FORMAT_ROW_MAJOR_H
#define TAF_FORMAT_ROW_MAJOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "codec/ndarray.h"
#include "format/import.h"
#include "io/in.h"

/* An array that comes in: its description, its name, and the bytes of its elements. */
struct taf_row_major_array {
	struct taf_ndarray nd;
	struct taf_buf name;
	const char *type;	/* what the format calls its elements, or NULL */
	uint64_t bytes;
};

/* How a format is read. */
struct taf_row_major {
	/* Up to the elements of the next array; TAF_END where no array follows. */
	enum taf_status (*next)(struct taf_in *in, struct taf_row_major_array *a,
	    struct taf_err *e);
	/* What stands behind the elements of a. */
	enum taf_status (*end)(struct taf_in *in, const struct taf_row_major_array *a,
	    struct taf_err *e);
	/* Attributes that a name, a type and the want of an index become, or NULL. */
	const char *name_key, *type_key, *ndim_key;
	bool reverse;		/* --reverse */
	/*
	 * What the input is a part of, as an attribute, or NULL; then more may follow it.
	 */
	const char *part_key, *part;
	bool single;		/* an input holds one array, and nothing follows it */
};

/*
 * All arrays of an input, whose format is the struct taf_row_major ctx: a look at each,
 * elements passed over; then what makes arrays of them.
 */
TAF_MUST enum taf_status taf_row_major_check(void *ctx, const struct taf_import *im,
    struct taf_in *in, struct taf_err *e);
TAF_MUST enum taf_status taf_row_major_import(void *ctx, struct taf_import *im,
    struct taf_in **from, struct taf_err *e);

#endif
