/* SPDX-License-Identifier: ISC */
/* Traces of SEG-Y and SU, or their headers, as an array; an array as such traces. */
#ifndef TAF_FORMAT_SEGY_CONVERT_H
#define TAF_FORMAT_SEGY_CONVERT_H

#include <stdbool.h>

#include "array/array.h"
#include "array/region.h"
#include "array/value.h"
#include "array/words.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "codec/segy.h"
#include "format/import.h"
#include "io/in.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/service.h"

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

/* Add the text headers of in and the words of its binary header to lines. */
TAF_MUST enum taf_status taf_segy_list(const struct taf_segy_how *how, struct taf_in *in,
    struct taf_str *lines, struct taf_err *e);

/* What is asked of a file that is written; names of files are NULL if there is none. */
struct taf_segy_export {
	bool su, raw;			/* raw: stored elements, no mapping */
	unsigned order;			/* as in struct taf_segy_how */
	unsigned revision;		/* 1 or 2; 0: as it comes */
	const struct taf_segy_format *format;	/* NULL: as it comes */
	const char *headers;	/* an array of words or bytes, a column each trace */
	const char *like;	/* a file whose headers are taken, traces' too */
	const char *text;	/* lines of the text header */
};

/*
 * Write r's present array a, of which nothing was read, to out.  Samples lie along
 * dimension 1.  TAF_EDATA, before the first byte goes out, where its shape or grid has no
 * place in the file.
 */
TAF_MUST enum taf_status taf_segy_export(const struct taf_segy_export *how,
    const struct taf_service *service, struct taf_reader *r, struct taf_array *a,
    struct taf_out *out, struct taf_err *e);

#endif
