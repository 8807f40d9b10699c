/* SPDX-License-Identifier: ISC */
/*
 * The values of an array stored as another type, floats as integers over their range too.
 */
#ifndef TAF_OP_NUMBER_CAST_H
#define TAF_OP_NUMBER_CAST_H

#include <stdbool.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/convert_private.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

/* Are the values of a floats, and is type one of integers, so that they can be scaled? */
bool taf_scale_applies(const struct taf_array *a, enum taf_type type);

/*
 * The range of the values of r's present array in, none of whose elements was read, and
 * which are no pairs.  They stay unread; a pipe is spooled.
 */
TAF_MUST enum taf_status taf_range_of(struct taf_reader *r, const struct taf_array *in,
    unsigned threads, struct taf_range *all, struct taf_err *e);

/*
 * Look at all values of r's present array in, none of whose elements was read, and give
 * out, of an integer type, the mapping that spreads them over it; none where there are no
 * elements.  They stay unread; a pipe is spooled.  Attributes of out that mark missing
 * elements are in's when it is called.  TAF_EDATA where no value is finite.
 */
TAF_MUST enum taf_status taf_scale_plan(struct taf_reader *r, const struct taf_array *in,
    struct taf_array *out, unsigned threads, struct taf_err *e);

/*
 * The type that the values of a are taken as, so that they can become elements of type:
 * pairs are real parts then, if the type is none.
 */
enum taf_type taf_cast_from(const struct taf_array *a, enum taf_type type);

struct taf_cast {
	const struct taf_service *service;
	struct taf_reader *r;		/* its present array in, nothing of it read */
	const struct taf_array *in;
	const struct taf_array *out;	/* which w is within */
	struct taf_writer *w;
	/* what does not fit becomes the nearest that does */
	bool clip;
	bool scaled;			/* out's mapping is that of taf_scale_plan */
};

/*
 * Move all elements, as values of out's type, and under its mapping where they are
 * scaled.  What was lost is remarked.  TAF_EDATA for a value that does not fit, and, of
 * pairs that become real numbers, for an imaginary part that is not 0.
 */
TAF_MUST enum taf_status taf_cast(const struct taf_cast *how, struct taf_err *e);

#endif
