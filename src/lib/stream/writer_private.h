/* SPDX-License-Identifier: ISC */
/* What taftools alone do with writers.  It is not installed. */
#ifndef TAF_STREAM_WRITER_PRIVATE_H
#define TAF_STREAM_WRITER_PRIVATE_H

#include "base/str.h"
#include "io/spool.h"
#include "stream/writer.h"

/*
 * Adds to each array that goes out how it was made.  add changes a copy of its
 * descriptor: number is that of an array in a file of its own, else 0; result is the
 * digest of the file, or NULL.  ready is called before anything is opened or written.
 * A file that can be read is given to digest as fd; the text that this makes is result.
 */
enum { TAF_STAMP_TEXT = 80 };
struct taf_stamp {
	enum taf_status (*ready)(void *ctx, struct taf_err *e);
	enum taf_status (*add)(void *ctx, struct taf_array *a, unsigned long number,
	    const char *result, struct taf_err *e);
	enum taf_status (*digest)(void *ctx, int fd, char text[TAF_STAMP_TEXT],
	    struct taf_err *e);
	void *ctx;
	/*
	 * NULL, or nothing is written: it hears of each array instead of the writer, and
	 * returns TAF_END, which leaves that as it was before the array.
	 */
	enum taf_status (*plan)(void *ctx, const struct taf_array *a, enum taf_next next,
	    struct taf_err *e);
};

/* Close w if st is TAF_OK; else discard it, which may be NULL then, and return st. */
TAF_MUST enum taf_status taf_writer_settle(struct taf_writer *w, enum taf_status st,
    struct taf_err *e);

/*
 * The present array has pairs.  From now on its elements are their parts: twice as many,
 * real and imaginary ones in turn.  Each write has whole pairs.
 */
void taf_writer_parts(struct taf_writer *w);

/*
 * n elements that were written to a temporary file go to w, if st is TAF_OK; the file is
 * thrown away in any case.  Returns st, or what failed here.
 */
TAF_MUST enum taf_status taf_writer_spool(struct taf_writer *w, struct taf_spool *s,
    enum taf_status st, uint64_t n, struct taf_err *e);

/* What has come so far need not wait for more; an array that is held back stays so. */
TAF_MUST enum taf_status taf_writer_flush(struct taf_writer *w, struct taf_err *e);

/*
 * Bytes of the present array that are on their way, roughly: for a display.  May be
 * asked by a signal handler.
 */
uint64_t taf_writer_moved(const struct taf_writer *w);

#endif
