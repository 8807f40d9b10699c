/* SPDX-License-Identifier: ISC */
/* Phases of a line: without jumps, and how fast they advance. */
#ifndef TAF_KERNEL_LINE_PHASE_H
#define TAF_KERNEL_LINE_PHASE_H

#include <stddef.h>

/* Of a line that comes in parts: whole turns so far, and the last phase before. */
struct taf_unwrap {
	double whole, last;
};

/*
 * Add whole turns, so that neighbours differ by at most pi; u is of the phase before
 * p[0].
 */
void taf_phase_unwrap(struct taf_unwrap *u, double *p, size_t n);

/*
 * The n phases of p, n >= 2, become frequencies: their slope by 2 pi, by central
 * differences, and at the ends by one-sided ones of second order.  Turns are counted
 * between neighbours alone.  So a result depends on three phases, and its magnitude is
 * at most 1/(2 step).
 */
void taf_phase_frequency(double *to, const double *p, size_t n, double step);

#endif
