/* SPDX-License-Identifier: ISC */
#include "base/half.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "base/endian.h"
#include "base/num.h"

/* Field by field, IEEE 754-2008 section 3.4; no denormal is computed with. */
static uint32_t
widen(const void *p)
{
	const uint16_t h = taf_get16(p, taf_host_is_big());
	const uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
	const uint32_t exponent = h >> 10 & 31u, fraction = h & 0x3ffu;
	const float small = (float)fraction * 0x1p-24f;

	if (exponent == 0)
		return sign | taf_bits32(small);
	return sign | (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13;
}

void
taf_half_to_flt32(void *dst, const void *src, size_t n)
{
	const unsigned char *from = src;
	unsigned char *to = dst;
	size_t i;

	for (i = 0; i < n; i++) {
		const uint32_t x = widen(from + 2 * i);

		memcpy(to + 4 * i, &x, sizeof x);
	}
}

/* True where the float is a half exactly. */
static TAF_INLINE bool
narrow(const void *p, uint16_t *h)
{
	const uint32_t x = taf_get32(p, taf_host_is_big());
	const uint32_t sign = x >> 16 & 0x8000u, exponent = x >> 23 & 255u;
	uint32_t bits = x & 0x7fffffu, lost = 13;

	if (exponent == 255) {
		bits |= 31u << 23;
	} else if (exponent > 112 && exponent < 143) {
		bits |= (exponent - 112) << 23;
	} else if (exponent > 102 && exponent < 113) {
		/* a denormal: units of 2^-24 */
		bits |= 1u << 23;
		lost = 126 - exponent;
	} else if (exponent != 0 || bits != 0) {
		return false;
	}
	*h = (uint16_t)(sign | bits >> lost);
	return (bits & ((1u << lost) - 1)) == 0;
}

bool
taf_half_holds(const void *src, size_t n)
{
	const unsigned char *from = src;
	uint16_t h;
	size_t i;

	for (i = 0; i < n && narrow(from + 4 * i, &h); i++)
		continue;
	return i == n;
}

void
taf_half_from_flt32(void *dst, const void *src, size_t n)
{
	const unsigned char *from = src;
	unsigned char *to = dst;
	size_t i;

	for (i = 0; i < n; i++) {
		uint16_t h = 0;

		(void)narrow(from + 4 * i, &h);
		memcpy(to + 2 * i, &h, sizeof h);
	}
}

float
taf_half_nearest(float f)
{
	double unit = 0x1p-24;	/* the smallest of them */

	if (!taf_is_finite((double)f))
		return f;
	while ((double)f >= 2048 * unit || (double)f <= -2048 * unit)
		unit *= 2;
	f = (float)(taf_round_even((double)f / unit) * unit);
	return f > 65504 ? INFINITY : f < -65504 ? -INFINITY : f;
}
