/* SPDX-License-Identifier: ISC */
#include "kernel/line/phase.h"

static const double two_pi = 0x1.921fb54442d18p+2;

/* The nearest whole number of turns. */
static double
turns(double angle)
{
	return (angle / two_pi + 0x1.8p52) - 0x1.8p52;
}

void
taf_phase_unwrap(struct taf_unwrap *u, double *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const double now = p[i];

		u->whole -= turns(now - u->last);
		u->last = now;
		p[i] = now + u->whole * two_pi;
	}
}

/* How far a phase goes on to the next one: by at most pi. */
static inline double
advance(double from, double to)
{
	const double by = to - from;

	return by - turns(by) * two_pi;
}

void
taf_phase_frequency(double *to, const double *p, size_t n, double step)
{
	const double by = two_pi * step;
	size_t i;

	if (n == 2) {
		to[0] = to[1] = advance(p[0], p[1]) / by;
		return;
	}
	for (i = 1; i + 1 < n; i++)
		to[i] = (advance(p[i - 1], p[i]) + advance(p[i], p[i + 1])) / (2 * by);
	to[0] = (3 * advance(p[0], p[1]) - advance(p[1], p[2])) / (2 * by);
	to[n - 1] = (3 * advance(p[n - 2], p[n - 1]) - advance(p[n - 3], p[n - 2])) /
	    (2 * by);
}
