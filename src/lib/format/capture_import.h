/* SPDX-License-Identifier: ISC */
/* Captures of instruments to arrays: what the converters from vendors' formats share. */
#ifndef TAF_FORMAT_CAPTURE_IMPORT_H
#define TAF_FORMAT_CAPTURE_IMPORT_H

#include "array/region.h"
#include "array/words.h"
#include "codec/capture.h"
#include "format/import.h"
#include "kernel/number/convert.h"

/* What becomes of the records. */
struct taf_capture_how {
	bool matrix;			/* side by side as the columns of one array */
	bool convert;			/* to values of this type */
	enum taf_type type;
	bool clip;			/* what does not fit it */
	struct taf_bounds bounds;	/* of each array; not of interleaved samples */
	struct taf_words *words;	/* whose labels these may name, or NULL */
	bool nan;			/* what an array calls missing becomes NaN */
	struct taf_convert_count count;	/* of the values converted so far */
};

/* Describe every record once, and see whether they can become what is wanted. */
TAF_MUST enum taf_status taf_capture_import_check(const struct taf_capture *c,
    const struct taf_capture_how *how, struct taf_err *e);

/* Write the arrays of a checked capture. */
TAF_MUST enum taf_status taf_capture_import_write(const struct taf_capture *c,
    struct taf_capture_how *how, struct taf_import *im, struct taf_err *e);

/* A remark on each kind of what a capture has left out. */
void taf_capture_import_left(const struct taf_service *service, const char *file,
    const uint64_t left[TAF_LEFT_COUNT]);

/* What reads an input, and how. */
struct taf_capture_import {
	taf_capture_decode *decode;
	const char *name;		/* of the one record that is wanted, or NULL */
	bool complex;			/* pairs of integers become complex numbers */
	bool raw;			/* no mapping, and integers as they are stored */
	bool arrays;			/* what is no array is left out, not refused */
	/* looks at a capture before it is described; may be NULL */
	enum taf_status (*check)(const struct taf_capture *c, struct taf_err *e);
	struct taf_capture_how how;
};

/*
 * For an input whose format is the struct taf_capture_import ctx: look at it, import it.
 */
TAF_MUST enum taf_status taf_capture_look(void *ctx, const struct taf_import *im,
    struct taf_in *in, struct taf_err *e);
TAF_MUST enum taf_status taf_capture_import(void *ctx, struct taf_import *im,
    struct taf_in **in, struct taf_err *e);

#endif
