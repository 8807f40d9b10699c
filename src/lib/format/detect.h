/* The kinds of files that tafconvert knows. */
#ifndef TAF_FORMAT_DETECT_H
#define TAF_FORMAT_DETECT_H

#include "codec/capture.h"

struct taf_detected {
	const char *name;	/* as the TAF report has it */
	bool (*sniff)(const unsigned char *p, size_t n);
	taf_capture_decode *decode;	/* NULL: a table in text */
};

/* NULL where there is no kind of that name. */
const struct taf_detected *taf_detect_named(const char *name);

/*
 * What an input is, from its first bytes.  TAF_EDATA where it is a file of another kind,
 * or no text; any other text may be a table.
 */
TAF_MUST enum taf_status taf_detect(struct taf_in *in, const struct taf_detected **kind,
    struct taf_err *e);

#endif
