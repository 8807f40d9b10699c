/* SPDX-License-Identifier: ISC */
#include "config.h"

#include <math.h>

#include "kernel/func/func.h"
#include "kernel/func/func_block.h"

/*
 * The angles of (x, y), 0 to pi, for y >= 0.  Of |x| and y the smaller is divided by the
 * larger, or, near the diagonal, their difference by their sum: the quotient is below
 * tan(pi/8).  The rest of the angle is a number of quarters of pi.
 */
struct angles {
	TAF_FUNC_ROWS quarters[TAF_FUNC_BLOCK], sense[TAF_FUNC_BLOCK];
	double up[TAF_FUNC_BLOCK], low[TAF_FUNC_BLOCK];	/* above, and the quotient */
	double down[TAF_FUNC_BLOCK], rest[TAF_FUNC_BLOCK];
};

static TAF_INLINE void
put_angle(struct angles *t, size_t i, double y, double x)
{
	const double side = taf_func_abs(x);
	const uint64_t steep = taf_func_mask(y > side), left = taf_func_mask(x < 0);
	const double a = taf_func_choose(steep, y, side);
	const double b = taf_func_choose(steep, side, y);
	const uint64_t diagonal = taf_func_mask(b > TAF_FUNC_TAN_EIGHTH * a);
	const struct taf_two sum = taf_func_sum(a, b), difference = taf_func_sum(a, -b);
	/* one of steep and left turns the sense */
	const double sense = taf_func_choose(steep ^ left, -1, 1);

	t->up[i] = taf_func_choose(diagonal, -difference.hi, b);
	t->low[i] = taf_func_choose(diagonal, -difference.lo, 0);
	t->down[i] = taf_func_choose(diagonal, sum.hi, a);
	t->rest[i] = taf_func_choose(diagonal, sum.lo, 0);
	t->sense[i] = sense;
	t->quarters[i] = taf_func_choose(steep, 2, taf_func_choose(left, 4, 0)) +
	    taf_func_choose(diagonal, sense, 0);
}

/* The angles, with the signs of those in sign. */
static TAF_INLINE void
angle_rows(double *restrict y, struct angles *t, const double *restrict sign, size_t n)
{
	const double *const c = taf_func_atan_c;

	for (size_t i = 0; i < n; i++) {
		const struct taf_two q = taf_func_quotient(
		    (struct taf_two){ t->up[i], t->low[i] },
		    (struct taf_two){ t->down[i], t->rest[i] });

		t->up[i] = q.hi;
		t->low[i] = q.lo;
	}
	for (size_t i = 0; i < n; i++) {
		const double z = t->up[i] * t->up[i], w = z * z, v = w * w;

		t->rest[i] = z * (((c[0] + z * c[1]) +
		    w * (c[2] + z * c[3])) +
		    v * (((c[4] + z * c[5]) +
		    w * (c[6] + z * c[7])) +
		    v * ((c[8] + z * c[9]) +
		    w * (c[10] + z * c[11]))));
	}
	for (size_t i = 0; i < n; i++) {
		const double q = t->up[i];
		const double tail = q * t->rest[i] + (t->low[i] - t->low[i] * (q * q));
		const double quarters = t->quarters[i], sense = t->sense[i];
		const struct taf_two s = taf_func_sum(quarters * TAF_FUNC_QUARTER_HI,
		    sense * q);

		y[i] = taf_func_sign(s.hi + (s.lo +
		    (quarters * TAF_FUNC_QUARTER_LO + sense * tail)), sign[i]);
	}
}

/* From 2^60 on it is pi/2. */
TAF_FUNC_LOOP(atan_loop)
{
	struct angles t;

	for (size_t i = 0; i < n; i++)
		put_angle(&t, i, taf_func_clamp(taf_func_abs(x[i]), 0, 0x1p60), 1);
	angle_rows(y, &t, x, n);
}

TAF_FUNC(atan, NULL)

