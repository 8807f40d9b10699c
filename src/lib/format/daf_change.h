/* SPDX-License-Identifier: ISC */
/*
 * A change of a FilesDaf store: axes and an item, which an array becomes, are added, and
 * all is looked at first.
 */
#ifndef TAF_FORMAT_DAF_CHANGE_H
#define TAF_FORMAT_DAF_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/words.h"
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
	bool other;		/* that layout alone which is not its own */
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

/* Zero-initialise; what is asked for is then set. */
struct taf_daf_change {
	bool create;			/* make the store if it is not there */
	bool force;			/* overwrite the item if it is there */
	bool item;			/* put says an item */
	struct taf_daf_given put;
	struct taf_daf_axis *axis;	/* those that are to be added */
	size_t naxes;
	struct taf_daf store;		/* empty as long as it is not there */
};

/*
 * Ask a struct taf_daf_change for an axis, AXIS=FILE, or for an item; arg is kept.
 * TAF_EUSAGE where it is not that.
 */
TAF_MUST taf_word_parse taf_daf_change_axis;
TAF_MUST enum taf_status taf_daf_change_item(struct taf_daf_change *c, const char *arg,
    struct taf_err *e);

/*
 * Ask a struct taf_daf_change for an element type by any of its names; TAF_EUSAGE where
 * a store has none of it.
 */
TAF_MUST taf_word_parse taf_daf_change_type;

/*
 * Look at the store at path and read the new axes.  TAF_EDATA where something is in the
 * way.  The item has its lengths then.  Nothing is changed.
 */
TAF_MUST enum taf_status taf_daf_change_look(struct taf_daf_change *c, const char *path,
    struct taf_err *e);

/* The item was taken (taf_daf_taken): make all that is asked for. */
TAF_MUST enum taf_status taf_daf_change_make(struct taf_daf_change *c, const char *path,
    const struct taf_service *service, struct taf_err *e);

void taf_daf_change_free(struct taf_daf_change *c);

/*
 * Write the layout that a parsed matrix, p->item, lacks: rows by columns, or columns by
 * rows.  With force, and both there, that which it does not name is written anew.  The
 * layout that is read is not changed.  TAF_EDATA where both are there, for an axis with
 * itself, or where the item is faulty: nothing is changed then.  Strings are held in
 * memory.
 */
TAF_MUST enum taf_status taf_daf_relayout(const char *store, struct taf_daf_given *p,
    bool force, const struct taf_service *service, struct taf_err *e);

#endif
