/* SPDX-License-Identifier: ISC */
/* Tables of the peaks of lines along one dimension. */
#ifndef TAF_OP_LINE_PEAKING_H
#define TAF_OP_LINE_PEAKING_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/line/peaks.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_peaking {
	const struct taf_service *service;
	/* its present array a, of real numbers; nothing read */
	struct taf_reader *r;
	const struct taf_array *a;
	unsigned dim;			/* along which, from 1 */
	struct taf_peaks peaks;
};

/*
 * Make out, a copy of in, the array of tables of rows along dimension dim, from 1: flt64,
 * a first dimension of 3, and rows in the place of dim.  TAF_EDATA where in has no such
 * tables.
 */
TAF_MUST enum taf_status taf_peaking_shape(struct taf_array *out,
    const struct taf_array *in, unsigned dim, uint64_t rows, struct taf_err *e);

/* The greatest number of peaks that a line has: they stay unread. */
TAF_MUST enum taf_status taf_peaking_count(const struct taf_peaking *how, uint64_t *most,
    struct taf_err *e);

/*
 * A table of rows for each line: place and width on its grid, and height; NaN where a
 * line has fewer.  w is within the array of taf_peaking_shape.  A line that does not fit
 * the memory is read up to three times, from a temporary file if it comes through a pipe.
 */
TAF_MUST enum taf_status taf_peaking(const struct taf_peaking *how, uint64_t rows,
    struct taf_writer *w, struct taf_err *e);

#endif
