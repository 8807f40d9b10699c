/* Values of one array as the stored elements of another. */
#ifndef TAF_STREAM_STORED_H
#define TAF_STREAM_STORED_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/convert.h"
#include "stream/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_stored;

/*
 * Read r's present array a (nothing of it was read) as elements of target, under
 * target's type and mapping: values are kept as nearly as these allow.  repeat gives
 * a's only element again and again.  clip stores what does not fit as the nearest that
 * does.  Keeps r; not for complex targets (TAF_EDATA where only one of the two is).
 */
TAF_MUST enum taf_status taf_stored_open(struct taf_stored **s, struct taf_reader *r,
    const struct taf_array *a, const struct taf_array *target, bool repeat, bool clip,
    struct taf_err *e);

/* The next n elements; TAF_EDATA for a value that does not fit, unless clip. */
TAF_MUST enum taf_status taf_stored_read(struct taf_stored *s, void *to, size_t n,
    struct taf_err *e);

/* How many values were clipped, or changed by rounding; lent. */
const struct taf_convert_count *taf_stored_count(const struct taf_stored *s);

/* NULL is allowed. */
void taf_stored_close(struct taf_stored *s);

#ifdef __cplusplus
}
#endif

#endif
