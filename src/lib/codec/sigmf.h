/* SPDX-License-Identifier: ISC */
/*
 * SigMF: recordings of samples.  NAME.sigmf-data has the samples, and NAME.sigmf-meta
 * describes them in JSON.  Each capture is a record.  So are samples before the first.
 */
#ifndef TAF_CODEC_SIGMF_H
#define TAF_CODEC_SIGMF_H

#include <stdbool.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/capture.h"

#define TAF_SIGMF_META ".sigmf-meta"
#define TAF_SIGMF_DATA ".sigmf-data"

/* What keys of a capture, of the recording, and annotations are called as attributes. */
#define TAF_SIGMF_KEY "sigmf/"
#define TAF_SIGMF_GLOBAL "sigmf/global/"
#define TAF_SIGMF_ANNOTATIONS "sigmf/annotations"

/* The label of a dimension of length 2 that has real and imaginary part. */
#define TAF_SIGMF_PARTS "component"

/*
 * in is the file with the description.  The samples are found by its name.  Complex
 * integers get a first dimension of length 2.  With c->complex they become complex
 * numbers instead.
 */
taf_capture_decode taf_sigmf_decode;

/* The same with samples in data.  It takes data over, also where it fails. */
TAF_MUST enum taf_status taf_sigmf_open(struct taf_capture *c, struct taf_in *in,
    struct taf_in *data, struct taf_err *e);

/* The SHA-512 of the samples by the description, or NULL. */
const char *taf_sigmf_digest(const struct taf_capture *c);

/* Is it a key that becomes no attribute, because type, grid or comment say the same? */
bool taf_sigmf_known(const char *key);

/* How samples are stored, as in "ci16_le".  Types of one byte have no "_le" or "_be". */
struct taf_sigmf_type {
	enum taf_type type;	/* of a real sample, or of the real part */
	bool complex, big;
};
bool taf_sigmf_type_parse(const char *text, struct taf_sigmf_type *t);

/* The name of a type without the first letter, NULL where there is none. */
const char *taf_sigmf_type_name(enum taf_type type);

#endif
