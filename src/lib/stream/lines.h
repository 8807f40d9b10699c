/* SPDX-License-Identifier: ISC */
/* Lines of an array along one dimension, given to a function, and put back. */
#ifndef TAF_STREAM_LINES_H
#define TAF_STREAM_LINES_H

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

/* Some lines, each contiguous, one behind the other. */
struct taf_line {
	const void *in;		/* lines times in_len values */
	void *out;		/* lines times out_len results */
	size_t lines, in_len, out_len;
	/* number of the first line, dimension 1 fastest, from 0 */
	uint64_t first;
	unsigned thread;	/* which calls, below the number of threads */
	void *scratch;		/* of taf_lines_with, else NULL */
};

/* Some lines side by side: value i of line k is number i * in_step + k. */
struct taf_beside {
	const void *in;
	void *out;		/* result i of line k is number i * out_step + k */
	size_t lines, in_len, out_len, in_step, out_step;
	unsigned thread;
	uint64_t first;		/* number of the first line, as above */
	void *scratch;
};

struct taf_lines {
	struct taf_reader *r;		/* its present array a, nothing of it read */
	const struct taf_array *a;
	unsigned dim;			/* that lines run along, from 1 */
	/*
	 * Values come as elements of this type: the mapping is applied, or, with stored,
	 * it is not, and as is a's type.  If a is complex and as is real, each line comes
	 * as two neighbours: one of the real parts, one of the imaginary parts.  Their
	 * results are parts again.
	 */
	enum taf_type as;
	bool stored;
	/*
	 * The array that w has begun: as a, but its type, its mapping and the length of
	 * dim may be others.  Results are of type give; they are converted to its type
	 * under its mapping, or, with stored, written as they are.
	 */
	const struct taf_array *out;
	struct taf_writer *w;
	enum taf_type give;
	/* what does not fit is stored as the nearest that does */
	bool clip;
	/*
	 * Called from several threads at once, in any order.  One that fails says why by
	 * taf_fail.
	 */
	enum taf_status (*line)(void *ctx, const struct taf_line *l, struct taf_err *e);
	void *ctx;
	uint64_t memory;		/* bound in bytes */
	unsigned threads;
	/* grows by what was clipped and rounded, or NULL */
	struct taf_convert_count *count;
	/* if not NULL, results go here, and w is not looked at */
	struct taf_out *to;
	/*
	 * If not 0, each result is so many numbers that lie together.  The dimension that
	 * they make is not among those of out.
	 */
	size_t record;
	/* takes lines that lie side by side, where dim is not the first; or NULL */
	enum taf_status (*beside)(void *ctx, const struct taf_beside *l,
	    struct taf_err *e);
	/*
	 * Zero, or enum taf_scaling of kernel/number/nan.h: a line of finite numbers
	 * whose results are not finite is computed once more, of smaller ones.
	 */
	unsigned scaling;
};

/*
 * All lines, as many at a time as fit the memory.  Along dimension 1 they pass as they
 * come.  Along another dimension so does a pipe if all lines that lie side by side fit
 * the memory; otherwise it goes to a temporary file first.  The output does not depend on
 * memory and threads, as long as the function does the same for a line whatever lines
 * come with it.  TAF_EDATA if a single line does not fit the memory, or a result does not
 * fit its type.
 */
TAF_MUST enum taf_status taf_lines(const struct taf_lines *how, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
