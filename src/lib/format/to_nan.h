/* SPDX-License-Identifier: ISC */
/*
 * Make NaN of elements that attributes call missing (array/missing.h).  All others
 * become floats.
 */
#ifndef TAF_FORMAT_TO_NAN_H
#define TAF_FORMAT_TO_NAN_H

#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/convert.h"

struct taf_to_nan;

/*
 * Plan it.  Missing is what the attributes of a mark, and what is equal to *fill if fill
 * is not NULL.  a becomes an array of its values: a type of floats that holds them, and
 * no mapping.  Its attribute key says that NaN is missing.  TAF_EDATA if its elements are
 * pairs, as complex ones are.
 */
TAF_MUST enum taf_status taf_to_nan_plan(struct taf_to_nan **m, struct taf_array *a,
    const char *key, const void *fill, struct taf_err *e);

/*
 * Convert n elements, in the byte order of the host, as planned.  Missing ones are
 * overwritten in from, too.  lost grows as in taf_recode.  Any thread may call it.
 */
void taf_to_nan(const struct taf_to_nan *m, void *to, void *from, size_t n,
    struct taf_convert_count *lost);

/* NULL is allowed. */
void taf_to_nan_free(struct taf_to_nan *m);

#endif
