/* SPDX-License-Identifier: ISC */
/* Numbers as lines and columns of text: shortest, or as a format of printf says. */
#ifndef TAF_TEXT_NUMBER_H
#define TAF_TEXT_NUMBER_H

#include <stddef.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

enum { TAF_NUMBER_FORMAT = 256 };

/* Zero-initialised but for the separators, numbers are printed in the shortest form. */
struct taf_number {
	char between;		/* the two parts of a complex element */
	char after;		/* every element */
	char conversion;	/* of the format, 0 for the shortest form */
	char format[TAF_NUMBER_FORMAT];	/* with its length modifier */
	size_t letter;		/* where the conversion stands in it */
	size_t most;		/* bytes that a formatted number may take */
};

/*
 * Set a struct taf_number by a format: text with %% and a single conversion of diouxX
 * or eEfFgGaA, with flags, width and precision of up to three digits, and nothing else.
 * TAF_EUSAGE otherwise.
 */
TAF_MUST enum taf_status taf_number_parse(void *to, const char *text, struct taf_err *e);

/* Can elements of the type be printed so (integer conversions want integers)? */
TAF_MUST enum taf_status taf_number_check(const struct taf_number *f, enum taf_type type,
    struct taf_err *e);

/*
 * Append n elements.  Integers never lose a digit: where a float conversion would have
 * to round one, TAF_EDATA names it.
 */
TAF_MUST enum taf_status taf_number_put(struct taf_buf *b, const struct taf_number *f,
    enum taf_type type, const void *p, size_t n, struct taf_err *e);

#endif
