/* Sums of integers and of their squares that lose nothing. */
#ifndef TAF_KERNEL_NUMBER_EXACT_H
#define TAF_KERNEL_NUMBER_EXACT_H

#include <stddef.h>
#include <stdint.h>

#include "array/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Integers that are looked at together. */
enum { TAF_EXACT_BLOCK = 2048 };

/* Words with the lowest first; room for 2^62 integers.  Start with all members 0. */
struct taf_exact {
	uint64_t sum[2];		/* two's complement */
	uint64_t squares[3];
};

/* The smallest and the largest of some integers; those of uint64 by their bits. */
struct taf_exact_range {
	int64_t min, max;
};

/*
 * Add n integers of a type, 1 to TAF_EXACT_BLOCK, in the host's byte order at any
 * address, and find their extremes.
 */
void taf_exact_add(struct taf_exact *x, const void *src, enum taf_type type, size_t n,
    struct taf_exact_range *range);

#ifdef __cplusplus
}
#endif

#endif
