/* NTS digitizer files (*.dig). */
#ifndef TAF_CODEC_DIG_H
#define TAF_CODEC_DIG_H

#include "codec/capture.h"

/* Are these first 1024 bytes the header of one? */
bool taf_dig_sniff(const unsigned char *p, size_t n);

/* Decode one: a record. */
TAF_MUST enum taf_status taf_dig_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
