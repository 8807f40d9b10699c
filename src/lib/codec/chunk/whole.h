/* SPDX-License-Identifier: ISC */
/* What a library, whichever, has packed as a whole. */
#ifndef TAF_CODEC_CHUNK_WHOLE_H
#define TAF_CODEC_CHUNK_WHOLE_H

#include <stddef.h>

#include "base/attr.h"
#include "codec/chunk/unpack.h"

/*
 * All of size bytes, packed in any way; no more than room bytes, *n of them, come of it.
 * TAF_BROKEN, with what is wrong in *fault, also where there are more, or some are left.
 */
TAF_MUST enum taf_unpacked taf_unpack_all(enum taf_packing packing,
    const unsigned char *p, size_t size, unsigned char *to, size_t room, size_t *n,
    const char **fault);

#endif
