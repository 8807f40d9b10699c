/* SPDX-License-Identifier: ISC */
/* Images of netpbm: read as arrays, and arrays drawn as images. */
#ifndef TAF_FORMAT_IMAGE_H
#define TAF_FORMAT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/pnm.h"
#include "format/export.h"
#include "format/import.h"
#include "io/in.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/service.h"

/* How images become arrays, and what was seen of those in files. */
struct taf_image_reading {
	bool transpose;		/* rows are dimension 1 */
	uint64_t looked;	/* images that were looked at, of all operands */
	uint64_t ahead;		/* what of these is still to come */
};

/*
 * A look at the images of a file; then the images of an input.  ctx is a struct
 * taf_image_reading.
 */
TAF_MUST enum taf_status taf_image_check(void *ctx, const struct taf_import *im,
    struct taf_in *in, struct taf_err *e);
TAF_MUST enum taf_status taf_image_import(void *ctx, struct taf_import *im,
    struct taf_in **from, struct taf_err *e);

/* Which values are black and white. */
enum taf_image_range {
	TAF_IMAGE_OF_TYPE = 0,	/* the limits of integers; the extremes of floats */
	TAF_IMAGE_GIVEN = 1,
	TAF_IMAGE_PERCENTILES = 2
};

/* How arrays become images.  Zeroed but for gamma, 1, it is as nothing was said. */
struct taf_image_drawing {
	enum taf_image_range range;
	double from, to;	/* values, or parts of all values between 0 and 1 */
	double gamma;
	unsigned maxval;	/* 0: by the type */
	bool transpose;		/* dimension 1 is the rows */
};

/* The image that a becomes.  TAF_EDATA where it is none. */
TAF_MUST enum taf_status taf_image_form(const struct taf_image_drawing *how,
    const struct taf_array *a, struct taf_pnm_form *form, struct taf_err *e);

/*
 * Write r's present array a as an image.  What was clipped is remarked, and *dropped
 * notes what there is no place for.  Attributes that the image has taken over are gone
 * from a.
 */
TAF_MUST enum taf_status taf_image_export(const struct taf_service *service,
    const struct taf_image_drawing *how, struct taf_reader *r, struct taf_array *a,
    struct taf_out *out, struct taf_dropped *dropped, struct taf_err *e);

#endif
