/* SPDX-License-Identifier: ISC */
/* Pack bytes with the libraries: one buffer at a time, on any thread. */
#ifndef TAF_CODEC_CHUNK_PACK_H
#define TAF_CODEC_CHUNK_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/chunk/unpack.h"

/* So many bytes at most are packed at once. */
enum { TAF_PACK_MOST = 0x7ff00000 };

/*
 * How to pack: by zlib, gzip, zstd or blosc.  taf_packing_missing tells which of them the
 * program was built without.
 */
struct taf_pack {
	bool none;		/* nothing is packed */
	enum taf_packing packing;
	int level;
	bool bare;		/* with gzip: no header and no trailer */
	/* blosc shuffles the bits of elements of size bytes, and then packs by codec */
	const char *codec;
	size_t size;
};

/* The room in bytes that n bytes need at most when packed. */
size_t taf_pack_room(size_t n);

/*
 * Pack n bytes, TAF_PACK_MOST at most, into such room.  Returns how many bytes they take,
 * or 0 if there is no memory.
 */
TAF_MUST size_t taf_pack(const struct taf_pack *how, const void *p, size_t n, void *to);

#endif
