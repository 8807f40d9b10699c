/* SPDX-License-Identifier: ISC */
/* An array as traces of SEG-Y or SU. */
#ifndef TAF_FORMAT_SEGY_EXPORT_H
#define TAF_FORMAT_SEGY_EXPORT_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/segy.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/service.h"

/* What is asked of the file; names of files are NULL if there is none. */
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
