/* SPDX-License-Identifier: ISC */
/* Arrays to a TAF file or an RSF stream, whole or not at all. */
#ifndef TAF_STREAM_WRITER_H
#define TAF_STREAM_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/rsf.h"
#include "io/out.h"
#include "stream/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

enum taf_format { TAF_FORMAT_RSF = 0, TAF_FORMAT_TAF = 1 };

struct taf_stamp;

/* Where arrays go.  All strings are kept: they must outlive the writer. */
struct taf_sink {
	const char *path;	/* NULL for standard output; %d makes a file an array */
	enum taf_format format;
	const char *data;	/* RSF: elements to this file, the header to path */
	const char *history;	/* RSF: a line to add to the header, or NULL */
	/* path names one file, with %d or not, that the caller has locked */
	bool in_place;
	bool literal;	/* path names one file, with %d or not */
	bool lend;	/* who reads standard output checks its files: taf_out_lend */
	const struct taf_stamp *stamp;	/* NULL: commands alone have one */
	void *reserved[3];	/* zeros */
};

struct taf_writer;

/* Nothing is opened before the first array begins. */
TAF_MUST enum taf_status taf_writer_open(struct taf_writer **w,
    const struct taf_sink *sink, struct taf_err *e);

/*
 * Begin an array; next says whether another will follow.  Where that is not known, a
 * small one is held back until it is, and behind others taf_writer_close writes the
 * record that ends the stream.  A second array for one TAF file or for separate data is
 * TAF_EDATA, and so is what does not pass taf_array_check.  A writer of which a call has
 * failed, but for TAF_EMISUSE, can only be discarded.
 */
TAF_MUST enum taf_status taf_writer_begin(struct taf_writer *w, const struct taf_array *a,
    enum taf_next next, struct taf_err *e);

/* n elements of the array's type, host byte order. */
TAF_MUST enum taf_status taf_writer_put(struct taf_writer *w, const void *p, size_t n,
    struct taf_err *e);

/* n elements as they come from r, whose present array has the same type. */
TAF_MUST enum taf_status taf_writer_copy(struct taf_writer *w, struct taf_reader *r,
    uint64_t n, struct taf_err *e);

/*
 * n elements that lie in in as they would in memory, through the kernel where no byte
 * need be looked at.
 */
TAF_MUST enum taf_status taf_writer_move(struct taf_writer *w, struct taf_in *in,
    uint64_t n, struct taf_err *e);

/*
 * All elements of the array, to be written in any order: *out and *base are for
 * taf_out_pwrite (lent until taf_writer_end), and the caller writes every byte.
 * *out is NULL where the output cannot do that; use taf_writer_put then.
 */
TAF_MUST enum taf_status taf_writer_region(struct taf_writer *w, struct taf_out **out,
    uint64_t *base, struct taf_err *e);

/* Arrays that have begun, of all files. */
unsigned long taf_writer_arrays(const struct taf_writer *w);

/*
 * All elements are written; a is the array of taf_writer_begin, whose comment and
 * attributes may have come since where the format is TAF.
 */
TAF_MUST enum taf_status taf_writer_end(struct taf_writer *w, const struct taf_array *a,
    struct taf_err *e);

/* Make everything appear, and free w, also on failure. */
TAF_MUST enum taf_status taf_writer_close(struct taf_writer *w, struct taf_err *e);

/* Make nothing appear that has not gone down a pipe yet, and free w.  NULL is allowed. */
void taf_writer_discard(struct taf_writer *w);

#ifdef __cplusplus
}
#endif

#endif