/* By a power of two, so that neither the sum nor a product is too large or too small. */
TAF_FUNC_LOOP2(atan2_loop)
{
	struct angles t;

	for (size_t i = 0; i < n; i++) {
		const double up = taf_func_abs(a[i]), side = taf_func_abs(b[i]);
		const double most = taf_func_choose(taf_func_mask(up > side), up, side);
		const double scale = taf_func_choose(taf_func_mask(most > 0x1p900),
		    0x1p-200, taf_func_choose(taf_func_mask(most < 1), 0x1p600, 1));

		put_angle(&t, i, up * scale, b[i] * scale);
	}
	angle_rows(y, &t, a, n);
}

/* What has zeros or infinities. */
static double
atan2_rest(double a, double b)
{
	const double up = taf_func_abs(a), side = taf_func_abs(b);
	const int left = (taf_bits64(b) >> 63) != 0;

	if (a != a || b != b)
		return taf_func_first_nan(a, b);
	if (up == 0 || up < side)
		return taf_func_sign((left ? 4 : 0) * TAF_FUNC_QUARTER_HI, a);
	return taf_func_sign((up > side ? 2 : left ? 3 : 1) * TAF_FUNC_QUARTER_HI, a);
}

TAF_FUNC2(atan2)

/* asin(s) - s for z = s^2 <= 1/4 */
static TAF_INLINE double
asin_tail(double s, double z)
{
	const double *const c = taf_func_asin_c;
	const double w = z * z, v = w * w;

	return s * (z * (((c[0] + z * c[1]) +
	    w * (c[2] + z * c[3])) +
	    v * (((c[4] + z * c[5]) +
	    w * (c[6] + z * c[7])) +
	    v * (((c[8] + z * c[9]) +
	    w * (c[10] + z * c[11])) +
	    v * (c[12] + z * c[13])))));
}

/*
 * asin |x| = hi + lo up to 1/2; above, the same of the root of z = (1 - |x|) / 2, and
 * twice that is missing to pi/2.
 */
struct arcs {
	TAF_FUNC_ROWS hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK], z[TAF_FUNC_BLOCK];
};

static TAF_INLINE void
arc_rows(struct arcs *r, const double *restrict x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_abs(x[i]);
		const uint64_t large = taf_func_mask(a > 0.5);
		const double z = taf_func_choose(large, 0.5 - 0.5 * a, a * a);
		const double root = sqrt(z);
		const struct taf_two square = taf_func_product(root, root);

		r->z[i] = z;
		r->hi[i] = taf_func_choose(large, root, a);
		r->lo[i] = taf_func_choose(large & taf_func_mask(z > 0),
		    ((z - square.hi) - square.lo) / (root + root), 0);
	}
	for (size_t i = 0; i < n; i++)
		r->lo[i] += asin_tail(r->hi[i], r->z[i]);
}

TAF_FUNC_LOOP(asin_loop)
{
	struct arcs r;

	arc_rows(&r, x, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t large = taf_func_mask(taf_func_abs(x[i]) > 0.5);
		const struct taf_two s = taf_func_sum(2 * TAF_FUNC_QUARTER_HI,
		    -2 * r.hi[i]);
		const double v = taf_func_choose(large,
		    s.hi + (s.lo + (2 * TAF_FUNC_QUARTER_LO - 2 * r.lo[i])),
		    r.hi[i] + r.lo[i]);

		y[i] = taf_func_sign(v, x[i]);
	}
}

/* pi/2 - asin x up to 1/2; above, 2 asin of the root, or pi less that */
TAF_FUNC_LOOP(acos_loop)
{
	struct arcs r;

	arc_rows(&r, x, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t large = taf_func_mask(taf_func_abs(x[i]) > 0.5);
		const uint64_t left = taf_func_mask(x[i] < 0);
		const double quarters = taf_func_choose(large,
		    taf_func_choose(left, 4, 0), 2);
		const double factor = taf_func_choose(large,
		    taf_func_choose(left, -2, 2), taf_func_choose(left, 1, -1));
		const struct taf_two s = taf_func_sum(quarters * TAF_FUNC_QUARTER_HI,
		    factor * r.hi[i]);

		y[i] = s.hi + (s.lo +
		    (quarters * TAF_FUNC_QUARTER_LO + factor * r.lo[i]));
	}
}

TAF_FUNC(asin, NULL)

TAF_FUNC(acos, NULL)
