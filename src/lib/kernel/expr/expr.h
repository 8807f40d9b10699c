/* SPDX-License-Identifier: ISC */
/*
 * Expressions over arrays: text to a program, which computes blocks of values.  The
 * language is that of tafmath(1).
 */
#ifndef TAF_KERNEL_EXPR_EXPR_H
#define TAF_KERNEL_EXPR_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

enum {
	/* parentheses, calls and signs within each other */
	TAF_EXPR_DEPTH = 256,
	TAF_EXPR_LENGTH = 64 * 1024,	/* bytes of text */
	TAF_EXPR_INPUTS = 64,
	TAF_EXPR_BLOCK = 1024		/* values that are computed at once, at most */
};

/* Text that was parsed. */
struct taf_expr;

/* Could name be that of an input: a word that means nothing else? */
bool taf_expr_is_name(const char *name);

/*
 * Parse text over n inputs of these names, which are kept; one that is called "a" is
 * "input" too.  TAF_EUSAGE, with the column, for what is no expression.
 */
TAF_MUST enum taf_status taf_expr_parse(struct taf_expr **x, const char *text,
    const char *const names[], unsigned n, struct taf_err *e);

/* Does the text name input k, from 0? */
bool taf_expr_uses(const struct taf_expr *x, unsigned k);

/* Is it this input and nothing else? */
bool taf_expr_is_input(const struct taf_expr *x, unsigned k);

/* NULL is allowed. */
void taf_expr_free(struct taf_expr *x);

/* What an expression is computed over. */
struct taf_expr_over {
	const struct taf_array *const *in;	/* each input, as parsed */
	unsigned nin;
	const struct taf_array *shape;	/* of the result, with its grid */
	bool pair;		/* the result is wanted as pairs, real or not */
	/* what overflows becomes the nearest integer, and is counted */
	bool clip;
};

/*
 * Append the unit of the result; nothing where the units of inputs and coordinates do not
 * lead to one of them.  Numbers and arrays without a unit go with any.
 */
TAF_MUST enum taf_status taf_expr_unit(struct taf_buf *to, const struct taf_expr *x,
    const struct taf_expr_over *over, struct taf_err *e);

/* An expression over inputs of known types; it needs them and x no longer. */
struct taf_program;

/*
 * TAF_EUSAGE, with the column, for operations that there are not for these types;
 * TAF_EDATA for what the shape does not have.
 */
TAF_MUST enum taf_status taf_program_make(struct taf_program **p,
    const struct taf_expr *x,
    const struct taf_expr_over *over, struct taf_err *e);

/* NULL is allowed. */
void taf_program_free(struct taf_program *p);

/* The type of the result where nothing else is wanted. */
enum taf_type taf_program_type(const struct taf_program *p);

/* The type in which input k is given to taf_program_run; that of what it computes. */
enum taf_type taf_program_takes(const struct taf_program *p, unsigned k);
enum taf_type taf_program_gives(const struct taf_program *p);

/* Bytes of the workspace of taf_program_run; each thread has its own. */
size_t taf_program_workspace(const struct taf_program *p);

/* What happened to values underway: grows by what taf_program_run finds. */
struct taf_program_count {
	uint64_t clipped;	/* integers that overflowed */
	uint64_t rounded;	/* integers of 64 bits that no double equals */
};

/*
 * Compute n <= TAF_EXPR_BLOCK values, of which the first has this number in the result,
 * from 0.  TAF_EDATA, with the place, for an integer that overflows.
 */
struct taf_program_block {
	const void *const *in;
	void *out;
	uint64_t first;
	size_t n;
};
TAF_MUST enum taf_status taf_program_run(const struct taf_program *p, void *workspace,
    const struct taf_program_block *b, struct taf_program_count *count,
    struct taf_err *e);

#endif
