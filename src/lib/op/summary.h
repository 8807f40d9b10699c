/* Statistics of an array, or of each index along one of its dimensions. */
#ifndef TAF_OP_SUMMARY_H
#define TAF_OP_SUMMARY_H

#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/stat/stats.h"
#include "stream/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_summary;

/* What is summarized, and with what. */
struct taf_summary_how {
	/* each index along it by itself; 0 for all values as one */
	unsigned dim;
	unsigned threads;
	uint64_t memory;
};

/*
 * Begin with the physical values of r's present array a, nothing of which was read.
 * TAF_EDATA for complex elements, and where there is no such dimension.  Keeps r and a.
 *
 * About memory bytes are taken at most, 40 MiB in any case.  One pass over the elements
 * is made; in order, unless the results of all indices do not fit the memory: then a pipe
 * is spooled.  Neither memory nor the number of threads changes any bit of the results.
 */
TAF_MUST enum taf_status taf_summary_open(struct taf_summary **s, struct taf_reader *r,
    const struct taf_array *a, const struct taf_summary_how *how, struct taf_err *e);

/*
 * Read on for a moment.  *n results that are complete by that, in order of their index,
 * are at *results, lent until the next call; *n is 0 while there are none.  TAF_END
 * behind the last.
 */
TAF_MUST enum taf_status taf_summary_next(struct taf_summary *s,
    const struct taf_stats **results, size_t *n, struct taf_err *e);

/* Elements that were read so far. */
uint64_t taf_summary_done(const struct taf_summary *s);

/*
 * The indices in the whole array, from 0, of element at of the result for an index (from
 * 0) along the dimension.
 */
void taf_summary_where(const struct taf_summary *s, uint64_t index, uint64_t at,
    uint64_t where[TAF_MAX_DIM]);

/* NULL is allowed. */
void taf_summary_close(struct taf_summary *s);

#ifdef __cplusplus
}
#endif

#endif
