/* SPDX-License-Identifier: ISC */
#include "kernel/move/gather.h"

#include <string.h>

#include "config.h"
#include "kernel/number/fast.h"

/* memcpy of a size that is known becomes a move */
#define SIZES(case_of) \
	case_of(1) \
	case_of(2) \
	case_of(4) \
	case_of(8) \
	case_of(16)

void
taf_gather(void *to, const void *from, size_t esize, const size_t index[], size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;
	size_t i;

	switch (esize) {
#define CASE(size) \
	case size: \
		for (i = 0; i < n; i++) \
			memcpy(d + i * size, s + index[i] * size, size); \
		break;
	SIZES(CASE)
#undef CASE
	default:
		for (i = 0; i < n; i++)
			memcpy(d + i * esize, s + index[i] * esize, esize);
		break;
	}
}

#define REVERSE(bits) \
TAF_FAST_VOID(reverse##bits, \
    (uint##bits##_t *d, const uint##bits##_t *s, size_t n), (d, s, n)) \
{ \
	size_t i; \
\
	for (i = 0; i < n; i++) \
		d[i] = s[n - 1 - i]; \
}

REVERSE(8)
REVERSE(16)
REVERSE(32)
REVERSE(64)

void
taf_gather_reverse(void *to, const void *from, size_t esize, size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;
	size_t i;

	switch (esize) {
	case 1:
		reverse8(to, from, n);
		break;
	case 2:
		reverse16(to, from, n);
		break;
	case 4:
		reverse32(to, from, n);
		break;
	case 8:
		reverse64(to, from, n);
		break;
	default:
		for (i = 0; i < n; i++)
			memcpy(d + i * esize, s + (n - 1 - i) * esize, esize);
		break;
	}
}

#define EACH(bits) \
static void \
each##bits(uint##bits##_t *d, const uint##bits##_t *s, size_t n, size_t times) \
{ \
	size_t i, k; \
\
	for (i = 0; i < n; i++) \
		for (k = 0; k < times; k++) \
			*d++ = s[i]; \
}

EACH(8)
EACH(16)
EACH(32)
EACH(64)

void
taf_gather_each(void *to, const void *from, size_t esize, size_t n, size_t times)
{
	unsigned char *d = to;
	const unsigned char *s = from;
	size_t i;

	switch (esize) {
	case 1:
		each8(to, from, n, times);
		break;
	case 2:
		each16(to, from, n, times);
		break;
	case 4:
		each32(to, from, n, times);
		break;
	case 8:
		each64(to, from, n, times);
		break;
	default:
		for (i = 0; i < n; i++, d += times * esize) {
			memcpy(d, s + i * esize, esize);
			taf_gather_spread(d, esize, times);
		}
		break;
	}
}

void
taf_gather_spread(void *p, size_t esize, size_t n)
{
	unsigned char *d = p;
	size_t have = 1;

	while (have < n) {
		const size_t more = have < n - have ? have : n - have;

		memcpy(d + have * esize, d, more * esize);
		have += more;
	}
}
