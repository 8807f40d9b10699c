/*
 * NRRD, by teem's definition of its versions 1 to 5: one record, whose data are in the
 * file, or in another one in its folder or below.  8 bytes tell it.
 */
#ifndef TAF_CODEC_NRRD_H
#define TAF_CODEC_NRRD_H

#include "codec/capture.h"

taf_capture_decode taf_nrrd_decode;
taf_capture_sniff taf_nrrd_sniff;

#endif
