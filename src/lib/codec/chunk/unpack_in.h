/* SPDX-License-Identifier: ISC */
/* A packed stream within a file, as an input. */
#ifndef TAF_CODEC_CHUNK_UNPACK_IN_H
#define TAF_CODEC_CHUNK_UNPACK_IN_H

#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/chunk/unpack.h"
#include "io/in.h"

/*
 * Unpack the n bytes at offset at of a seekable input, which zlib or gzip has packed.
 * Those of gzip are one stream, or several, one behind the other.  taf_unpack_in gives an
 * input that reads like a pipe.  It fails where the packed bytes
 * are cut or damaged.  Their checksum is at the end.  So who wants to be sure reads up to
 * the end.  from must stay until taf_unpack_in_end.  That closes the input, and may be
 * called with NULL.  TAF_EDATA if the library is missing.
 */
struct taf_unpack_in;
TAF_MUST enum taf_status taf_unpack_in_begin(struct taf_unpack_in **u,
    enum taf_packing packing, const struct taf_in *from, uint64_t at, uint64_t n,
    struct taf_err *e);
struct taf_in *taf_unpack_in(const struct taf_unpack_in *u);
void taf_unpack_in_end(struct taf_unpack_in *u);

/* The offset of the packed byte that comes next. */
uint64_t taf_unpack_in_at(const struct taf_unpack_in *u);

/* Can n packed bytes become so many?  zlib and gzip have a largest ratio. */
bool taf_unpack_in_can(uint64_t n, uint64_t become);

#endif
