/* SPDX-License-Identifier: ISC */
#include "kernel/stat/norm.h"

#include <math.h>

/* Numbers of middle size: their squares neither overflow nor lose bits. */
static const double large = 0x1p400, small = 0x1p-400;
static const int scale[3] = { 0, -600, 600 };

void
taf_norm_add(struct taf_norm *s, const double *x, size_t n)
{
	struct taf_two sum = s->part[0];
	size_t i;

	for (i = 0; i < n; i++) {
		const double v = x[i] < 0 ? -x[i] : x[i];
		const int k = v < large ? 2 : 1;
		double y;

		if (v < large && v > small) {
			taf_two_add(&sum, v * v);
		} else if (v != 0) {
			y = ldexp(v, scale[k]);
			taf_two_add(&s->part[k], y * y);
		}
	}
	s->part[0] = sum;
}

/* All of it; infinities have left NaN in lo. */
static struct taf_power
value(const struct taf_norm *s)
{
	const unsigned k = s->part[1].hi != 0 ? 1 : s->part[0].hi != 0 ? 0 : 2;
	const unsigned next = k == 1 ? 0 : 2;
	struct taf_two sum = s->part[k];
	struct taf_power p = { 0, 0 };

	if (next != k)
		taf_two_add(&sum, ldexp(s->part[next].hi, 2 * (scale[k] - scale[next])));
	p.x = frexp(sum.hi + sum.lo, &p.e);
	p.e -= 2 * scale[k];
	return p;
}

struct taf_power
taf_norm_product(const struct taf_norm *a, const struct taf_norm *b)
{
	const struct taf_power x = value(a), y = value(b);
	struct taf_power p = { x.x * y.x, x.e + y.e };

	if (p.e % 2 != 0) {
		p.x *= 2;
		p.e--;
	}
	p.x = sqrt(p.x);
	p.e /= 2;
	return p;
}
