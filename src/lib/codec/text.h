/*
 * Tables of numbers in text, which the TAF report calls 'column' (report section 3.1;
 * what it leaves open follows Sandia's own readers, SMASH and SLAM).
 *
 * The lines before the first that has numbers alone are a header; that line says how
 * many columns there are.  The table ends before the first line that is neither blank
 * nor of so many numbers; what follows is a footer.
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

/* What a reader should be told of the table. */
struct taf_text_notes {
	uint64_t rounded;	/* values that are no integers, stored as such */
	uint64_t cut;		/* bytes of header and footer beyond what is kept */
	uint64_t broken;	/* the line that ended it, if that begins like a row, or
				   the first one behind it that is one */
};

/*
 * Read in up to the table's first line; TAF_EDATA if there is none.  Values will be of
 * type, any but complex.  With grid the first of at least two columns is set aside.
 * Keeps in.
 */
TAF_MUST enum taf_status taf_text_open(struct taf_text **t, struct taf_in *in,
    enum taf_type type, bool grid, struct taf_err *e);

/* Values in a row: all columns but the one set aside. */
size_t taf_text_columns(const struct taf_text *t);

/*
 * Up to most (at least one) rows of values, one behind the other.  *n is 0 at the end,
 * and all of in is read then.  A value that does not fit the type is TAF_EDATA with its
 * line and column.
 */
TAF_MUST enum taf_status taf_text_read(struct taf_text *t, void *rows, size_t most,
    size_t *n, struct taf_err *e);

/*
 * At the end: make a the array rows x columns, with header and footer as its comment.
 * Where the first column was set aside it is the grid of dimension 1, or TAF_EDATA
 * where no uniform grid comes within 1e-6 of a step of each of its values.
 */
TAF_MUST enum taf_status taf_text_array(const struct taf_text *t, struct taf_array *a,
    struct taf_err *e);

/* Lent until taf_text_close. */
const struct taf_text_notes *taf_text_notes(const struct taf_text *t);

/* NULL is allowed. */
void taf_text_close(struct taf_text *t);

#endif
