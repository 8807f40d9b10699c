/* SPDX-License-Identifier: ISC */
/* A line of any length in order: a sample sort of runs that were sorted before. */
#ifndef TAF_OP_STAT_SORTING_LONG_H
#define TAF_OP_STAT_SORTING_LONG_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "kernel/stat/sort.h"
#include "stream/reader.h"

struct taf_sample_sort {
	struct taf_reader *r;		/* the line is what it reads next */
	const struct taf_sort *sort;	/* made for len elements */
	uint64_t len;
	/* Takes the results in their order, on one thread at a time. */
	enum taf_status (*put)(void *ctx, const void *results, size_t n,
	    struct taf_err *e);
	void *ctx;
	uint64_t memory;		/* bound in bytes */
	unsigned threads;
	size_t least;			/* elements of a run; 0: as many as are fast */
};

/*
 * Sort the line.  Some MiB a thread are taken in any case, and more where the line is a
 * million times as long.  What exceeds the memory waits in a temporary file, once.  The
 * result does not depend on memory and threads.
 */
TAF_MUST enum taf_status taf_sample_sort(const struct taf_sample_sort *how,
    struct taf_err *e);

#endif
