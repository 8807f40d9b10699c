/* SPDX-License-Identifier: ISC */
/* A file of an instrument, or a table in text, to TAF files beside it. */
#ifndef TAF_FORMAT_CONVERSION_H
#define TAF_FORMAT_CONVERSION_H

#include "codec/capture.h"
#include "codec/text.h"
#include "format/output_names.h"
#include "stream/service.h"

struct taf_conversion {
	const struct taf_service *service;
	const char *kind;	/* NULL: found from the content */
	bool convert;		/* to values of this type; those of a table always are */
	enum taf_type type;
	bool clip, trailer;	/* as in struct taf_text_how */
	struct taf_outputs *outputs;
};

/* What is worth a remark. */
struct taf_conversion_notes {
	struct taf_text_notes values;
	uint64_t left[TAF_LEFT_COUNT];
};

/*
 * Convert file number of the outputs, which in holds from its beginning on.  *notes is
 * filled in, also on failure.  path is a buffer for a name, which the caller frees.
 */
TAF_MUST enum taf_status taf_conversion(const struct taf_conversion *how, size_t number,
    struct taf_in *in, struct taf_buf *path, struct taf_conversion_notes *notes,
    struct taf_err *e);

#endif
