/* SPDX-License-Identifier: ISC */
/* A pipeline of the user: its start, what it reads, what it makes, and its end. */
#ifndef TAF_SPREAD_PIPELINE_H
#define TAF_SPREAD_PIPELINE_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "spread/plan.h"
#include "stream/reader.h"

struct taf_pipeline {
	const char *text;
	const char *name;	/* what messages call its standard output */
	const char *input;	/* the file that is its standard input */
	bool feed;		/* it reads "tafspread --feed" of number instead */
	const char *number;	/* of a slab; "all": results */
	int said;		/* descriptor of its standard error */
	const char *failed;	/* begins the message of its failure */
	/* Takes all elements of the one array that it makes, and may take a. */
	enum taf_status (*take)(void *ctx, struct taf_reader *r, struct taf_array *a,
	    struct taf_err *e);
	void *ctx;
};

/*
 * Run it in the shell of the plan to its end.  TAF_EDATA where another try would fail,
 * too; TAF_ESYS where it may not.  Of its failure and that of take the cause is reported.
 */
TAF_MUST enum taf_status taf_pipeline_run(const struct taf_plan *p,
    const struct taf_pipeline *pipeline, struct taf_err *e);

/*
 * Write to standard output what it is fed with: a slab of the input, or, where slab is
 * NULL or "all", the results of all as a stream.  TAF_EUSAGE where there is no such slab,
 * or where digest is not that of the plan; NULL: any.
 */
TAF_MUST enum taf_status taf_pipeline_feed(const char *state, const char *slab,
    const char *digest, struct taf_err *e);

#endif
