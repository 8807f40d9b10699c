/* SPDX-License-Identifier: ISC */
/* One array cut into several along a dimension. */
#ifndef TAF_OP_MOVE_SPLIT_H
#define TAF_OP_MOVE_SPLIT_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_split {
	struct taf_reader *r;		/* its present array a, nothing of it read */
	const struct taf_array *a;
	unsigned dim;			/* a dimension of a, from 1 */
	uint64_t every;			/* points of a piece; the last may have fewer */
	struct taf_writer *w;
	/* Begin the array of n points from point first on (from 0) in w, and end it. */
	enum taf_status (*begin)(void *ctx, uint64_t first, uint64_t n,
	    struct taf_err *e);
	enum taf_status (*end)(void *ctx, struct taf_err *e);
	void *ctx;
	const struct taf_service *service;
};

/*
 * All pieces in order, one call of begin or end at a time.  Pieces along the last
 * dimension pass as they come.  Otherwise what does not fit the memory is read again for
 * the next pieces: a pipe is spooled, and so are pieces whose elements lie too far apart
 * in a file.  The bytes do not depend on memory and threads.
 */
TAF_MUST enum taf_status taf_split(const struct taf_split *how, struct taf_err *e);

#endif
