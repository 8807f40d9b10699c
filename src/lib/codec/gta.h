/* SPDX-License-Identifier: ISC */
/*
 * Generic Tagged Arrays, version 1: headers and, of legacy files, the chunks that may be
 * compressed.  Numbers of sections are those of "The Generic Tagged Array File Format",
 * 2019-08-26; where it is silent, libgta 1.2.0 is followed.
 */
#ifndef TAF_CODEC_GTA_H
#define TAF_CODEC_GTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "io/in.h"

/* A component of an element; see section 1.1. */
struct taf_gta_component {
	uint64_t size;		/* bytes */
	uint32_t tags;		/* where its tag list lies in the header */
	unsigned char type;	/* table 1 */
};

/* Several arrays, one after the other.  taf_gta_init, and taf_gta_fini frees it. */
struct taf_gta {
	struct taf_in *in;	/* kept */
	/* the present array */
	bool big;		/* big-endian */
	bool chunked;		/* its data are a chunk list */
	size_t ncomponents;
	struct taf_gta_component *components;
	uint64_t ndim;
	uint64_t dim[TAF_MAX_DIM];	/* of the first ndim */
	uint64_t element;	/* bytes of an element */
	uint64_t count;		/* elements; 0 without dimensions or components */
	uint64_t left;		/* bytes of data not read yet */
	struct taf_buf header;	/* what the chunks of the header hold */
	uint32_t tags, dim_tags[TAF_MAX_DIM];
	struct taf_gta_chunks *chunks;
};

/* Begin to read in, which it keeps and does not close. */
void taf_gta_init(struct taf_gta *g, struct taf_in *in);
void taf_gta_fini(struct taf_gta *g);

/*
 * Pass over what is left of the present array, then read the header of the next;
 * TAF_END where the input ends between arrays.  Plain data that a seekable input is
 * too short for are TAF_ETRUNC.
 */
TAF_MUST enum taf_status taf_gta_next(struct taf_gta *g, struct taf_err *e);

/*
 * Read n bytes of the present array's data, uncompressed, in the byte order of the file;
 * or pass over them, if buf is NULL.  Whole chunks are passed over unseen.  Of data that
 * are not chunked the caller may take bytes from g->in itself, if it lowers g->left.
 */
TAF_MUST enum taf_status taf_gta_read(struct taf_gta *g, void *buf, uint64_t n,
    struct taf_err *e);

/* Bytes of the unit that byte order applies to, of a type that an array can have. */
size_t taf_gta_word(const struct taf_gta_component *c);

/* Have all components the same type, so that they are one array? */
bool taf_gta_uniform(const struct taf_gta *g);

/*
 * Fill in the fresh a: component k, from 1, or with k = 0 all, which are uniform.  The
 * elements of several begin with a dimension of that label, "component".  TAF_EDATA for
 * types that no array can have, and for what has no elements.
 */
TAF_MUST enum taf_status taf_gta_array(const struct taf_gta *g, size_t k,
    struct taf_array *a, struct taf_err *e);

/*
 * The same for component k where a is what became of another one of g's: tags that they
 * share, of which there may be many, are left as they are.
 */
TAF_MUST enum taf_status taf_gta_part(const struct taf_gta *g, size_t k,
    struct taf_array *a, struct taf_err *e);

struct taf_gta_lost {
	size_t attributes, grids;
};

/*
 * Make the header of a, byte for byte as libgta does on a little-endian host.  The
 * elements follow, little-endian.  *lost is what has no place: attributes, and grids of
 * dimensions whose step is 0 or not finite.
 * TAF_EDATA for a length of 0 and for attributes that are no tags.  The caller frees to.
 */
TAF_MUST enum taf_status taf_gta_format(const struct taf_array *a, struct taf_buf *to,
    struct taf_gta_lost *lost, struct taf_err *e);

#endif
