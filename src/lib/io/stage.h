/* SPDX-License-Identifier: ISC */
/*
 * A folder in which one program at a time makes files, which no other one looks at until
 * they get their names.  A signal that ends the program removes them.
 */
#ifndef TAF_IO_STAGE_H
#define TAF_IO_STAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/names.h"
#include "io/out.h"

/*
 * Make the folder, or take that which a killed program has left, without what is in it.
 * TAF_END where another program has it.  *lock is for taf_stage_drop.
 */
TAF_MUST enum taf_status taf_stage_take(const char *folder, int *lock, struct taf_err *e);

/* Make a new file at a path below it. */
TAF_MUST enum taf_status taf_stage_file(const char *path, struct taf_out **out,
    struct taf_err *e);

/* Close such a file, which is safe on the disk then, if st is TAF_OK; what has failed. */
TAF_MUST enum taf_status taf_stage_settle(struct taf_out *out, enum taf_status st,
    struct taf_err *e);

/* Names of all folders in it, and its own, are safe on the disk. */
TAF_MUST enum taf_status taf_stage_sync(const char *folder, struct taf_err *e);

/* Remove it with all that lies in it, if it is still there, and close lock. */
void taf_stage_drop(const char *folder, int lock);

/*
 * What is to get other names, as one as far as that can be: the first of them last, which
 * may exchange it with what is in its place.  Zeroed, it is nothing.
 */
struct taf_moves {
	struct taf_names from, to;
	bool exchange;		/* the first */
	size_t left;		/* so many are not moved yet */
};

/* Add one.  No memory is needed after that. */
TAF_MUST enum taf_status taf_moves_add(struct taf_moves *m, const char *from,
    const char *to, struct taf_err *e);

/* All get their names, which are safe on the disk; and those that did lose them again. */
TAF_MUST enum taf_status taf_moves_do(struct taf_moves *m, struct taf_err *e);
void taf_moves_undo(struct taf_moves *m);

void taf_moves_free(struct taf_moves *m);

#endif
