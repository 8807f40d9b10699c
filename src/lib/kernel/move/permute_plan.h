/* SPDX-License-Identifier: ISC */
/* Planning a permutation of dimensions: what is read at once, what is written. */
#ifndef TAF_KERNEL_MOVE_PERMUTE_PLAN_H
#define TAF_KERNEL_MOVE_PERMUTE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* Lengths above 1 whose product fits 64 bits. */
enum { TAF_PERMUTE_NDIM = 64 };

/*
 * A permutation reduced to what matters: no length of 1, no two dimensions
 * that are neighbours in the input and again, in this order, in the output.
 */
struct taf_permutation {
	size_t esize;
	uint64_t bytes;				/* of the array */
	unsigned nd;
	uint64_t n[TAF_PERMUTE_NDIM];		/* lengths of the input */
	unsigned in[TAF_PERMUTE_NDIM];		/* 0, 1, 2 ... */
	unsigned out[TAF_PERMUTE_NDIM];		/* the fastest of the output first */
};

/* Has order each of the dimensions once, from 0? */
bool taf_permute_is(unsigned ndim, const unsigned order[]);

/*
 * Reduce: dimension k of the output is dimension order[k] of the input, from
 * 0.  False if order is no permutation or the bytes do not fit 64 bits.
 */
TAF_MUST bool taf_permute_reduce(struct taf_permutation *p, size_t esize, unsigned ndim,
    const uint64_t n[], const unsigned order[]);

/*
 * The array is cut into blocks, each read in runs of the input; a block is cut
 * into tiles, each brought into the order of the output and written in runs of
 * the output.  Extents are by input dimension; those at an edge may be smaller.
 */
struct taf_permute_plan {
	unsigned threads;			/* each has its own two buffers */
	uint64_t block[TAF_PERMUTE_NDIM];
	uint64_t tile[TAF_PERMUTE_NDIM];
	size_t block_bytes, tile_bytes;		/* that a buffer needs */
};

/*
 * Both buffers of all threads together stay within memory bytes, if that is
 * enough for two elements.  With sequential, the blocks in the order of the
 * output, each a single tile, are the output from its first byte to its last.
 */
void taf_permute_plan(struct taf_permute_plan *q, const struct taf_permutation *p,
    size_t memory, unsigned threads, bool sequential);

/*
 * The same for elements that are in memory or in a mapped file.  A block is one tile, and
 * needs no buffer.  False where the memory is small beside them.
 */
bool taf_permute_plan_mapped(struct taf_permute_plan *q, const struct taf_permutation *p,
    size_t memory, unsigned threads, bool sequential);

/* Where the elements of a box lie in a buffer: runs of a file, one behind the other. */
struct taf_permute_layout {
	size_t run;				/* bytes */
	unsigned inner;				/* dimensions that a run goes along */
	ptrdiff_t step[TAF_PERMUTE_NDIM];	/* bytes, by input dimension */
};

/* The layout of a box of extents ext in a file whose dimensions come as in seq. */
void taf_permute_lay_out(struct taf_permute_layout *l, const struct taf_permutation *p,
    const uint64_t ext[], const unsigned seq[]);

#endif
