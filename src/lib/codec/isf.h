/* Tektronix's internal save format (*.isf): a preamble of text, then the curve. */
#ifndef TAF_CODEC_ISF_H
#define TAF_CODEC_ISF_H

#include "codec/capture.h"

enum { TAF_ISF_PREAMBLE = 64 * 1024 };	/* the longest one that is looked for */

/* Do these first bytes (TAF_ISF_PREAMBLE of them, if there are) hold a preamble? */
bool taf_isf_sniff(const unsigned char *p, size_t n);

/*
 * Decode one: a record for each preamble and its curve; of an envelope, minima and maxima
 * are the two columns.
 */
TAF_MUST enum taf_status taf_isf_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

#endif
