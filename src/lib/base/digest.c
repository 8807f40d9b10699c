/* SPDX-License-Identifier: ISC */
#include "base/digest.h"

#include <string.h>

#include "base/endian.h"

enum { LANES = 4, WORD = 8 };

static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t
mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * odd;
	return h ^ h >> 32;
}

uint64_t
taf_digest(uint64_t h, const void *p, size_t n)
{
	uint64_t a = h, b = h ^ 1, c = h ^ 2, d = h ^ 3;
	const unsigned char *at = p;
	unsigned char last[WORD];
	size_t left = n, k;

	/* a product takes some cycles: so there are several at once */
	for (; left >= LANES * WORD; at += LANES * WORD, left -= LANES * WORD) {
		a = mix(a, taf_get64(at, false));
		b = mix(b, taf_get64(at + WORD, false));
		c = mix(c, taf_get64(at + 2 * WORD, false));
		d = mix(d, taf_get64(at + 3 * WORD, false));
	}
	h = mix(mix(mix(mix(h, a), b), c), d);
	for (; left > 0; at += k, left -= k) {
		k = left < WORD ? left : WORD;
		memset(last, 0, sizeof last);
		memcpy(last, at, k);
		h = mix(h, taf_get64(last, false));
	}
	return mix(h, n);
}
