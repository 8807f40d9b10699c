/* What Tektronix's oscilloscopes write: *.wfm and *.isf. */
#ifndef TAF_CODEC_TEK_H
#define TAF_CODEC_TEK_H

#include "codec/capture.h"

/* Do these first bytes (TAF_ISF_PREAMBLE of them, if there are) start one of them? */
bool taf_tek_sniff(const unsigned char *p, size_t n);

/* Decode whichever of them it is. */
TAF_MUST enum taf_status taf_tek_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
