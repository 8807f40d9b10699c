/* SPDX-License-Identifier: ISC */
/* Histograms: how many values of an array, or of each of its lines, are in which bin. */
#ifndef TAF_OP_STAT_HISTOGRAM_H
#define TAF_OP_STAT_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_histogram {
	const struct taf_service *service;
	/*
	 * What is wanted: a number of bins, or their width; a range, or that of the data.
	 */
	/* fewer than 2^30; 0: their width is given, or 100, of integers 100 at most */
	uint64_t bins;
	double width;			/* above 0, or 0 for none */
	bool ranged;			/* from low to high, finite, low below high */
	double low, high;
	bool once;			/* the elements are not needed again */
	/* as parts of all that are in the bins, by their width */
	bool density;
	bool cumulative;		/* each with all bins before it */
	/* What it comes to. */
	size_t n;
	double *edge;			/* n + 1 */
	uint64_t *count;		/* below, of each bin, above, NaN: n + 3 */
	uint32_t *bin_of;		/* a table, or NULL */
};

/*
 * Choose the bins for r's present array a, of no pairs, and count all its values.  They
 * stay unread, unless they are needed once only.  Without a range that of the finite
 * values is taken.  A pipe that is needed more than once is spooled.  TAF_EDATA where
 * none is finite, where the bins need more memory than there is, and where no bins so
 * narrow can be.
 */
TAF_MUST enum taf_status taf_histogram_count(struct taf_histogram *h,
    struct taf_reader *r, const struct taf_array *a, struct taf_err *e);

/* The type of the results: flt64 with density, else int64. */
enum taf_type taf_histogram_type(const struct taf_histogram *h);

/*
 * Write the results of all values, or, with dim, those of each line along it, to w,
 * within the array out.
 */
TAF_MUST enum taf_status taf_histogram_put(const struct taf_histogram *h,
    struct taf_writer *w, struct taf_err *e);
TAF_MUST enum taf_status taf_histogram_lines(const struct taf_histogram *h,
    struct taf_reader *r, const struct taf_array *a, unsigned dim,
    const struct taf_array *out, struct taf_writer *w, struct taf_err *e);

/* Free what it has found. */
void taf_histogram_free(struct taf_histogram *h);

#endif
