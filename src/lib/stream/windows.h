/* SPDX-License-Identifier: ISC */
/* Lines of an array along one dimension, however long, given to a function in windows. */
#ifndef TAF_STREAM_WINDOWS_H
#define TAF_STREAM_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/nan.h"
#include "stream/service.h"

/* Some results of a line, and the points that they are made of; numbers count from 0. */
struct taf_window {
	/* points from first on, n_in of them; pairs where a's are */
	const double *in;
	uint64_t first;
	size_t n_in;
	double *out;		/* results from at on, n of them, pairs where out's are */
	const float *in32;	/* the same two, instead, with narrow */
	float *out32;
	uint64_t at;
	size_t n;
	uint64_t line;		/* number of the line, dimension 1 fastest */
	/* of the line, zeros where at is 0; NULL without state_size */
	void *state;
	unsigned thread;	/* which calls, below TAF_THREADS_MOST */
	void *scratch;		/* of need.scratch bytes, or NULL */
};

/* A result is made of its own point, and of so many points before and behind it. */
struct taf_reach {
	uint64_t len;			/* of the line */
	uint64_t before, behind;
};

struct taf_windows {
	/* its out is as a, but for the length of dim and the type: floats, or pairs */
	const struct taf_along *along;
	struct taf_out *to;		/* NULL, or where results go instead of its w */
	uint64_t memory;		/* bound in bytes; 0: that of the service */
	struct taf_need need;		/* of it */
	/*
	 * The points, from span[0] on and before span[1], that n > 0 results from at on
	 * are made of: one at least.  Neither bound goes back as at grows.
	 */
	void (*span)(const void *ctx, uint64_t at, uint64_t n, uint64_t span[2]);
	const struct taf_reach *reach;	/* NULL, or says it in the place of span */
	/*
	 * Called from several threads at once, in any order.  With state_size a line has
	 * so many bytes of its own, and its windows come one after the other.
	 */
	enum taf_status (*window)(void *ctx, const struct taf_window *w,
	    struct taf_err *e);
	size_t state_size;
	/*
	 * NULL, or takes the state past a window as window does, without results and in
	 * less time.  So windows of a long line need not wait for each other.
	 */
	enum taf_status (*pass)(void *ctx, const struct taf_window *w, struct taf_err *e);
	/*
	 * A call for some results takes no longer than its share of one for all: calls
	 * are for so few that what they work on stays in cache.
	 */
	bool blocks;
	/*
	 * A window may be made of more points than one of as many results in the middle
	 * of the line.
	 */
	bool uneven;
	void *ctx;
	bool narrow;		/* points and results are handed over as flt32 */
	/*
	 * A result of finite points that is not finite is computed once more, of smaller
	 * points.  Where its size is unknown, the function itself sees to that.
	 */
	enum taf_scaling scaling;
	/*
	 * Where not 0, each result is so many numbers that lie together, which out does
	 * not say.
	 */
	size_t record;
};

/*
 * All lines.  Short ones go through taf_lines.  Those of more points, and those side by
 * side that do not fit the memory, pass in windows, in the order in which they come.  If
 * a result does not depend on the other ones of its window, the output does not depend on
 * memory, threads and input.  TAF_EDATA if the points of one result do not fit the
 * memory, or a result of finite points does not fit its type.
 */
TAF_MUST enum taf_status taf_windows(const struct taf_windows *how, struct taf_err *e);

/* TAF_EDATA: result i of a window of lines does not fit flt64. */
enum taf_status taf_window_overflow(const struct taf_along *l, const struct taf_window *w,
    size_t i, struct taf_err *e);

/*
 * Make out, a copy of in, the array of what is computed along dimension dim: flt32 where
 * in is flt32 or an integer of at most 16 bits, else flt64; of pairs it is these pairs.
 * No mapping.  TAF_EDATA if the dimension is not there, and if it has no points.
 */
TAF_MUST enum taf_status taf_windows_shape(struct taf_array *out,
    const struct taf_array *in, unsigned dim, struct taf_err *e);

#endif
