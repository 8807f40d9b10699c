/* SPDX-License-Identifier: ISC */
/* What the value axis, or the scale of an image's colours, goes from and to. */
#ifndef TAF_PLOT_LIMITS_H
#define TAF_PLOT_LIMITS_H

#include <stdbool.h>

#include "array/array.h"
#include "array/word.h"
#include "base/attr.h"
#include "base/err.h"

struct taf_plot;

/* So much of what is drawn of traces, and is not 0, is within the scale. */
#define TAF_SECTION_MOST 0.99

/* What is wanted; a zeroed one: all that is drawn. */
struct taf_plot_limits {
	bool given, shares;		/* at most one of them */
	struct taf_amount range[2];	/* given */
	double share[2];		/* shares: from 0 to 1 */
	bool balanced;			/* 0 is in the middle, but for a range */
};

/* For limits: "LO:HI"; and "P" or "LO:HI" in percent.  TAF_EUSAGE: another text. */
TAF_MUST enum taf_status taf_plot_range(void *limits, const char *text,
    struct taf_err *e);
TAF_MUST enum taf_status taf_plot_percentile(void *limits, const char *text,
    struct taf_err *e);

/* The given ends in the unit of a's values.  TAF_EDATA where one does not fit that. */
TAF_MUST enum taf_status taf_plot_range_of(const struct taf_plot_limits *limits,
    const struct taf_array *a, double range[2], struct taf_err *e);

/*
 * Of what is drawn from *lo to *hi the axis shows what limits say; of traces the scale
 * goes equally far to both sides of 0.
 */
TAF_MUST enum taf_status taf_plot_limit(const struct taf_plot *p,
    const struct taf_plot_limits *limits, double *lo, double *hi, struct taf_err *e);

#endif
