/* SPDX-License-Identifier: ISC */
/* A look at all that an item of a FilesDaf store holds, twice, or has left behind. */
#ifndef TAF_CODEC_DAF_DAF_SCAN_H
#define TAF_CODEC_DAF_DAF_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "codec/daf/daf.h"

/* How an item is looked at: strings must be UTF-8; elements are summed. */
enum { TAF_DAF_TEXT = 1, TAF_DAF_SUM = 2 };

struct taf_daf_sum {
	uint64_t on;		/* entries that are stored, or Bools that are true */
	/* of TAF_DAF_SUM: both layouts of a matrix have these in common */
	uint64_t n;		/* elements that are not zero, false or empty */
	uint64_t digest;	/* of these and of their places, whatever their order */
};

/*
 * Read all of a found item that taf_daf_find does not read: indices, Bools, strings,
 * chunks, and for the sum all elements.  TAF_EDATA says what is wrong.  Nothing is read
 * where taf_daf_foreign.  Packed strings and the longest line of others are held in
 * memory.
 */
TAF_MUST enum taf_status taf_daf_check(const struct taf_daf *s,
    const struct taf_daf_item *it, unsigned how, struct taf_daf_sum *sum,
    struct taf_err *e);

/*
 * Does the other layout of a matrix, which was found in its own and is sound, hold
 * anything else?  No where there is no other, or a faulty one.  Not looked at are
 * elements of more than 64 MiB, unless both layouts are sparse.
 */
TAF_MUST enum taf_status taf_daf_compare(const struct taf_daf *s,
    const struct taf_daf_item *it, bool *differ, struct taf_err *e);

/*
 * Append the suffixes of files that a found vector or matrix has beside those of its
 * descriptor, with commas between: those of another way to store it.
 */
TAF_MUST enum taf_status taf_daf_stale(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_buf *to, struct taf_err *e);

#endif
