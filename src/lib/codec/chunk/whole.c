/* SPDX-License-Identifier: ISC */
/* link: bzip2 lzma */
#include "codec/chunk/whole.h"

#include "config.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#include "base/endian.h"

enum {
	LZMA_MEMORY = 128 << 20,	/* that a stream of it may want */
	WINDOW = 23			/* of zstd, at least */
};

/* --- LZ4 (block format: sequences of literals and of a match behind them) --- */

enum { SHORT = 15, LEAST = 4 };

/* A length of which SHORT was in the token; false where the bytes end. */
static bool
lz4_more(const unsigned char **p, const unsigned char *end, size_t *n)
{
	unsigned char byte = 255;

	if (*n != SHORT)
		return true;
	while (byte == 255) {
		if (*p == end)
			return false;
		byte = *(*p)++;
		*n += byte;
	}
	return true;
}

/* A match n bytes long, which may overlap what it makes. */
static void
lz4_match(unsigned char *to, size_t offset, size_t n)
{
	const unsigned char *from = to - offset;
	size_t k;

	if (offset >= n)
		memcpy(to, from, n);
	else
		for (k = 0; k < n; k++)
			to[k] = from[k];
}

static bool
lz4_block(const unsigned char *p, size_t size, unsigned char *to, size_t room)
{
	const unsigned char *const end = p + size;
	size_t done = 0, n, offset;
	unsigned char token;

	while (p < end) {
		token = *p++;
		n = token >> 4;
		if (!lz4_more(&p, end, &n) || n > (size_t)(end - p) || n > room - done)
			return false;
		memcpy(to + done, p, n);
		p += n;
		done += n;
		/* the last sequence is literals alone */
		if (p == end)
			return done == room;
		if (end - p < 2)
			return false;
		offset = taf_get16(p, false);
		p += 2;
		n = token & SHORT;
		if (!lz4_more(&p, end, &n) || offset == 0 || offset > done ||
		    n + LEAST > room - done)
			return false;
		lz4_match(to + done, offset, n + LEAST);
		done += n + LEAST;
	}
	return false;
}

/* --- whole --- */

static enum taf_unpacked
unpack_buffer(enum taf_packing packing, const unsigned char *p, size_t size,
    unsigned char *to, size_t room, size_t *n, const char **fault)
{
	const bool blosc = packing == TAF_PACKING_BLOSC;

	if (size < (blosc ? TAF_BLOSC_HEAD : 4)) {
		*fault = "ends early";
		return TAF_BROKEN;
	}
	if (blosc)
		*fault = taf_blosc_fault(p, size, -1, n);
	else
		*n = taf_get32(p, false);
	if (*fault == NULL && *n > room)
		*fault = "decodes to too many bytes";
	if (*fault != NULL)
		return TAF_BROKEN;
	if (blosc)
		return taf_blosc_unpack(p, size, to, *n);
	return lz4_block(p + 4, size - 4, to, *n) ? TAF_ENDED : TAF_BROKEN;
}

static enum taf_unpacked
unpack_stream(struct taf_unpack *u, const unsigned char *p, size_t size,
    unsigned char *to, size_t room, size_t *n, const char **fault)
{
	enum taf_unpacked how = TAF_GOING;
	unsigned char beyond;
	size_t got, had;

	for (*n = 0; how == TAF_GOING; *n += got) {
		had = size;
		got = *n < room ? room - *n : 1;
		how = taf_unpack_some(u, &p, &size, *n < room ? to + *n : &beyond, &got);
		if (how == TAF_BROKEN || how == TAF_NO_MEMORY)
			return how;
		if (got > room - *n)
			*fault = "decodes to too many bytes";
		else if (how == TAF_GOING && got == 0 && size == had)
			*fault = "ends early";
		if (*fault != NULL)
			return TAF_BROKEN;
	}
	if (how == TAF_ENDED && size > 0) {
		*fault = "has bytes behind its end";
		return TAF_BROKEN;
	}
	return how;
}

#ifdef HAVE_BZIP2

