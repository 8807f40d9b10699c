/* SPDX-License-Identifier: ISC */
/*
 * A folder in which one program at a time makes files, which no other one looks at until
 * they get their names.  A signal that ends the program removes them.
 */
#ifndef TAF_IO_STAGE_H
#define TAF_IO_STAGE_H

#include "base/attr.h"
#include "base/err.h"
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

/* Remove a folder with all that lies in it; links are not followed. */
TAF_MUST enum taf_status taf_stage_remove(const char *folder, struct taf_err *e);

/* Remove it, if it is still there, and close lock. */
void taf_stage_drop(const char *folder, int lock);

#endif
