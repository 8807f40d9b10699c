/* SPDX-License-Identifier: ISC */
/* An array of the points of another one, in any order along each of its dimensions. */
#ifndef TAF_OP_MOVE_REARRANGE_H
#define TAF_OP_MOVE_REARRANGE_H

#include <stdint.h>

#include "array/array.h"
#include "array/points.h"
#include "base/attr.h"
#include "base/err.h"
#include "op/operand/move.h"
#include "stream/reader.h"
#include "stream/writer.h"

/*
 * The result: its dimensions in the order of the input, each with the input's length and
 * with the points that it has, in order; none for a dimension that stays as it is.
 * Lengths of 1 may be anywhere among those of the input: to be repeated.
 */
struct taf_arrangement {
	unsigned ndim;
	uint64_t n[TAF_MAX_DIM + 1];
	struct taf_points points[TAF_MAX_DIM + 1];
	unsigned char fill[16];	/* an element, as stored, for points that are new */
};

/* All points of a, as they are; p is zeroed, or was begun before. */
void taf_arrangement_begin(struct taf_arrangement *p, const struct taf_array *a);

/*
 * All of it n times along a new dimension, number dim of its dimensions from 1.  It has
 * TAF_MAX_DIM of these at most before.
 */
TAF_MUST enum taf_status taf_arrangement_repeat(struct taf_arrangement *p, unsigned dim,
    uint64_t n, struct taf_err *e);

/* Free what it has. */
void taf_arrangement_end(struct taf_arrangement *p);

/*
 * All elements of the result to w, within an array of type; nothing of r's present array
 * was read.  Takes memory bytes at most.  A pipe passes if its points are wanted in the
 * order in which they come; parts that fit 256 KiB may have any order.  Otherwise it is
 * spooled.  The bytes do not depend on memory and threads.
 */
struct taf_rearrange {
	const struct taf_arrangement *as;
	enum taf_type type;
	struct taf_reader *r;
	struct taf_writer *w;
	uint64_t memory;
	unsigned threads;
};
TAF_MUST enum taf_status taf_rearrange(const struct taf_rearrange *how,
    struct taf_err *e);

/* The same where the plan is a struct taf_arrangement. */
TAF_MUST enum taf_status taf_rearrange_move(const struct taf_move *m, struct taf_err *e);

#endif
