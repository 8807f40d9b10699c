/* SPDX-License-Identifier: ISC */
/* What two arrays differ in, as a line of words or of JSON. */
#ifndef TAF_TEXT_DIFFERENCE_H
#define TAF_TEXT_DIFFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/str.h"
#include "kernel/number/compare.h"

/* A pair of arrays that was compared. */
struct taf_compared {
	const struct taf_array *a[2];
	uint64_t number;		/* of the pair, from 1; 0 if it is the only one */
	bool header;			/* headers count, too */
	/* these differ, so that values were not compared */
	bool shapes, kinds;
	const struct taf_compare *how;
	const struct taf_difference *d;
};

/* Is there no difference that counts? */
bool taf_compared_equal(const struct taf_compared *c);

/* Append the differences, without the end of the line; or an object, equal or not. */
void taf_compared_words(const struct taf_compared *c, struct taf_str *to);
void taf_compared_json(const struct taf_compared *c, struct taf_str *to);

#endif
