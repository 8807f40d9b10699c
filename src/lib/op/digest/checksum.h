/* SPDX-License-Identifier: ISC */
/* The digest of an array, whatever file carries it. */
#ifndef TAF_OP_DIGEST_CHECKSUM_H
#define TAF_OP_DIGEST_CHECKSUM_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/digest/blake3.h"
#include "op/digest/tree.h"
#include "stream/reader.h"
#include "stream/service.h"

struct taf_checksum_want {
	bool values;	/* of physical values as flt64, not of stored elements */
	bool header;	/* of labels, units, attributes and comment, too */
};

struct taf_checksum {
	struct taf_blake3_node data, array;
	struct taf_tree tree;		/* of the data */
};

/*
 * The digests of r's present array a, of which no element was read.  That of the data is
 * BLAKE3 of all elements, little-endian and without gaps, dimension 1 fastest.  That of
 * the array is BLAKE3 of a text with type, lengths, mapping, grids and the former.  a is
 * completed, as by taf_reader_finish.  The caller frees *to, also where this fails.
 */
TAF_MUST enum taf_status taf_checksum(const struct taf_service *service,
    struct taf_reader *r, struct taf_array *a, const struct taf_checksum_want *want,
    struct taf_checksum *to, struct taf_err *e);
void taf_checksum_free(struct taf_checksum *c);

/* The digest of array a, where that of its data is known. */
TAF_MUST enum taf_status taf_checksum_array(const struct taf_array *a,
    const struct taf_checksum_want *want, const struct taf_blake3_node *data,
    struct taf_blake3_node *to, struct taf_err *e);

#endif
