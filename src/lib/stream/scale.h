/* The mapping that stores floats as integers, scaled over their range. */
#ifndef TAF_STREAM_SCALE_H
#define TAF_STREAM_SCALE_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Look at all unread elements of r (type from, flt32 or flt64), which stay unread, and give
 * out, of an integer type, the mapping that spreads them over it.  A pipe is spooled.
 * TAF_EDATA where no value is finite.
 */
TAF_MUST enum taf_status taf_scale_plan(struct taf_reader *r, enum taf_type from,
    struct taf_array *out, unsigned threads, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
