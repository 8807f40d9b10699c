/* SPDX-License-Identifier: ISC */
/*
 * Numbers from arrays: exactly as many values as are asked for, selected, mapping
 * applied, as elements of any type and mapping.
 */
#ifndef TAF_STREAM_VALUES_H
#define TAF_STREAM_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "array/region.h"
#include "array/value.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/recode.h"
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
 * raw and the stored type.  Attributes that mark missing elements go with them.  Pairs go
 * to pairs alone (TAF_EDATA).
 */
TAF_MUST enum taf_status taf_values_shape(struct taf_array *a, enum taf_type type,
    bool raw, struct taf_err *e);

/*
 * How a's values become elements of type: with raw a's mapping is left out.  Without clip
 * what does not fit is a failure.  TAF_EDATA where only one of the two is a pair.
 */
TAF_MUST enum taf_status taf_values_plan(struct taf_recode *how,
    const struct taf_array *a, enum taf_type type, bool raw, bool clip,
    struct taf_err *e);

/*
 * The same, but for elements of target, under its type and mapping.  TAF_EDATA for a
 * slope of 0 too, unless the mappings are the same.
 */
TAF_MUST enum taf_status taf_values_plan_as(struct taf_recode *how,
    const struct taf_array *a, const struct taf_array *target, bool clip,
    struct taf_err *e);

struct taf_values;

/*
 * Read what is left of r's present array a, or, before anything of it was read, the
 * region that is not NULL, as how says.  Keeps r.
 */
TAF_MUST enum taf_status taf_values_open(struct taf_values **v, struct taf_reader *r,
    const struct taf_array *a, const struct taf_region *region,
    const struct taf_recode *how, struct taf_err *e);

/*
 * The next n values, which are there; TAF_EDATA, with its number, for one that does not
 * fit.
 */
TAF_MUST enum taf_status taf_values_get(struct taf_values *v, void *to, size_t n,
    struct taf_err *e);

/*
 * The same with as many as are at hand: *n of them at *p, lent until the next call; *n is
 * 0 at the end.
 */
TAF_MUST enum taf_status taf_values_read(struct taf_values *v, const void **p, size_t *n,
    struct taf_err *e);

/*
 * All values to w, before any was read; plainly moved where nothing is converted.  Large
 * arrays without a region are converted by several threads.
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
