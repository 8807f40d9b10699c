/* What a command would make of its input, said from headers alone. */
#ifndef TAF_PLAN_FORECAST_H
#define TAF_PLAN_FORECAST_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "stream/writer_private.h"

/* Of sums: not known. */
#define TAF_FORECAST_UNKNOWN UINT64_MAX

/* In bytes: what is taken at most at any time, and what passes in all. */
struct taf_forecast_sums {
	uint64_t memory, temporary, reads, writes;
};

/*
 * Append them, as members of a JSON object or as text for people; "null" or "?" where
 * one is not known.
 */
void taf_forecast_put(const struct taf_forecast_sums *sums, bool json,
    struct taf_str *to);

/* The sum of both, or TAF_FORECAST_UNKNOWN. */
uint64_t taf_forecast_add(uint64_t a, uint64_t b);

/*
 * Among the stages of a pipeline this variable has the number of the stage, behind a "j"
 * for JSON, and the descriptor of a file for the headers that go out, where the elements
 * are holes.  Where that is left out, nothing is known of standard input.  What is said
 * ends with a struct taf_forecast_tail.
 */
#define TAF_FORECAST_STAGE "TAF_STAGE"

struct taf_forecast_tail {
	struct taf_forecast_sums sums;
	uint64_t inner;		/* of reads: from the pipe */
	int named;		/* its output is a file */
	int known;		/* the file of headers is what would come */
};
struct taf_forecast {
	/* the caller's */
	const char *const *words;	/* the command, */
	int nwords;
	const char *history;
	bool json;
	bool arrays;		/* they are what comes out */
	bool taf, named;	/* in TAF files; in files that have a name */
	bool once;		/* elements pass once, in order, in a few blocks */
	bool unknown;		/* which come: only the elements tell */
	uint64_t memory;	/* what may be taken, */
	unsigned threads;	/* by these */
	bool changes;		/* they are changed in place */
	bool recipe;		/* it is stored, too */
	bool chosen;		/* of several arrays some are passed over */
	/* its own, zeroed before */
	bool piped, blind, more, vague;
	unsigned stage;
	int out, headers;
	uint64_t n, writes, pairs;
	struct taf_buf header;	/* of the array that waits, and its bytes */
	uint64_t elements;
	struct taf_str shapes, grids;
	struct taf_stamp stamp;
};

/* Append what is said of a stage. */
void taf_forecast_put_stage(const struct taf_forecast *f,
    const struct taf_forecast_sums *sums, struct taf_str *s);

/*
 * Keep standard output for what is said; what anybody writes there from now on is lost.
 * f->blind says that nothing is known of standard input.
 */
TAF_MUST enum taf_status taf_forecast_begin(struct taf_forecast *f, struct taf_err *e);

/* For a writer: f hears of each array that would come. */
const struct taf_stamp *taf_forecast_stamp(struct taf_forecast *f);

/*
 * Is a failure none, but the end of what headers tell?  Then it is forgotten.  Before any
 * array that means that nothing is known.
 */
bool taf_forecast_ended(struct taf_forecast *f, struct taf_err *e);

/* The same of a look at elements: the array is known by its type alone. */
bool taf_forecast_vague(struct taf_forecast *f, struct taf_err *e);

/* The same of an array of several, whose elements pass once, in order, or not. */
TAF_MUST enum taf_status taf_forecast_step(struct taf_forecast *f, bool once,
    struct taf_err *e);

/* Say what is known, n files being read.  Frees what f holds, also on failure. */
TAF_MUST enum taf_status taf_forecast_end(struct taf_forecast *f,
    const char *const *files, int n, struct taf_err *e);

#endif
