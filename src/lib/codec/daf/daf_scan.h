/* A look at all that a vector or matrix of a FilesDaf store holds, in bounded memory. */
#ifndef TAF_CODEC_DAF_DAF_SCAN_H
#define TAF_CODEC_DAF_DAF_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"

/* What both layouts of a matrix have in common if they hold the same. */
struct taf_daf_sum {
	uint64_t n;		/* elements that are not zero, false or empty */
	uint64_t digest;	/* of these and of their places, whatever their order */
};

/*
 * Read all of a found vector or matrix that is stored in its own layout and can be
 * decoded: indices, Bools, strings, chunks.  TAF_EDATA says what is wrong.  Where *sum
 * is not wanted, it may be NULL, and elements that are always right are not read.
 * Packed strings and the longest line of others are held in memory.
 */
TAF_MUST enum taf_status taf_daf_scan(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_daf_sum *sum, struct taf_err *e);

#endif
