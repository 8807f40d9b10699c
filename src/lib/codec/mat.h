/*
 * MATLAB's MAT-files, level 5: a record for each variable, in their order.  Variables
 * that are no numbers are records that cannot be described.
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
 * Append a line for each variable of a seekable file, with tabs: name, class, lengths,
 * and "complex" if it is that.
 */
TAF_MUST enum taf_status taf_mat_list(struct taf_in *in, struct taf_str *lines,
    struct taf_err *e);

#endif
