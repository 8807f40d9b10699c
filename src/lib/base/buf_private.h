/* What taftools alone do with buffers.  It is not installed. */
#ifndef TAF_BASE_BUF_PRIVATE_H
#define TAF_BASE_BUF_PRIVATE_H

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

#endif
