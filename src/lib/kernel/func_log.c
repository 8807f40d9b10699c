#include "config.h"

#include "kernel/func.h"
#include "kernel/func_log.h"

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

	split(k, f, x, shift, n);
	for (size_t i = 0; i < n; i++) {
		const double q = f[i] / (2 + f[i]), z = q * q, w = z * z;

		s[i] = q;
		tail[i] = z * ((0x1.5555555555558p-1 + z * 0x1.99999999952b9p-2) +
		    w * ((0x1.2492492dfb9b8p-2 + z * 0x1.c71c62d649d8cp-3) +
		    w * ((0x1.7462b925fa03ep-3 + z * 0x1.39fdcbbceb4c6p-3) +
		    w * 0x1.2b5f5b2f9f871p-3)));
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
		const struct taf_two s = taf_func_sum(k[i], head * 0x1.715476p+0);

		y[i] = s.hi + (s.lo + (head * 0x1.4ae0bf85ddf44p-26 +
		    ((hi[i] - head) + lo[i]) * 0x1.71547652b82fep+0));
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

		y[i] = head * 0x1.bcb7b1p-2 + (head * 0x1.49b9438ca9aaep-28 +
		    ((hi[i] - head) + lo[i]) * 0x1.bcb7b1526e50ep-2);
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
void \
taf_func_##name(double *y, const double *x, size_t n) \
{ \
	taf_func_blocks(y, x, n, name##_loop, name##_rest); \
}

LOG(log)
LOG(log2)
LOG(log10)

/* 1 + x is 2^k (1 + f + g), g what the sum has lost of x */
TAF_FUNC_LOOP(log1p_loop)
{
	TAF_FUNC_ROWS k[TAF_FUNC_BLOCK], f[TAF_FUNC_BLOCK], g[TAF_FUNC_BLOCK],
	    hi[TAF_FUNC_BLOCK], lo[TAF_FUNC_BLOCK];

	for (size_t i = 0; i < n; i++) {
		const struct taf_two u = taf_func_any_sum(1, x[i]);
		const struct taf_func_split p = taf_func_split(u.hi);
		const uint64_t near = taf_func_mask(p.k == 0);
		const double most = taf_func_choose(taf_func_mask(p.k > 100), 100, p.k);

		k[i] = p.k;
		f[i] = taf_func_choose(taf_func_normal(u.hi),
		    taf_func_choose(near, x[i], p.f), TAF_FUNC_NAN);
		g[i] = taf_func_choose(near, 0, u.lo * taf_func_power(-most));
	}
	taf_func_log_rows(hi, lo, k, f, g, n);
	for (size_t i = 0; i < n; i++)
		y[i] = taf_func_choose(taf_func_mask(taf_func_abs(x[i]) < 0x1p-54), x[i], hi[i]);
}

static double
log1p_rest(double x)
{
	return x < -1 ? TAF_FUNC_NAN : x == -1 ? -TAF_FUNC_INF : x;
}

void
taf_func_log1p(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, log1p_loop, log1p_rest);
}
