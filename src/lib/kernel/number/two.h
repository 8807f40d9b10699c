/* SPDX-License-Identifier: ISC */
/* A number as the sum of two doubles: what hi has lost of it is in lo. */
#ifndef TAF_KERNEL_NUMBER_TWO_H
#define TAF_KERNEL_NUMBER_TWO_H

#include "base/attr.h"

struct taf_two {
	double hi, lo;
};

/* x added, without loss but for the last bits of lo. */
static inline void
taf_two_add(struct taf_two *s, double x)
{
	double hi = s->hi + x, part = hi - s->hi;

	s->lo += (s->hi - (hi - part)) + (x - part);
	s->hi = hi;
}

/*
 * The halves of x, whose products with those of another are exact: 26 bits each and a
 * sign, after T. J. Dekker (1971).
 */
static TAF_INLINE struct taf_two
taf_two_halves(double x)
{
	const double up = 0x8000001p0 * x;
	struct taf_two h;

	h.hi = up - (up - x);
	h.lo = x - h.hi;
	return h;
}

/* a b, exactly where neither it nor a or b is over 2^990, and it is not tiny. */
static TAF_INLINE struct taf_two
taf_two_product(double a, double b)
{
	const struct taf_two x = taf_two_halves(a), y = taf_two_halves(b);
	struct taf_two r;

	r.hi = a * b;
	r.lo = ((x.hi * y.hi - r.hi) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo;
	return r;
}

/* s / x, within the same bounds. */
static inline struct taf_two
taf_two_divide(struct taf_two s, double x)
{
	struct taf_two r, p;

	r.hi = (s.hi + s.lo) / x;
	p = taf_two_product(r.hi, x);
	r.lo = ((s.hi - p.hi) - p.lo + s.lo) / x;
	return r;
}

#endif
