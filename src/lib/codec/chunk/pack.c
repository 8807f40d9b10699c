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

enum taf_status
taf_pack_parse(void *to, const char *word, struct taf_err *e)
{
	static const struct {
		enum taf_packing packing;
		int level;
	} known[] = {
		{ TAF_PACKING_GZIP, 6 }, { TAF_PACKING_ZLIB, 6 }, { TAF_PACKING_ZSTD, 3 },
		{ TAF_PACKING_BLOSC, 5 },
	};
	struct taf_pack *const how = to;
	const size_t n = strcspn(word, ":");
	const char *name, *missing;
	size_t k;

	how->none = strcmp(word, "none") == 0;
	if (how->none)
		return TAF_OK;
	for (k = 0; k < sizeof known / sizeof known[0]; k++) {
		name = taf_packing_name(known[k].packing);
		if (strlen(name) == n && memcmp(word, name, n) == 0)
			break;
	}
	if (k == sizeof known / sizeof known[0] ||
	    (word[n] == ':' && known[k].packing != TAF_PACKING_BLOSC))
		return taf_fail(e, TAF_EUSAGE,
		    "%s is none of none, gzip, zlib, zstd and blosc[:CODEC]", word);
	*how = (struct taf_pack){ .packing = known[k].packing, .level = known[k].level,
		.codec = word[n] == ':' ? word + n + 1 : "zstd" };
	missing = taf_packing_missing(how->packing);
	if (missing != NULL)
		return taf_fail(e, TAF_EDATA, "this program was built without %s",
		    missing);
	return how->packing != TAF_PACKING_BLOSC || taf_blosc_codec(how->codec) >= 0 ?
	    TAF_OK : taf_fail(e, TAF_EUSAGE, "%s: blosc does not pack so", how->codec);
}
