/* SPDX-License-Identifier: ISC */
/*
 * NRRD, by the definition of teem, versions 1 to 5.  A file is one record.  Its data are
 * in the file, or in another one in the same folder or below.  The first 8 bytes tell
 * such a file.
 */
#ifndef TAF_CODEC_NRRD_H
#define TAF_CODEC_NRRD_H

#include "codec/capture.h"

taf_capture_decode taf_nrrd_decode;
taf_capture_sniff taf_nrrd_sniff;

#endif
