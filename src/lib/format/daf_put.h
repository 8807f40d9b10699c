/* An array that becomes an item of a FilesDaf store. */
#ifndef TAF_FORMAT_DAF_PUT_H
#define TAF_FORMAT_DAF_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "codec/daf/daf_pack.h"
#include "format/export.h"
#include "io/in.h"
#include "kernel/number/convert.h"
#include "stream/reader.h"
#include "stream/service.h"

/* What taf2daf was asked for, and what it has found out. */
struct taf_daf_given {
	struct taf_daf_item item;	/* with its lengths */
	bool sparse, clip;
	enum taf_daf_packing packing;
	bool typed;		/* -t was given */
	unsigned type;		/* an enum taf_daf_type */
	unsigned index;		/* of a sparse item */
	bool other;		/* the layout that is not the item's own, and that alone */
	/* the array is rows, columns and values of stored entries */
	bool entries;
	/* all elements, of type; of entries all columns */
	struct taf_in *values;
	bool big;		/* their order of bytes */
	enum taf_type column;	/* the type of those */
	uint64_t stored;	/* how many entries they are */
	struct taf_daf_sparse m;	/* of a sparse item */
	struct taf_convert_count lost;	/* by the values of entries */
	struct taf_daf_scalar scalar;
	bool text;		/* strings instead, of a vector */
	struct taf_daf_strings strings;
	struct taf_dropped dropped;	/* what the store has no place for */
};

/*
 * Read r's present array a: its shape must be that of the item, its values must fit the
 * type.  When its input has ended, taf_daf_taken makes the item of it.  Nothing of the
 * store is touched yet.
 */
TAF_MUST enum taf_status taf_daf_take(const struct taf_service *service,
    struct taf_daf_given *p, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e);
TAF_MUST enum taf_status taf_daf_taken(const struct taf_service *service,
    struct taf_daf_given *p, struct taf_array *a, struct taf_err *e);

/* Read the lines of in, one for each entry of the axis, as strings of a vector. */
TAF_MUST enum taf_status taf_daf_take_lines(struct taf_daf_given *p, struct taf_in *in,
    struct taf_err *e);

/* Write what was taken as the item of a store, in all its layouts. */
TAF_MUST enum taf_status taf_daf_give(const struct taf_service *service,
    struct taf_daf_given *p, const struct taf_daf *s, bool force, struct taf_err *e);

/* Also of a zeroed one. */
void taf_daf_given_free(struct taf_daf_given *p);

#endif
