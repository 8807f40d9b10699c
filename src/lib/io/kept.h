/* SPDX-License-Identifier: ISC */
/* Bytes of an input that were read, and shall stay what they were. */
#ifndef TAF_IO_KEPT_H
#define TAF_IO_KEPT_H

#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"

/* Zeroed it is of no bytes. */
struct taf_kept { uint64_t at, n, digest; };

/* Take a digest of the n bytes at an offset of a seekable input. */
TAF_MUST enum taf_status taf_keep(struct taf_kept *k, const struct taf_in *in,
    uint64_t at, uint64_t n, struct taf_err *e);

/* Are they still the same?  TAF_EDATA if not. */
TAF_MUST enum taf_status taf_kept_same(const struct taf_kept *k, const struct taf_in *in,
    struct taf_err *e);

#endif
