/* SPDX-License-Identifier: ISC */
/* Recordings of SigMF: their digest, and arrays that become one. */
#ifndef TAF_FORMAT_SIGMF_EXPORT_H
#define TAF_FORMAT_SIGMF_EXPORT_H

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/capture.h"
#include "io/out.h"
#include "stream/reader.h"
#include "stream/service.h"

/* TAF_EDATA where core:sha512 is not there, or not that of the samples' file. */
TAF_MUST enum taf_status taf_sigmf_check(const struct taf_capture *c, struct taf_err *e);

/* TAF_EDATA where a is no array that becomes a recording. */
TAF_MUST enum taf_status taf_sigmf_fits(const struct taf_array *a, struct taf_err *e);

/* A recording that is written; zero-initialised is none. */
struct taf_sigmf_files {
	struct taf_out *data, *meta;
};

/*
 * Write r's present array to the files of a recording, which is called name, or has its
 * end there.  What has found a place in them is gone from a afterwards.
 */
TAF_MUST enum taf_status taf_sigmf_export(const struct taf_service *service,
    struct taf_reader *r, struct taf_array *a, const char *name,
    struct taf_sigmf_files *to, struct taf_err *e);

/* Both files appear, or, if st is a failure, which it returns, neither. */
TAF_MUST enum taf_status taf_sigmf_end(struct taf_sigmf_files *to, enum taf_status st,
    struct taf_err *e);

#endif
