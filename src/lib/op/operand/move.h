/* SPDX-License-Identifier: ISC */
/* Arrays on their way: what a function gets that makes the elements of another one. */
#ifndef TAF_OP_OPERAND_MOVE_H
#define TAF_OP_OPERAND_MOVE_H

#include <stdint.h>

#include "array/array.h"
#include "stream/compute.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

/* The reader is at the first element, the writer within the array that goes out. */
struct taf_move {
	const struct taf_service *service;
	const void *intent, *plan;	/* what is asked for, and how it is done */
	const struct taf_array *in, *out;
	struct taf_reader *r;
	struct taf_writer *w;
	/* of several arrays all; in and r are the first, NULL where there is none */
	const struct taf_operand *each;
	const char *const *name;	/* what messages call their files */
	unsigned n;
};

/* The same for an operation on lines along a dimension. */
struct taf_along taf_move_along(const struct taf_move *m, unsigned dim);

/* One that takes each part of complex elements by itself. */
struct taf_along taf_move_parts(const struct taf_move *m, unsigned dim);

/*
 * What an operation has of its own for a command, as struct cmd_filter says: out, a copy
 * of in, becomes the array that goes out; and its elements are moved.
 */
typedef enum taf_status taf_resolve(const void *intent, const struct taf_array *in,
    struct taf_array *out, void *plan, struct taf_err *e);
typedef enum taf_status taf_mover(const struct taf_move *m, struct taf_err *e);

/* What a look says that has no reader, since no element may be read: TAF_END. */
enum taf_status taf_move_blind(struct taf_err *e);

/*
 * Remark on each array behind the first whose grid along some dimension is not that of
 * the result.  Dimension but (0: none) and those of fewer points than least do not count.
 */
void taf_remark_grids(const struct taf_move *m, unsigned but, uint64_t least);

#endif
