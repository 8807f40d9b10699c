/* Keysight's and Agilent's binary captures (*.bin): AG01, AG03, AG10. */
#ifndef TAF_CODEC_KEYSIGHT_H
#define TAF_CODEC_KEYSIGHT_H

#include "codec/capture.h"

/* Do these first bytes (4 are enough) start one? */
bool taf_keysight_sniff(const unsigned char *p, size_t n);

/* Decode one: a record for each buffer of each waveform, in the order of the file. */
TAF_MUST enum taf_status taf_keysight_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
