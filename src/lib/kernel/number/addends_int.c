/* SPDX-License-Identifier: ISC */
#include "kernel/number/addends.h"

#include "config.h"

#include <string.h>

#include "kernel/number/fast.h"

enum {
	LANES = 64		/* accumulators; a processor takes as many as it can */
};

/* What a block sums up to. */
struct block {
	int64_t min, max;	/* of uint64 by their bits */
	int64_t sum;
	uint64_t high;		/* 2^32 times more, of 64 bits alone */
	uint64_t squares[4];	/* each counts 2^32 times the one before */
};

/*
 * Up to 16 bits: over a block no sum of halves of the squares needs more than 32.  The
 * product of two converted ones is that of the integers, modulo 2^32.
 */
#define NARROW(T) \
TAF_FAST_VOID(T##_sums, (const unsigned char *src, size_t n, struct block *b), \
    (src, n, b)) \
{ \
	uint32_t low = 0, high = 0; \
	int32_t sum = 0; \
	T##_t min, max; \
\
	memcpy(&min, src, sizeof min); \
	max = min; \
	for (size_t i = 0; i < n; i++) { \
		uint32_t square; \
		T##_t x; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		min = x < min ? x : min; \
		max = x > max ? x : max; \
		sum += x; \
		square = (uint32_t)x * (uint32_t)x; \
		low += square & 0xffff; \
		high += square >> 16; \
	} \
	b->min = min; \
	b->max = max; \
	b->sum = sum; \
	b->squares[0] = low + ((uint64_t)high << 16); \
}

#define MIDDLE(T, magnitude) \
TAF_FAST_VOID(T##_sums, (const unsigned char *src, size_t n, struct block *b), \
    (src, n, b)) \
{ \
	uint64_t low = 0, high = 0; \
	int64_t sum = 0; \
	T##_t min, max; \
\
	memcpy(&min, src, sizeof min); \
	max = min; \
	for (size_t i = 0; i < n; i++) { \
		uint64_t square; \
		uint32_t u; \
		T##_t x; \
\
		memcpy(&x, src + i * sizeof x, sizeof x); \
		min = x < min ? x : min; \
		max = x > max ? x : max; \
		sum += x; \
		u = magnitude(x); \
		square = (uint64_t)u * u; \
		low += square & UINT32_MAX; \
		high += square >> 32; \
	} \
	b->min = min; \
	b->max = max; \
	b->sum = sum; \
	b->squares[0] = low; \
	b->squares[1] = high; \
}

#define AS_IT_IS(x) (x)
#define MAGNITUDE(x) ((x) < 0 ? 0 - (uint32_t)(x) : (uint32_t)(x))

NARROW(int8)
NARROW(uint8)
NARROW(int16)
NARROW(uint16)
MIDDLE(int32, MAGNITUDE)
MIDDLE(uint32, AS_IT_IS)

/*
 * 64 bits, the sign being the one of bias.  Integers with that bit flipped are summed;
 * those of uint64, whose bias is 0, are compared with their highest bit flipped.
 */
TAF_FAST_VOID(wide_sums,
    (const unsigned char *src, size_t n, uint64_t bias, struct block *b),
    (src, n, bias, b))
{
	uint64_t low = 0, high = 0, square[4] = { 0 };

	for (size_t i = 0; i < n; i++) {
		uint64_t x, u, l, h, ll, lh, hh;

		memcpy(&x, src + i * sizeof x, sizeof x);
		u = x ^ bias;
		low += u & UINT32_MAX;
		high += u >> 32;
		u = (x & bias) != 0 ? 0 - x : x;
		l = u & UINT32_MAX;
		h = u >> 32;
		ll = l * l;
		lh = l * h;
		hh = h * h;
		square[0] += ll & UINT32_MAX;
		square[1] += (ll >> 32) + 2 * (lh & UINT32_MAX);
		square[2] += 2 * (lh >> 32) + (hh & UINT32_MAX);
		square[3] += hh >> 32;
	}
	b->sum = (int64_t)low;
	b->high = high;
	memcpy(b->squares, square, sizeof square);
}

TAF_FAST_VOID(wide_range,
    (const unsigned char *src, size_t n, uint64_t flip, struct block *b),
    (src, n, flip, b))
{
	int64_t lo[LANES], hi[LANES];
	size_t i;

	for (size_t j = 0; j < LANES; j++) {
		lo[j] = INT64_MAX;
		hi[j] = INT64_MIN;
	}
	for (i = 0; i + LANES <= n; i += LANES)
		for (size_t j = 0; j < LANES; j++) {
			uint64_t x;
			int64_t k;

			memcpy(&x, src + (i + j) * sizeof x, sizeof x);
			k = (int64_t)(x ^ flip);
			lo[j] = k < lo[j] ? k : lo[j];
			hi[j] = k > hi[j] ? k : hi[j];
		}
	for (; i < n; i++) {
		uint64_t x;
		int64_t k;

		memcpy(&x, src + i * sizeof x, sizeof x);
		k = (int64_t)(x ^ flip);
		lo[0] = k < lo[0] ? k : lo[0];
		hi[0] = k > hi[0] ? k : hi[0];
	}
	for (size_t j = 1; j < LANES; j++) {
		lo[0] = lo[j] < lo[0] ? lo[j] : lo[0];
		hi[0] = hi[j] > hi[0] ? hi[j] : hi[0];
	}
	b->min = (int64_t)((uint64_t)lo[0] ^ flip);
	b->max = (int64_t)((uint64_t)hi[0] ^ flip);
}

void
taf_addends_ints(uint64_t *sum, uint64_t *squares, const void *src, enum taf_type type,
    size_t n, int64_t range[2])
{
	const uint64_t sign = UINT64_C(1) << 63;
	struct block b = { .sum = 0 };
	int k;

	switch (type) {
	case TAF_INT8: int8_sums(src, n, &b); break;
	case TAF_UINT8: uint8_sums(src, n, &b); break;
	case TAF_INT16: int16_sums(src, n, &b); break;
	case TAF_UINT16: uint16_sums(src, n, &b); break;
	case TAF_INT32: int32_sums(src, n, &b); break;
	case TAF_UINT32: uint32_sums(src, n, &b); break;
	default:
		wide_sums(src, n, type == TAF_INT64 ? sign : 0, &b);
		wide_range(src, n, type == TAF_INT64 ? 0 : sign, &b);
		break;
	}
	range[0] = b.min;
	range[1] = b.max;
	if (sum != NULL) {
		taf_total_add(sum, taf_total_int, b.sum, 0);
		taf_total_add(sum, taf_total_int, (int64_t)b.high, 32);
		/* n times the bias less */
		if (type == TAF_INT64)
			taf_total_add(sum, taf_total_int, -(int64_t)n, 63);
	}
	for (k = 0; k < 4 && squares != NULL; k++)
		taf_total_add(squares, taf_total_int_squares, (int64_t)b.squares[k],
		    32 * k);
}
