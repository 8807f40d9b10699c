/*
 * Changes of a file in place that survive a crash: a lock, and an undo file beside
 * it (name + ".undo") that holds every byte about to be overwritten.
 */
#ifndef TAF_IO_UNDO_H
#define TAF_IO_UNDO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Open path for reading and writing, wait for the lock on it, and make sure that
 * the name still leads to the same file.  An undo file that a crash left behind is
 * used first; a file of its name that is none is TAF_EDATA.  The lock ends with the
 * descriptor, which is the caller's to close.
 */
TAF_MUST enum taf_status taf_lock_open(const char *path, int *fd, struct taf_err *e);

/*
 * Before a file is read: if an undo file lies beside it, wait for a running command
 * to finish, then roll back what a dead one left; TAF_EDATA where that needs a right
 * to write that we do not have.  Cheap where there is none.
 */
TAF_MUST enum taf_status taf_undo_recover(const char *path, struct taf_err *e);

/* Is there an undo file beside path? */
TAF_MUST enum taf_status taf_undo_look(const char *path, bool *there, struct taf_err *e);

/* An undo file that is being written. */
struct taf_undo;

/* Begin one for the locked file fd called path, as it is now. */
TAF_MUST enum taf_status taf_undo_begin(struct taf_undo **u, const char *path, int fd,
    struct taf_err *e);

/* Save n bytes at off; what lies beyond the end of the file needs no saving. */
TAF_MUST enum taf_status taf_undo_save(struct taf_undo *u, uint64_t off, uint64_t n,
    struct taf_err *e);

/* Make it safe on disk: from here on the file may be changed. */
TAF_MUST enum taf_status taf_undo_seal(struct taf_undo *u, struct taf_err *e);

/* The file is changed: sync it, and remove the undo file.  Frees u. */
TAF_MUST enum taf_status taf_undo_done(struct taf_undo *u, struct taf_err *e);

/* Put the old bytes back, as far as they were overwritten, and free u. */
void taf_undo_rollback(struct taf_undo *u);

/*
 * Put them back whatever is being changed, and free nothing: for a signal handler, after
 * which the process ends.
 */
void taf_undo_cancel(void);

#ifdef __cplusplus
}
#endif

#endif
