/* SPDX-License-Identifier: ISC */
/*
 * Where chunks lie in a file that has several: a list of offsets and lengths, in 64 bits
 * each, all ones where a chunk is not there (codec sharding_indexed of Zarr 3; FilesDaf).
 */
#ifndef TAF_CODEC_CHUNK_CHUNK_INDEX_H
#define TAF_CODEC_CHUNK_CHUNK_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/chunk/chunk.h"
#include "io/in.h"

/* Bytes of a place in the list, and of the CRC-32C that mostly ends it. */
enum { TAF_CHUNK_PLACE = 16, TAF_CHUNK_SUM = 4 };

/* One place, from and to its bytes; false where there is no such chunk. */
bool taf_chunk_place(const unsigned char *p, bool big, uint64_t place[2]);
void taf_chunk_place_put(unsigned char *p, uint64_t at, uint64_t n);

/*
 * The list of n chunks, which went through way, and is the first of a file or its last.
 * Each chunk lies in the rest of the file, and shares no byte with others, or it is
 * TAF_EDATA.  *place is for free(), also on failure.
 */
TAF_MUST enum taf_status taf_chunk_index_read(const struct taf_in *in,
    const struct taf_chunk_way *way, bool first, bool big, uint64_t n, uint64_t **place,
    struct taf_err *e);

#endif
