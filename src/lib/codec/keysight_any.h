/* What Keysight's oscilloscopes write: *.bin and *.h5. */
#ifndef TAF_CODEC_KEYSIGHT_ANY_H
#define TAF_CODEC_KEYSIGHT_ANY_H

#include "codec/capture.h"

/* Do these first bytes (8 are enough) start one of them? */
bool taf_keysight_any_sniff(const unsigned char *p, size_t n);

/* Decode whichever of them it is. */
TAF_MUST enum taf_status taf_keysight_any_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
