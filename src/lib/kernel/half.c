#include "kernel/half.h"

#include <stdint.h>
#include <string.h>

/* Field by field, IEEE 754-2008 section 3.4; no denormal is computed with. */
static uint32_t
widen(uint16_t h)
{
	const uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
	const uint32_t exponent = h >> 10 & 31u, fraction = h & 0x3ffu;
	const float small = (float)fraction * 0x1p-24f;
	uint32_t bits;

	if (exponent == 0)
		memcpy(&bits, &small, sizeof bits);
	else
		bits = (exponent == 31 ? 255u : exponent + 112) << 23 | fraction << 13;
	return sign | bits;
}

void
taf_half_to_flt32(void *dst, const void *src, size_t n)
{
	const unsigned char *from = src;
	unsigned char *to = dst;
	size_t i;

	for (i = 0; i < n; i++) {
		uint32_t x;
		uint16_t h;

		memcpy(&h, from + 2 * i, sizeof h);
		x = widen(h);
		memcpy(to + 4 * i, &x, sizeof x);
	}
}
