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
#include "base/need.h"
#include "base/str.h"
#include "op/operand/move.h"
#include "op/operand/steps.h"
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
	const char *const *files;	/* that it reads */
	int nfiles;
	bool json;
	bool arrays;		/* the command writes arrays */
	bool taf;		/* it writes TAF files, */
	bool spools;		/* whose imaginary parts wait for the real ones */
	bool named;		/* its output is a file with a name */
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
	bool together;		/* several files advance together */
	bool told;		/* each step has said what it needs */
	uint64_t steps, inputs;	/* how many; and their arrays */
	uint64_t sources;	/* bytes of files that hold elements alone */
	struct taf_needs now;	/* of this step, */
	struct taf_needs needs;	/* and of all that were before */
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

/*
 * The same where elements had to be looked at: of the array only the type is known,
 * and lengths and grids where taf_need_shaped has said so.
 */
bool taf_forecast_vague(struct taf_forecast *f, struct taf_err *e);

/*
 * A step (NULL: the same) begins: what works on its elements says what it needs, and
 * works on none.  With looks, the array that goes out is made of elements:
 * taf_forecast_vague.
 */
void taf_forecast_ask(struct taf_forecast *f, const struct taf_steps *s, bool looks);

/*
 * The same of a command that sees one array after the other.  What it does not print it
 * asks for itself, by a writer.
 */
void taf_forecast_each(struct taf_forecast *f, const struct taf_steps *s, bool prints);

/*
 * It has ended with st.  A failure that is no end of a plan is returned, if elements have
 * not been taken for others.
 */
TAF_MUST enum taf_status taf_forecast_step(struct taf_forecast *f, enum taf_status st,
    struct taf_err *e);

/* What a step would take for its elements, moved so; e says why none was begun. */
TAF_MUST enum taf_status taf_forecast_move(struct taf_forecast *f, taf_mover *move,
    const struct taf_move *m, struct taf_err *e);

/* Say what is known; n files are read.  Frees what f holds, also on failure. */
TAF_MUST enum taf_status taf_forecast_end(struct taf_forecast *f, int n,
    struct taf_err *e);

#endif
