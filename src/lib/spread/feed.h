/* What pipelines read: parts of the input, and the results of slabs. */
#ifndef TAF_SPREAD_FEED_H
#define TAF_SPREAD_FEED_H

#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "spread/plan.h"
#include "stream/writer.h"

/* Slab k of the input. */
TAF_MUST enum taf_status taf_feed_slab(const struct taf_plan *p, uint64_t k,
    struct taf_writer *w, struct taf_err *e);

/* The results in order, as a stream: what a joining pipeline reads. */
TAF_MUST enum taf_status taf_feed_results(const struct taf_plan *p, struct taf_writer *w,
    struct taf_err *e);

#endif
