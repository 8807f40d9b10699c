/* SPDX-License-Identifier: ISC */
/* How many threads there shall be. */
#ifndef TAF_BASE_THREADS_H
#define TAF_BASE_THREADS_H

#include <stdint.h>

enum { TAF_THREADS_MOST = 64 };

/* How many of some threads have a piece of work: one at least, 64 at most. */
unsigned taf_threads_for(unsigned threads, uint64_t pieces);

/*
 * How many of some threads fit the memory: each needs so many bytes, and shared of them
 * are needed once.  0 where not even one fits; 64 at most.
 */
unsigned taf_threads_within(uint64_t memory, unsigned threads, uint64_t shared,
    uint64_t each);

/* The same, but one at least, for work that has the memory of one in any case. */
unsigned taf_threads_some(uint64_t memory, unsigned threads, uint64_t shared,
    uint64_t each);

#endif
