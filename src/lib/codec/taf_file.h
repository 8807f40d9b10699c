/* SPDX-License-Identifier: ISC */
/* The Thrifty Array Format: bytes to descriptor and back.  taf(5) is its manual. */
#ifndef TAF_CODEC_TAF_FILE_H
#define TAF_CODEC_TAF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

/* The header: where each field is, in bytes from the start of the file. */
enum {
	TAF_AT_VERSION = 4,		/* major, minor */
	TAF_AT_CODE = 6,
	TAF_AT_SYNOPSIS = 8,		/* its last half is of a mark, io/undo_file.h */
	TAF_AT_TYPE = 1024,
	TAF_AT_INTERCEPT = 1032,
	TAF_AT_SLOPE = 1040,
	TAF_AT_NDIM = 1048,
	TAF_AT_DIMS = 1056,
	TAF_DIM_SIZE = 24,		/* length, start and step of one, 8 bytes each */
	TAF_HEADER_MAX = TAF_AT_DIMS + TAF_DIM_SIZE * TAF_MAX_DIM,
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

/* Bytes of the header of so many dimensions. */
size_t taf_header_size(unsigned ndim);

/*
 * The fields of a header as they stand there, sound or not.  The opening, of whose
 * versions and spellings form says all but whether a type is legacy; the type, false
 * where none has the name, which is then in name; the mapping and so many dimensions.
 */
void taf_field_opening(const unsigned char *header, struct taf_form *form,
    unsigned char *code);
bool taf_field_type(const unsigned char *header, enum taf_type *type, bool *legacy,
    char name[9]);
void taf_field_dims(const unsigned char *header, unsigned ndim, struct taf_array *a);

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
 * TAF_EDATA where what stands behind the data, n bytes from offset on, holds another
 * array: a TAF file anywhere in it, or a header of RSF.  Both are looked for once.
 */
TAF_MUST enum taf_status taf_tail_check(const char *p, size_t n, uint64_t offset,
    struct taf_err *e);

/* The first of those bytes that is no text (UTF-8 without control bytes); n for none. */
size_t taf_tail_text(const char *p, size_t n);

/*
 * What follows the data, as a user's text and a block of attributes: sets the
 * comment and the attributes of a.  Then shapes a as the block says: ndim=1 drops
 * the second dimension of length 1, complex=1 joins a last dimension of 2.
 */
TAF_MUST enum taf_status taf_tail_parse(const char *p, size_t n, struct taf_array *a,
    struct taf_err *e);

/*
 * The reverse: what a TAF file holds behind the data of a.  TAF_EDATA where no reader
 * would take it: it does not pass taf_tail_check, or is longer than TAF_COMMENT_MAX.  The
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

#endif
