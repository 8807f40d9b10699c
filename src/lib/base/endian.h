/* SPDX-License-Identifier: ISC */
/* Loads and stores of stated byte order at any address. */
#ifndef TAF_BASE_ENDIAN_H
#define TAF_BASE_ENDIAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"

static inline uint16_t
taf_swap16(uint16_t x)
{
	return (uint16_t)((unsigned)x << 8 | (unsigned)x >> 8);
}

static inline uint32_t
taf_swap32(uint32_t x)
{
	return (x & 0xffu) << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

static inline uint64_t
taf_swap64(uint64_t x)
{
	return (uint64_t)taf_swap32((uint32_t)x) << 32 | taf_swap32((uint32_t)(x >> 32));
}

static inline bool
taf_host_is_big(void)
{
	const uint16_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	return first == 0;
}

static inline uint16_t
taf_get16(const void *p, bool big)
{
	uint16_t x;

	memcpy(&x, p, sizeof x);
	return big == taf_host_is_big() ? x : taf_swap16(x);
}

static inline uint32_t
taf_get32(const void *p, bool big)
{
	uint32_t x;

	memcpy(&x, p, sizeof x);
	return big == taf_host_is_big() ? x : taf_swap32(x);
}

static inline uint64_t
taf_get64(const void *p, bool big)
{
	uint64_t x;

	memcpy(&x, p, sizeof x);
	return big == taf_host_is_big() ? x : taf_swap64(x);
}

static inline float
taf_getf32(const void *p, bool big)
{
	return taf_of_bits32(taf_get32(p, big));
}

static inline double
taf_getf64(const void *p, bool big)
{
	return taf_of_bits64(taf_get64(p, big));
}

static inline void
taf_put16(void *p, uint16_t x, bool big)
{
	if (big != taf_host_is_big())
		x = taf_swap16(x);
	memcpy(p, &x, sizeof x);
}

static inline void
taf_put32(void *p, uint32_t x, bool big)
{
	if (big != taf_host_is_big())
		x = taf_swap32(x);
	memcpy(p, &x, sizeof x);
}

static inline void
taf_put64(void *p, uint64_t x, bool big)
{
	if (big != taf_host_is_big())
		x = taf_swap64(x);
	memcpy(p, &x, sizeof x);
}

static inline void
taf_putf64(void *p, double f, bool big)
{
	taf_put64(p, taf_bits64(f), big);
}

#endif
