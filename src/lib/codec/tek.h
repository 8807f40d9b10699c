/* What Tektronix's oscilloscopes write: *.wfm and *.isf. */
#ifndef TAF_CODEC_TEK_H
#define TAF_CODEC_TEK_H

#include "codec/capture.h"

/* Decode whichever of them it is. */
TAF_MUST enum taf_status taf_tek_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
