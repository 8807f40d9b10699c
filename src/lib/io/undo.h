/*
 * Changes of a file in place that survive a crash: a lock, an undo file beside it (name +
 * ".undo") that holds every byte about to be overwritten, and a mark in the file itself.
 */
#ifndef TAF_IO_UNDO_H
#define TAF_IO_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	TAF_UNDO_MARK = 1024,	/* the mark is a line of text that ends before this offset */
	TAF_UNDO_NAME = 256	/* room for the name of an undo file, without its folder */
};

/*
 * Do the first n bytes of a file say that a change of it is not finished?  If so, name is
 * set to the name of the undo file.
 */
bool taf_undo_marked(const unsigned char *p, size_t n, char name[TAF_UNDO_NAME]);

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

/* An undo file that is being written. */
struct taf_undo;

/* What a file will be when the change is done: its first bytes, and how many it has. */
struct taf_undo_plan {
	const unsigned char *header;
	size_t n;		/* TAF_UNDO_MARK at least */
	uint64_t size;
};

/*
 * Begin one for the locked file fd called path, as it is now.  It saves as many bytes as
 * the header of the plan has.  The mark stands among them.
 */
TAF_MUST enum taf_status taf_undo_begin(struct taf_undo **u, const char *path, int fd,
    const struct taf_undo_plan *plan, struct taf_err *e);

/* Save n bytes at off.  Bytes beyond the end of the file need no saving. */
TAF_MUST enum taf_status taf_undo_save(struct taf_undo *u, uint64_t off, uint64_t n,
    struct taf_err *e);

/*
 * Make it safe on disk, and mark the file.  From here on the file may be changed, except
 * in the place of the mark, which is the last half of the TAF_UNDO_MARK bytes.
 */
TAF_MUST enum taf_status taf_undo_seal(struct taf_undo *u, struct taf_err *e);

/* The file is changed: sync it, remove mark and undo file.  Frees u. */
TAF_MUST enum taf_status taf_undo_done(struct taf_undo *u, struct taf_err *e);

/* Put the old bytes back, as far as they were overwritten, and free u. */
void taf_undo_rollback(struct taf_undo *u);

/*
 * Put the old bytes of any change back, and free nothing.  This is for a signal handler
 * after which the process ends.
 */
void taf_undo_cancel(void);

/*
 * Wait for a moment, until the clock has passed the time of the last change of fd.  What
 * is written then gives the file another time.
 */
void taf_wait_tick(int fd);

#ifdef __cplusplus
}
#endif

#endif
