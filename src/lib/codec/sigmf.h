/*
 * SigMF: recordings of samples in NAME.sigmf-data, described by JSON in NAME.sigmf-meta.
 * A record for each capture, and one for samples before the first.
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

/* Keys of the recording, behind them those of a capture, are attributes. */
#define TAF_SIGMF_KEY "sigmf/"
#define TAF_SIGMF_GLOBAL "sigmf/global/"
#define TAF_SIGMF_ANNOTATIONS "sigmf/annotations"

/* The label of a dimension of two that is real and imaginary part. */
#define TAF_SIGMF_PARTS "component"

/*
 * in has the description, and a name by which the samples are found.  Complex integers
 * have a first dimension of two, or become complex numbers if c->complex asks for that.
 */
taf_capture_decode taf_sigmf_decode;

/* The same of samples in data, which it takes, also where it fails. */
TAF_MUST enum taf_status taf_sigmf_open(struct taf_capture *c, struct taf_in *in,
    struct taf_in *data, struct taf_err *e);

/* What the description says the SHA-512 of the samples' file is; NULL: nothing. */
const char *taf_sigmf_digest(const struct taf_capture *c);

/* Is it a key that the array says by itself? */
bool taf_sigmf_known(const char *key);

/* How samples are stored: "ci16_le"; how that is spelled, without an order for bytes. */
struct taf_sigmf_type {
	enum taf_type type;	/* of a part */
	bool complex, big;
};
bool taf_sigmf_type_parse(const char *text, struct taf_sigmf_type *t);

/* The name of a type without the first letter, NULL where there is none. */
const char *taf_sigmf_type_name(enum taf_type type);

#endif
