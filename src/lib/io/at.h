/* SPDX-License-Identifier: ISC */
/* Transfers at an offset of a file, whole or not at all, and their way to the disk. */
#ifndef TAF_IO_AT_H
#define TAF_IO_AT_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

/* Write n bytes at offset off of fd; TAF_ESYS. */
TAF_MUST enum taf_status taf_write_at(int fd, const void *p, size_t n, uint64_t off,
    struct taf_err *e);

/* Read n bytes at offset off; TAF_ETRUNC where the file ends before. */
TAF_MUST enum taf_status taf_read_at(int fd, void *buf, size_t n, uint64_t off,
    struct taf_err *e);

/*
 * Append what fd gives from its position on: to its end, or until to has most bytes, or
 * a few more.  TAF_ESYS.
 */
TAF_MUST enum taf_status taf_read_rest(int fd, struct taf_buf *to, size_t most,
    struct taf_err *e);

/* fsync, begun again where a signal ends it; -1 with errno. */
int taf_sync(int fd);

/* The same; TAF_ESYS. */
TAF_MUST enum taf_status taf_sync_file(int fd, struct taf_err *e);

/*
 * Wait for a moment, until the clock has passed the time of the last change of fd.  What
 * is written then gives the file another time.
 */
void taf_wait_tick(int fd);

#endif
