/* A packed stream within a file, as an input. */
#ifndef TAF_CODEC_CHUNK_UNPACK_IN_H
#define TAF_CODEC_CHUNK_UNPACK_IN_H

#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/chunk/unpack.h"
#include "io/in.h"

/*
 * What the n bytes at an absolute offset of a seekable input become, zlib's or gzip's, to
 * be read like a pipe.  It fails where they are cut or damaged; the last bytes may come
 * before that is known: who wants to be sure reads up to the end.  from stays until
 * taf_unpack_in_end, which closes the input, and may be called of NULL.  TAF_EDATA where
 * the library is missing.
 */
struct taf_unpack_in;
TAF_MUST enum taf_status taf_unpack_in_begin(struct taf_unpack_in **u,
    enum taf_packing packing, const struct taf_in *from, uint64_t at, uint64_t n,
    struct taf_err *e);
struct taf_in *taf_unpack_in(const struct taf_unpack_in *u);
void taf_unpack_in_end(struct taf_unpack_in *u);

/* Can n bytes that are packed so become so many? */
bool taf_unpack_in_can(uint64_t n, uint64_t become);

#endif
