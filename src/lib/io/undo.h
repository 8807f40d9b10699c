/* SPDX-License-Identifier: ISC */
/*
 * Changes of a file in place that survive a crash: what is about to be overwritten is
 * saved in an undo file beside it, and the file is marked as long as it is changed.
 */
#ifndef TAF_IO_UNDO_H
#define TAF_IO_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/undo_file.h"

/*
 * Offsets between which a header changes close in on the bytes that do.  Do those lie in
 * one sector?  Of more, a cut of the power may leave a part.
 */
bool taf_undo_narrow(const unsigned char *is, const unsigned char *will, size_t *first,
    size_t *last);

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
 * after which the process ends: it calls only what is safe there, and tells of no
 * failure.
 */
void taf_undo_cancel(void);

#endif
