/* The Thrifty Array Format: bytes to descriptor and back.  taf(5) is its manual. */
#ifndef TAF_CODEC_TAF_H
#define TAF_CODEC_TAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	TAF_MAGIC_SIZE = 8,
	TAF_DATA_HEADER = 1024,			/* offset of the element type */
	TAF_DIMS = 1056,			/* offset of the first dimension */
	TAF_HEADER_MAX = TAF_DIMS + 24 * TAF_MAX_DIM,
	TAF_COMMENT_MAX = 64 * 1024 * 1024
};

/* How a header is written, beyond the descriptor. */
struct taf_form {
	unsigned char major, minor;
	bool legacy_opening;	/* "TAF(" major minor ")" LF */
	bool legacy_type;	/* the element type is a number of bits */
	bool synopsis;		/* bytes 8 to 1023 hold some text */
	size_t header;		/* bytes before the data */
};

/* Do these first bytes of an input say TAF (4 are enough)? */
bool taf_sniff(const unsigned char *p, size_t n);

/*
 * The element type in the 8 bytes at TAF_DATA_HEADER; *legacy is whether it is a number of
 * bits.  False where there is no type of such a name, which is then in name.
 */
bool taf_file_type(const unsigned char p[8], enum taf_type *type, bool *legacy, char name[9]);

/*
 * Parse a header of n bytes into a (its dimensions as the file has them, the
 * comment and the attributes untouched) and *form.  TAF_ETRUNC if n is less than
 * the header takes; TAF_HEADER_MAX bytes are always enough.
 */
TAF_MUST enum taf_status taf_header_parse(const unsigned char *p, size_t n,
    struct taf_array *a, struct taf_form *form, struct taf_err *e);

/*
 * Write the header of a, which is as the file shall have it (two dimensions or
 * more, no complex).  Returns its length.  Version 1.1 with a type code, else 1.0; a code
 * that does not fit the dimensions is written as generic.
 */
size_t taf_header_format(const struct taf_array *a, unsigned char p[TAF_HEADER_MAX]);

/* Dimensions of a file as type codes see them: trailing ones of length 1 do not count. */
unsigned taf_code_rank(const struct taf_array *file);

/* Does a type code go with so many of those?  Unknown codes go with any. */
bool taf_code_fits(unsigned code, unsigned ndim);

/*
 * What follows the data, as a user's text and a block of attributes: sets the
 * comment and the attributes of a.  Then shapes a as the block says: ndim=1 drops
 * the second dimension of length 1, complex=1 joins a last dimension of 2.
 */
TAF_MUST enum taf_status taf_tail_parse(const char *p, size_t n, struct taf_array *a,
    struct taf_err *e);

/*
 * The reverse: what a TAF file holds behind the data of a.  TAF_EDATA where no reader
 * would take it: it begins like a TAF file, or is longer than TAF_COMMENT_MAX.  The
 * caller frees tail, also on failure.
 */
TAF_MUST enum taf_status taf_tail_format(const struct taf_array *a, struct taf_buf *tail,
    struct taf_err *e);

/*
 * The descriptor as a TAF file has it: one dimension becomes L x 1, complex gets a
 * last dimension of 2.  No comment, no attributes.  TAF_EDATA where that makes more
 * dimensions than there may be.
 */
TAF_MUST enum taf_status taf_file_shape(const struct taf_array *a, struct taf_array *file,
    struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
