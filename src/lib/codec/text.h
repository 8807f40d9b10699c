/* SPDX-License-Identifier: ISC */
/*
 * Tables of numbers in text, which the TAF report calls 'column' (report section 3.1;
 * what it leaves open follows Sandia's own readers, SMASH and SLAM).
 *
 * The first line that has only numbers is the first row.  It says how many columns there
 * are and what separates them.  The lines above it are a header.  All lines below it
 * are rows or blank, up to the end, or up to a word that ends the table.  A footer begins
 * with the word.  Any other line is an error, so that no row is lost unseen.
 *
 * Where fields may be missing, one mark separates them: a comma, a semicolon or a tab.
 * Each field has its place.  Above the first row there are only remarks and one line of
 * names.
 */
#ifndef TAF_CODEC_TEXT_H
#define TAF_CODEC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"

struct taf_text;

/* How many steps a value of the first column may be off its grid, unless one says. */
#define TAF_TEXT_TOLERANCE 1e-6

/* What a reader should be told of the table. */
struct taf_text_notes {
	uint64_t rounded;	/* values that are no integers, stored as such */
	/* did not fit, stored as the nearest that does, NaN as 0 */
	uint64_t clipped;
	uint64_t cut;		/* bytes of header and footer beyond what is kept */
	uint64_t broken;	/* the first line of the footer that could be a row */
};

struct taf_text_how {
	enum taf_type type;	/* of the values, any but complex */
	bool grid;		/* the first of at least two columns is set aside */
	double tolerance;	/* of that column, in steps, 0 or more */
	bool clip;		/* what is out of the type's range becomes its limit */
	bool trailer;		/* a line that begins with a word ends the table */
	bool missing;		/* a field without a number is NaN */
	bool comma;		/* it is the decimal sign */
};

/* Read in up to the table's first line; TAF_EDATA if there is none.  Keeps in. */
TAF_MUST enum taf_status taf_text_open(struct taf_text **t, struct taf_in *in,
    const struct taf_text_how *how, struct taf_err *e);

/* Values in a row: all columns but the one set aside. */
size_t taf_text_columns(const struct taf_text *t);

/* Is all that is left of in short: no more than some buffer? */
bool taf_text_short(const struct taf_text *t);

/*
 * A part of the table: some whole lines and the rows that they hold.  Several are
 * independent of each other, so that each may be parsed by a thread of its own.
 */
struct taf_text_part;

/*
 * Read the next lines, of about so many bytes, into *part, which is made if it is NULL;
 * *more is false if there are none.  One call at a time.
 */
TAF_MUST enum taf_status taf_text_take(struct taf_text *t, struct taf_text_part **part,
    size_t bytes, bool *more, struct taf_err *e);

/* Make rows of them.  Safe from several threads at once, each with its part. */
TAF_MUST enum taf_status taf_text_parse(const struct taf_text *t,
    struct taf_text_part *part, struct taf_err *e);

/*
 * Accept a part, in the order in which they were taken: *n rows of values at *rows, one
 * behind the other, lent until the part is taken again; with the last part, all of in
 * is read.  A value that does not fit the type, and a line that is no row, is TAF_EDATA
 * with its line and column.
 */
TAF_MUST enum taf_status taf_text_give(struct taf_text *t, struct taf_text_part *part,
    const void **rows, size_t *n, struct taf_err *e);

/* NULL is allowed. */
void taf_text_part_free(struct taf_text_part *part);

/*
 * At the end: make a the array rows x columns, with header and footer as its comment.
 * If the first column was set aside, it is the grid of dimension 1.  Names of columns
 * give labels and units, as codec/textnames.h says.  TAF_EDATA if the uniform grid from
 * the first value to the last does not come within the tolerance of each, or if not all
 * lie on one side of the first.
 */
TAF_MUST enum taf_status taf_text_array(const struct taf_text *t, struct taf_array *a,
    struct taf_err *e);

/* Lent until taf_text_close. */
const struct taf_text_notes *taf_text_notes(const struct taf_text *t);

/* NULL is allowed. */
void taf_text_close(struct taf_text *t);

#endif
