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
	 * Values come, mapping applied, as elements of this type, or, with stored, as
	 * they are stored; as is then a's type.  If a has pairs and as is real, the parts
	 * are lines of their own: that of the imaginary ones lies beside that of the real
	 * ones.  So do results.
	 */
	enum taf_type as;
	bool stored;
	/*
	 * The array that w is within: as a, but for its type and mapping and the length
	 * of dim.  Results of type give are stored in its type under its mapping, or,
	 * with stored, as they are.
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
	 * Where not 0, each result is so many numbers that lie together, which out does
	 * not say.
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
 * All lines, in batches within memory.  Along dimension 1 they pass as they come.  Along
 * another dimension a pipe passes if a plane of lines fits the memory; otherwise it is
 * spooled.  If the function's result does not depend on its batches, the output does not
 * depend on memory and threads.  TAF_EDATA if a single line does not fit the memory, or a
 * result does not fit its type.
 */
TAF_MUST enum taf_status taf_lines(const struct taf_lines *how, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
