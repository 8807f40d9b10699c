/* SPDX-License-Identifier: ISC */
/* The smallest and the largest value of each of many runs of elements. */
#ifndef TAF_KERNEL_STAT_ENVELOPE_H
#define TAF_KERNEL_STAT_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"

/* One run. */
struct taf_bucket {
	double min, max;		/* of the values that count, if any */
	uint64_t min_at, max_at;	/* elements before the first of each */
	bool any;
};

/*
 * Elements edge[k] to edge[k + 1] - 1 belong to bucket[k], k < n; those before edge[0]
 * and from edge[n] on to none.  The edges do not fall.  Both are the caller's, who zeroes
 * the buckets, and at to start from the first element (again).
 */
struct taf_envelope {
	const uint64_t *edge;
	struct taf_bucket *bucket;
	size_t n, next;			/* next: the first bucket that may go on */
	uint64_t at;			/* elements seen */
	bool positive;			/* values of 0 and below do not count */
	uint64_t nan, inf, dropped;	/* not a number, infinite, not positive */
};

/*
 * Account for m more elements in the host's byte order at any address, mapped as in
 * taf_convert where mapping is not NULL.  Not for TAF_COMPLEX.
 */
void taf_envelope_add(struct taf_envelope *x, const void *src, enum taf_type stype,
    size_t m, const double *mapping);

/* Start from the first element again, with other buckets. */
void taf_envelope_again(struct taf_envelope *x, struct taf_bucket *bucket);

#endif