/* A stream goes on behind the room only to end there. */
static enum taf_unpacked
bzip2(const unsigned char *p, size_t size, unsigned char *to, size_t room, size_t *n,
    const char **fault)
{
	bz_stream z;
	char beyond;
	int r;

	if (size > UINT_MAX || room > UINT_MAX) {
		*fault = "is larger than bzip2 takes";
		return TAF_BROKEN;
	}
	memset(&z, 0, sizeof z);
	if (BZ2_bzDecompressInit(&z, 0, 0) != BZ_OK)
		return TAF_NO_MEMORY;
	z.next_in = (char *)(uintptr_t)p;
	z.avail_in = (unsigned)size;
	z.next_out = (char *)to;
	z.avail_out = (unsigned)room;
	r = BZ2_bzDecompress(&z);
	*n = room - z.avail_out;
	if (r == BZ_OK && z.avail_out == 0) {
		z.next_out = &beyond;
		z.avail_out = 1;
		r = BZ2_bzDecompress(&z);
		*fault = z.avail_out == 0 ? "decodes to too many bytes" : NULL;
	}
	if (r == BZ_OK && *fault == NULL)
		*fault = "ends early";
	if (r == BZ_STREAM_END && z.avail_in > 0)
		*fault = "has bytes behind its end";
	(void)BZ2_bzDecompressEnd(&z);
	return r == BZ_MEM_ERROR ? TAF_NO_MEMORY : r == BZ_STREAM_END && *fault == NULL ?
	    TAF_ENDED : TAF_BROKEN;
}

#endif
#ifdef HAVE_LZMA

static enum taf_unpacked
lzma(const unsigned char *p, size_t size, unsigned char *to, size_t room, size_t *n,
    const char **fault)
{
	lzma_stream z = LZMA_STREAM_INIT;
	unsigned char beyond;
	lzma_ret r;

	if (lzma_auto_decoder(&z, LZMA_MEMORY, 0) != LZMA_OK)
		return TAF_NO_MEMORY;
	z.next_in = p;
	z.avail_in = size;
	z.next_out = to;
	z.avail_out = room;
	r = lzma_code(&z, LZMA_FINISH);
	*n = room - z.avail_out;
	if (r == LZMA_OK && z.avail_out == 0) {
		z.next_out = &beyond;
		z.avail_out = 1;
		r = lzma_code(&z, LZMA_FINISH);
		*fault = z.avail_out == 0 ? "decodes to too many bytes" : NULL;
	}
	if ((r == LZMA_OK || r == LZMA_BUF_ERROR) && *fault == NULL)
		*fault = "ends early";
	if (r == LZMA_MEMLIMIT_ERROR)
		*fault = "wants more than 128 MiB of memory";
	if (r == LZMA_STREAM_END && z.avail_in > 0)
		*fault = "has bytes behind its end";
	lzma_end(&z);
	return r == LZMA_MEM_ERROR ? TAF_NO_MEMORY : r == LZMA_STREAM_END &&
	    *fault == NULL ? TAF_ENDED : TAF_BROKEN;
}

#endif

enum taf_unpacked
taf_unpack_all(enum taf_packing packing, const unsigned char *p, size_t size,
    unsigned char *to, size_t room, size_t *n, const char **fault)
{
	struct taf_unpack *u;
	struct taf_err e = { 0 };
	enum taf_unpacked how = TAF_NO_MEMORY;
	int window = WINDOW;

	*fault = NULL;
	if (packing >= TAF_PACKING_BLOSC) {
		how = unpack_buffer(packing, p, size, to, room, n, fault);
#ifdef HAVE_BZIP2
	} else if (packing == TAF_PACKING_BZIP2) {
		how = bzip2(p, size, to, room, n, fault);
#endif
#ifdef HAVE_LZMA
	} else if (packing == TAF_PACKING_LZMA) {
		how = lzma(p, size, to, room, n, fault);
#endif
	} else {
		while (window < 27 && room >> window != 0)
			window++;
		u = taf_unpack_new(packing);
		if (u != NULL && taf_unpack_begin(u, window, &e) == TAF_OK)
			how = unpack_stream(u, p, size, to, room, n, fault);
		taf_unpack_free(u);
	}
	if (how == TAF_BROKEN && *fault == NULL)
		*fault = "broken";
	return how;
}
