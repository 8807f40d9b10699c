/*
 * Before a file is read, changed in place or replaced: wait for the command that changes
 * it, and undo what a dead one has left half done.
 */
#ifndef TAF_IO_RECOVER_H
#define TAF_IO_RECOVER_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"

/*
 * Open path for reading and writing, wait for the lock on it, and make sure that
 * the name still leads to the same file.  An undo file that a crash left behind is
 * used first.  One that does not fit, or a mark without one, is TAF_EDATA.  The lock
 * ends with the descriptor.  The caller closes it.
 */
TAF_MUST enum taf_status taf_lock_open(const char *path, int *fd, struct taf_err *e);

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
 * present file in place, and undo what a crash has left.  Returns a lock, or -1 if there
 * is none to be had.  The caller closes it after taf_undo_disown.
 */
int taf_undo_claim(const char *path);

/* Another file has taken the name path: an undo file beside it belongs to nobody now. */
void taf_undo_disown(const char *path);

#endif
