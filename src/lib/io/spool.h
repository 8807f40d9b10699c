/* SPDX-License-Identifier: ISC */
/* A nameless temporary file: written first, then read. */
#ifndef TAF_IO_SPOOL_H
#define TAF_IO_SPOOL_H

#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"
#include "io/out.h"

struct taf_spool {
	struct taf_out *out;
	int fd;
};

/* Create one in $TMPDIR, or /tmp; write to s->out. */
TAF_MUST enum taf_status taf_spool_begin(struct taf_spool *s, struct taf_err *e);

/* The same, with room for so many bytes, which are written at offsets from *base on. */
TAF_MUST enum taf_status taf_spool_region(struct taf_spool *s, uint64_t bytes,
    uint64_t *base, struct taf_err *e);

/* A plan has written nothing to it: it becomes so many bytes long, with a hole. */
TAF_MUST enum taf_status taf_spool_fill(struct taf_spool *s, uint64_t bytes,
    struct taf_err *e);

/*
 * All is written: *in reads it from the start, under the given name.  If st is a failure
 * instead, also one of the two above, that is returned, and the file is thrown away.
 */
TAF_MUST enum taf_status taf_spool_end(struct taf_spool *s, enum taf_status st,
    const char *name, struct taf_in **in, struct taf_err *e);

/* Throw it away; also after the others, and on a zeroed one. */
void taf_spool_discard(struct taf_spool *s);

/*
 * Replace *in, a pipe, by a temporary file with all that is still in it; a seekable
 * input stays as it is.
 */
TAF_MUST enum taf_status taf_spool_rest(struct taf_in **in, struct taf_err *e);

/*
 * The same of what is behind a URL, with a remark, for what is read in small pieces here
 * and there; any other input stays as it is.
 */
TAF_MUST enum taf_status taf_spool_far(struct taf_in **in, struct taf_err *e);

/*
 * The next n bytes of in, which is then behind them, as a seekable input of its own: of
 * a pipe in memory where they are a small part of what may be taken of it, else in a
 * temporary file.  The caller closes *part before in.  Where there are fewer,
 * that is TAF_ETRUNC, and a seekable in has not moved.
 */
TAF_MUST enum taf_status taf_spool_part(struct taf_in *in, uint64_t n, uint64_t memory,
    struct taf_in **part, struct taf_err *e);

#endif
