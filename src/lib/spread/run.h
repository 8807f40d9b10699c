/* SPDX-License-Identifier: ISC */
/* A run over slabs, from its plan to the file that it makes. */
#ifndef TAF_SPREAD_RUN_H
#define TAF_SPREAD_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "kernel/digest/blake3.h"
#include "spread/engine.h"
#include "spread/jobs.h"
#include "spread/plan.h"

/*
 * Have all slabs of a plan done, and put the output together.  If the plan asks for the
 * checksum of that, it is set.  Failures have messages.
 */
TAF_MUST enum taf_status taf_spread(const struct taf_caller *caller, struct taf_plan *p,
    struct taf_engine *engine, struct taf_blake3_node *checksum, struct taf_err *e);

/*
 * Do a task of an engine, of the plan in folder state.  Of n words the first is the
 * number of the task, from 0, the second how many slabs each task has; the third, which
 * may be missing, is the digest of the plan.  TAF_EUSAGE for other words.  *bad is set
 * where the system has failed.
 */
TAF_MUST enum taf_status taf_spread_task(const struct taf_caller *caller,
    const char *state, const char *const *word, int n, unsigned retries, bool *bad,
    struct taf_err *e);

/* Append to s, as text or JSON, how far the run is that a folder of state belongs to. */
TAF_MUST enum taf_status taf_spread_status(const char *state, bool json,
    struct taf_str *s, struct taf_err *e);

#endif
