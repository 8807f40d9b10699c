/* Analytic signals of lines that do not fit the memory. */
#ifndef TAF_STREAM_ANALYTIC_LONG_H
#define TAF_STREAM_ANALYTIC_LONG_H

#include "base/attr.h"
#include "base/err.h"
#include "stream/analytic.h"

/*
 * All lines; they have three points at least.  Along another dimension than the first
 * there are temporary files of the array and of its results besides those of a line.
 */
TAF_MUST enum taf_status taf_analytic_long(const struct taf_analytic_job *how,
    struct taf_err *e);

#endif
