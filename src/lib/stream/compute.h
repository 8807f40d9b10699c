/* SPDX-License-Identifier: ISC */
/* One array from several, block by block: each value from those at the same place. */
#ifndef TAF_STREAM_COMPUTE_H
#define TAF_STREAM_COMPUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/convert.h"
#include "stream/reader.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values that a block function gets at most: some such blocks stay in the first cache. */
enum { TAF_COMPUTE_BLOCK = 1024, TAF_COMPUTE_MOST = 64 /* inputs */ };

/*
 * An input: r's present array a, nothing of which was read.  Its values, mapping applied,
 * come as elements of type as.  Where its lengths are 1, or it has not so many dimensions
 * as the result, its values are given again and again.
 */
struct taf_operand {
	struct taf_reader *r;
	const struct taf_array *a;
	enum taf_type as;
};

/* What a block function works on. */
struct taf_block {
	const void *const *in;		/* of each operand, n values */
	void *out;			/* n results, of taf_compute's type */
	size_t n;
	/* number of the first value in the result, from 0 */
	uint64_t first;
	unsigned thread;		/* which calls it, below the number of threads */
};

struct taf_compute {
	const struct taf_operand *in;
	unsigned nin;
	/*
	 * The array that w is within: results are stored in its type under its mapping;
	 * clip stores what does not fit as the nearest that does.
	 */
	const struct taf_array *out;
	struct taf_writer *w;
	enum taf_type as;		/* of the results of the block function */
	bool clip;
	/*
	 * Called from several threads at once, in any order, with blocks that follow from
	 * the shape of the result alone.
	 */
	enum taf_status (*block)(void *ctx, const struct taf_block *b, struct taf_err *e);
	void *ctx;
	uint64_t memory;		/* bound in bytes */
	unsigned threads;
	/* grows by what was clipped and rounded, or NULL */
	struct taf_convert_count *count;
	void *reserved[4];	/* zeros */
};

/*
 * Compute the whole result.  Inputs of the result's shape are read in order, smaller ones
 * are held in memory, or, where memory does not hold them, in a file.  The bytes do not
 * depend on memory and threads.  TAF_EDATA where the shapes do not fit
 * (taf_array_extend), for a result that does not fit its type, and for too many inputs.
 */
TAF_MUST enum taf_status taf_compute(const struct taf_compute *how, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
