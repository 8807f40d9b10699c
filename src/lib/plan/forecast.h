/* SPDX-License-Identifier: ISC */
/*
 * The plan of a command: what it would make of its input, and what it would take.  Only
 * headers are read.
 */
#ifndef TAF_PLAN_FORECAST_H
#define TAF_PLAN_FORECAST_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "stream/writer_private.h"

/* In place of one of the sums: it is not known. */
#define TAF_FORECAST_UNKNOWN UINT64_MAX

/*
 * Numbers of bytes.  Memory and temporary files are what is taken at most at any time.
 * The others are what passes in all.
 */
struct taf_forecast_sums {
	uint64_t memory, temporary, reads, writes;
};

/*
 * Append them, as members of a JSON object or as text for people.  One that is not known
 * is "null" or "?".
 */
void taf_forecast_put(const struct taf_forecast_sums *sums, bool json,
    struct taf_str *to);

/* The sum of both, or TAF_FORECAST_UNKNOWN. */
uint64_t taf_forecast_add(uint64_t a, uint64_t b);

/*
 * taf plan runs each stage of a pipeline with this variable in its environment.  The
 * value is "3,7", or "j3,7" for JSON.  3 is the number of the stage.  7 is the descriptor
 * of a file, into which the stage writes the arrays that would go out.  Their headers are
 * whole, and their elements are holes.  Without the second number nothing is known of
 * standard input.  What a stage prints ends with a struct taf_forecast_tail.
 */
#define TAF_FORECAST_STAGE "TAF_STAGE"

struct taf_forecast_tail {
	struct taf_forecast_sums sums;
	uint64_t inner;		/* the part of reads that comes from the pipe */
	int named;		/* the output is a file with a name */
	int known;		/* the file of headers has what would go out */
};

struct taf_forecast {
	/* The caller sets these. */
	const char *const *words;	/* of the command */
	int nwords;
	const char *history;
	bool json;
	bool arrays;		/* the command writes arrays */
	bool taf;		/* it writes TAF files */
	bool named;		/* its output is a file with a name */
	bool once;		/* elements pass once, in order, in a few blocks */
	bool unknown;		/* only elements tell which arrays come */
	uint64_t memory;	/* bound of -m */
	unsigned threads;
	bool changes;		/* files are changed in place */
	bool recipe;		/* the recipe is stored, too */
	bool chosen;		/* of several arrays some are passed over */
	/* These are its own, and zero before. */
	bool piped;		/* it is a stage of taf plan */
	bool blind;		/* nothing is known of standard input */
	bool more, vague;	/* see taf_forecast_step and taf_forecast_vague */
	unsigned stage;
	int out, headers;	/* descriptors of what is said, and of the headers */
	uint64_t n, writes, pairs;
	struct taf_buf header;	/* of the array that waits, */
	uint64_t elements;	/* and bytes of its elements */
	struct taf_str shapes, grids;
	struct taf_stamp stamp;
};

/* Append the lines of a stage, or its JSON. */
void taf_forecast_put_stage(const struct taf_forecast *f,
    const struct taf_forecast_sums *sums, struct taf_str *s);

/*
 * Keep standard output for the plan.  What anybody else writes there from now on is lost.
 * f->blind says that nothing is known of standard input.
 */
TAF_MUST enum taf_status taf_forecast_begin(struct taf_forecast *f, struct taf_err *e);

/* For a writer: through this f hears of each array that would be written. */
const struct taf_stamp *taf_forecast_stamp(struct taf_forecast *f);

/*
 * Is e no failure, but the end of what headers tell?  Then it is cleared.  If no array
 * has come before it, nothing is known of the output.
 */
bool taf_forecast_ended(struct taf_forecast *f, struct taf_err *e);

/* The same where elements had to be looked at: of the array only the type is known. */
bool taf_forecast_vague(struct taf_forecast *f, struct taf_err *e);

/* The same behind one of several arrays.  once: its elements pass once, in order. */
TAF_MUST enum taf_status taf_forecast_step(struct taf_forecast *f, bool once,
    struct taf_err *e);

/* Say what is known.  n files are read.  Frees what f holds, also on failure. */
TAF_MUST enum taf_status taf_forecast_end(struct taf_forecast *f,
    const char *const *files, int n, struct taf_err *e);

#endif
