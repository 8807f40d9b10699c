/* Is what tasks have written there, and as they wrote it? */
#ifndef TAF_SPREAD_PROOF_H
#define TAF_SPREAD_PROOF_H

#include "base/attr.h"
#include "base/err.h"
#include "spread/plan.h"
#include "spread/slab.h"

/*
 * What another machine has written a moment ago may be seen some seconds later: both wait
 * for it.  TAF_END where it does not come, or is not as it was written.
 */

/* The record of slab k, for the caller to free. */
TAF_MUST enum taf_status taf_proof_record(const struct taf_plan *p, uint64_t k,
    struct taf_slab *s, struct taf_err *e);

/* The descriptor of the first result; of no dimension where it does not come. */
TAF_MUST enum taf_status taf_proof_layout(const struct taf_plan *p, struct taf_array *a,
    struct taf_err *e);

/* The file of slab k, which has no place in the file of data; block: TAF_SLAB_BLOCK. */
TAF_MUST enum taf_status taf_proof_part(const struct taf_plan *p, uint64_t k,
    const struct taf_slab *s, unsigned char *block, struct taf_err *e);

#endif
