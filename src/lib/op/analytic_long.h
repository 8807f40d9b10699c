/* Analytic signals of lines that do not fit the memory. */
#ifndef TAF_OP_ANALYTIC_LONG_H
#define TAF_OP_ANALYTIC_LONG_H

#include "base/attr.h"
#include "base/err.h"
#include "op/analytic.h"

enum {
	TAF_ANALYTIC_PIECE = 8 * 1024,	/* frequencies are made of so many points, */
	TAF_ANALYTIC_MARGIN = 2		/* and of so many on both sides */
};

/*
 * Frequencies of points of a signal, to im.  Phases are unwrapped from the first one on,
 * which is near: so no frequency loses digits to turns long before.
 */
void taf_analytic_frequencies(double *im, double *re, size_t points, double step);

/*
 * All lines; they have three points at least.  Along another dimension than the first
 * there are temporary files of the array and of its results besides those of a line.
 */
TAF_MUST enum taf_status taf_analytic_long(const struct taf_analytic_job *how,
    struct taf_err *e);

#endif
