/* SPDX-License-Identifier: ISC */
/* What says which elements are missing (array/missing.h), where they are converted. */
#ifndef TAF_KERNEL_NUMBER_MARKS_H
#define TAF_KERNEL_NUMBER_MARKS_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "kernel/number/recode.h"

/*
 * Append numbers with commas between them, which are elements or none, as how makes
 * others of these.  False where one of them is no element, or becomes none.
 */
TAF_MUST bool taf_missing_recode(struct taf_str *to, const char *numbers,
    const struct taf_recode *how);

/*
 * The elements of a are recoded: its attributes mark the same ones then.  What marks none
 * any more is dropped.
 */
TAF_MUST enum taf_status taf_missing_convert(struct taf_array *a,
    const struct taf_recode *how, struct taf_err *e);

#endif
