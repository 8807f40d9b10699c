/* SPDX-License-Identifier: ISC */
/* Where arrays lie in files as plain bytes, and names for them. */
#ifndef TAF_TEXT_MAPS_H
#define TAF_TEXT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/size.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "codec/ndarray.h"

struct taf_map {
	char *file;		/* that holds the elements */
	uint64_t offset;	/* of the first element, in bytes */
	struct taf_ndarray nd;	/* how an element is stored; it has no shape */
	bool c_order;		/* the last dimension is the fastest, not the first */
	struct taf_array a;	/* as it is shown; its type has the size of an element */
	char *called;		/* the operand, or the member, without suffix */
	/*
	 * taf_maps_name sets these: the name of the array, the names of its dimensions,
	 * and whether a dimension is the first of its name.
	 */
	char *name, *dim[TAF_MAX_DIM];
	bool first[TAF_MAX_DIM];
};

/* Zero-initialised there are none. */
struct taf_maps {
	struct taf_map *map;
	size_t n;
};

/* What files without headers hold. */
struct taf_raw {
	struct taf_size size;
	enum taf_type type;
	bool big;
};

/*
 * Add all arrays of a file of TAF, RSF or NumPy.  A file of NULL is standard input.  If
 * raw is not NULL, the file has no header, and is as raw says.  With reverse the
 * dimensions are shown in reverse order.  The elements stay where they are.  TAF_EDATA
 * where elements are not plain bytes.
 */
TAF_MUST enum taf_status taf_maps_add(struct taf_maps *all, const char *file,
    const struct taf_raw *raw, bool reverse, struct taf_err *e);

/*
 * Name arrays and dimensions.  No name is there twice, with one exception: dimensions
 * of the same length, grid, label and unit share theirs.  No name is a path.
 */
TAF_MUST enum taf_status taf_maps_name(struct taf_maps *all, struct taf_err *e);

/*
 * Is there anything to say of dimension k, from 0?  That is a start or a step that is not
 * 1, a label or a unit.
 */
bool taf_map_told(const struct taf_map *p, unsigned k);

/* Append the type of its elements as NumPy has it: "<f4". */
void taf_map_dtype(const struct taf_map *p, struct taf_str *to);

/* Free what they have; there are none then. */
void taf_maps_free(struct taf_maps *all);

#endif
