/* Analytic signals of lines that do not fit the memory. */
#ifndef TAF_STREAM_ANALYTIC_LONG_H
#define TAF_STREAM_ANALYTIC_LONG_H

#include "base/attr.h"
#include "base/err.h"
#include "stream/analytic.h"

/* All lines, along dimension 1; they have three points at least. */
TAF_MUST enum taf_status taf_analytic_long(const struct taf_analytic_job *how,
    struct taf_err *e);

#endif
