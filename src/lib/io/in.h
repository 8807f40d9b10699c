/* SPDX-License-Identifier: ISC */
/*
 * Buffered input from a file, a pipe or memory: peek without consuming, exact
 * reads, skips.  Regular files are read at offsets of their own, so that the
 * position of a shared descriptor does not matter.  One that ends before the size that it
 * had when it was opened is TAF_ETRUNC, whoever reads.
 */
#ifndef TAF_IO_IN_H
#define TAF_IO_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_in;

/*
 * Open a file; NULL or "-" is standard input, which is not closed at the end.  A regular
 * file is opened anew for each access where descriptors are scarce.
 */
TAF_MUST enum taf_status taf_in_open(struct taf_in **in, const char *path,
    struct taf_err *e);

/* Read from a descriptor from its present position on; takes it (closes it). */
TAF_MUST enum taf_status taf_in_fd(struct taf_in **in, int fd, const char *name,
    struct taf_err *e);

/* Read n bytes of memory, which it keeps until taf_in_close. */
TAF_MUST enum taf_status taf_in_mem(struct taf_in **in, const void *p, size_t n,
    struct taf_err *e);

/* Free and close.  NULL is allowed; errno is preserved. */
void taf_in_close(struct taf_in *in);

/* The name for messages; lent until taf_in_close. */
const char *taf_in_name(const struct taf_in *in);

/* Absolute offset of the next byte. */
uint64_t taf_in_offset(const struct taf_in *in);

/* Can it be read at any offset (a regular file or memory)? */
bool taf_in_seekable(const struct taf_in *in);

/* Bytes from the next one to the end of a seekable input; 0 for a pipe. */
uint64_t taf_in_left(const struct taf_in *in);

/*
 * Look at the next bytes without consuming them: *p is lent until the next call
 * on in, *got is at least want unless the input ends before.
 */
TAF_MUST enum taf_status taf_in_peek(struct taf_in *in, size_t want,
    const unsigned char **p, size_t *got, struct taf_err *e);

/* Read exactly n bytes; TAF_ETRUNC if the input ends before. */
TAF_MUST enum taf_status taf_in_read(struct taf_in *in, void *buf, size_t n,
    struct taf_err *e);

/* Pass over n bytes: at no cost where seekable; TAF_ETRUNC if there are fewer. */
TAF_MUST enum taf_status taf_in_skip(struct taf_in *in, uint64_t n, struct taf_err *e);

/* --- for taftools alone: not installed --- */

/* The file by which the open folder is a store of Zarr, or NULL. */
const char *taf_in_zarr(int folder);

/* What messages call the input of this path; NULL and "-" are standard input. */
const char *taf_in_called(const char *path);

/* Read n bytes of memory from malloc, which it frees at the end; not where it fails. */
TAF_MUST enum taf_status taf_in_held(struct taf_in **in, void *p, size_t n,
    const char *name, struct taf_err *e);

/*
 * Read, as a pipe, what a function gives: each call one to n bytes in buf, *got of them,
 * or none at the end.  ctx stays the caller's.
 */
typedef enum taf_status taf_in_source(void *ctx, void *buf, size_t n, size_t *got,
    struct taf_err *e);
TAF_MUST enum taf_status taf_in_call(struct taf_in **in, taf_in_source *source, void *ctx,
    const char *name, struct taf_err *e);

/* The descriptor, -1 for memory, functions, and where none is kept; lent. */
int taf_in_descriptor(const struct taf_in *in);

/*
 * Is a file that is read still as it was when it was opened, by its size and the time of
 * its last change?  TAF_EDATA if not: what was read may be half of the one and half of
 * the other.
 */
TAF_MUST enum taf_status taf_in_unchanged(const struct taf_in *in, struct taf_err *e);

/*
 * A number that tells a file as it was opened from what is there another time: by what
 * it is, its size and the time of its last change.  The same of all that are no files.
 */
uint64_t taf_in_state(const struct taf_in *in);

/*
 * Another program still writes this file, or not: bytes behind its end count from the
 * next taf_in_grown on, and taf_in_unchanged does not mind them.  A file that became
 * shorter, or whose last name went, is TAF_EDATA for both.
 */
void taf_in_grows(struct taf_in *in, bool grows);
TAF_MUST enum taf_status taf_in_grown(struct taf_in *in, struct taf_err *e);

/* The next n bytes belong together: a failure says how many of all n are missing. */
void taf_in_expect(struct taf_in *in, uint64_t n);

/*
 * From now on the n bytes from the next one on are read in pieces of so many bytes, and
 * check says of each whether it is piece k, before anybody sees a byte of it.  in is
 * seekable.  ctx goes to release at the end, also where this fails.
 */
struct taf_guard {
	enum taf_status (*check)(void *ctx, uint64_t k, const void *p, size_t n,
	    struct taf_err *e);
	void (*release)(void *ctx);
	void *ctx;
	uint64_t n;
	size_t piece;
};
TAF_MUST enum taf_status taf_in_guard(struct taf_in *in, const struct taf_guard *guard,
    struct taf_err *e);

/*
 * Does a read of a few bytes somewhere cost much more than those bytes?  True behind a
 * URL, and where pieces are checked.
 */
bool taf_in_coarse(const struct taf_in *in);

/* Is it behind a URL? */
bool taf_in_far(const struct taf_in *in);

/* A number that what is behind a URL has as long as its server calls it the same. */
uint64_t taf_in_mark(const struct taf_in *in);

/*
 * What will be read, offsets counted from the next byte: where that costs a request to a
 * server, few are made.  Nothing else may be changed by it.
 */
struct taf_ranges;
void taf_in_plan(struct taf_in *in, const struct taf_ranges *ranges);

/* Go to an absolute offset of a seekable input. */
void taf_in_seek(struct taf_in *in, uint64_t off);

/* Read up to n bytes; fewer only at the end of the input. */
TAF_MUST enum taf_status taf_in_read_part(struct taf_in *in, void *buf, size_t n,
    size_t *got, struct taf_err *e);

/* Bytes that taf_in_peek has ready without another read. */
size_t taf_in_buffered(const struct taf_in *in);

/* n bytes beyond the buffered ones (none may be) were moved by the kernel. */
void taf_in_advance(struct taf_in *in, uint64_t n);

/*
 * Read n bytes at an absolute offset of a seekable input, leaving the position
 * alone; TAF_ETRUNC if it ends before.  Safe from several threads at once.
 */
TAF_MUST enum taf_status taf_in_pread(const struct taf_in *in, void *buf, size_t n,
    uint64_t off, struct taf_err *e);

/*
 * Map n bytes at an absolute offset, read-only; NULL where that is not possible
 * (a pipe, no address space).  Lent until taf_in_close; one map at a time.
 */
const void *taf_in_map(struct taf_in *in, uint64_t off, uint64_t n);

/* A second, independent input over the same seekable bytes, from offset off on. */
TAF_MUST enum taf_status taf_in_again(struct taf_in **again, const struct taf_in *in,
    uint64_t off, struct taf_err *e);

/*
 * The same, of the n bytes from off on alone, which are there, and with another name;
 * taf_in_unchanged does not look at it.
 */
TAF_MUST enum taf_status taf_in_part(struct taf_in **part, const struct taf_in *in,
    uint64_t off, uint64_t n, const char *name, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
