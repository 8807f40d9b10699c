/* Elements that attributes call missing (array/missing.h) as NaN, others as floats. */
#ifndef TAF_FORMAT_TO_NAN_H
#define TAF_FORMAT_TO_NAN_H

#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/convert.h"

struct taf_to_nan;

/*
 * What a calls missing, and elements that are equal to *fill where that is not NULL, is
 * NaN from now on: a becomes the array of its own values, which are floats that hold
 * them, and its attribute key says that NaN is missing.  TAF_EDATA where its elements are
 * pairs.
 */
TAF_MUST enum taf_status taf_to_nan_plan(struct taf_to_nan **m, struct taf_array *a,
    const char *key, const void *fill, struct taf_err *e);

/*
 * n elements, of the host's byte order, as those of the array; those that are missing are
 * overwritten.  lost grows as in taf_recode.  Any thread may call it.
 */
void taf_to_nan(const struct taf_to_nan *m, void *to, void *from, size_t n,
    struct taf_convert_count *lost);

/* NULL is allowed. */
void taf_to_nan_free(struct taf_to_nan *m);

#endif
