/* Floats stored as integers, scaled over their range: two passes. */
#ifndef TAF_STREAM_SCALE_H
#define TAF_STREAM_SCALE_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * First pass over the unread elements of r (type from, flt32 or flt64), which stay
 * unread: the mapping that spreads them over the integer type to.  A pipe is spooled.
 * TAF_EDATA where no value is finite.
 */
TAF_MUST enum taf_status taf_scale_plan(struct taf_reader *r, enum taf_type from,
    enum taf_type to, double *intercept, double *slope, struct taf_err *e);

/*
 * Second pass: all of them to w as elements of out, with its mapping.  *clipped is the
 * number of those that are not finite.
 */
TAF_MUST enum taf_status taf_scale_copy(struct taf_reader *r, enum taf_type from,
    const struct taf_array *out, struct taf_writer *w, uint64_t *clipped,
    struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
