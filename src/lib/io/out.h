/* SPDX-License-Identifier: ISC */
/*
 * Output that is whole or not there: a named file appears by rename when it is
 * committed, standard output is checked to its last byte.
 */
#ifndef TAF_IO_OUT_H
#define TAF_IO_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "io/in.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_out;

/*
 * Write to path: to a temporary file beside it, through a symbolic link, with mode,
 * attributes and access control list of a file that is replaced.  Where that is another
 * user's, its owner and group are kept if that is allowed, and rights that would go to
 * another group are cut.  What is no regular file is written directly.
 */
TAF_MUST enum taf_status taf_out_create(struct taf_out **out, const char *path,
    struct taf_err *e);

/* Write to a descriptor from its present position on; takes it unless it is 0 to 2. */
TAF_MUST enum taf_status taf_out_fd(struct taf_out **out, int fd, const char *name,
    struct taf_err *e);

/* Write all n bytes.  A failure sticks: every later call returns it. */
TAF_MUST enum taf_status taf_out_write(struct taf_out *out, const void *p, size_t n,
    struct taf_err *e);

/*
 * Move n bytes from in, inside the kernel where the two descriptors allow it
 * (clone, copy_file_range, splice), but never so that what was moved can still change;
 * TAF_ETRUNC if in ends before.
 */
TAF_MUST enum taf_status taf_out_copy(struct taf_out *out, struct taf_in *in, uint64_t n,
    struct taf_err *e);

/*
 * Claim the next n bytes of a seekable output, to be written in any order with
 * taf_out_pwrite at offsets 0 to n from *base on.  taf_out_pwrite is safe from
 * several threads at once.
 */
TAF_MUST enum taf_status taf_out_region(struct taf_out *out, uint64_t n, uint64_t *base,
    struct taf_err *e);
TAF_MUST enum taf_status taf_out_pwrite(struct taf_out *out, const void *p,
    size_t n, uint64_t off, struct taf_err *e);

/* Make a finished file appear under its name, and free out. */
TAF_MUST enum taf_status taf_out_commit(struct taf_out *out, struct taf_err *e);

/* Drop the output: a named file is removed.  NULL is allowed; errno is preserved. */
void taf_out_discard(struct taf_out *out);

/* --- for taftools alone: not installed --- */

/*
 * taf_out_create of a new file that has the rights and the attributes of another one,
 * like, from the beginning.
 */
TAF_MUST enum taf_status taf_out_create_like(struct taf_out **out, const char *path,
    const char *like, struct taf_err *e);

/* Has a call failed, and been told of? */
bool taf_out_failed(const struct taf_out *out);

/* Where a file will appear by taf_out_commit; NULL for what is written directly. */
const char *taf_out_target(const struct taf_out *out);

/*
 * The same of a whole regular file that is called made, and open as fd, which this takes
 * also where it fails: taf_out_commit gives it the name path as if it had been written
 * there.  Where that fails the file stays what it is called: TAF_ESYS with EXDEV tells
 * that path is on another file system.
 */
TAF_MUST enum taf_status taf_out_take(struct taf_out **out, const char *path,
    const char *made, int fd, struct taf_err *e);

/*
 * Where the symbolic link path leads, to a file that may not be there yet; path itself
 * where it is none.  For the caller to free; NULL with errno.
 */
char *taf_out_resolve(const char *path);

/*
 * The descriptor of a seekable output, to read and write at offsets, and where what
 * taf_out_write is given next goes.
 */
int taf_out_descriptor(const struct taf_out *out);
TAF_MUST enum taf_status taf_out_seek(struct taf_out *out, uint64_t off,
    struct taf_err *e);

/* taf_out_commit replaces no file: one that has come meanwhile is TAF_EDATA. */
void taf_out_fresh(struct taf_out *out);

/* Can it be written at any offset (taf_out_region)? */
bool taf_out_seekable(const struct taf_out *out);

/*
 * Who reads this pipe makes sure that the files it comes from do not change until he has
 * read all: so taf_out_copy may put their own pages there.
 */
void taf_out_lend(struct taf_out *out);

/*
 * Bytes that the kernel has taken so far, whatever the order: for a display.  May be
 * asked by a signal handler or another thread.
 */
uint64_t taf_out_moved(const struct taf_out *out);

/*
 * Write what was built in s, and empty it.  Where s or the writing has failed, that is
 * returned, and sticks in s.
 */
TAF_MUST enum taf_status taf_out_str(struct taf_out *out, struct taf_str *s);

/*
 * Write what only says that nothing follows, behind all else, to the kernel: if the
 * reader of a pipe has gone, he had what he wanted, and that is no failure.
 */
TAF_MUST enum taf_status taf_out_write_last(struct taf_out *out, const void *p, size_t n,
    struct taf_err *e);

/* Write n bytes of value zero. */
TAF_MUST enum taf_status taf_out_zero(struct taf_out *out, uint64_t n, struct taf_err *e);

/*
 * Have the file system set space aside for such a region, so that small writes in any
 * order find it in one piece.  Does nothing where that would take writing the bytes;
 * TAF_ESYS if there is not enough space.
 */
TAF_MUST enum taf_status taf_out_reserve(struct taf_out *out, uint64_t base, uint64_t n,
    struct taf_err *e);

/* Hand buffered bytes to the kernel.  Never syncs. */
TAF_MUST enum taf_status taf_out_flush(struct taf_out *out, struct taf_err *e);

/* Flush, and wait until the bytes are safe on disk. */
TAF_MUST enum taf_status taf_out_sync(struct taf_out *out, struct taf_err *e);

/*
 * Flush and close, checked; a named file is synced but does not appear before
 * taf_out_commit.
 */
TAF_MUST enum taf_status taf_out_finish(struct taf_out *out, struct taf_err *e);

/*
 * The caller holds the lock of the file that will be replaced (taf_lock_open): it is
 * changed, so taf_out_commit also waits until its name is safe on disk.
 */
void taf_out_locked(struct taf_out *out);

/* TAF_EUSAGE where two of n outputs would replace one file, by whatever names. */
TAF_MUST enum taf_status taf_outs_apart(struct taf_out *const *outs, size_t n,
    struct taf_err *e);

/*
 * Wait until nobody changes in place the files that will be replaced, and keep that so
 * until they are.  All commands take these locks in one order, so that none waits for
 * another that waits for it.  Where descriptors do not suffice, *n becomes the number of
 * the first ones for which they do.  taf_out_commit does it for itself where it was not
 * done before.
 */
TAF_MUST enum taf_status taf_outs_claim(struct taf_out *const *outs, size_t *n,
    struct taf_err *e);

/*
 * taf_out_commit in two parts: the file appears, and if keep, the old one is kept aside.
 * Then by st, which it returns, all is well, or the old file comes back.  Call the second
 * in any case; it frees out.  No signal may come between them.
 */
TAF_MUST enum taf_status taf_out_appear(struct taf_out *out, bool keep,
    struct taf_err *e);
TAF_MUST enum taf_status taf_out_settle(struct taf_out *out, enum taf_status st,
    struct taf_err *e);

/*
 * taf_out_appear of data that header, another output, tells of.  What tells of the old
 * data goes first, and comes back if header is discarded; so whatever the disk keeps,
 * none tells of what is not there.
 */
TAF_MUST enum taf_status taf_out_appear_before(struct taf_out *data,
    struct taf_out *header, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
