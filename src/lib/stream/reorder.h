/* The dimensions of an array in another order, from a reader to a writer. */
#ifndef TAF_STREAM_REORDER_H
#define TAF_STREAM_REORDER_H

#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Move all elements of r's present array in (nothing of it was read) to w, whose array
 * has in's dimension order[k] (from 0) as its dimension k.  Buffers stay within memory
 * bytes.  A pipe that comes in is spooled; so is what goes out where w takes it in order
 * alone and that would cost more.
 */
TAF_MUST enum taf_status taf_reorder(struct taf_reader *r, const struct taf_array *in,
    const unsigned order[], struct taf_writer *w, size_t memory, unsigned threads,
    struct taf_err *e);

/* Make a the array with its dimensions, their grids and attributes in that order. */
void taf_reorder_shape(struct taf_array *a, const unsigned order[]);

#ifdef __cplusplus
}
#endif

#endif
