/* SPDX-License-Identifier: ISC */
/* The k-th smallest of many values, and what lies between two of them. */
#ifndef TAF_KERNEL_STAT_ORDER_H
#define TAF_KERNEL_STAT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/stat/reduce.h"

/*
 * A line of n values, put in order as far as it takes: the median, a quantile, or the
 * median of the distances from the median.  NaN where one is NaN, and of nothing; with
 * finite, of the finite ones alone.  Of integers only the result is rounded.  keys is
 * room for 2 n keys.
 */
double taf_order(const struct taf_reduce *r, const struct taf_reduction *op,
    const void *src, size_t n, uint64_t *keys);

/*
 * The same of values that are not all in memory at once, but come again and again in
 * equal passes, of any order: start, and then, until that is false, add all of them
 * between taf_order_pass and the next.  What pieces of a pass have found may be joined.
 */
/* Bits that a pass finds: with fewer of them the counts need less memory. */
enum { TAF_ORDER_FEW = 8, TAF_ORDER_MANY = 16 };

/* A median: of integers of 64 bits the key below it, and half a unit; else its value. */
struct taf_order_middle {
	double value;
	uint64_t key;
	bool half;
};

struct taf_order {
	const struct taf_reduce *r;
	struct taf_reduction op;
	unsigned digit, low;		/* bits of this pass, and below it */
	bool first;			/* pass of all */
	uint64_t n, nan;		/* values; all of them, in the first pass */
	bool away;			/* of distances from the middle */
	struct taf_order_middle middle;
	uint64_t rank[2], prefix[2];	/* the two that the result is between */
};

/* So many words are the counts of a pass, zeroed at first. */
size_t taf_order_words(unsigned digit);

void taf_order_start(struct taf_order *o, const struct taf_reduce *r,
    const struct taf_reduction *op, unsigned digit);
void taf_order_add(const struct taf_order *o, uint64_t *count, const void *src, size_t n);
void taf_order_join(uint64_t *count, const uint64_t *more, unsigned digit);

/*
 * A pass is over, and counted in c, which is zeroed for the next; false where *result
 * is it.
 */
bool taf_order_pass(struct taf_order *o, uint64_t *count, double *result);

#endif
