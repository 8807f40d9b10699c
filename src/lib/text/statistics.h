/* Statistics of arrays as JSON, as a block of lines, and as a table. */
#ifndef TAF_TEXT_STATISTICS_H
#define TAF_TEXT_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/str.h"
#include "stream/summary.h"

/* A result that is to be printed. */
struct taf_statistics {
	const struct taf_array *a;
	const struct taf_summary *s;
	const struct taf_stats *stats;
	unsigned dim;		/* each index along it by itself; 0 for the whole */
	uint64_t index;		/* along it, from 0 */
	bool json;
	struct taf_str *to;	/* text is appended here, failures stick there */
};

/* Append what comes before the results of an array, if not JSON; needs no stats. */
void taf_statistics_head(const struct taf_statistics *r, const char *file);

/* Append a result: an object, a block, or, with a dimension, a line of the table. */
void taf_statistics_put(const struct taf_statistics *r);

#endif
