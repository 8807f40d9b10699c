/* SPDX-License-Identifier: ISC */
#include "kernel/digest/sha512.h"

#include <string.h>

#include "base/endian.h"
#include "kernel/digest/sha512_table.h"

static uint64_t
turn(uint64_t x, unsigned n)
{
	return x >> n | x << (64 - n);
}

/* One block; names are those of the standard. */
static void
digest(uint64_t h[8], const unsigned char *p)
{
	uint64_t w[80], v[8], t;
	unsigned i;

	for (i = 0; i < 16; i++)
		w[i] = taf_get64(p + 8 * i, true);
	for (; i < 80; i++)
		w[i] = w[i - 16] + w[i - 7] +
		    (turn(w[i - 15], 1) ^ turn(w[i - 15], 8) ^ w[i - 15] >> 7) +
		    (turn(w[i - 2], 19) ^ turn(w[i - 2], 61) ^ w[i - 2] >> 6);
	memcpy(v, h, sizeof v);
	for (i = 0; i < 80; i++) {
		t = v[7] + (turn(v[4], 14) ^ turn(v[4], 18) ^ turn(v[4], 41)) +
		    ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += t;
		v[0] = t + (turn(v[1], 28) ^ turn(v[1], 34) ^ turn(v[1], 39)) +
		    ((v[1] & v[2]) ^ (v[1] & v[3]) ^ (v[2] & v[3]));
	}
	for (i = 0; i < 8; i++)
		h[i] += v[i];
}

void
taf_sha512_begin(struct taf_sha512 *s)
{
	memcpy(s->h, first, sizeof s->h);
	s->n = 0;
}

void
taf_sha512_add(struct taf_sha512 *s, const void *from, size_t n)
{
	const unsigned char *p = from;
	size_t at = s->n % TAF_SHA512_BLOCK, some;

	for (s->n += n; n > 0; n -= some, p += some, at = 0) {
		some = n < TAF_SHA512_BLOCK - at ? n : TAF_SHA512_BLOCK - at;
		memcpy(s->block + at, p, some);
		if (at + some == TAF_SHA512_BLOCK)
			digest(s->h, s->block);
	}
}

void
taf_sha512_end(struct taf_sha512 *s, char text[TAF_SHA512_TEXT])
{
	static const unsigned char pad[TAF_SHA512_BLOCK] = { 0x80 };
	static const char digits[] = "0123456789abcdef";
	unsigned char length[16] = { 0 };
	unsigned i;

	taf_put64(length, s->n >> 61, true);
	taf_put64(length + 8, s->n << 3, true);
	/* up to the place of the length */
	taf_sha512_add(s, pad, (2 * TAF_SHA512_BLOCK - 17 - s->n % TAF_SHA512_BLOCK) %
	    TAF_SHA512_BLOCK + 1);
	taf_sha512_add(s, length, sizeof length);
	for (i = 0; i < 128; i++)
		text[i] = digits[s->h[i / 16] >> (60 - 4 * (i % 16)) & 15];
	text[128] = '\0';
}
