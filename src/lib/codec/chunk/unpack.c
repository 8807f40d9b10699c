/* SPDX-License-Identifier: ISC */
/* link: zlib zstd blosc */
#include "codec/chunk/unpack.h"

#include "config.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif
#ifdef HAVE_BLOSC
#include <blosc.h>
#include <errno.h>
#endif

#include "base/endian.h"

enum {
	PIECE = 1 << 30		/* that zlib takes at once */
};

struct taf_unpack {
	enum taf_packing packing;
	bool open;
#ifdef HAVE_ZLIB
	z_stream z;
#endif
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
#endif
};

#ifdef HAVE_ZLIB
#define NO_ZLIB NULL
#else
#define NO_ZLIB "zlib"
#endif
#ifdef HAVE_ZSTD
#define NO_ZSTD NULL
#else
#define NO_ZSTD "libzstd"
#endif
#ifdef HAVE_BZIP2
#define NO_BZIP2 NULL
#else
#define NO_BZIP2 "bzip2"
#endif
#ifdef HAVE_LZMA
#define NO_LZMA NULL
#else
#define NO_LZMA "liblzma"
#endif
#ifdef HAVE_BLOSC
#define NO_BLOSC NULL
#else
#define NO_BLOSC "libblosc"
#endif

const char *
taf_packing_name(enum taf_packing p)
{
	static const char *const names[TAF_PACKINGS] = {
		[TAF_PACKING_ZLIB] = "zlib", [TAF_PACKING_GZIP] = "gzip",
		[TAF_PACKING_ZSTD] = "zstd", [TAF_PACKING_BZIP2] = "bz2",
		[TAF_PACKING_LZMA] = "lzma", [TAF_PACKING_BLOSC] = "blosc",
		[TAF_PACKING_LZ4] = "lz4",
	};

	return names[p];
}

const char *
taf_packing_missing(enum taf_packing p)
{
	static const char *const missing[] = {
		[TAF_PACKING_ZLIB] = NO_ZLIB, [TAF_PACKING_GZIP] = NO_ZLIB,
		[TAF_PACKING_ZSTD] = NO_ZSTD, [TAF_PACKING_BZIP2] = NO_BZIP2,
		[TAF_PACKING_LZMA] = NO_LZMA, [TAF_PACKING_BLOSC] = NO_BLOSC,
		[TAF_PACKING_LZ4] = NULL,
	};

	return missing[p];
}

/* --- streams --- */

struct taf_unpack *
taf_unpack_new(enum taf_packing p)
{
	struct taf_unpack *u = calloc(1, sizeof *u);

	if (u != NULL)
		u->packing = p;
	return u;
}

static void
end_stream(struct taf_unpack *u)
{
#ifdef HAVE_ZLIB
	if (u->open && u->packing <= TAF_PACKING_GZIP)
		(void)inflateEnd(&u->z);
#endif
	u->open = false;
}

void
taf_unpack_free(struct taf_unpack *u)
{
	if (u == NULL)
		return;
	end_stream(u);
#ifdef HAVE_ZSTD
	(void)ZSTD_freeDStream(u->zstd);
#endif
	free(u);
}

/* False without memory. */
static bool
begin_stream(struct taf_unpack *u, int window)
{
	(void)u, (void)window;
#ifdef HAVE_ZLIB
	memset(&u->z, 0, sizeof u->z);
	/* 16: a gzip header and nothing else */
	if (u->packing <= TAF_PACKING_GZIP)
		return inflateInit2(&u->z, 15 +
		    (u->packing == TAF_PACKING_GZIP ? 16 : 0)) == Z_OK;
#endif
#ifdef HAVE_ZSTD
	if (u->packing == TAF_PACKING_ZSTD && u->zstd == NULL)
		u->zstd = ZSTD_createDStream();
	if (u->packing == TAF_PACKING_ZSTD)
		return u->zstd != NULL && !ZSTD_isError(ZSTD_initDStream(u->zstd)) &&
		    !ZSTD_isError(ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax,
		    window));
#endif
	return true;
}

enum taf_status
taf_unpack_begin(struct taf_unpack *u, int window, struct taf_err *e)
{
	end_stream(u);
	u->open = begin_stream(u, window);
	return u->open ? TAF_OK : taf_fail_mem(e);
}

