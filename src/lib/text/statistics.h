/* SPDX-License-Identifier: ISC */
/* Statistics of arrays as JSON, as a block of lines, and as a table. */
#ifndef TAF_TEXT_STATISTICS_H
#define TAF_TEXT_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/str.h"
#include "op/stat/reduction.h"

/* Zero-initialised there are none. */
struct taf_quantiles {
	struct taf_reduction op[TAF_REDUCE_OPS];
	unsigned n;
};

/*
 * Into a struct taf_quantiles: "P,P,...", numbers from 0 to 1, none twice; TAF_EUSAGE
 * where it is not that.
 */
TAF_MUST enum taf_status taf_quantiles_parse(void *to, const char *text,
    struct taf_err *e);

/* A result that is to be printed. */
struct taf_statistics {
	const struct taf_array *a;		/* the whole of which the region is */
	const struct taf_region *region;
	const struct taf_reduce *how;	/* of the accumulator, with places */
	const uint64_t *acc;
	const struct taf_quantiles *wanted;
	const double *quantiles;	/* those wanted, apart elements apart */
	size_t apart;
	const char *file;
	uint64_t number;	/* of the array */
	unsigned dim;		/* each index along it by itself; 0 for the whole */
	uint64_t index;		/* along it in the region, from 0 */
	bool json;
	struct taf_str *to;	/* text is appended here, failures stick there */
};

/* Append what comes before the results of an array, if not JSON; acc is NULL. */
void taf_statistics_head(const struct taf_statistics *r);

/* Append a result: an object, a block, or, with a dimension, a line of the table. */
void taf_statistics_put(const struct taf_statistics *r);

#endif
