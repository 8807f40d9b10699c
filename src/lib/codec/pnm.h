/* SPDX-License-Identifier: ISC */
/*
 * The images of netpbm: PBM, PGM and PPM, plain and raw, and PAM.  Sources are its pages
 * pbm(5), pgm(5), ppm(5) and pam(5); where these are silent, its library is followed.
 */
#ifndef TAF_CODEC_PNM_H
#define TAF_CODEC_PNM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "io/in.h"

enum {
	TAF_PNM_MAX = 65535,	/* the largest maxval */
	/* bytes of a line in a header of PAM, and of a tuple type */
	TAF_PNM_LINE = 255
};

/* What the header of an image says. */
struct taf_pnm_form {
	uint64_t width, height;
	uint64_t depth;		/* numbers of a pixel */
	unsigned maxval;	/* the largest of them: 1 to TAF_PNM_MAX */
	char tuple[TAF_PNM_LINE + 1];	/* PAM: the tuple type, "" for none */
	bool pam;
};

/* Several images, one after the other.  Zeroed but for in it is at their begin. */
struct taf_pnm {
	struct taf_in *in;	/* kept */
	uint64_t images;	/* that have begun */
	/* the present one */
	struct taf_pnm_form form;
	char kind;		/* the digit behind its P */
	uint64_t count, left;	/* numbers of it, and those not read yet */
	/* of kind 4, those left of a byte, first in its high bits */
	unsigned bits;
};

/*
 * Pass over what is left of the present image, then read the header of the next; TAF_END
 * where only blanks follow.  An input without an image is TAF_EDATA.  A raster that a
 * seekable input is too short for is TAF_ETRUNC.
 */
TAF_MUST enum taf_status taf_pnm_next(struct taf_pnm *p, struct taf_err *e);

/* Add the lengths of an image to a: components, columns, rows. */
void taf_pnm_lengths(const struct taf_pnm_form *form, struct taf_array *a);

/*
 * Fill in the fresh a: columns, then rows; before these, where a pixel has several
 * numbers, a dimension with the label "component".  uint8 or uint16.  What a maxval other
 * than the type's and a tuple type say is in attributes.
 */
TAF_MUST enum taf_status taf_pnm_array(const struct taf_pnm *p, struct taf_array *a,
    struct taf_err *e);

/*
 * The next n numbers, which are there, as elements of that array, aligned: of PBM 1 for
 * white and 0 for black.  One above the maxval is TAF_EDATA.
 */
TAF_MUST enum taf_status taf_pnm_read(struct taf_pnm *p, void *to, size_t n,
    struct taf_err *e);

/*
 * Are its numbers bytes of p->in that no look is needed at?  The caller may take all of
 * them from there itself, if it sets p->left to 0.
 */
bool taf_pnm_plain_bytes(const struct taf_pnm *p);

/*
 * Append the header of a raw PGM or PPM, or where its depth or its tuple type ask for
 * that, of a PAM.  The numbers follow, two bytes each, big-endian, if the maxval is above
 * 255.
 */
TAF_MUST enum taf_status taf_pnm_format(const struct taf_pnm_form *form,
    struct taf_buf *to, struct taf_err *e);

/*
 * The tuple type of a, if it has one that an image of this depth can have; "" else.  Lent
 * until a changes.
 */
const char *taf_pnm_tuple(const struct taf_array *a, uint64_t depth);

/* The attributes. */
#define TAF_PNM_MAXVAL "pnm/maxval"
#define TAF_PNM_TUPLE "pnm/tupltype"

#endif
