/* Tektronix's waveform files (*.wfm): WFM#001 to WFM#003, and the older LLWFM. */
#ifndef TAF_CODEC_WFM_H
#define TAF_CODEC_WFM_H

#include "codec/capture.h"

/* Do these first bytes (16 are enough) start a waveform file? */
bool taf_wfm_sniff(const unsigned char *p, size_t n);

/* Decode one: a record for each frame. */
TAF_MUST enum taf_status taf_wfm_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
