/* SPDX-License-Identifier: ISC */
/* The folder of state: whose it is, what it has before there is a plan, and its end. */
#ifndef TAF_SPREAD_STATE_H
#define TAF_SPREAD_STATE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "spread/plan.h"

/*
 * What stands in it is run as this user.  TAF_EUSAGE where another user owns it, or where
 * others may write there.
 */
TAF_MUST enum taf_status taf_state_trust(const char *state, struct taf_err *e);

/* Make one for this user alone; *made is false where there is one that can be trusted. */
TAF_MUST enum taf_status taf_state_make(const char *state, bool *made, struct taf_err *e);

/*
 * There is no plan in it.  TAF_EUSAGE if there is anything else, but for what a run
 * leaves that ends while it makes its plan, or removes the last of its state, and for
 * what a task makes that has outlived it.
 */
TAF_MUST enum taf_status taf_state_unused(const char *state, struct taf_err *e);

/*
 * What slabs need, folders of state and the file of data.  *fresh says that there was no
 * file of data before.
 */
TAF_MUST enum taf_status taf_state_fill(const struct taf_plan *p, bool *fresh,
    struct taf_err *e);

/*
 * Remove what a run over slabs makes there, and no other file.  The folder goes, too, if
 * the run has made it and nothing is left in it.
 */
TAF_MUST enum taf_status taf_state_remove(const struct taf_plan *p, struct taf_err *e);

#endif
