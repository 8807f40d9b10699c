/* SPDX-License-Identifier: ISC */
/*
 * An array as the row-major formats, TenBin and NumPy, describe it, and its relation to
 * the descriptor: element [i,j] stays [i,j], or the order of the bytes stays.
 */
#ifndef TAF_CODEC_NDARRAY_H
#define TAF_CODEC_NDARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

struct taf_ndarray {
	enum taf_type type;	/* of an element, as it becomes */
	bool half;		/* stored as 16-bit floats; type is flt32 */
	bool logical;		/* uint8, of which each is 0 or 1 */
	bool big;		/* stored big-endian */
	bool fortran;		/* the first index is the fastest, not the last */
	unsigned ndim;		/* 0 for a single element without an index */
	uint64_t n[TAF_MAX_DIM];	/* lengths, by index */
};

/* How the stored elements become an array. */
struct taf_layout {
	struct taf_array stored;	/* type and lengths as stored, fastest first */
	struct taf_array a;		/* what it becomes */
	unsigned order[TAF_MAX_DIM];	/* a's dimension k is stored dimension order[k] */
};

/*
 * The element type of NumPy that n bytes name, without its byte order: "f2", "c16", "b1".
 * False for one that is not read.  And the name of nd's.
 */
bool taf_ndarray_named(struct taf_ndarray *nd, const char *name, size_t n);
const char *taf_ndarray_name(const struct taf_ndarray *nd);

/* Bytes of the stored elements: TAF_EDATA where they exceed a file offset. */
TAF_MUST enum taf_status taf_ndarray_bytes(const struct taf_ndarray *nd, uint64_t *bytes,
    struct taf_err *e);

/*
 * What nd becomes: no index becomes one of length 1, and all indices come in reverse
 * order with reverse.  l owns nothing afterwards.
 */
TAF_MUST enum taf_status taf_ndarray_import(const struct taf_ndarray *nd, bool reverse,
    struct taf_layout *l, struct taf_err *e);

/*
 * How elements of a, whose type becomes type, are described: in the order they have,
 * which is Fortran's or with reverse that of C; with c_order in the order of C.
 * order[k] is the dimension of a that is dimension k in the new order.
 */
void taf_ndarray_export(const struct taf_array *a, enum taf_type type, bool c_order,
    bool reverse, struct taf_ndarray *nd, unsigned order[TAF_MAX_DIM]);

#endif
