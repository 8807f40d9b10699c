/* SPDX-License-Identifier: ISC */
/* Bytes that libraries have packed: one stream, or one buffer, at a time. */
#ifndef TAF_CODEC_CHUNK_UNPACK_H
#define TAF_CODEC_CHUNK_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

enum taf_packing {
	TAF_PACKING_ZLIB,
	TAF_PACKING_GZIP,
	TAF_PACKING_ZSTD,
	TAF_PACKING_BZIP2,
	TAF_PACKING_LZMA,	/* xz, and what was before it */
	TAF_PACKING_BLOSC,
	/* of numcodecs: the length in 4 bytes, little-endian, and a block of LZ4 */
	TAF_PACKING_LZ4,
	TAF_PACKINGS
};

/* What numcodecs calls it. */
const char *taf_packing_name(enum taf_packing p);

/* What it takes that this program was built without; NULL where nothing is missing. */
const char *taf_packing_missing(enum taf_packing p);

/* --- streams: of zlib, gzip and zstd --- */

struct taf_unpack;

/* NULL without memory. */
struct taf_unpack *taf_unpack_new(enum taf_packing p);

/* NULL is allowed. */
void taf_unpack_free(struct taf_unpack *u);

/*
 * Begin a stream.  One of zstd may look back 2^window bytes and no more.  TAF_ESYS
 * without memory.
 */
TAF_MUST enum taf_status taf_unpack_begin(struct taf_unpack *u, int window,
    struct taf_err *e);

/* What decoding has come to. */
enum taf_unpacked { TAF_GOING, TAF_ENDED, TAF_BROKEN, TAF_NO_MEMORY };

/*
 * Decode up to *n bytes of the *have from *from on: *n is then how many they were, and
 * *from and *have what is left.
 */
enum taf_unpacked taf_unpack_some(struct taf_unpack *u, const unsigned char **from,
    size_t *have, unsigned char *to, size_t *n);

/* --- buffers --- */

enum { TAF_BLOSC_HEAD = 16 };

/*
 * Why n bytes, TAF_BLOSC_HEAD at least, are no buffer of blosc of the codec with that
 * number, or of any if it is -1, that becomes *plain bytes; NULL where they are.
 */
const char *taf_blosc_fault(const unsigned char *p, size_t n, int codec, size_t *plain);

/* Unpack one without such a fault; room is what it becomes. */
TAF_MUST enum taf_unpacked taf_blosc_unpack(const unsigned char *p, size_t n,
    unsigned char *to, size_t room);

/* The number of the codec of this name; -1 where the library was built without it. */
int taf_blosc_codec(const char *name);

#endif
