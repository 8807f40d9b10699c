/* SPDX-License-Identifier: ISC */
/*
 * MATLAB's MAT-files, level 5.  Each variable is a record, in the order of the file.  One
 * that has no numbers is a record, too, but describing it fails.
 */
#ifndef TAF_CODEC_MAT_H
#define TAF_CODEC_MAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "codec/capture.h"

taf_capture_decode taf_mat_decode;
taf_capture_sniff taf_mat_sniff;	/* 128 bytes tell it */

/*
 * Append a line for each variable of a seekable file.  It has name, class, lengths, and
 * "complex" if the variable is that, with tabs between them.
 */
TAF_MUST enum taf_status taf_mat_list(struct taf_in *in, struct taf_str *lines,
    struct taf_err *e);

#endif
