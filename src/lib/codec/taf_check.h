/* SPDX-License-Identifier: ISC */
/* Every rule about a TAF file (taf(5)), each looked at by itself. */
#ifndef TAF_CODEC_TAF_CHECK_H
#define TAF_CODEC_TAF_CHECK_H

#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"

enum taf_finding {
	TAF_REMARK,	/* sound, but worth a look */
	TAF_FINDING,	/* against the rules */
	TAF_LEGACY	/* the same, and can be repaired */
};

/*
 * Look at a seekable input and call say for each finding.  Returns what say or reading
 * fails with; a file that is no TAF file at all is a finding, not a failure.
 */
TAF_MUST enum taf_status taf_check_file(struct taf_in *in,
    enum taf_status (*say)(void *ctx, enum taf_finding kind, const char *text,
    struct taf_err *e), void *ctx, struct taf_err *e);

#endif
