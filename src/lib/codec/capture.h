/* SPDX-License-Identifier: ISC */
/*
 * Captures of instruments: what the decoders of vendors' formats have in common.  A
 * decoder says how many records a file holds and, of each, what array it is and where
 * its samples lie; nothing here moves samples.
 */
#ifndef TAF_CODEC_CAPTURE_H
#define TAF_CODEC_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"
#include "io/out.h"

/* One record, as an array of two dimensions and where its samples lie. */
struct taf_record {
	struct taf_array array;
	/*
	 * of the samples in the file: array.type unless scaled or biased, or that of
	 * parts of pairs
	 */
	enum taf_type stored;
	bool big;		/* samples are big-endian */
	bool interleaved;	/* the columns of a row lie side by side in the file */
	bool packed;		/* no plain samples: taf_capture.unpack makes them */
	bool empty;		/* it may be without samples */
	bool ordered;		/* and in their byte order, not the host's */
	bool text;		/* numbers in text, with blanks between, to the end */
	/* integers of the other sign, each less, or more, by half of their range */
	bool biased;
	bool scaled;		/* floats to be stored as flt64 shift + scale * x */
	double shift, scale;
	uint64_t offset;	/* of the first sample, from the start of the capture */
	/*
	 * of taf_record_text to _date: the first failure
	 * sticks, taf_capture_record returns it
	 */
	struct taf_err *err;
	enum taf_status st;
};

/* What of a file is in no record, or is said to be there and is not. */
enum taf_capture_left {
	TAF_LEFT_SAMPLES,	/* behind those that the header counts */
	TAF_LEFT_MISSING,	/* samples that the header counts, and the data lack */
	TAF_LEFT_BYTES,		/* behind all that the header tells of */
	TAF_LEFT_OBJECTS,	/* beside the records */
	TAF_LEFT_COUNT
};

/*
 * A file that was decoded.  Zero-initialise, but for what is asked; taf_capture_fini
 * frees it.  It must not be moved in memory.
 */
struct taf_capture {
	/* asked of a decoder beforehand, which may look at them */
	const char *name;	/* of the one record that is wanted; NULL: all */
	uint64_t memory;	/* bound of it; 0: none */
	bool complex;		/* pairs of integers become complex numbers */
	bool raw;		/* no mapping, and integers as they are stored */
	bool arrays;		/* what is no array is left out, not refused */
	struct taf_in *in;	/* kept: must outlive the capture */
	uint64_t base, size;	/* where the capture starts in it, and its bytes */
	uint64_t nrecords;
	uint64_t left[TAF_LEFT_COUNT];	/* for remarks */
	bool has_start;		/* of dimension 1, where records become columns */
	double start;
	struct taf_in *data;	/* in, or the file of records; is closed */
	struct taf_buf kept;	/* bytes of the decoder: places of records, or a header */
	void *state;		/* of the decoder */
	/* Fill in a fresh record, k from 0. */
	enum taf_status (*describe)(const struct taf_capture *c, uint64_t k,
	    struct taf_record *r, struct taf_err *e);
	/* Write the samples of a packed record as they would lie plainly, host order. */
	enum taf_status (*unpack)(const struct taf_capture *c, uint64_t k,
	    const struct taf_record *r, struct taf_out *out, struct taf_err *e);
	void (*release)(void *state);
};

/* A decoder of this kind: in is seekable and at its start, c fresh. */
typedef enum taf_status taf_capture_decode(struct taf_capture *c, struct taf_in *in,
    struct taf_err *e);

/* Do the first n bytes of a file, p, tell that a decoder reads it? */
typedef bool taf_capture_sniff(const unsigned char *p, size_t n);

/* NTS digitizer files (*.dig): a record.  1024 bytes tell it. */
taf_capture_decode taf_dig_decode;
taf_capture_sniff taf_dig_sniff;

/*
 * LeCroy's traces (*.trc, *.000), templates LECROY_1_0, LECROY_2_2 and LECROY_2_3: one
 * record, or one for each segment of a sequence, each with the time of its own first
 * sample.  If there is a second data array, its records follow.  512 bytes tell it.
 */
taf_capture_decode taf_lecroy_decode;
taf_capture_sniff taf_lecroy_sniff;

/*
 * Keysight's and Agilent's binary captures (*.bin): AG01, AG03, AG10.  A record for each
 * buffer of each waveform, in the order of the file.
 */
taf_capture_decode taf_keysight_decode;
taf_capture_sniff taf_keysight_sniff;

/*
 * The same, and those in HDF5 (*.h5): a record for each segment of each source.  Sources
 * are in natural order of their names ("Channel 2" before "Channel 10"), segments by
 * number.  HDF5 is TAF_EDATA where the build has none.
 */
taf_capture_decode taf_keysight_h5_decode;
taf_capture_sniff taf_keysight_h5_sniff;

/*
 * Tektronix's internal save format (*.isf), a preamble of text, then the curve: a record
 * for each of both.  Minima and maxima of an envelope are the two columns.
 */
enum { TAF_ISF_PREAMBLE = 64 * 1024 };	/* the longest one that is looked for */
taf_capture_decode taf_isf_decode;
taf_capture_sniff taf_isf_sniff;

/*
 * The same, and Tektronix's waveforms (*.wfm), versions 1 to 3 and LLWFM: a record for
 * each frame.  10 bytes tell the latter.
 */
taf_capture_decode taf_wfm_decode;
taf_capture_sniff taf_wfm_sniff;

/*
 * FITS images, by the FITS standard 4.0.  Each image with elements is a record.  30 bytes
 * tell such a file.
 */
taf_capture_decode taf_fits_decode;
taf_capture_sniff taf_fits_sniff;

