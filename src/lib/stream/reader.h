/* SPDX-License-Identifier: ISC */
/*
 * Arrays from a TAF file or an RSF stream, one after the other: a descriptor, then
 * its elements in host byte order.
 */
#ifndef TAF_STREAM_READER_H
#define TAF_STREAM_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/rsf.h"
#include "codec/taf_file.h"
#include "io/in.h"
#include "io/out.h"
#include "io/spool.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_reader;

enum {
	/*
	 * A TAF file that comes through a pipe has its comment and attributes behind
	 * its data; so the pipe is spooled to a temporary file.  With this flag, and
	 * where the dimensions cannot depend on them, they come from
	 * taf_reader_finish instead.
	 */
	TAF_LATE_COMMENT = 1,
	TAF_NO_RECOVER = 2	/* leave an interrupted change as it is: it is refused */
};

/* Open a file, or standard input for NULL and "-". */
TAF_MUST enum taf_status taf_reader_open(struct taf_reader **r, const char *path,
    unsigned flags, struct taf_err *e);

/* Read from an input, which is taken, also on failure; path may be NULL. */
TAF_MUST enum taf_status taf_reader_new(struct taf_reader **r, struct taf_in *in,
    const char *path, unsigned flags, struct taf_err *e);

/*
 * Read elements that have no header: those of a, from the present position of in, which
 * is taken, also on failure.  It is as if taf_reader_next had given a; big says that
 * they are big-endian.  TAF_EDATA where a regular file has fewer bytes.
 */
TAF_MUST enum taf_status taf_reader_raw(struct taf_reader **r, struct taf_in *in,
    const struct taf_array *a, bool big, struct taf_err *e);

/* NULL is allowed; errno is preserved. */
void taf_reader_close(struct taf_reader *r);

/*
 * The next array's descriptor (a is finished and filled anew); TAF_END behind the
 * last.  What is left of the elements before it is passed over.  An input without
 * any array is TAF_EDATA; data that a regular file is too short for too.  One that ends
 * where its headers say that it goes on is TAF_ETRUNC.
 */
TAF_MUST enum taf_status taf_reader_next(struct taf_reader *r, struct taf_array *a,
    struct taf_err *e);

/*
 * Go to the end of the input: TAF_EDATA where another array, or what is none, follows
 * the present one.
 */
TAF_MUST enum taf_status taf_reader_last(struct taf_reader *r, struct taf_err *e);

/*
 * Does another array follow the present one?  Of a pipe that is known only if it says so.
 */
enum taf_next taf_reader_more(const struct taf_reader *r);

/* Elements of the present array that were not read yet. */
uint64_t taf_reader_left(const struct taf_reader *r);

/* Read exactly n elements. */
TAF_MUST enum taf_status taf_reader_read(struct taf_reader *r, void *buf, size_t n,
    struct taf_err *e);

/* Pass over n elements. */
TAF_MUST enum taf_status taf_reader_skip(struct taf_reader *r, uint64_t n,
    struct taf_err *e);

/* Move n elements to out, through the kernel where no byte need be looked at. */
TAF_MUST enum taf_status taf_reader_copy(struct taf_reader *r, struct taf_out *out,
    uint64_t n, struct taf_err *e);

/*
 * Make the unread elements readable in any order, by taf_reader_at, with n = 0 being
 * the first of them: spools them to a temporary file where they come from a pipe or
 * are not plain.  The sequential calls go on working.
 */
TAF_MUST enum taf_status taf_reader_random(struct taf_reader *r, struct taf_err *e);

/*
 * After taf_reader_random: n elements from element first of those it made readable.
 * Safe from several threads at once.
 */
TAF_MUST enum taf_status taf_reader_at(const struct taf_reader *r, void *buf,
    uint64_t first, size_t n, struct taf_err *e);

/*
 * After taf_reader_random: all those elements mapped, or NULL, as where their bytes have
 * another order.  Lent until the next array.
 */
const void *taf_reader_map(struct taf_reader *r);

/*
 * Are the files still as they were when their header was read?  TAF_EDATA where they have
 * changed since, if elements were read of them: these may be of two states.
 * taf_reader_next and taf_reader_finish ask it too.
 */
TAF_MUST enum taf_status taf_reader_unchanged(const struct taf_reader *r,
    struct taf_err *e);

/*
 * All elements are read or passed over (what is left is passed over now): completes a
 * with the comment and the attributes where they come late.
 */
TAF_MUST enum taf_status taf_reader_finish(struct taf_reader *r, struct taf_array *a,
    struct taf_err *e);

/* --- for taftools alone: not installed --- */

/*
 * taf_reader_raw of numbers in text, with blanks between them.  When they are read or
 * passed over: TAF_EDATA where more than blanks stands behind them.
 */
TAF_MUST enum taf_status taf_reader_text(struct taf_reader **r, struct taf_in *in,
    const struct taf_array *a, struct taf_err *e);
TAF_MUST enum taf_status taf_reader_text_end(struct taf_reader *r, struct taf_err *e);

