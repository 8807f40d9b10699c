/* SPDX-License-Identifier: ISC */
/* Counts of values in bins, by numpy's rules. */
#ifndef TAF_KERNEL_STAT_HIST_H
#define TAF_KERNEL_STAT_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"

/*
 * Bin k, from 1, has the values from edge[k - 1] up to, but not including, edge[k]; the
 * last bin has those at its upper edge, too.  Bin 0 counts what is below, bin n + 1
 * what is above, and bin n + 2 NaN.
 */
struct taf_bins {
	size_t n;			/* fewer than 2^30 */
	const double *edge;		/* n + 1, each larger than the one before; kept */
	enum taf_type type;		/* of the elements, which are no pairs */
	bool mapped;
	double map[2];
	/* the bin is (value - edge[0]) * scale + 1, but so near to an edge it is not */
	double scale, near;
	float near_flt32;		/* the same in flt32, 1 where it is of no use */
	const uint32_t *bin_of;		/* of each stored element, or NULL; kept */
};

/*
 * The edges of n bins from low to high, as numpy.linspace has them, or, with narrow, as
 * it has them in flt32.  False where they do not grow.
 */
bool taf_bins_between(double *edge, size_t n, double low, double high, bool narrow);

/* The edges first * width, (first + 1) * width ...; the same, but for the rounding. */
bool taf_bins_multiples(double *edge, size_t n, double first, double width);

/* Bins for elements of a type; mapping is NULL where they are values. */
struct taf_bins taf_bins_plan(const double *edge, size_t n, enum taf_type type,
    const double *mapping);

/*
 * Elements of at most 16 bits have their bins in a table of as many entries as there
 * are bit patterns (taf_bins_patterns; 0 for other types), which makes counting faster.
 */
size_t taf_bins_patterns(enum taf_type type);
void taf_bins_table(struct taf_bins *b, uint32_t *table);

/* Add the bins of n elements, aligned, to count, which is for b->n + 3. */
void taf_bins_count(const struct taf_bins *b, uint64_t *count, const void *elements,
    size_t n);

#endif
