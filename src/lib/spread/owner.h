/* SPDX-License-Identifier: ISC */
/* Who works on a folder of state: one at a time, as far as that can be known. */
#ifndef TAF_SPREAD_OWNER_H
#define TAF_SPREAD_OWNER_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "spread/jobs.h"
#include "spread/plan.h"

/*
 * Become the one; TAF_ESYS where another one lives.  That only saves work: slabs may be
 * done twice at once.  On another machine it lives as long as it says so now and then.
 */
TAF_MUST enum taf_status taf_owner_take(const struct taf_plan *p, struct taf_err *e);

/*
 * Start a child that gives signs of life until this process leaves, whatever that waits
 * for: a disk, an engine, a pipeline that joins.  It is no thread, as taf_fork demands.
 */
TAF_MUST enum taf_status taf_owner_live(const struct taf_caller *caller,
    struct taf_err *e);

/* Is this process the one still? */
bool taf_owner_is(const struct taf_plan *p);

/* Another one may come. */
void taf_owner_leave(const struct taf_plan *p);

#endif
