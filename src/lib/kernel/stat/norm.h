/* SPDX-License-Identifier: ISC */
/* Sums of squares of lines, whatever the size of their numbers. */
#ifndef TAF_KERNEL_STAT_NORM_H
#define TAF_KERNEL_STAT_NORM_H

#include <stddef.h>

#include "kernel/number/two.h"

/* Squares of numbers of middle, large and small size, by powers of 2; zeros at first. */
struct taf_norm {
	struct taf_two part[3];
};

/*
 * n numbers more.  The numbers and their order alone have an influence, and not how many
 * come at once.
 */
void taf_norm_add(struct taf_norm *s, const double *x, size_t n);

/* A number times 2^e. */
struct taf_power {
	double x;
	int e;
};

/*
 * The root of the product of two sums: what correlations are divided by.  It is 0 where a
 * sum is, and not a number where a number was infinite or none.
 */
struct taf_power taf_norm_product(const struct taf_norm *a, const struct taf_norm *b);

#endif
