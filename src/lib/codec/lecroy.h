/* LeCroy's traces (*.trc, *.000), templates LECROY_1_0, LECROY_2_2 and LECROY_2_3. */
#ifndef TAF_CODEC_LECROY_H
#define TAF_CODEC_LECROY_H

#include "codec/capture.h"

/* Do these first bytes (512 are enough) hold the start of a trace? */
bool taf_lecroy_sniff(const unsigned char *p, size_t n);

/*
 * Decode a trace: one record, or one for each segment of a sequence, each with the
 * time of its own first sample; where there is a second data array its records follow.
 */
TAF_MUST enum taf_status taf_lecroy_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
