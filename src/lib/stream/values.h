/* Elements as values of a wanted type: selected, mapping applied, converted. */
#ifndef TAF_STREAM_VALUES_H
#define TAF_STREAM_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/convert.h"
#include "stream/reader.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The type of a's physical values: flt64 where a mapping is on, else the stored type.
 * With raw, what is stored.
 */
enum taf_type taf_values_type(const struct taf_array *a, bool raw);

/*
 * Make a the array of its own physical values of the given type: no mapping, unless
 * raw and the stored type.  For complex only complex is possible (TAF_EDATA).
 */
TAF_MUST enum taf_status taf_values_shape(struct taf_array *a, enum taf_type type, bool raw,
    struct taf_err *e);

struct taf_values;

/*
 * Read r's present array a (nothing of it was read), or the region of it that is not
 * NULL, as values of type; raw leaves the mapping out; clip stores what does not fit
 * as the nearest that does.  Keeps r.
 */
TAF_MUST enum taf_status taf_values_open(struct taf_values **v, struct taf_reader *r,
    const struct taf_array *a, const struct taf_region *region, enum taf_type type, bool raw,
    bool clip, struct taf_err *e);

/*
 * The next n values at *p, lent until the next call; *n is 0 at the end.  A value that
 * does not fit the type is TAF_EDATA, with its number, unless clip.
 */
TAF_MUST enum taf_status taf_values_read(struct taf_values *v, const void **p, size_t *n,
    struct taf_err *e);

/*
 * All values of an array without a region, to w, before any was read; plainly moved where
 * nothing is converted.  Large arrays are converted by several threads.
 */
TAF_MUST enum taf_status taf_values_copy(struct taf_values *v, struct taf_writer *w,
    unsigned threads, struct taf_err *e);

/* What was clipped and rounded so far; lent. */
const struct taf_convert_count *taf_values_count(const struct taf_values *v);

/* NULL is allowed. */
void taf_values_close(struct taf_values *v);

#ifdef __cplusplus
}
#endif

#endif
