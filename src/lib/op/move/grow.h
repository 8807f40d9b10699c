/* SPDX-License-Identifier: ISC */
/* Arrays of a file that another program still writes, as their elements come. */
#ifndef TAF_OP_MOVE_GROW_H
#define TAF_OP_MOVE_GROW_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/kept.h"
#include "stream/reader.h"

/* Zeroed but for the first members. */
struct taf_grow {
	const char *path;
	double idle;		/* so many seconds without growth end it; 0: none do */
	/* Called before each pause; what it gives but TAF_OK ends it. */
	enum taf_status (*pause)(void *ctx, struct taf_err *e);
	void *ctx;

	struct taf_reader *r;	/* of the present array, behind what was read */
	double waited, nap;	/* since it grew, and the next pause, in seconds */
	struct taf_kept head, last;	/* the header, and what was read last */
};

/*
 * The next array, when its header is there and the file of its elements; TAF_END behind
 * the last.  All elements of the one before are read or passed over.
 */
TAF_MUST enum taf_status taf_grow_next(struct taf_grow *g, struct taf_array *a,
    struct taf_err *e);

/*
 * How many of the elements that are left are there: one at least, and then g->r can read
 * so many.  0 where none is left.  TAF_ETRUNC where none comes, TAF_EDATA where what was
 * read before has changed.
 */
TAF_MUST enum taf_status taf_grow_there(struct taf_grow *g, uint64_t *n,
    struct taf_err *e);

#endif
