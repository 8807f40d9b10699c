/* SPDX-License-Identifier: ISC */
/* Medians of windows that slide along a line. */
#ifndef TAF_KERNEL_LINE_MEDIAN_H
#define TAF_KERNEL_LINE_MEDIAN_H

#include <stddef.h>

/*
 * Window i has the width points from x[i] on, but none before x[begin] and none from
 * x[end] on; one at least.
 */
struct taf_median {
	const double *x;
	size_t width, begin, end;
};

/* Doubles of scratch for n results. */
size_t taf_median_scratch(size_t width, size_t n);

/*
 * The medians of n windows: of an even number of points the middle between two.  A NaN
 * makes those of its windows NaN.  A zero is never -0.
 */
void taf_median(const struct taf_median *how, double *out, size_t n, double *scratch);

#endif
