/* SPDX-License-Identifier: ISC */
/* Traces of SEG-Y and SU, or their headers, as an array. */
#ifndef TAF_FORMAT_SEGY_IMPORT_H
#define TAF_FORMAT_SEGY_IMPORT_H

#include <stdbool.h>

#include "array/region.h"
#include "array/value.h"
#include "array/words.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/segy.h"
#include "format/import.h"
#include "io/in.h"
#include "io/out.h"

/* What becomes of a file. */
struct taf_segy_import {
	struct taf_segy_how how;
	struct taf_bounds bounds;	/* of the array that it becomes, */
	struct taf_words *words;	/* whose labels they may name */
	bool headers;			/* words of the trace headers */
	struct taf_segy_choice keys;	/* these */
	bool raw;			/* whole trace headers as bytes */
	struct taf_segy_choice by;	/* keys that traces are ordered by, up to two */
	bool filled;			/* fill stands where a trace is missing */
	struct taf_value fill;
	bool clip;			/* what exceeds flt32 */
};

/* For cmd_import: *in, which is struct taf_segy_import's, becomes an array. */
TAF_MUST enum taf_status taf_segy_import(void *ctx, struct taf_import *im,
    struct taf_in **in, struct taf_err *e);

/* Write the text headers of in and the words of its binary header, as lines, to out. */
TAF_MUST enum taf_status taf_segy_print(const struct taf_segy_how *how, struct taf_in *in,
    struct taf_out *out, struct taf_err *e);

#endif
