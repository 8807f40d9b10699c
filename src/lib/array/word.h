/* SPDX-License-Identifier: ISC */
/*
 * Words of the command line that mean something for an array alone: dimensions by their
 * labels, and numbers in units.
 */
#ifndef TAF_ARRAY_WORD_H
#define TAF_ARRAY_WORD_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

/* A word with dimensions in it; text is lent. */
struct taf_word {
	const char *text;
	/*
	 * What stands between dimensions (',') or behind the only one ('='): what follows
	 * that is a value.  0: a dimension is all there is.
	 */
	char mark;
	bool units;	/* the value is a number along the dimension, or two, as LO:HI */
	unsigned stand_in;	/* what a label is for any array, but in a list */
};

/* Is there a label in it, or a unit? */
bool taf_word_named(const struct taf_word *w);

/*
 * Append it to *to as it would be with a number in the place of each label and of what
 * has a unit: for a, or (NULL) for any array, so that its form alone can be looked at.
 * TAF_EUSAGE where of two numbers one has no unit; TAF_EDATA where a has no such label,
 * or several, and where a unit does not fit its dimension.
 */
TAF_MUST enum taf_status taf_word_plain(struct taf_buf *to, const struct taf_word *w,
    const struct taf_array *a, struct taf_err *e);

/*
 * A dimension, n bytes, as a number or as a label of a.  Without an array (NULL) *dim
 * stays 0 where it is a label.  TAF_EUSAGE where it is neither; a number is not held
 * against a.
 */
TAF_MUST enum taf_status taf_dim_read(const struct taf_array *a, const char *s, size_t n,
    unsigned *dim, struct taf_err *e);

/* Can these n bytes be a label where a number of a dimension may stand, too? */
bool taf_label_may_be(const char *s, size_t n);

/* Has any dimension of a a label? */
bool taf_label_any(const struct taf_array *a);

/*
 * The dimension of a with this label of n bytes, from 1: the same bytes, or else the same
 * but for small and capital letters.  TAF_EDATA where there is none, or several.
 */
TAF_MUST enum taf_status taf_label_find(const struct taf_array *a, const char *label,
    size_t n, unsigned *dim, struct taf_err *e);

/*
 * A number of n bytes along dimension dim of a, from 1, in its unit; with a unit of its
 * own it is converted.  A dimension that is not there has no unit.  Without an array
 * (NULL): the number in front of the unit.  TAF_EUSAGE, which quotes arg, the word that
 * the number is a part of, where it is no number.
 */
TAF_MUST enum taf_status taf_quantity(const struct taf_array *a, unsigned dim,
    const char *arg, const char *s, size_t n, double *x, struct taf_err *e);

/* A number that a unit may follow, of a dimension or of values.  The text is lent. */
struct taf_amount {
	double value;		/* of the number */
	const char *text;	/* number and unit, len bytes; NULL without a unit */
	size_t len;
};

/* n bytes as one; false where they are none. */
TAF_MUST bool taf_amount_read(struct taf_amount *m, const char *s, size_t n);

/*
 * Two with a mark between them, as LO:HI: both have a unit, or none has, but 0 needs
 * none.  False where they are none; a unit too few is TAF_EUSAGE in *e, too.
 */
TAF_MUST bool taf_amounts_read(struct taf_amount m[2], const char *s, char mark,
    struct taf_err *e);

/* LO:HI, as an option has it; TAF_EUSAGE. */
TAF_MUST enum taf_status taf_amounts_range(struct taf_amount m[2], const char *text,
    struct taf_err *e);

/*
 * What it is in the unit of a's dimension dim, from 1, or, with per, in that of 1 over
 * it: that of frequencies.  TAF_EDATA where its unit does not fit that.
 */
TAF_MUST enum taf_status taf_amount_along(const struct taf_amount *m,
    const struct taf_array *a, unsigned dim, bool per, double *x, struct taf_err *e);

/*
 * What it is in the unit of a's values.  Without a unit a may be NULL.  TAF_EDATA where
 * its unit does not fit that.
 */
TAF_MUST enum taf_status taf_amount_of_values(const struct taf_amount *m,
    const struct taf_array *a, double *x, struct taf_err *e);

/* As it was typed, if it has a unit, else its value, for messages. */
struct taf_amount_text {
	char s[64];
};
struct taf_amount_text taf_amount_typed(const struct taf_amount *m);

/* The two of DIM=MIN:MAX: both have a unit, or none has, but 0 needs none. */
TAF_MUST enum taf_status taf_quantities(const struct taf_array *a, unsigned dim,
    const char *arg, double x[2], struct taf_err *e);

#endif