/*
 * NRRD, by the definition of teem, versions 1 to 5: a record.  Its data are in the file,
 * or in another one in the same folder or below.  8 bytes tell such a file.
 */
taf_capture_decode taf_nrrd_decode;
taf_capture_sniff taf_nrrd_sniff;

/*
 * MATLAB's MAT-files, level 5.  Each variable is a record, in the order of the file.  One
 * that has no numbers is a record, too, but describing it fails.  128 bytes tell it.
 */
taf_capture_decode taf_mat_decode;
taf_capture_sniff taf_mat_sniff;

/*
 * Append a line for each variable of a seekable MAT-file.  It has name, class, lengths,
 * and "complex" if the variable is that, with tabs between them.
 */
struct taf_str;
TAF_MUST enum taf_status taf_mat_list(struct taf_in *in, struct taf_str *lines,
    struct taf_err *e);

/* For decoders: c is the rest of a seekable input. */
void taf_capture_init(struct taf_capture *c, struct taf_in *in);

/*
 * The same, and how records are described.  Returns the state, n bytes of 0 that are c's
 * and go with free() where release is not set to more; NULL where there is no memory.
 */
void *taf_capture_begin(struct taf_capture *c, struct taf_in *in, size_t n,
    enum taf_status (*describe)(const struct taf_capture *c, uint64_t k,
    struct taf_record *r, struct taf_err *e), struct taf_err *e);
void taf_capture_fini(struct taf_capture *c);

/*
 * Describe record k of a capture, and hold it against the file: samples inside it, a
 * grid and a mapping that are sound.  The caller finishes r->array, also on failure.
 */
TAF_MUST enum taf_status taf_capture_record(const struct taf_capture *c, uint64_t k,
    struct taf_record *r, struct taf_err *e);

/* Read n bytes at offset off of the capture; what names them where it is too short. */
TAF_MUST enum taf_status taf_capture_read(const struct taf_capture *c, uint64_t off,
    void *p, size_t n, const char *what, struct taf_err *e);

/* Up to n bytes at offset off; fewer at the end. */
TAF_MUST enum taf_status taf_capture_peek(const struct taf_capture *c, uint64_t off,
    void *p, size_t n, size_t *got, struct taf_err *e);

/* Do n bytes at off lie inside the capture?  TAF_ETRUNC, naming what, if not. */
TAF_MUST enum taf_status taf_capture_inside(const struct taf_capture *c, uint64_t off,
    uint64_t n, const char *what, struct taf_err *e);

/*
 * All that the header tells of ends at offset end, or is over there: what follows is
 * left, but for the end of a line that a transfer adds.
 */
TAF_MUST enum taf_status taf_capture_end(struct taf_capture *c, uint64_t end,
    struct taf_err *e);

/* There are samples, and the header counts so many: note what is left or missing. */
void taf_capture_count(struct taf_capture *c, uint64_t there, uint64_t counted);

/* How many samples there are of an element: 2 where they are parts of pairs. */
static inline unsigned
taf_record_parts(const struct taf_record *r)
{
	return taf_type_is_pair(r->array.type) && !taf_type_is_pair(r->stored) ? 2 : 1;
}

/* The failure is about number k, from 0, of what: "record 2: ...". */
void taf_capture_name(const char *what, uint64_t k, struct taf_err *e);

/* Make r n rows and columns of a type, stored alike, with a grid for the rows. */
void taf_record_shape(struct taf_record *r, enum taf_type type, uint64_t n,
    unsigned columns, double start, double step);

/*
 * Values are y = offset + scale * x.  That is the mapping of integers; what is "%s is not
 * finite" if there is none.  Floats are stored as they are where y is x, else as flt64 y.
 */
void taf_record_scale(struct taf_record *r, double scale, double offset,
    const char *what);

/*
 * Set an attribute from a field of n bytes, as instruments fill them: up to the first
 * NUL, without the blanks around it; control bytes and quotes become something
 * harmless.  An empty field sets nothing.
 */
void taf_record_text(struct taf_record *r, const char *key, const void *field, size_t n);

/* Set an attribute to a number, in the shortest form that reads back exactly. */
void taf_record_number(struct taf_record *r, const char *key, double v);

/*
 * Label and unit of dimension 1 from a field that names the unit: "Time" and "s" for
 * seconds in any spelling, and for an empty field.
 */
void taf_record_axis(struct taf_record *r, const void *unit, size_t n);

/*
 * The attribute date, ISO 8601: no zone unless utc, digits of the second as needed.
 * A date that cannot be is left out.
 */
struct taf_record_date {
	unsigned year, month, day, hour, minute, second, nanosecond;
	bool utc;
};
void taf_record_date(struct taf_record *r, const struct taf_record_date *d);

/*
 * The same from text: the day in 2 characters, of which the first may be a blank, the
 * month's name in 3, the year in 4, and "HH:MM:SS".  False where they are something else.
 */
bool taf_record_calendar(struct taf_record *r, const char *day, const char *month,
    const char *year, const char *clock);

/* Do n characters begin with this word, which is in capitals, in any letters? */
bool taf_field_begins(const void *field, size_t n, const char *word);

/* Fail because the input is of another kind: "a Rigol capture, not WANTED". */
enum taf_status taf_foreign_fail(const struct taf_capture *c, const char *wanted,
    struct taf_err *e);

/* The same unless its first bytes, n where there are so many, tell it; they are in p. */
TAF_MUST enum taf_status taf_capture_tell(const struct taf_capture *c,
    taf_capture_sniff *sniff, const char *wanted, void *p, size_t n, struct taf_err *e);

#endif
