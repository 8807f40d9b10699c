/* SPDX-License-Identifier: ISC */
/* A number that tells bytes from other bytes, as fast as they can be read: no secret. */
#ifndef TAF_BASE_DIGEST_H
#define TAF_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/*
 * Continue digest h, 0 at first, with n bytes.  The same bytes in other pieces give
 * another digest.  The same on every machine.
 */
uint64_t taf_digest(uint64_t h, const void *p, size_t n);

#endif
