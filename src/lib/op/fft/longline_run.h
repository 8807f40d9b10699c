/* SPDX-License-Identifier: ISC */
/* Results of the Fourier transforms of lines that do not fit the memory, in pieces. */
#ifndef TAF_OP_FFT_LONGLINE_RUN_H
#define TAF_OP_FFT_LONGLINE_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "array/type.h"
#include "base/attr.h"
#include "base/err.h"
#include "kernel/number/nan.h"
#include "op/fft/longline.h"
#include "stream/transpose.h"

/* The points of the present line. */
struct taf_longpoints;

/* n of them from first on, as flt64.  Safe from several threads at once. */
TAF_MUST enum taf_status taf_longpoints_get(const struct taf_longpoints *p, double *to,
    uint64_t first, size_t n, struct taf_err *e);

/* Some results of a line; those of complex type are pairs. */
struct taf_longpiece {
	const struct taf_longpoints *points;
	const struct taf_longline *line;
	uint64_t first;
	size_t n;
	double *to;
	/* TAF_LONGRUN_WORK times n, and TAF_LONGRUN_MORE, numbers */
	double *work;
};

enum {
	TAF_LONGRUN_WORK = 4,
	TAF_LONGRUN_MORE = 32,
	/* bytes that a thread takes for each result of a piece, roughly */
	TAF_LONGRUN_POINT = (TAF_LONGRUN_WORK + 2) * sizeof(double)
};

struct taf_longrun {
	const struct taf_along *along;
	struct taf_out *to;		/* where results go, unless it is NULL */
	enum taf_type as;		/* points are rounded to this type, of floats */
	enum taf_scaling scaling;	/* how results follow points that are smaller */
	size_t piece;			/* results of a piece, an even number */
	uint64_t stop;			/* where a piece ends at the latest, or 0 */
	/* Transform a line.  p is there as long as l. */
	enum taf_status (*open)(void *ctx, const struct taf_longpoints *p,
	    struct taf_longline **l, struct taf_err *e);
	/* Fill p->to.  Called from several threads at once. */
	enum taf_status (*make)(void *ctx, const struct taf_longpiece *p,
	    struct taf_err *e);
	/* Change results in their order, one call at a time; or NULL. */
	void (*join)(void *ctx, double *results, uint64_t first, size_t n);
	void *ctx;
};

/*
 * All lines.  Where results of finite points are not finite, the line is transformed once
 * more, of smaller points, as taf_lines does.  Along another dimension than the first
 * there are temporary files of the array and of its results besides those of a line.
 */
TAF_MUST enum taf_status taf_longrun(const struct taf_longrun *how, struct taf_err *e);

#endif
