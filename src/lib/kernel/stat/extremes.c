/* SPDX-License-Identifier: ISC */
#include "kernel/stat/extremes.h"

#include "config.h"

#include <stdint.h>
#include <string.h>

#include "kernel/number/fast.h"

/* So many at once: a single one would wait for the last comparison. */
enum { LANES = 32, WORD = 16 };

/*
 * Floats are compared as what they are, since as many more of them fit a register.  All
 * bits of the exponent are 1 in what is not finite.
 */
#define FLOATS(NAME, T, BITS, EXPONENT) \
TAF_WIDE_VOID(extremes_##NAME, \
    (const unsigned char *v, size_t n, double *min, double *max), (v, n, min, max)) \
{ \
	T lo[LANES], hi[LANES], x; \
	size_t i; \
\
	memcpy(&x, v, sizeof x); \
	for (size_t j = 0; j < LANES; j++) \
		lo[j] = hi[j] = x; \
	for (i = 0; i + LANES <= n; i += LANES) \
		for (size_t j = 0; j < LANES; j++) { \
			memcpy(&x, v + (i + j) * sizeof x, sizeof x); \
			lo[j] = x < lo[j] ? x : lo[j]; \
			hi[j] = x > hi[j] ? x : hi[j]; \
		} \
	for (; i < n; i++) { \
		memcpy(&x, v + i * sizeof x, sizeof x); \
		lo[0] = x < lo[0] ? x : lo[0]; \
		hi[0] = x > hi[0] ? x : hi[0]; \
	} \
	for (size_t half = LANES / 2; half > 0; half /= 2) \
		for (size_t j = 0; j < half; j++) { \
			lo[j] = lo[j + half] < lo[j] ? lo[j + half] : lo[j]; \
			hi[j] = hi[j + half] > hi[j] ? hi[j + half] : hi[j]; \
		} \
	*min = (double)lo[0]; \
	*max = (double)hi[0]; \
} \
\
TAF_FAST(bool, finite_##NAME, (const unsigned char *v, size_t n), (v, n)) \
{ \
	BITS other = 0; \
\
	for (size_t i = 0; i < n; i++) { \
		BITS x; \
\
		memcpy(&x, v + i * sizeof x, sizeof x); \
		other |= (x & EXPONENT) == EXPONENT; \
	} \
	return other == 0; \
} \
\
/* as many as are not y, in words: what rises has its maximum at the end */ \
TAF_FAST(size_t, pass_##NAME, (const T *v, size_t n, T y), (v, n, y)) \
{ \
	size_t i; \
\
	for (i = 0; i + WORD <= n; i += WORD) { \
		int found = 0; \
\
		for (size_t j = 0; j < WORD; j++) \
			found |= v[i + j] == y; \
		if (found) \
			break; \
	} \
	return i; \
} \
\
size_t \
taf_find_##NAME(const T *v, size_t n, T y) \
{ \
	size_t i = pass_##NAME(v, n, y); \
\
	while (i < n && v[i] != y) \
		i++; \
	return i; \
} \
\
TAF_FAST(bool, has_##NAME, (const T *v, size_t n, T y), (v, n, y)) \
{ \
	BITS found = 0, u, x; \
\
	memcpy(&u, &y, sizeof u); \
	for (size_t i = 0; i < n; i++) { \
		memcpy(&x, v + i, sizeof x); \
		found |= x == u; \
	} \
	return found != 0; \
} \
\
bool \
taf_has_##NAME(const T *v, size_t n, T y) \
{ \
	return has_##NAME(v, n, y); \
} \
\
void \
taf_extremes_##NAME(const void *v, size_t n, double *min, double *max) \
{ \
	extremes_##NAME(v, n, min, max); \
} \
\
bool \
taf_finite_##NAME(const void *v, size_t n) \
{ \
	return finite_##NAME(v, n); \
}

FLOATS(flt32, float, uint32_t, UINT32_C(0x7f800000))
FLOATS(flt64, double, uint64_t, UINT64_C(0x7ff0000000000000))
