/* SPDX-License-Identifier: ISC */
/* What taftools alone do with buffers.  It is not installed. */
#ifndef TAF_BASE_BUF_PRIVATE_H
#define TAF_BASE_BUF_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * As taf_alloc.  Much of it is asked for in large pages: for what is walked in long
 * steps, each of which would look for a page.
 */
void *taf_alloc_far(size_t n, size_t size);

/*
 * The memory of an operation that cannot do with less than need: more than it may take
 * only where need is small, so that a small bound refuses no small array.
 */
uint64_t taf_memory_for(uint64_t memory, uint64_t need);

/* Do n things of so many bytes each fit the memory? */
bool taf_memory_fits(uint64_t memory, uint64_t n, uint64_t each);

/* What a part of the memory is for. */
enum taf_share {
	TAF_HELD,	/* what stays to the end, or workspaces of all threads */
	TAF_BATCH,	/* elements that come and go, or one list or line of a few */
	TAF_AHEAD,	/* what is read before it is wanted */
	TAF_MANY	/* what there are many of at a time: rows, pieces, lists */
};

/* How many bytes of the memory may be taken for that.  No other code divides -m. */
uint64_t taf_memory_share(uint64_t memory, enum taf_share what);

#endif
