/* SPDX-License-Identifier: ISC */
/* Derivatives and integrals of lines. */
#ifndef TAF_KERNEL_LINE_CALCULUS_H
#define TAF_KERNEL_LINE_CALCULUS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/line/running.h"
#include "kernel/line/smooth.h"

/*
 * out[i] = half the difference of the neighbours of point at + i, divided by step.  At
 * the ends of the line it is the slope of the parabola through three points there, or, of
 * a line of two, of the straight line.  The line has two points or more.  rough is
 * taf_divide's.
 */
void taf_gradient(double *out, uint64_t at, size_t n, const struct taf_points_at *points,
    double step, bool rough);

/* out[i] = x[i + 1] - x[i], i < n. */
void taf_differences(double *out, const double *x, size_t n);

enum taf_rule { TAF_RULE_TRAPEZOID, TAF_RULE_SUM, TAF_RULE_SIMPSON };

/*
 * The integral from the first point on, start there, of a function at points that are
 * step apart.  Simpson's rule is that of parabolas: between points 2 k and 2 k + 2 (from
 * 0) it is the one through these and what is between them; behind the last pair it is the
 * one through the last three points.
 */
struct taf_integral {
	enum taf_rule rule;
	double step, start;
};

/* Points before a result, and behind it, that taf_integrate looks at. */
enum { TAF_INTEGRAL_BEFORE = 2, TAF_INTEGRAL_BEHIND = 1 };

/*
 * The n results from at on, in the order of the line.  The sum so far is that of two
 * doubles; a cut of the line into calls has no influence on any bit.
 */
void taf_integrate(const struct taf_integral *how, struct taf_running *sum,
    double *out, uint64_t at, size_t n, const struct taf_points_at *points);

/* What these n results do to the sum so far. */
void taf_integrate_pass(enum taf_rule rule, struct taf_running *sum, uint64_t at,
    size_t n, const struct taf_points_at *points);

#endif
