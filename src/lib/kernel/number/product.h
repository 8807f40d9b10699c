/* SPDX-License-Identifier: ISC */
/* Products that do not depend on the order of their factors. */
#ifndef TAF_KERNEL_NUMBER_PRODUCT_H
#define TAF_KERNEL_NUMBER_PRODUCT_H

#include <stdint.h>

/* All members are words; zeros are the product of nothing, 1. */
struct taf_product {
	uint64_t zeros, negative;	/* how many factors are */
	uint64_t exponent;		/* of 2, two's complement */
	uint64_t logs[4];
};

/* Multiply by x, finite; by the factors of another product. */
void taf_product_add(struct taf_product *p, double x);
void taf_product_join(struct taf_product *p, const struct taf_product *more);

/*
 * Within 1 unit in the last place for up to 2^40 factors, and exact where it fits a
 * double with some bits to spare; infinite or 0 where it is too large or too small for
 * one.
 */
double taf_product_f64(const struct taf_product *p);

#endif
