#include "config.h"

#include <math.h>

#include "kernel/func/func.h"
#include "kernel/func/func_block.h"

/* pi, pi/2 and pi/4 begin with 50 bits: products with small whole numbers are exact */
#define QUARTER_HI 0x1.921fb54442d18p-1
#define QUARTER_LO 0x1.1a62633145c07p-55

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
	const uint64_t diagonal = taf_func_mask(b > 0x1.a827999fcef32p-2 * a);
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
	for (size_t i = 0; i < n; i++) {
		const struct taf_two q = taf_func_quotient(
		    (struct taf_two){ t->up[i], t->low[i] },
		    (struct taf_two){ t->down[i], t->rest[i] });

		t->up[i] = q.hi;
		t->low[i] = q.lo;
	}
	for (size_t i = 0; i < n; i++) {
		const double z = t->up[i] * t->up[i], w = z * z, v = w * w;

		t->rest[i] = z * (((-0x1.5555555555555p-2 + z * 0x1.9999999999815p-3) +
		    w * (-0x1.2492492481cbep-3 + z * 0x1.c71c71bca8eaep-4)) +
		    v * (((-0x1.745d15680755cp-4 + z * 0x1.3b137c240395fp-4) +
		    w * (-0x1.110d2f18fa6c7p-4 + z * 0x1.e17f3cbf8f645p-5)) +
		    v * ((-0x1.abcc3d95a51a9p-5 + z * 0x1.72169dbe34a0fp-5) +
		    w * (-0x1.14bd80cae63e1p-5 + z * 0x1.fb81f769758aep-7))));
	}
	for (size_t i = 0; i < n; i++) {
		const double q = t->up[i];
		const double tail = q * t->rest[i] + (t->low[i] - t->low[i] * (q * q));
		const struct taf_two s = taf_func_sum(t->quarters[i] * QUARTER_HI,
		    t->sense[i] * q);

		y[i] = taf_func_sign(s.hi + (s.lo +
		    (t->quarters[i] * QUARTER_LO + t->sense[i] * tail)), sign[i]);
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

void
taf_func_atan(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, atan_loop, NULL);
}

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
	const int left = (taf_func_bits(b) >> 63) != 0;

	if (a != a || b != b)
		return taf_func_first_nan(a, b);
	if (up == 0 || up < side)
		return taf_func_sign((left ? 4 : 0) * QUARTER_HI, a);
	return taf_func_sign((up > side ? 2 : left ? 3 : 1) * QUARTER_HI, a);
}

void
taf_func_atan2(double *y, const double *a, const double *b, size_t n)
{
	taf_func_blocks2(y, a, b, n, atan2_loop, atan2_rest);
}

/* asin(s) - s for z = s^2 <= 1/4 */
static TAF_INLINE double
asin_tail(double s, double z)
{
	const double w = z * z, v = w * w;

	return s * (z * (((0x1.5555555555555p-3 + z * 0x1.33333333334b8p-4) +
	    w * (0x1.6db6db6d9654cp-5 + z * 0x1.f1c71c85ed4a1p-6)) +
	    v * (((0x1.6e8b9f6713decp-6 + z * 0x1.1c4f265ba4bcdp-6) +
	    w * (0x1.c98b913036391p-7 + z * 0x1.7b398f2a661dcp-7)) +
	    v * (((0x1.39adf837f793ep-7 + z * 0x1.39bb9ce6010c3p-7) +
	    w * (0x1.1927dfeda6ac9p-9 + z * 0x1.622dd15012138p-6)) +
	    v * (-0x1.689b26f12d5aep-6 + z * 0x1.0018f0228d4bdp-5)))));
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
		const struct taf_two s = taf_func_sum(2 * QUARTER_HI, -2 * r.hi[i]);
		const double v = taf_func_choose(large,
		    s.hi + (s.lo + (2 * QUARTER_LO - 2 * r.lo[i])), r.hi[i] + r.lo[i]);

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
		const struct taf_two s = taf_func_sum(quarters * QUARTER_HI,
		    factor * r.hi[i]);

		y[i] = s.hi + (s.lo + (quarters * QUARTER_LO + factor * r.lo[i]));
	}
}

void
taf_func_asin(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, asin_loop, NULL);
}

void
taf_func_acos(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, acos_loop, NULL);
}
