/* SPDX-License-Identifier: ISC */
/*
 * An object behind a URL, read by the program taf-fetch, which is started for it.  It is
 * the object that was there at first, or a failure: TAF_EDATA if it changed, or if the
 * server gave something else than was asked for; TAF_ESYS where the network fails.
 */
#ifndef TAF_IO_REMOTE_H
#define TAF_IO_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

struct taf_remote;

/*
 * Bytes that will be read, in this order: runs of run bytes, at the offset first plus at
 * times pitch of each level, at below count, level 0 fastest.  Ascending.
 */
enum { TAF_RANGES_LEVELS = 64 };
struct taf_ranges {
	uint64_t first, run;
	unsigned levels;
	uint64_t count[TAF_RANGES_LEVELS], pitch[TAF_RANGES_LEVELS];
};

/* Ask for the object: its size, whether parts of it can be read, its first bytes. */
TAF_MUST enum taf_status taf_remote_open(struct taf_remote **r, const char *url,
    struct taf_err *e);

/* NULL is allowed; errno is preserved. */
void taf_remote_close(struct taf_remote *r);

/* Are parts read at any offset?  Else it is a stream. */
bool taf_remote_seekable(const struct taf_remote *r);

/* Bytes of what is seekable. */
uint64_t taf_remote_size(const struct taf_remote *r);

/* A number that tells its version from others; 0 if the server tells none. */
uint64_t taf_remote_mark(const struct taf_remote *r);

/*
 * What is read from now on, in requests of some MiB, a few at a time.  Without this a
 * read is one request; nothing of the ranges is asked for before it is read.
 */
void taf_remote_plan(struct taf_remote *r, const struct taf_ranges *ranges);

/*
 * Read up to n bytes at off, or the next ones of a stream; *got is 0 at the end alone.
 * Safe from several threads at once.
 */
TAF_MUST enum taf_status taf_remote_read(struct taf_remote *r, void *buf, size_t n,
    uint64_t off, size_t *got, struct taf_err *e);

/* How much memory all that is read ahead may take, in bytes. */
void taf_remote_memory(uint64_t bytes);

#endif