/*
 * The elements that will be read, in elements from the first of the present array, of
 * which none was read.  It is a hint, see taf_in_plan, for readers of which
 * taf_reader_plans is true.
 */
struct taf_ranges;
bool taf_reader_plans(const struct taf_reader *r);
void taf_reader_plan(struct taf_reader *r, const struct taf_ranges *elements);

/*
 * Who looks at each array that a reader of a file begins, before its elements are read;
 * nobody unless set.
 */
struct taf_guarded {
	const char *path;		/* of the file, as it was opened */
	const struct taf_array *a;
	struct taf_in *in;	/* elements come next, in one piece; else NULL */
	bool swapped;		/* in the other byte order than the host's */
};
typedef enum taf_status taf_reader_guard(const struct taf_guarded *what,
    struct taf_err *e);
void taf_reader_guard_by(taf_reader_guard *by);

enum {
	/* who guards files is not asked */
	TAF_READ_UNGUARDED = 1024,
	/* it looks at what another one reads: no remarks (base/need.h) */
	TAF_READ_SILENTLY = 256,
	/* another one reads all of it again, and asks whether the file has changed */
	TAF_READ_AHEAD = 2048,
	/*
	 * Another program still writes the file, so elements may be missing yet:
	 * op/move/grow waits for them.  What stands behind those of a TAF file is read
	 * if it is there with all of them; then that file has to stay as it is.
	 */
	TAF_READ_GROWING = 512
};

/* From now on all are opened with TAF_NO_RECOVER: this process changes no file. */
void taf_reader_only_look(void);

/*
 * The present array comes from a TAF file: its form, the absolute offsets of its
 * data and of its comment, and the size of the file (0 where not known yet).  NULL
 * for an RSF stream.
 */
struct taf_source {
	struct taf_form form;
	uint64_t data, comment, size;
};
const struct taf_source *taf_reader_source(const struct taf_reader *r);

/* TAF_EMISUSE unless a is the present array, of which nothing was read. */
TAF_MUST enum taf_status taf_reader_before(const struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e);

/* Where in the order of arrays one stands. */
struct taf_reader_order {
	unsigned long arrays;	/* that taf_reader_next has given */
	uint64_t streamed;	/* those of the present stream */
	enum taf_next next;	/* what the header of the last one says */
	bool foreign;		/* a program that writes one array has passed it on */
};

/* Where an array begins in its input, and what stands before it. */
struct taf_reader_spot {
	uint64_t offset;
	struct taf_reader_order order;
};

/* Where the present array begins. */
struct taf_reader_spot taf_reader_where(const struct taf_reader *r);

/* The next array is the one at this spot; r, which is seekable, may have ended. */
void taf_reader_go(struct taf_reader *r, const struct taf_reader_spot *spot);

/* Absolute offset, in the file that holds them, of the next element. */
uint64_t taf_reader_offset(const struct taf_reader *r);

/*
 * Where the bytes of the present array are, of which nothing was read; lent until the
 * next one.  A TAF file has complex elements as planes.  False where they are text.
 */
struct taf_reader_place {
	const char *file;	/* as it was opened, NULL for standard input */
	uint64_t offset;	/* of the first */
	bool big;		/* they are big-endian */
};
bool taf_reader_place(const struct taf_reader *r, struct taf_reader_place *place);

/* Are the comment and the attributes still to come (TAF_LATE_COMMENT)? */
bool taf_reader_late(const struct taf_reader *r);

/* Is it known that all of them are there: in a file that was found long enough? */
bool taf_reader_sure(const struct taf_reader *r);

/*
 * Only a region of the present array a is of interest, nothing of which was read: it is
 * as if a had no other elements.  What lies elsewhere is passed over, not read.  In any
 * order a region is read as it lies if it is in one piece; else it is spooled.
 */
TAF_MUST enum taf_status taf_reader_narrow(struct taf_reader *r,
    const struct taf_array *a, const struct taf_region *region, struct taf_err *e);

/*
 * The present array has pairs.  From now on its elements are their parts: twice as many,
 * real and imaginary ones in turn.  Reading in order takes whole pairs.
 */
void taf_reader_parts(struct taf_reader *r);

/* Can they be read in any order as they lie, so that taf_reader_random copies nothing? */
bool taf_reader_plain(const struct taf_reader *r);

/*
 * Read from a temporary file from now on: where st is TAF_OK, all count elements that
 * were unread have been read and written there, in the host's byte order.  Ends spool.
 */
TAF_MUST enum taf_status taf_reader_spooled(struct taf_reader *r, struct taf_spool *spool,
    uint64_t count, enum taf_status st, struct taf_err *e);

/*
 * After taf_reader_random: another reader of those elements, which are a's; as if
 * taf_reader_next had given a.  r stays at this array as long as *again is there.
 */
TAF_MUST enum taf_status taf_reader_again(struct taf_reader **again,
    const struct taf_reader *r, const struct taf_array *a, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
