/* SPDX-License-Identifier: ISC */
/* Numbers held against each other, with tolerances. */
#ifndef TAF_KERNEL_NUMBER_COMPARE_H
#define TAF_KERNEL_NUMBER_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"

/*
 * Two values agree if they are equal, or both NaN, or within one of the tolerances that
 * are given.  An infinity agrees with itself alone.  Of pairs the absolute value of the
 * difference counts, and for units in the last place each part by itself.
 */
struct taf_tolerance {
	bool by_absolute, by_relative, by_ulp;
	double absolute;
	double relative;	/* of the larger absolute value */
	uint64_t ulp;		/* of an integer it is 1 */
	/* units are those of flt32, to which values are rounded */
	bool single;
};

/* How values are given: int64, uint64, flt64 or complex128; pairs against pairs alone. */
struct taf_compare {
	enum taf_type type[2];
	struct taf_tolerance within;
};

/* What values differ by; zero-initialised they do not. */
struct taf_difference {
	uint64_t count;		/* values that differ */
	uint64_t first;		/* number of the first, from 0 */
	/* that one, in the types of the struct taf_compare */
	unsigned char value[2][16];
	bool measured;		/* there is a largest: not all have NaN on one side */
	double largest;
	uint64_t whole;		/* the same of integers, with all digits, */
	bool beyond;		/* unless it has more than 64 bits */
};

/* Account for n values; number is that of the first. */
void taf_compare(const struct taf_compare *how, const void *a, const void *b, size_t n,
    uint64_t number, struct taf_difference *d);

/* Account for what was found of later values. */
void taf_difference_join(struct taf_difference *d, const struct taf_difference *later);

#endif
