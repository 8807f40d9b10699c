/*
 * How an attribute of HDF5 was stored, where its text does not show it.  hdftype/NAME
 * says it of hdf/NAME: a type of numbers, "text" or "string" (of any length), lengths
 * behind it in brackets, none for a null dataspace, and "escaped" where the text has %XX.
 */
#ifndef TAF_CODEC_HDF_HDF_NOTE_H
#define TAF_CODEC_HDF_HDF_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/str.h"
#include "codec/hdf/hdf_file.h"

struct taf_hdf_note {
	bool numbers;		/* of this type */
	bool any_length;	/* else strings of any length, or of one length */
	bool escaped;		/* they have %XX for NUL, an LF within one, and % */
	bool null;		/* a null dataspace: no elements, and no lengths */
	enum taf_type type;
	unsigned rank;		/* 0 for one element */
	uint64_t n[TAF_HDF_RANK];
};

/* How many elements; 0 where a product of hostile lengths is too large. */
uint64_t taf_hdf_note_count(const struct taf_hdf_note *note);

/*
 * Append what is to be said of text that was stored so: nothing where that follows from
 * the text.  Numbers show usual, which is the type of elements, or, where it is NULL,
 * what taf_hdf_guess says.
 */
void taf_hdf_note_format(struct taf_str *to, const struct taf_hdf_note *note,
    const char *text, const enum taf_type *usual);

/* False where text is none. */
TAF_MUST bool taf_hdf_note_parse(struct taf_hdf_note *note, const char *text);

/*
 * The type of numbers with commas between them: int32 or int64 where they are whole, else
 * uint64 or flt64.  False where the text is something else.
 */
TAF_MUST bool taf_hdf_guess(const char *text, enum taf_type *type);

#endif
