/* Statistics of arrays as JSON, as a block of lines, and as a table. */
#ifndef TAF_CLI_RESULT_H
#define TAF_CLI_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/str.h"
#include "stream/summary.h"

/* A result that is to be printed. */
struct cmd_result {
	const struct taf_array *a;
	const struct taf_summary *s;
	const struct taf_stats *stats;
	unsigned dim;		/* each index along it by itself; 0 for the whole */
	uint64_t index;		/* along it, from 0 */
	bool json;
	struct taf_str *to;	/* text is appended here, failures stick there */
};

/* Append what comes before the results of an array, if not JSON; needs no stats. */
void cmd_result_head(const struct cmd_result *r, const char *file);

/* Append a result: an object, a block, or, with a dimension, a line of the table. */
void cmd_result_put(const struct cmd_result *r);

#endif
