/* SPDX-License-Identifier: ISC */
/* Attributes of arrays that a target makes. */
#ifndef TAF_FUZZ_SET_ATTR_H
#define TAF_FUZZ_SET_ATTR_H

#include <stdbool.h>

#include "array/array.h"
#include "target.h"

/* Of dimension k, or of the array where that is 0; a bare value is no text in quotes. */
static inline void
set(struct taf_array *a, const char *key, unsigned k, const char *value, bool bare)
{
	const enum taf_scope scope = k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY;
	struct taf_err e = { 0 };

	must(taf_attr_set(a, key, scope, k, value, &e) == TAF_OK);
	if (bare)
		taf_attr_bare(a, key, scope, k);
}

#endif
