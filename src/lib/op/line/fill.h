/* SPDX-License-Identifier: ISC */
/* A value into a region of an array, or something in the place of its NaN. */
#ifndef TAF_OP_LINE_FILL_H
#define TAF_OP_LINE_FILL_H

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/line/gaps.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

enum taf_fill_how {
	/* every element of the region becomes the one that is given */
	TAF_FILL_ALL,
	TAF_FILL_NAN,		/* those that are NaN do */
	TAF_FILL_GAPS		/* those that are NaN are filled along a dimension */
};

struct taf_fill {
	const struct taf_service *service;
	struct taf_reader *r;		/* its present array a, nothing of it read */
	const struct taf_array *a;
	/* within an array of a's type, mapping and shape */
	struct taf_writer *w;
	const struct taf_region *region;
	enum taf_fill_how how;
	const void *element;		/* as it is stored */
	enum taf_gap_rule rule;
	unsigned dim;			/* along which, from 1 */
};

/*
 * Move all elements.  Integers hold no NaN.  What is not filled stays as it is, bit by
 * bit.  TAF_FILL_GAPS remarks on NaN that are left; it is TAF_EDATA if a line of a
 * pipe, along another dimension than the first, does not fit the memory.
 */
TAF_MUST enum taf_status taf_fill(const struct taf_fill *how, struct taf_err *e);

#endif
