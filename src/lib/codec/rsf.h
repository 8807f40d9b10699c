/* SPDX-License-Identifier: ISC */
/*
 * Regularly Sampled Format: Madagascar's text header, to descriptor and back.
 * rsfstream(5) is its manual.
 */
#ifndef TAF_CODEC_RSF_H
#define TAF_CODEC_RSF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

enum { TAF_RSF_HEADER_MAX = 64 * 1024 * 1024, TAF_RSF_LINE_MAX = 4000 };

/* How elements are coded. */
enum taf_rsf_form {
	TAF_RSF_NATIVE = 0,	/* byte order of taf_order, or the host's */
	TAF_RSF_XDR = 1,	/* big-endian */
	TAF_RSF_ASCII = 2
};

struct taf_rsf {
	enum taf_rsf_form form;
	bool big;		/* native elements are big-endian */
	enum taf_next next;
	bool foreign;		/* a line of history stands behind keys of ours */
	bool ends;		/* no array: the record that ends a stream, */
	uint64_t count;		/* and how many arrays that had */
	bool here;		/* in="stdin": the elements follow the header */
	struct taf_buf in;	/* else the path of the file that holds them */
};

/*
 * Is it a key that says how elements lie (n1, in, taf_code ...), so that no attribute has
 * it?
 */
bool taf_rsf_key_is_framing(const char *key);

/* Also of a zeroed one. */
void taf_rsf_fini(struct taf_rsf *rsf);

/*
 * Where does the header in p[0..n) end?  Set *length to the bytes in front of the
 * terminator and return true, or false where there is no terminator in them.  The
 * search starts at from, which must be 0 or the start of a line.
 */
bool taf_rsf_end(const char *p, size_t n, size_t from, size_t *length);

enum { TAF_RSF_TERMINATOR = 3 };

/*
 * Parse a header (without terminator) into a and rsf, both fresh.  Where rsf->ends, it
 * describes no array, and a is empty.
 */
TAF_MUST enum taf_status taf_rsf_parse(const char *p, size_t n, struct taf_array *a,
    struct taf_rsf *rsf, struct taf_err *e);

/*
 * Do n bytes, whatever else they are, hold the keys of an array's header: data_format, n1
 * and in?  Its first line is at *at.  With first, of a line the first word alone counts.
 */
bool taf_rsf_within(const char *p, size_t n, bool first, size_t *at);

/*
 * TAF_EDATA with what n bytes, of a file of this name, are that begin as no header does,
 * and what reads them.
 */
enum taf_status taf_rsf_fail_foreign(const char *name, const char *p, size_t n,
    struct taf_err *e);

/*
 * Write the header of a, the line of history (NULL for none, no LF) behind those it
 * has: with the elements behind it where in is NULL, terminator included, else with
 * in="in" and no terminator.  The values are native, of the host's order.  TAF_EDATA
 * where the header would be longer than a reader takes.
 */
TAF_MUST enum taf_status taf_rsf_format(const struct taf_array *a, const char *history,
    enum taf_next next, const char *in, struct taf_buf *to, struct taf_err *e);

/* Such a header of TAF_NEXT_NO, its elements behind it, becomes one of TAF_NEXT_YES. */
TAF_MUST enum taf_status taf_rsf_announce(struct taf_buf *header, struct taf_err *e);

/* Write the record that ends a stream of count arrays, terminator included. */
TAF_MUST enum taf_status taf_rsf_format_end(uint64_t count, struct taf_buf *to,
    struct taf_err *e);

/*
 * Can text be a label or a unit (no '"', no control byte, and short enough for a
 * header line)?
 */
bool taf_rsf_label_ok(const char *text);

#endif
