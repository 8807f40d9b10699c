/* SPDX-License-Identifier: ISC */
/* Places of bits; the bits of a float. */
#ifndef TAF_BASE_BITS_H
#define TAF_BASE_BITS_H

#include <stdint.h>
#include <string.h>

#include "base/attr.h"

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

/* The bits of a float as an integer, and back. */
static TAF_INLINE uint64_t
taf_bits64(double x)
{
	uint64_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static TAF_INLINE uint32_t
taf_bits32(float x)
{
	uint32_t u;

	memcpy(&u, &x, sizeof u);
	return u;
}

static TAF_INLINE double
taf_of_bits64(uint64_t u)
{
	double x;

	memcpy(&x, &u, sizeof x);
	return x;
}

static TAF_INLINE float
taf_of_bits32(uint32_t u)
{
	float x;

	memcpy(&x, &u, sizeof x);
	return x;
}

#endif
