/* Places of bits. */
#ifndef TAF_BASE_BITS_H
#define TAF_BASE_BITS_H

#include <stdint.h>

/* The place of the highest bit set, from 0; x is not 0. */
static inline int
taf_top_bit(uint64_t x)
{
#ifdef __GNUC__
	return __builtin_clzll(x) ^ 63;
#else
	int n = 0;

	while (x >>= 1)
		n++;
	return n;
#endif
}

/* The place of the lowest. */
static inline int
taf_low_bit(uint64_t x)
{
	return taf_top_bit(x & (~x + 1));
}

#endif