#ifdef HAVE_ZLIB

static enum taf_unpacked
inflate_some(struct taf_unpack *u, const unsigned char **from, size_t *have,
    unsigned char *to, size_t *n)
{
	const uInt room = *n < PIECE ? (uInt)*n : PIECE;
	const uInt some = *have < PIECE ? (uInt)*have : PIECE;
	int r;

	u->z.next_in = (Bytef *)(uintptr_t)*from;
	u->z.avail_in = some;
	u->z.next_out = to;
	u->z.avail_out = room;
	r = inflate(&u->z, Z_NO_FLUSH);
	*from = u->z.next_in;
	*have -= some - u->z.avail_in;
	*n = room - u->z.avail_out;
	return r == Z_STREAM_END ? TAF_ENDED : r == Z_OK || r == Z_BUF_ERROR ?
	    TAF_GOING : r == Z_MEM_ERROR ? TAF_NO_MEMORY : TAF_BROKEN;
}

#endif
#ifdef HAVE_ZSTD

static enum taf_unpacked
zstd_some(struct taf_unpack *u, const unsigned char **from, size_t *have,
    unsigned char *to, size_t *n)
{
	ZSTD_inBuffer in = { *from, *have, 0 };
	ZSTD_outBuffer out = { to, *n, 0 };
	const size_t r = ZSTD_decompressStream(u->zstd, &out, &in);

	*from += in.pos;
	*have -= in.pos;
	*n = out.pos;
	return r == 0 ? TAF_ENDED : !ZSTD_isError(r) ? TAF_GOING :
	    ZSTD_getErrorCode(r) == ZSTD_error_memory_allocation ? TAF_NO_MEMORY :
	    TAF_BROKEN;
}

#endif
enum taf_unpacked
taf_unpack_some(struct taf_unpack *u, const unsigned char **from, size_t *have,
    unsigned char *to, size_t *n)
{
	(void)u, (void)from, (void)have, (void)to;
#ifdef HAVE_ZLIB
	if (u->packing <= TAF_PACKING_GZIP)
		return inflate_some(u, from, have, to, n);
#endif
#ifdef HAVE_ZSTD
	if (u->packing == TAF_PACKING_ZSTD)
		return zstd_some(u, from, have, to, n);
#endif
	*n = 0;
	return TAF_BROKEN;
}

/* --- blosc --- */

#ifdef HAVE_BLOSC

enum { STORED = 2 };	/* a flag in its header */

const char *
taf_blosc_fault(const unsigned char *p, size_t n, int codec, size_t *plain)
{
	*plain = taf_get32(p + 4, false);
	if (p[0] != BLOSC_VERSION_FORMAT || taf_get32(p + 12, false) != n)
		return "no chunk of blosc, or one of another size";
	if (codec >= 0 && (p[2] & STORED) == 0 && p[2] >> 5 != codec)
		return "another compression than the descriptor's";
	return NULL;
}

enum taf_unpacked
taf_blosc_unpack(const unsigned char *p, size_t n, unsigned char *to, size_t room)
{
	size_t plain;

	if (blosc_cbuffer_validate(p, n, &plain) != 0 || plain != room)
		return TAF_BROKEN;
	/* it does not tell what failed */
	errno = 0;
	if (room <= INT_MAX && blosc_decompress_ctx(p, to, room, 1) == (int)room)
		return TAF_ENDED;
	return errno == ENOMEM ? TAF_NO_MEMORY : TAF_BROKEN;
}

int
taf_blosc_codec(const char *name)
{
	return blosc_compname_to_compcode(name);
}

#else

const char *
taf_blosc_fault(const unsigned char *p, size_t n, int codec, size_t *plain)
{
	(void)p, (void)n, (void)codec;
	*plain = 0;
	return "packed by blosc";
}

enum taf_unpacked
taf_blosc_unpack(const unsigned char *p, size_t n, unsigned char *to, size_t room)
{
	(void)p, (void)n, (void)to, (void)room;
	return TAF_BROKEN;
}

int
taf_blosc_codec(const char *name)
{
	(void)name;
	return -1;
}

#endif
