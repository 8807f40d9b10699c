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
 * Phases become frequencies, which are at most half of one by the step: central
 * differences, of the second order at the ends; n is at least 2.  Turns are counted
 * between neighbours alone, so a result depends on three phases.
 */
void taf_phase_frequency(double *to, const double *p, size_t n, double step);

#endif
