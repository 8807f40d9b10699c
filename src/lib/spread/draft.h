/* SPDX-License-Identifier: ISC */
/* The plan of a run, from what a user says. */
#ifndef TAF_SPREAD_DRAFT_H
#define TAF_SPREAD_DRAFT_H

#include <stddef.h>
#include <stdint.h>

#include "array/words.h"
#include "base/attr.h"
#include "base/err.h"
#include "spread/plan.h"

/* What a user has said; state and bin may be NULL. */
struct taf_draft {
	const char *input, *output;
	const char *const *file;	/* of --each, in place of these */
	size_t nfiles;
	const char *directory;
	const char *state, *bin;
	struct taf_words *named;	/* settled by the header of the input */
	const char *const *words;	/* of the pipeline: one, or a command's */
	int nwords;
	uint64_t slabs;			/* if the plan says none */
};

/*
 * Complete p, in which dim and slabs may be 0 and join NULL.  TAF_EDATA where the input
 * is no TAF file or has no such dimension; TAF_ESYS.
 */
TAF_MUST enum taf_status taf_draft_plan(struct taf_plan *p, const struct taf_draft *d,
    struct taf_err *e);

/* The same of files; TAF_EUSAGE where two of them would become one. */
TAF_MUST enum taf_status taf_draft_each(struct taf_plan *p, const struct taf_draft *d,
    struct taf_err *e);

#endif
