/* SPDX-License-Identifier: ISC */
/*
 * TenBin, the tensors of webdataset (tenbin.py): chunks of a magic word, a length and
 * bytes padded to 64; an array is a chunk that describes it and one with its elements.
 */
#ifndef TAF_CODEC_TEN_H
#define TAF_CODEC_TEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "codec/ndarray.h"
#include "io/in.h"

enum {
	TAF_TEN_READ_DIM = 32,	/* what numpy, and so tenbin.py, reads */
	TAF_TEN_WRITE_DIM = 9,	/* what tenbin.py writes */
	TAF_TEN_NAME = 8,
	TAF_TEN_PREFIX_MAX = 160	/* of taf_ten_format */
};

struct taf_ten {
	struct taf_ndarray nd;
	char name[TAF_TEN_NAME];	/* ASCII, padded with NUL */
	uint64_t bytes;			/* of the elements */
};

/*
 * Read up to the elements of the next array; TAF_END where the input ends between
 * arrays.  Stricter than tenbin.py: the header holds all dimensions it announces, none
 * negative, and the elements fill their chunk.
 */
TAF_MUST enum taf_status taf_ten_read(struct taf_in *in, struct taf_ten *t,
    struct taf_err *e);

/*
 * Behind so many bytes of elements: pass over their padding, which the end of the input
 * may cut short.
 */
TAF_MUST enum taf_status taf_ten_pad(struct taf_in *in, uint64_t bytes,
    struct taf_err *e);

/* The padding behind so many bytes. */
size_t taf_ten_padding(uint64_t bytes);

/*
 * What stands in front of the elements; the caller writes those, little-endian, and
 * taf_ten_padding zeros.  Pairs become a last dimension of 2, bytes is computed.
 * TAF_EDATA for more than TAF_TEN_WRITE_DIM dimensions.  Returns the length in *n.
 */
TAF_MUST enum taf_status taf_ten_format(struct taf_ten *t,
    unsigned char p[TAF_TEN_PREFIX_MAX], size_t *n, struct taf_err *e);

/*
 * The name as text, appended to to, and back: a NUL within a name, which is always
 * ASCII, is U+2400 in the text.  What does not fit a name is TAF_EDATA.
 */
TAF_MUST enum taf_status taf_ten_name_text(const char name[TAF_TEN_NAME],
    struct taf_buf *to, struct taf_err *e);
TAF_MUST enum taf_status taf_ten_name_parse(const char *text, char name[TAF_TEN_NAME],
    struct taf_err *e);

#endif
