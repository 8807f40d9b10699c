/* SPDX-License-Identifier: ISC */
/* One chunk of an array: its elements behind the codecs and filters they went through. */
#ifndef TAF_CODEC_CHUNK_CHUNK_H
#define TAF_CODEC_CHUNK_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/chunk/unpack.h"

enum taf_chunk_codec {
	TAF_CHUNK_PACKED,	/* by a packing */
	TAF_CHUNK_CRC32C,	/* a checksum of 4 bytes, little-endian, behind them */
	TAF_CHUNK_SHUFFLE,	/* bytes of equal weight together (numcodecs) */
	TAF_CHUNK_DELTA		/* differences to the element before (numcodecs) */
};

struct taf_chunk_step {
	enum taf_chunk_codec codec;
	enum taf_packing packing;
	size_t size;		/* of what is shuffled */
	enum taf_type type;	/* of differences, */
	bool big;		/* and their order of bytes */
};

enum { TAF_CHUNK_STEPS = 8 };

/* What is undone, the first one first. */
struct taf_chunk_way {
	struct taf_chunk_step step[TAF_CHUNK_STEPS];
	unsigned n;
};

/* Steps that were listed as they were made are undone from the last one on. */
void taf_chunk_turn(struct taf_chunk_way *way);

/* No chunk of so many bytes is longer than this as it is stored. */
uint64_t taf_chunk_longest(uint64_t bytes);

/* Bytes of work memory that taf_chunk_unpack needs. */
size_t taf_chunk_room(const struct taf_chunk_way *way, size_t bytes);

/*
 * Make the bytes of a chunk at to of the n at p, which may be changed.  NULL, or what is
 * wrong with it, "" where there is no memory.
 */
TAF_MUST const char *taf_chunk_unpack(const struct taf_chunk_way *way, unsigned char *p,
    size_t n, unsigned char *to, size_t bytes, unsigned char *work);

#endif
