/* SPDX-License-Identifier: ISC */
#include "kernel/number/product.h"

#include <math.h>

#include "kernel/number/total.h"
#include "kernel/number/two.h"

/*
 * The logarithms of the significands are added, each as two doubles that are exact
 * enough for 2^40 of them: so the order of the factors has no influence.  Powers of two
 * are counted.
 */
static const struct taf_total logs = { -192, 4 };

/* 1 / (2 k + 1) */
static const struct taf_two odd[] = {
	{ 0x1.0000000000000p+0, 0x0.0p+0 },
	{ 0x1.5555555555555p-2, 0x1.5555555555555p-56 },
	{ 0x1.999999999999ap-3, -0x1.999999999999ap-57 },
	{ 0x1.2492492492492p-3, 0x1.2492492492492p-57 },
	{ 0x1.c71c71c71c71cp-4, 0x1.c71c71c71c71cp-58 },
	{ 0x1.745d1745d1746p-4, -0x1.745d1745d1746p-59 },
	{ 0x1.3b13b13b13b14p-4, -0x1.3b13b13b13b14p-58 },
	{ 0x1.1111111111111p-4, 0x1.1111111111111p-60 },
	{ 0x1.e1e1e1e1e1e1ep-5, 0x1.e1e1e1e1e1e1ep-61 },
	{ 0x1.af286bca1af28p-5, 0x1.af286bca1af28p-59 },
	{ 0x1.8618618618618p-5, 0x1.8618618618618p-59 },
	{ 0x1.642c8590b2164p-5, 0x1.642c8590b2164p-60 },
	{ 0x1.47ae147ae147bp-5, -0x1.eb851eb851eb8p-61 },
	{ 0x1.2f684bda12f68p-5, 0x1.2f684bda12f68p-59 },
	{ 0x1.1a7b9611a7b96p-5, 0x1.1a7b9611a7b96p-61 },
	{ 0x1.0842108421084p-5, 0x1.0842108421084p-60 },
	{ 0x1.f07c1f07c1f08p-6, -0x1.f07c1f07c1f08p-61 },
	{ 0x1.d41d41d41d41dp-6, 0x1.0750750750750p-60 },
	{ 0x1.bacf914c1bad0p-6, -0x1.bacf914c1bad0p-60 },
	{ 0x1.a41a41a41a41ap-6, 0x1.0690690690690p-60 },
	{ 0x1.8f9c18f9c18fap-6, -0x1.f3831f3831f38p-61 },
	{ 0x1.7d05f417d05f4p-6, 0x1.7d05f417d05f4p-62 },
};

static const struct taf_two ln2 = { 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56 };

static struct taf_two
sum(struct taf_two a, struct taf_two b)
{
	taf_two_add(&a, b.hi);
	taf_two_add(&a, b.lo);
	/* what is in lo moves up where it can */
	b.hi = a.hi + a.lo;
	b.lo = a.lo - (b.hi - a.hi);
	return b;
}

static struct taf_two
times(struct taf_two a, struct taf_two b)
{
	struct taf_two r = taf_two_product(a.hi, b.hi);

	r.lo += a.hi * b.lo + a.lo * b.hi;
	a.hi = r.hi + r.lo;
	a.lo = r.lo - (a.hi - r.hi);
	return a;
}

/* The logarithm of m, from the root of 1/2 to that of 2: twice the area tangent of s. */
static struct taf_two
log_of(double m)
{
	struct taf_two below = { 1, 0 }, s, square, rest, series = { 0, 0 };
	size_t k;

	taf_two_add(&below, m);
	s.hi = (m - 1) / below.hi;
	rest = taf_two_product(s.hi, below.hi);
	s.lo = (((m - 1) - rest.hi) - rest.lo - s.hi * below.lo) / below.hi;
	square = times(s, s);
	for (k = sizeof odd / sizeof odd[0]; k > 0; k--)
		series = sum(times(series, square), odd[k - 1]);
	series = times(series, s);
	series.hi *= 2;
	series.lo *= 2;
	return series;
}

void
taf_product_add(struct taf_product *p, double x)
{
	struct taf_two log;
	double m;
	int e;

	p->negative += signbit(x) != 0;
	if (x == 0) {
		p->zeros++;
		return;
	}
	m = frexp(fabs(x), &e);
	if (m < 0.70710678118654752) {
		m *= 2;
		e--;
	}
	p->exponent += (uint64_t)(int64_t)e;
	if (m == 1)
		return;
	log = log_of(m);
	taf_total_add_f64(p->logs, logs, log.hi);
	taf_total_add_f64(p->logs, logs, log.lo);
}

void
taf_product_join(struct taf_product *p, const struct taf_product *more)
{
	p->zeros += more->zeros;
	p->negative += more->negative;
	p->exponent += more->exponent;
	taf_total_join(p->logs, more->logs, logs.words);
}

/* e^r - 1 for |r| below 1/2. */
static struct taf_two
power(struct taf_two r)
{
	enum { HALVINGS = 8, TERMS = 11 };
	struct taf_two y = { 0, 0 };
	int k;

	r.hi /= 1 << HALVINGS;
	r.lo /= 1 << HALVINGS;
	for (k = TERMS; k > 0; k--) {
		/* r / k (1 + what is so far) */
		const struct taf_two one = { 1, 0 };

		y = times(taf_two_divide(r, k), sum(y, one));
	}
	for (k = 0; k < HALVINGS; k++) {
		struct taf_two twice = { 2 * y.hi, 2 * y.lo };

		y = sum(twice, times(y, y));
	}
	return y;
}

double
taf_product_f64(const struct taf_product *p)
{
	const double sign = p->negative % 2 != 0 ? -1 : 1;
	struct taf_two log, y, one = { 1, 0 };
	double e = (double)(int64_t)p->exponent, k;

	if (p->zeros > 0)
		return sign * 0.0;
	taf_total_two(p->logs, logs, &log);
	k = floor(log.hi / ln2.hi + 0.5);
	y.hi = -k;
	y.lo = 0;
	y = sum(log, times(y, ln2));
	y = sum(power(y), one);
	e += k;
	e = e > 3000 ? 3000 : e < -3000 ? -3000 : e;
	return sign * ldexp(y.hi + y.lo, (int)e);
}
