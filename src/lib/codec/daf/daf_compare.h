/* What a FilesDaf store holds twice, or has left behind. */
#ifndef TAF_CODEC_DAF_DAF_COMPARE_H
#define TAF_CODEC_DAF_DAF_COMPARE_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "codec/daf/daf.h"

/*
 * Does the other layout of a matrix, which was found in its own and is sound, hold
 * anything else?  No where there is no other, or a faulty one.  Not looked at are
 * elements of more than 64 MiB, unless both layouts are sparse.
 */
TAF_MUST enum taf_status taf_daf_compare(const struct taf_daf *s,
    const struct taf_daf_item *it, bool *differ, struct taf_err *e);

/*
 * Append the suffixes of files that a found vector or matrix has beside those of its
 * descriptor, with commas between; of those of another way to store it.
 */
TAF_MUST enum taf_status taf_daf_stale(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_buf *to, struct taf_err *e);

#endif
