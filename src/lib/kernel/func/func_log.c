/* SPDX-License-Identifier: ISC */
#include "config.h"

#include <math.h>

#include "kernel/func/func.h"
#include "kernel/func/func_log.h"

/*
 * Numbers as 2^k (1 + f), NaN where one is not positive, normal and finite.  2^-shift has
 * made subnormal ones normal.
 */
static TAF_INLINE void
split(double *k, double *f, const double *x, double shift, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct taf_func_split p = taf_func_split(x[i]);

		k[i] = p.k + shift;
		f[i] = taf_func_choose(taf_func_normal(x[i]), p.f, TAF_FUNC_NAN);
	}
}

/* log x; less accurate than the sum of two, and faster */
static TAF_INLINE void
log_rows(double *y, const double *x, double shift, size_t n)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], f[TAF_FUNC_BLOCK], s[TAF_FUNC_BLOCK],
	    tail[TAF_FUNC_BLOCK];
	const double *const c = taf_func_log_c;

	split(k, f, x, shift, n);
	for (size_t i = 0; i < n; i++) {
		const double q = f[i] / (2 + f[i]), z = q * q, w = z * z;

		s[i] = q;
		tail[i] = z * ((c[0] + z * c[1]) +
		    w * ((c[2] + z * c[3]) +
		    w * ((c[4] + z * c[5]) +
		    w * c[6])));
	}
	for (size_t i = 0; i < n; i++) {
		const struct taf_two sum = taf_func_sum(k[i] * TAF_FUNC_LN2_FIRST, f[i]);
		const double half = 0.5 * f[i] * f[i];

		y[i] = sum.hi + (sum.lo - (half -
		    (s[i] * (half + tail[i]) + k[i] * TAF_FUNC_LN2_REST)));
	}
}

/* k + log (1 + f) / ln 2; the divisor's inverse is a sum of two */
static TAF_INLINE void
log2_rows(double *y, const double *x, double shift, size_t n)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], f[TAF_FUNC_BLOCK], zero[TAF_FUNC_BLOCK],
	    hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	split(k, f, x, shift, n);
	memset(zero, 0, n * sizeof *zero);
	taf_func_log_rows(hi, lo, zero, f, zero, n);
	for (size_t i = 0; i < n; i++) {
		const double head = taf_func_head(hi[i]);
		const struct taf_two s = taf_func_sum(k[i], head * TAF_FUNC_LOG2E_HEAD);

		y[i] = s.hi + (s.lo + (head * TAF_FUNC_LOG2E_TAIL +
		    ((hi[i] - head) + lo[i]) * TAF_FUNC_LOG2E));
	}
}

/* log x / ln 10, the same way */
static TAF_INLINE void
log10_rows(double *y, const double *x, double shift, size_t n)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], f[TAF_FUNC_BLOCK], zero[TAF_FUNC_BLOCK],
	    hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	split(k, f, x, shift, n);
	memset(zero, 0, n * sizeof *zero);
	taf_func_log_rows(hi, lo, k, f, zero, n);
	for (size_t i = 0; i < n; i++) {
		const double head = taf_func_head(hi[i]);

		y[i] = head * TAF_FUNC_LOG10E_HEAD + (head * TAF_FUNC_LOG10E_TAIL +
		    ((hi[i] - head) + lo[i]) * TAF_FUNC_LOG10E);
	}
}

