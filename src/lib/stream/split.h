/* One array cut into several along a dimension. */
#ifndef TAF_STREAM_SPLIT_H
#define TAF_STREAM_SPLIT_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_split;

struct taf_split_plan {
	struct taf_reader *r;		/* its present array a, nothing of it read */
	const struct taf_array *a;
	unsigned dim;			/* a dimension of a, from 1 */
	uint64_t every;			/* points of a piece; the last may have fewer */
	const struct taf_service *service;
};

/*
 * Begin; how is kept.  Pieces along the last dimension pass as they come.  Otherwise what
 * does not fit the memory is read again for the next pieces: a pipe is spooled, and so are
 * pieces whose elements lie too far apart in a file.
 */
TAF_MUST enum taf_status taf_split_open(struct taf_split **s,
    const struct taf_split_plan *how, struct taf_err *e);

/* All elements of the next piece to w, within its array. */
TAF_MUST enum taf_status taf_split_next(struct taf_split *s, struct taf_writer *w,
    struct taf_err *e);

/* NULL is allowed. */
void taf_split_close(struct taf_split *s);

#ifdef __cplusplus
}
#endif

#endif
