/* SPDX-License-Identifier: ISC */
/* What taftools alone do with values.  It is not installed. */
#ifndef TAF_STREAM_VALUES_PRIVATE_H
#define TAF_STREAM_VALUES_PRIVATE_H

#include "stream/values.h"

/* Make a the array of this one value, and *r a reader of it. */
TAF_MUST enum taf_status taf_value_open(const struct taf_value *v, struct taf_array *a,
    struct taf_reader **r, struct taf_err *e);

/*
 * The element of target's type, under its mapping, that has this value; a float is the
 * nearest to it, and a pair has it as its real part.  TAF_EDATA where there is none.
 */
TAF_MUST enum taf_status taf_value_store(const struct taf_value *v,
    const struct taf_array *target, void *element, struct taf_err *e);

#endif
