/* SPDX-License-Identifier: ISC */
/*
 * Before a file is read, changed in place or replaced: wait for the command that changes
 * it, and undo what a dead one has left half done.
 */
#ifndef TAF_IO_RECOVER_H
#define TAF_IO_RECOVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

/*
 * Open path for reading and writing, wait for the lock on it, and make sure that
 * the name still leads to the same file.  An undo file that a crash left behind is
 * used first.  One that does not fit, or a mark without one, is TAF_EDATA.  The lock
 * ends with the descriptor.  The caller closes it.
 */
TAF_MUST enum taf_status taf_lock_open(const char *path, int *fd, struct taf_err *e);

/* Locks on files that are read while another one is changed. */
struct taf_held {
	int *fd;
	size_t n;
};

/*
 * taf_lock_open, and shared locks on the n sources that the change will read, taken in
 * one order by all commands: so none waits for another that waits for it.  Sources that
 * are no regular files, and those for which descriptors do not suffice, are passed over.
 * The caller ends the locks with taf_held_free, also on failure.
 */
TAF_MUST enum taf_status taf_lock_with(const char *path, const char *const *sources,
    size_t n, int *fd, struct taf_held *held, struct taf_err *e);
void taf_held_free(struct taf_held *held);

/*
 * Call this before a file is read.  If the file is marked, or an undo file lies beside
 * it, wait for a running command to finish, then roll back what a dead one left.
 * TAF_EDATA if this process may not write there.  Cheap if there is neither.
 */
TAF_MUST enum taf_status taf_undo_recover(const char *path, struct taf_err *e);

/* Is there an undo file beside path? */
TAF_MUST enum taf_status taf_undo_look(const char *path, bool *there, struct taf_err *e);

/*
 * Remove an undo file beside path that can undo nothing, because the file is not marked.
 * TAF_EDATA if it may be able to undo something.
 */
TAF_MUST enum taf_status taf_undo_drop(const char *path, struct taf_err *e);

/*
 * Call this before another file takes the name path.  Wait until nobody changes the
 * present file in place, and undo what a crash has left.  *lock is -1 if there is none to
 * be had; the caller closes it after taf_undo_disown.  False with errno where no
 * descriptor is left for it.
 */
bool taf_undo_claim(const char *path, int *lock);

/* Another file has taken the name path: an undo file beside it belongs to nobody now. */
void taf_undo_disown(const char *path);

#endif
