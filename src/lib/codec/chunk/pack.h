/* Bytes as libraries pack them: one buffer at a time, on any thread. */
#ifndef TAF_CODEC_CHUNK_PACK_H
#define TAF_CODEC_CHUNK_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "codec/chunk/unpack.h"

/* Bytes that are packed as one, at most. */
enum { TAF_PACK_MOST = 0x7ff00000 };

/* By zlib, gzip, zstd or blosc; none that taf_packing_missing names. */
struct taf_pack {
	enum taf_packing packing;
	int level;
	bool bare;		/* of gzip: without what stands around the stream */
	/* of blosc, which shuffles bits: what packs then, and bytes of an element */
	const char *codec;
	size_t size;
};

/* Bytes of room for n that are packed. */
size_t taf_pack_room(size_t n);

/* Pack n bytes, TAF_PACK_MOST at most, into that room.  0 where there is no memory. */
TAF_MUST size_t taf_pack(const struct taf_pack *how, const void *p, size_t n, void *to);

#endif
