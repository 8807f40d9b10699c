/* SPDX-License-Identifier: ISC */
/* Roots of unity, for sums that transforms are compared with. */
#ifndef ROOTS_H
#define ROOTS_H

#include <math.h>
#include <stddef.h>

struct root {
	long double re, im;
};

/*
 * exp(-2 pi i j / n) for each j below n, at most 65536, until the call for another n.
 * They take longer than the sums, most of all on an emulated machine.
 */
static inline const struct root *
roots_of(size_t n)
{
	static struct root roots[65536];
	static size_t have;
	const long double unit = 2 * acosl(-1) / (long double)n;

	for (size_t j = 0; j < n && have != n; j++) {
		roots[j].re = cosl(unit * (long double)j);
		roots[j].im = -sinl(unit * (long double)j);
	}
	have = n;
	return roots;
}

#endif
