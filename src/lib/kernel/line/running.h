/* SPDX-License-Identifier: ISC */
/* Running sums that lose nothing but the last bits of two doubles. */
#ifndef TAF_KERNEL_LINE_RUNNING_H
#define TAF_KERNEL_LINE_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/number/two.h"

/*
 * How far it has come; zeros at first.  Points are summed in runs, the first of which
 * begins at place 0; so many runs can be summed side by side.  before is the sum of all
 * runs that are complete, run that of the points of the present one, sum that of both,
 * in the order of the points.
 */
struct taf_running {
	struct taf_two before, run, sum;
};

/*
 * out[i] = the sum of all points up to place at + i, of which x[i] is the last; with
 * half, half of that one alone.  Calls come in the order of places.  The places of their
 * cuts have no influence on any bit.  An infinite sum stays one, or becomes NaN.
 */
void taf_running(struct taf_running *s, double *out, const double *x,
    uint64_t at, size_t n, bool half);

/* Go on over points whose sums are of no interest; it takes half the time. */
void taf_running_pass(struct taf_running *s, const double *x, uint64_t at, size_t n);

/* Are all sums finite?  Make them smaller by a power of 2. */
bool taf_running_finite(const struct taf_running *s);
void taf_running_scale_down(struct taf_running *s, int bits);

#endif
