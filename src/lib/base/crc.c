/* SPDX-License-Identifier: ISC */
#include "base/crc.h"

enum { NIBBLE = 16 };

/* The remainders of four bits, for a polynomial with its bits reversed. */
static void
fill(uint32_t table[NIBBLE], uint32_t polynomial)
{
	uint32_t k;
	int bit;

	for (k = 0; k < NIBBLE; k++) {
		table[k] = k;
		for (bit = 0; bit < 4; bit++)
			table[k] = table[k] >> 1 ^ ((table[k] & 1) != 0 ? polynomial : 0);
	}
}

static uint32_t
more(uint32_t crc, const unsigned char *p, size_t n, uint32_t polynomial)
{
	uint32_t table[NIBBLE];
	size_t i;

	fill(table, polynomial);
	crc = ~crc;
	for (i = 0; i < n; i++) {
		crc ^= p[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

uint32_t
taf_crc32(uint32_t crc, const void *p, size_t n)
{
	return more(crc, p, n, UINT32_C(0xedb88320));
}

uint32_t
taf_crc32c(uint32_t crc, const void *p, size_t n)
{
	return more(crc, p, n, UINT32_C(0x82f63b78));
}
