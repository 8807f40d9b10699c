/* SPDX-License-Identifier: ISC */
/*
 * The JSON texts of a FilesDaf store, versions [1,0] and [1,1]: daf.json, scalars, and
 * the descriptors of vectors and matrices (FilesDaf on-disk format, sections 3, 4, 6, 8
 * and 9; for [1,1] DataAxesFormats.jl 0.3).
 */
#ifndef TAF_CODEC_DAF_DAF_JSON_H
#define TAF_CODEC_DAF_DAF_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"

/* bytes of a text, long strings included */
enum { TAF_DAF_JSON_MAX = 16 * 1024 * 1024 };

/* Element types of a store: the numbers are those of enum taf_type, and two more. */
enum taf_daf_type { TAF_DAF_BOOL = 16, TAF_DAF_STRING = 17 };

/* The name as a store has it, such as "Float32". */
const char *taf_daf_type_name(unsigned type);

/*
 * Both spellings, "Float32" and "float32", and Int for Int64; false for any other name.
 */
bool taf_daf_type_parse(const char *name, unsigned *type);

/* What an element becomes (uint8 of a Bool), and its size; not for strings. */
enum taf_type taf_daf_element(unsigned type);
size_t taf_daf_size(unsigned type);

/* A scalar. */
struct taf_daf_scalar {
	unsigned type;
	unsigned char value[8];	/* an element, in the host's order */
	struct taf_buf text;	/* of a string */
};

enum { TAF_DAF_LEVEL = 5 };	/* of compression, when we write */

/* One payload of a vector or matrix. */
struct taf_daf_part {
	bool there;		/* there is a file */
	unsigned type;
	bool counted;		/* n was said; [1,0] derives it from the file's size */
	uint64_t n;		/* elements */
	bool packed;		/* in chunks that are compressed one by one */
	uint64_t chunk;		/* elements of a chunk, all of one column */
	char codec[32];		/* compression, as the descriptor names it */
};

struct taf_daf_descriptor {
	unsigned type;
	bool sparse;
	struct taf_daf_part value;	/* dense: all elements; sparse: the stored ones */
	struct taf_daf_part index;	/* nzind of a vector, rowval of a matrix */
	struct taf_daf_part colptr;	/* of a matrix */
};

/*
 * Parse one text of n bytes; TAF_EDATA for anything but strict JSON that says what it
 * must, at most 64 levels deep.  A number never passes through a double unless it is one.
 * Without the library for JSON all of them are TAF_EDATA, which say so.
 */
TAF_MUST enum taf_status taf_daf_parse_version(const char *text, size_t n,
    unsigned *minor, struct taf_err *e);
TAF_MUST enum taf_status taf_daf_parse_scalar(const char *text, size_t n,
    struct taf_daf_scalar *s, struct taf_err *e);
TAF_MUST enum taf_status taf_daf_parse_descriptor(const char *text, size_t n, bool matrix,
    struct taf_daf_descriptor *d, struct taf_err *e);

/*
 * Append a text with its LF.  A scalar that is no string; NaN and infinities are
 * TAF_EDATA: no spelling of them is read by all.
 */
TAF_MUST enum taf_status taf_daf_format_scalar(const struct taf_daf_scalar *s,
    struct taf_buf *to, struct taf_err *e);
TAF_MUST enum taf_status taf_daf_format_descriptor(const struct taf_daf_descriptor *d,
    bool matrix, unsigned minor, struct taf_buf *to, struct taf_err *e);

/*
 * metadata.json: what DataAxesFormats.jl notes of a whole store, the JSON of each file
 * under its path below the store, without its suffix.
 */
struct taf_daf_notes;
TAF_MUST enum taf_status taf_daf_notes_parse(struct taf_daf_notes **notes,
    const char *text, size_t n, struct taf_err *e);

/*
 * Is noted of key what text, which is JSON, says?  What was noted of it is taken away.
 * TAF_END where nothing was.
 */
TAF_MUST enum taf_status taf_daf_notes_take(struct taf_daf_notes *notes, const char *key,
    const char *text, size_t n, bool *same, struct taf_err *e);

/* A key that was not taken yet, which is lent; NULL where there is none. */
const char *taf_daf_notes_left(struct taf_daf_notes *notes);

/* NULL is allowed. */
void taf_daf_notes_free(struct taf_daf_notes *notes);

#endif
