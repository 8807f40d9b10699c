/* SPDX-License-Identifier: ISC */
#include "kernel/number/samples.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"
#include "base/endian.h"
#include "base/num.h"
#include "config.h"
#include "kernel/number/fast.h"

/* The value of the word: fraction times 16^(exponent - 64) times 2^-24, exactly. */
static TAF_INLINE double
ibm_value(uint32_t w)
{
	const uint64_t scale = (uint64_t)((w >> 24 & 127) * 4 + 1023 - 256 - 24) << 52;
	const double v = (double)(int32_t)(w & 0xffffff) * taf_of_bits64(scale);

	return taf_of_bits64(taf_bits64(v) | (uint64_t)(w >> 31) << 63);
}

enum { BLOCK = 256 };

/* n of them, at most BLOCK, as floats: how many are not what they were. */
TAF_FAST(unsigned, get_block, (float *to, const unsigned char *from, size_t n, bool big),
    (to, from, n, big))
{
	unsigned changed = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		uint32_t w;
		double v;

		memcpy(&w, from + 4 * i, sizeof w);
		v = ibm_value(big == taf_host_is_big() ? w : taf_swap32(w));
		to[i] = (float)v;
		changed += (double)to[i] != v;
	}
	return changed;
}

size_t
taf_ibm_get(float *to, const unsigned char *from, size_t n, bool big, bool clip,
    struct taf_convert_count *count)
{
	size_t i, k, m;

	for (i = 0; i < n; i += m) {
		m = n - i < BLOCK ? n - i : BLOCK;
		if (get_block(to + i, from + 4 * i, m, big) == 0)
			continue;
		for (k = i; k < i + m; k++) {
			const double v = ibm_value(taf_get32(from + 4 * k, big));

			if (taf_is_finite((double)to[k])) {
				count->rounded += (double)to[k] != v;
				continue;
			}
			if (!clip)
				return k;
			to[k] = v < 0 ? -FLT_MAX : FLT_MAX;
			count->clipped++;
		}
	}
	return n;
}

/* v, not below 0, as exponent and fraction; false where it is too large. */
static bool
ibm_word(double v, uint32_t *w, bool *rounded)
{
	/* adding it leaves no place for fractions */
	const double integers = 0x1p52;
	int exponent = 0;
	double f, r;

	/* v is below 2^e; the smallest multiple of 4 that is not below e */
	if (v >= 0x1p-256)
		exponent = ((int)(taf_bits64(v) >> 52) - 1022 + 256 + 3) / 4;
	if (exponent > 127)
		return false;
	f = v * taf_of_bits64((uint64_t)(1023 + 256 + 24 - 4 * exponent) << 52);
	r = f + integers - integers;
	*rounded = r != f;
	if (r == 0x1p24) {
		r = 0x1p20;
		exponent++;
	}
	*w = (uint32_t)exponent << 24 | (uint32_t)r;
	return exponent <= 127;
}

size_t
taf_ibm_put(unsigned char *to, const double *from, size_t n, bool big,
    struct taf_convert_count *count)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const uint64_t bits = taf_bits64(from[i]);
		const double v = taf_of_bits64(bits & ~(UINT64_C(1) << 63));
		bool rounded;
		uint32_t w;

		if (!taf_is_finite(v) || !ibm_word(v, &w, &rounded))
			return i;
		count->rounded += rounded;
		taf_put32(to + 4 * i, w | (uint32_t)(bits >> 63) << 31, big);
	}
	return n;
}

void
taf_int24_get(void *to, const unsigned char *from, size_t n, bool big, bool sign)
{
	const unsigned high = big ? 0 : 2, low = 2 - high;
	unsigned char *p = to;
	size_t i;

	for (i = 0; i < n; i++, from += 3, p += 4) {
		uint32_t w = (uint32_t)from[high] << 16 | (uint32_t)from[1] << 8 |
		    from[low];

		if (sign)
			w = (w ^ 0x800000) - 0x800000;
		memcpy(p, &w, sizeof w);
	}
}

size_t
taf_int24_put(unsigned char *to, const void *from, size_t n, bool big, bool sign)
{
	const unsigned high = big ? 0 : 2, low = 2 - high;
	const unsigned char *p = from;
	size_t i;

	for (i = 0; i < n; i++, to += 3, p += 4) {
		uint32_t w;

		memcpy(&w, p, sizeof w);
		if ((sign ? w + 0x800000 : w) > 0xffffff)
			return i;
		to[high] = (unsigned char)(w >> 16);
		to[1] = (unsigned char)(w >> 8);
		to[low] = (unsigned char)w;
	}
	return n;
}
