/* SPDX-License-Identifier: ISC */
/*
 * The elements of an array in another order, from a reader to a writer or to an output
 * of another format, in bounded memory.
 */
#ifndef TAF_STREAM_REORDER_H
#define TAF_STREAM_REORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is done to each element on its way. */
enum taf_change {
	TAF_CHANGE_NONE = 0,
	TAF_CHANGE_HALF = 1,	/* a 16-bit float, read as uint16, becomes flt32 */
	TAF_CHANGE_MAP = 2,	/* the mapping is applied: flt64 */
	TAF_CHANGE_NARROW = 3	/* flt32 becomes a 16-bit float, which holds it */
};

struct taf_reorder {
	/*
	 * Dimension k of the result is dimension order[k], from 0; NULL for the order
	 * that they have.
	 */
	const unsigned *order;
	enum taf_change recode;
	struct taf_writer *writer;	/* where they go: this, begun, */
	struct taf_out *out;		/* or this, little-endian */
	uint64_t memory;		/* bound in bytes */
	unsigned jobs;			/* threads */
	void *reserved[4];	/* zeros */
};

/*
 * Move all elements of r's present array a, none of which was read.  Where none of them
 * changes its place they pass in order, as they come; else a reader that is not
 * seekable is spooled, and so is the result if it goes to a pipe and would take many
 * passes over the input.
 */
TAF_MUST enum taf_status taf_reorder(const struct taf_reorder *how, struct taf_reader *r,
    const struct taf_array *a, struct taf_err *e);

/* Does order, of a's dimensions, put any element in another place? */
bool taf_reorder_moves(const struct taf_array *a, const unsigned order[]);

#ifdef __cplusplus
}
#endif

#endif
