/* SPDX-License-Identifier: ISC */
/* Permuting the dimensions of an array from one file to another. */
#ifndef TAF_STREAM_PERMUTE_H
#define TAF_STREAM_PERMUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"

/*
 * Where elements come from and go to.  Offsets are bytes from the first
 * element of the array.  Both functions move all n bytes or fail, with e
 * filled; with more than one thread they are called from several at once.
 */
struct taf_permute_io {
	void *ctx;
	enum taf_status (*read)(void *ctx, void *buf, uint64_t off, size_t n,
	    struct taf_err *e);
	enum taf_status (*write)(void *ctx, const void *buf, uint64_t off, size_t n,
	    struct taf_err *e);
	bool sequential;	/* write from first byte to last, one call at a time */
	/* all elements, in memory or a mapped file, as read has them; or NULL */
	const unsigned char *map;
};

/* An array of elements of esize bytes, and the order its dimensions shall have. */
struct taf_permute_shape {
	size_t esize;
	unsigned ndim;
	const uint64_t *n;
	const unsigned *order;
};

/*
 * Write the array with its dimensions in another order: dimension k of the
 * output is dimension order[k] of the input, counted from 0; dimension 0 is
 * the fastest.  The buffers of all threads together stay within memory bytes
 * whatever the shape, if two elements fit.  Small arrays get fewer threads.
 *
 * TAF_EUSAGE if order is no permutation of 0 to ndim - 1 or the array exceeds
 * 64 bits; else the first failure of read, write or memory.
 */
TAF_MUST enum taf_status taf_permute(const struct taf_permute_io *io,
    const struct taf_permute_shape *s, size_t memory, unsigned threads,
    struct taf_err *e);

/*
 * Is a sequential output so costly, because the input is read in small pieces again and
 * again, that a temporary file written at random and then copied costs less?  A mapped
 * input is one with a map.
 */
TAF_MUST bool taf_permute_wants_random_output(const struct taf_permute_shape *s,
    bool mapped, size_t memory, unsigned threads);

#endif