/* A loop for normal x, and what it leaves out. */
#define LOG(name) \
TAF_FUNC_LOOP(name##_loop) \
{ \
	name##_rows(y, x, 0, n); \
} \
\
static double \
name##_rest(double x) \
{ \
	double y, up = x * 0x1p54; \
\
	if (x < 0) \
		return TAF_FUNC_NAN; \
	if (x == 0 || x == TAF_FUNC_INF) \
		return x == 0 ? -TAF_FUNC_INF : x; \
	name##_rows(&y, &up, -54, 1); \
	return y; \
} \
\
TAF_FUNC(name, name##_rest)

LOG(log)
LOG(log2)
LOG(log10)

struct sums {
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], f[TAF_FUNC_BLOCK], g[TAF_FUNC_BLOCK];
};

/*
 * 1 + x is 2^k (1 + f + g), g what the sum and x.hi have lost; f is NaN where that is
 * none.
 */
static TAF_INLINE void
put_sum(struct sums *t, size_t i, struct taf_two x)
{
	const struct taf_two u = taf_func_any_sum(1, x.hi);
	const struct taf_func_split p = taf_func_split(u.hi);
	const uint64_t near = taf_func_mask(p.k == 0);

	t->k[i] = p.k;
	t->f[i] = taf_func_choose(taf_func_normal(u.hi),
	    taf_func_choose(near, x.hi, p.f), TAF_FUNC_NAN);
	t->g[i] = taf_func_choose(near, x.lo,
	    (u.lo + x.lo) * taf_func_power(-taf_func_clamp(p.k, -100, 100)));
}

/* f + g = x + the root of s + less, at most as large as the root */
static TAF_INLINE void
put_root(struct sums *t, size_t i, double x, struct taf_two s, double less)
{
	const double root = sqrt(s.hi);
	const struct taf_two square = taf_func_product(root, root);
	const double rest = taf_func_choose(taf_func_mask(root > 0),
	    (((s.hi - square.hi) - square.lo) + s.lo) / (root + root), 0);
	const struct taf_two a = taf_func_sum(root, less), b = taf_func_any_sum(x, a.hi);
	const struct taf_two u = taf_func_sum(b.hi, b.lo + (a.lo + rest));

	t->f[i] = u.hi;
	t->g[i] = u.lo;
}

/* 1 + f + g as put_sum has it; for large x, up to the largest, it is 2 x. */
static TAF_INLINE void
put_large(struct sums *t, size_t i, double x)
{
	const struct taf_func_split p = taf_func_split(x);
	const uint64_t large = taf_func_mask(x >= 0x1p30);
	const uint64_t finite = taf_func_mask(x < TAF_FUNC_INF);

	put_sum(t, i, (struct taf_two){ t->f[i], t->g[i] });
	t->k[i] = taf_func_choose(large, p.k + 1, t->k[i]);
	t->f[i] = taf_func_choose(finite,
	    taf_func_choose(large, p.f, t->f[i]), TAF_FUNC_NAN);
	t->g[i] = taf_func_choose(large, 0, t->g[i]);
}

TAF_FUNC_LOOP(log1p_loop)
{
	struct sums t;
	TAF_FUNC_ROWS hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++)
		put_sum(&t, i, (struct taf_two){ x[i], 0 });
	taf_func_log_rows(hi, lo, t.k, t.f, t.g, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t tiny = taf_func_mask(taf_func_abs(x[i]) < 0x1p-54);

		y[i] = taf_func_choose(tiny, x[i], hi[i]);
	}
}

static double
log1p_rest(double x)
{
	return x < -1 ? TAF_FUNC_NAN : x == -1 ? -TAF_FUNC_INF : x;
}

/* log (a + the root of a^2 + 1); from 2^30 on it is log 2a */
TAF_FUNC_LOOP(asinh_loop)
{
	struct sums t;
	TAF_FUNC_ROWS hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_clamp(taf_func_abs(x[i]), 0, 0x1p30);
		const struct taf_two square = taf_func_product(a, a);
		const struct taf_two s = taf_func_any_sum(1, square.hi);

		put_root(&t, i, a, (struct taf_two){ s.hi, s.lo + square.lo }, -1);
	}
	for (size_t i = 0; i < n; i++)
		put_large(&t, i, taf_func_abs(x[i]));
	taf_func_log_rows(hi, lo, t.k, t.f, t.g, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t tiny = taf_func_mask(taf_func_abs(x[i]) < 0x1p-27);

		y[i] = taf_func_sign(taf_func_choose(tiny, x[i], hi[i]), x[i]);
	}
}

static double
asinh_rest(double x)
{
	return x;
}

/* log (1 + v + the root of 2 v + v^2), v = x - 1 */
TAF_FUNC_LOOP(acosh_loop)
{
	struct sums t;
	TAF_FUNC_ROWS lo[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const double v = taf_func_clamp(x[i], 0, 0x1p30) - 1;
		const struct taf_two sum = taf_func_any_sum(2, v);
		struct taf_two s = taf_func_product(v, sum.hi);

		s.lo += v * sum.lo;
		put_root(&t, i, v, s, 0);
	}
	for (size_t i = 0; i < n; i++)
		put_large(&t, i, x[i]);
	taf_func_log_rows(y, lo, t.k, t.f, t.g, n);
}

static double
acosh_rest(double x)
{
	return x < 1 ? TAF_FUNC_NAN : x;
}

/* half of log (1 + 2 a / (1 - a)) */
TAF_FUNC_LOOP(atanh_loop)
{
	struct sums t;
	TAF_FUNC_ROWS hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const double a = taf_func_abs(x[i]);

		const struct taf_two q = taf_func_quotient(
		    (struct taf_two){ 2 * a, 0 }, taf_func_sum(1, -a));

		hi[i] = q.hi;
		lo[i] = q.lo;
	}
	for (size_t i = 0; i < n; i++)
		put_sum(&t, i, taf_func_sum(hi[i], lo[i]));
	taf_func_log_rows(hi, lo, t.k, t.f, t.g, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t tiny = taf_func_mask(taf_func_abs(x[i]) < 0x1p-27);

		y[i] = taf_func_sign(taf_func_choose(tiny, x[i], 0.5 * hi[i]), x[i]);
	}
}

static double
atanh_rest(double x)
{
	return taf_func_abs(x) == 1 ? taf_func_sign(TAF_FUNC_INF, x) : TAF_FUNC_NAN;
}

TAF_FUNC(log1p, log1p_rest)
TAF_FUNC(asinh, asinh_rest)
TAF_FUNC(acosh, acosh_rest)
TAF_FUNC(atanh, atanh_rest)
