/* SPDX-License-Identifier: ISC */
/* New elements for a region of a TAF file, in place. */
#ifndef TAF_OP_MOVE_REPLACE_H
#define TAF_OP_MOVE_REPLACE_H

#include <stdbool.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/edit.h"
#include "stream/values.h"

/*
 * TAF_EDATA unless the lengths other than 1 of a and of the region are the same, in
 * order.
 */
TAF_MUST enum taf_status taf_replace_check(const struct taf_region *r,
    const struct taf_array *a, struct taf_err *e);

/* New values, as elements of the file. */
struct taf_replacement {
	struct taf_values *values;	/* kept */
	bool one;			/* the first one is for all elements */
};

/*
 * Save the region, then overwrite it.  Nothing is lasting before taf_edit_done, which the
 * caller calls when all else is well.
 */
TAF_MUST enum taf_status taf_replace(struct taf_edit *ed, const struct taf_region *region,
    const struct taf_replacement *by, struct taf_err *e);

#endif
