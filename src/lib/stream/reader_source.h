/* SPDX-License-Identifier: ISC */
/* The inside of a reader, which only the files of its sources know. */
#ifndef TAF_STREAM_READER_SOURCE_H
#define TAF_STREAM_READER_SOURCE_H

#include "stream/reader.h"

struct taf_elements;

/* How elements are read from where they are. */
struct taf_elements_ops {
	bool sized;	/* the size of a file says whether all of them are there */
	/* The next n, to memory in the host's byte order. */
	enum taf_status (*read)(struct taf_elements *s, void *to, size_t n,
	    struct taf_err *e);
	enum taf_status (*skip)(struct taf_elements *s, uint64_t n, struct taf_err *e);
	/* NULL where their bytes are not those in memory. */
	enum taf_status (*copy)(struct taf_elements *s, struct taf_out *out, uint64_t n,
	    struct taf_err *e);
	/* n of them from an offset of in; NULL where they are not in one piece there. */
	enum taf_status (*at)(const struct taf_elements *s, void *to, size_t n,
	    uint64_t off, struct taf_err *e);
	/*
	 * Pass over what may stand behind the last in the stream; NULL where nothing may.
	 */
	enum taf_status (*end)(struct taf_in *stream, struct taf_err *e);
};

/* Those of the present array. */
struct taf_elements {
	const struct taf_elements_ops *ops;
	struct taf_in *in;	/* the stream, or a file of their own */
	struct taf_in *second;	/* planes: the imaginary parts */
	enum taf_type type;
	size_t esize;
	uint64_t left;		/* not read yet */
	uint64_t rest;		/* behind these, of no interest */
	struct taf_part *part;	/* not NULL: a region of other elements */
};

/* All of the array, where a region is of interest; and go back to what is left of it. */
const struct taf_elements *taf_elements_all(const struct taf_elements *s);
void taf_elements_widen(struct taf_elements *s);

/* In binary, one behind the other, big-endian or not. */
const struct taf_elements_ops *taf_elements_binary(enum taf_type type, bool big);

/* Numbers in text; complex as TAF has it: all real parts, then all imaginary ones. */
extern const struct taf_elements_ops taf_elements_text, taf_elements_planes;

struct taf_reader {
	struct taf_in *in;	/* the stream */
	char *path;
	unsigned flags;
	bool named;		/* opened by path, where a change can be undone */
	bool marked;		/* the file says that a change of it is not finished */
	bool moving;		/* or it has changed while its header was read */
	bool used;		/* elements were read of the present array */
	bool looked;		/* the file was asked after that, and had not changed */
	bool parts;		/* which are pairs, and whose parts are counted */
	bool over;		/* no array can follow the present one */
	bool is_taf, late;
	struct taf_reader_order order;
	struct taf_reader_spot spot;	/* of the present array */
	struct taf_source source;
	struct taf_elements from;
	uint64_t base, count;	/* of taf_reader_random: offset in from.in, elements */
};

/* Tell who listens (taf_note_listen). */
void taf_reader_remark(const struct taf_reader *r, const char *fmt, ...) TAF_PRINTF(2, 3);

/* The file of in= has bytes behind the elements: it may belong to another header. */
void taf_reader_remark_more(const struct taf_reader *r, uint64_t more);

/* Read the header of a TAF file, and what stands behind the data where it can be had. */
TAF_MUST enum taf_status taf_reader_taf(struct taf_reader *r, struct taf_array *a,
    struct taf_err *e);

/* What stands behind the data, which is next. */
TAF_MUST enum taf_status taf_reader_tail(struct taf_reader *r, struct taf_array *a,
    struct taf_err *e);

/*
 * Read the header of an array of a stream, or the record that ends one, and find the
 * elements.  The caller finishes rsf.  r->over is set where the header goes to the end of
 * the input.
 */
TAF_MUST enum taf_status taf_reader_rsf(struct taf_reader *r, struct taf_array *a,
    struct taf_rsf *rsf, struct taf_err *e);

#endif
