/* SPDX-License-Identifier: ISC */
/* A number as people write it. */
#ifndef TAF_ARRAY_VALUE_H
#define TAF_ARRAY_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"

/* The digits of an integer do not pass through a double. */
struct taf_value {
	enum taf_type type;	/* int64, uint64 or flt64 */
	union { double f; int64_t i; uint64_t u; } as;
	bool fraction;		/* it is no integer, whatever the double is */
	const char *text;	/* lent, for messages */
};

/* False where text, which v keeps, is none. */
TAF_MUST bool taf_value_parse(struct taf_value *v, const char *text);

/*
 * Make it the nearest integer, where that has 64 bits; the digits are rounded once.  What
 * is beyond stays beyond.
 */
void taf_value_round(struct taf_value *v);

#endif
