/* SPDX-License-Identifier: ISC */
/* Units of what is computed: products, quotients and inverses of units that are text. */
#ifndef TAF_ARRAY_UNIT_H
#define TAF_ARRAY_UNIT_H

#include "array/array.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

/*
 * A unit is names with powers, as in "V s", "m/s^2" and "1/(kg m)"; "*" stands for a
 * blank, too.  Any other text is one name.  NULL and "" are units that nobody knows, and
 * so is what is made with them.  Results are appended to *to; nothing is where no name is
 * left.
 */

/*
 * Of 1/x: s and Hz, ms and kHz, us and MHz, ns and GHz, ps and THz turn into each other,
 * and so do m and 1/m.
 */
TAF_MUST enum taf_status taf_unit_inverse(struct taf_buf *to, const char *unit,
    struct taf_err *e);

/* Of a product and of a quotient: V and s give "V s" and "V/s"; V/s times s is V. */
TAF_MUST enum taf_status taf_unit_times(struct taf_buf *to, const char *a, const char *b,
    struct taf_err *e);
TAF_MUST enum taf_status taf_unit_per(struct taf_buf *to, const char *a, const char *b,
    struct taf_err *e);

/*
 * Give a, whose values were multiplied by coordinates of dimension k, from 1, or divided
 * by them (power 1 or -1), the unit that follows; none where one of the two is not known.
 */
TAF_MUST enum taf_status taf_unit_along(struct taf_array *a, unsigned k, int power,
    struct taf_err *e);

#endif
