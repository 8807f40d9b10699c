/* SPDX-License-Identifier: ISC */
/*
 * An array that is made in boxes, one after the other in memory: each of whole chunks,
 * if they are cut into such where they come from.
 */
#ifndef TAF_FORMAT_BOXES_H
#define TAF_FORMAT_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/chunks.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_boxes {
	struct taf_chunks c;	/* the region, lengths of chunks; the present box */
	unsigned rank;
	size_t size;		/* bytes of an element */
	uint64_t extent[TAF_MAX_DIM];	/* points of a box, at most */
	bool sequential;	/* a box lies in one piece behind the last one */
	size_t run;		/* bytes of a box that are one in the output */
	unsigned char *elements;	/* of the box, in room of the caller's */
	ptrdiff_t pitch[TAF_MAX_DIM];	/* bytes from point to point of it */
	uint64_t count, pieces;	/* elements of it; chunks that have some of them */
	/* Make them. */
	enum taf_status (*read)(void *ctx, struct taf_err *e);
	void *ctx;
};

/*
 * The bytes of boxes that take no more than most, or, where those would not follow one
 * another, share, if one chunk is no more; UINT64_MAX where that is more than can be.  If
 * step is not NULL, boxes may cut chunks whose points lie so many bytes apart.
 */
uint64_t taf_boxes_plan(struct taf_boxes *b, uint64_t most, uint64_t share,
    const ptrdiff_t *step);

/* The box that begins at this point of the first dimension, of which there is one. */
TAF_MUST enum taf_status taf_boxes_read(struct taf_boxes *b, uint64_t from,
    struct taf_err *e);

/*
 * All boxes, one after the other, to w, where nothing was written of the region yet:
 * in their order, at offsets, or by a temporary file.
 */
TAF_MUST enum taf_status taf_boxes_write(struct taf_boxes *b, struct taf_writer *w,
    struct taf_err *e);

/*
 * How many threads have the memory for a chunk of so many bytes: shared of it is taken
 * once, and each by each.  TAF_EDATA where not even one has it.
 */
TAF_MUST enum taf_status taf_boxes_threads(const struct taf_service *s,
    uint64_t shared, uint64_t each, uint64_t bytes, unsigned *threads,
    struct taf_err *e);

#endif
