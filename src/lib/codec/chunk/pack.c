/* SPDX-License-Identifier: ISC */
/* link: zlib zstd blosc */
#include "codec/chunk/pack.h"

#include "config.h"

#include <stdint.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_BLOSC
#include <blosc.h>
#include <errno.h>
#endif

size_t
taf_pack_room(size_t n)
{
	/* more than any of them wants in the worst case */
	return n + n / 8 + 16384;
}

#ifdef HAVE_ZLIB
static size_t
deflate_all(const struct taf_pack *how, const void *p, size_t n, void *to)
{
	const bool gzip = how->packing == TAF_PACKING_GZIP;
	size_t room = taf_pack_room(n);
	z_stream z;
	int done;

	memset(&z, 0, sizeof z);
	if (deflateInit2(&z, how->level, Z_DEFLATED, !gzip ? 15 : how->bare ? -15 :
	    15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return 0;
	z.next_in = (Bytef *)(uintptr_t)p;
	z.avail_in = (uInt)n;
	z.next_out = to;
	z.avail_out = (uInt)room;
	done = deflate(&z, Z_FINISH);
	room -= z.avail_out;
	(void)deflateEnd(&z);
	return done == Z_STREAM_END ? room : 0;
}
#endif

size_t
taf_pack(const struct taf_pack *how, const void *p, size_t n, void *to)
{
	const size_t room = taf_pack_room(n);
#ifdef HAVE_ZSTD
	size_t packed;
#endif
#ifdef HAVE_BLOSC
	int blosc;
#endif

	(void)p, (void)to, (void)room;
	switch (how->packing) {
#ifdef HAVE_ZLIB
	case TAF_PACKING_ZLIB:
	case TAF_PACKING_GZIP:
		return deflate_all(how, p, n, to);
#endif
#ifdef HAVE_ZSTD
	case TAF_PACKING_ZSTD:
		packed = ZSTD_compress(to, room, p, n, how->level);
		return ZSTD_isError(packed) ? 0 : packed;
#endif
#ifdef HAVE_BLOSC
	case TAF_PACKING_BLOSC:
		/* without memory for a codec it stores the bytes as they are */
		errno = 0;
		blosc = blosc_compress_ctx(how->level, BLOSC_BITSHUFFLE, how->size, n, p,
		    to, room, how->codec, 0, 1);
		return blosc > 0 && errno != ENOMEM ? (size_t)blosc : 0;
#endif
	default:
		return 0;
	}
}
