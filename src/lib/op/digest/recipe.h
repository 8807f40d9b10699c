/* SPDX-License-Identifier: ISC */
/*
 * How an array was made, in its attributes recipe/1, recipe/2, ...: a line for each
 * program, in order.  A line has words, with a blank between two:
 *
 *   VERSION PROGRAM RESULT[#K] WORD ...
 *
 * RESULT is the digest of what it has made, or "-"; K, where it is there, is the number
 * of the array among those that it has made.  The other words are arguments.  At the end
 * of one may be an input: "@array:DIGEST" is a file with arrays, "@file:DIGEST" one with
 * other bytes, and "@-" what the program of the line before has made.  Bytes of text that
 * would be taken for something else are a backslash and two hexadecimal digits.
 */
#ifndef TAF_OP_DIGEST_RECIPE_H
#define TAF_OP_DIGEST_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "kernel/digest/blake3.h"
#include "stream/service.h"

enum {
	TAF_RECIPE_LINES = 64,		/* of one array */
	TAF_RECIPE_LINE = 32 * 1024	/* bytes of a line, at most */
};

enum taf_recipe_input {
	TAF_RECIPE_NONE,
	TAF_RECIPE_ARRAYS,
	TAF_RECIPE_BYTES,
	TAF_RECIPE_BEFORE	/* what the line before has made */
};

struct taf_recipe_word {
	char *text;		/* what stands before the input */
	enum taf_recipe_input input;
	const char *digest;	/* of a file */
};

struct taf_recipe_line {
	const char *version, *program;
	const char *result;	/* NULL where it is not known */
	uint64_t number;	/* 0: all that it has made */
	struct taf_recipe_word *word;
	size_t n;
	char *text;		/* what the members point into */
};

/*
 * The digest of a file, NULL for a standard input that is a regular file, from where it
 * stands.  Of bytes it is BLAKE3; of arrays that of the array, or where there are several
 * BLAKE3 of their digests, each with an LF behind it.
 */
TAF_MUST enum taf_status taf_recipe_digest(const struct taf_service *service,
    const char *path, bool bytes, char digest[TAF_BLAKE3_TEXT], struct taf_err *e);

/* The digest of the arrays in a regular file that is open, from its beginning. */
TAF_MUST enum taf_status taf_recipe_digest_fd(const struct taf_service *service, int fd,
    const char *name, char digest[TAF_BLAKE3_TEXT], struct taf_err *e);

/*
 * What the value of an option is which its help calls so: text; a file, whose name begins
 * at *skip, as in NAME=FILE and where FILE|D is no number; or only where output goes.
 */
enum taf_recipe_value { TAF_RECIPE_TEXT, TAF_RECIPE_FILE, TAF_RECIPE_ASIDE };
enum taf_recipe_value taf_recipe_value(const char *called, const char *value,
    size_t *skip);

/* Append n bytes of text as (a part of) a word. */
void taf_recipe_put(struct taf_str *line, const char *text, size_t n);

/* Append a file that is read, or standard input, which may be a pipe. */
void taf_recipe_put_input(struct taf_str *line, const struct taf_service *service,
    const char *file, bool bytes);

/* Do such words name a pipe, so that the line is one behind another? */
bool taf_recipe_goes_on(const char *words);

/* How many lines a has. */
unsigned taf_recipe_count(const struct taf_array *a);

/* Line k of a, from 1; NULL where there is none. */
const char *taf_recipe_get(const struct taf_array *a, unsigned k);

/*
 * Add a line: words have come from taf_recipe_put, and number and result are as in struct
 * taf_recipe_line.  TAF_EDATA where there is no room for it, and
 * where it goes on with a line that is not there.
 */
TAF_MUST enum taf_status taf_recipe_add(struct taf_array *a, const char *program,
    const char *result, uint64_t number, const char *words, struct taf_err *e);

/* Read a line, for the caller to free, also where it is none, which is TAF_EDATA. */
TAF_MUST enum taf_status taf_recipe_parse(struct taf_recipe_line *line, const char *text,
    struct taf_err *e);
void taf_recipe_free(struct taf_recipe_line *line);

#endif
