/* SPDX-License-Identifier: ISC */
/* The results of all slabs to one file. */
#ifndef TAF_SPREAD_ASSEMBLE_H
#define TAF_SPREAD_ASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kernel/digest/blake3.h"
#include "spread/plan.h"
#include "stream/service.h"

/*
 * All slabs are done: check what was written against the digests, write the output, which
 * appears when all of it is safe on disk, and remove the folder of state.  TAF_END, with
 * e set, where a slab is not as it was written: it is due again.  Where this process has
 * made the file of data, and has waited for all that wrote to it, on this machine, ours
 * says so: what is placed there is as it was written, if it is still there.  If the plan
 * asks for the checksum of the output, it is set.
 */
TAF_MUST enum taf_status taf_assemble(const struct taf_plan *p, bool ours,
    const struct taf_service *service, struct taf_blake3_node *checksum,
    struct taf_err *e);

#endif
