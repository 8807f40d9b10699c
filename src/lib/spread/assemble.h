/* The results of all slabs to one file. */
#ifndef TAF_SPREAD_ASSEMBLE_H
#define TAF_SPREAD_ASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "spread/plan.h"
#include "stream/service.h"

/*
 * All slabs are done: check what was written against the digests, write the output, which
 * appears when all of it is safe on disk, and remove the folder of state.  TAF_ESYS where
 * a slab is not as it was written: it will be done again.
 */
TAF_MUST enum taf_status taf_assemble(const struct taf_plan *p,
    const struct taf_service *service, struct taf_err *e);

/*
 * Has a run of this plan made the output, and was ended then?  What is kept of it is
 * removed, also where the output is no longer the one that it made: then *ended is false.
 */
TAF_MUST enum taf_status taf_assemble_ended(const struct taf_plan *p, bool *ended,
    struct taf_err *e);

#endif
