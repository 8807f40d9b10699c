#include "kernel/func_log.h"

#include "config.h"

#include "kernel/fast.h"
#include "kernel/func.h"

/* log x; less accurate than the sum of two, and faster */
static inline double
log_at(double k, double f)
{
	const double half = 0.5 * f * f, s = f / (2 + f), z = s * s, w = z * z;
	const double tail = z * ((0x1.5555555555558p-1 + z * 0x1.99999999952b9p-2) +
	    w * ((0x1.2492492dfb9b8p-2 + z * 0x1.c71c62d649d8cp-3) +
	    w * ((0x1.7462b925fa03ep-3 + z * 0x1.39fdcbbceb4c6p-3) +
	    w * 0x1.2b5f5b2f9f871p-3)));
	const struct taf_two sum = taf_func_sum(k * TAF_FUNC_LN2_FIRST, f);

	return sum.hi + (sum.lo - (half - (s * (half + tail) + k * TAF_FUNC_LN2_REST)));
}

/* log x / ln 2 and log x / ln 10, the divisor's inverse as a sum of two */
static inline double
log2_at(double k, double f)
{
	const struct taf_two l = taf_func_log_of(0, (struct taf_two){ f, 0 });
	const double head = taf_func_head(l.hi);
	const struct taf_two s = taf_func_sum(k, head * 0x1.715476p+0);

	return s.hi + (s.lo + (head * 0x1.4ae0bf85ddf44p-26 +
	    ((l.hi - head) + l.lo) * 0x1.71547652b82fep+0));
}

static inline double
log10_at(double k, double f)
{
	const struct taf_two l = taf_func_log_of(k, (struct taf_two){ f, 0 });
	const double head = taf_func_head(l.hi);

	return head * 0x1.bcb7b1p-2 + (head * 0x1.49b9438ca9aaep-28 +
	    ((l.hi - head) + l.lo) * 0x1.bcb7b1526e50ep-2);
}

/*
 * A loop for normal x, and what it leaves out.  A subnormal x becomes normal by 2^54.
 */
#define LOG(name) \
TAF_FAST_VOID(name##_loop, \
    (double *restrict y, const double *restrict x, size_t n), (y, x, n)) \
{ \
	for (size_t i = 0; i < n; i++) { \
		const struct taf_func_split p = taf_func_split(x[i]); \
\
		y[i] = taf_func_choose(taf_func_normal(x[i]), name##_at(p.k, p.f), \
		    TAF_FUNC_NAN); \
	} \
} \
\
static double \
name##_rest(double x) \
{ \
	const struct taf_func_split p = taf_func_split(x * 0x1p54); \
\
	if (x < 0) \
		return TAF_FUNC_NAN; \
	return x == 0 ? -TAF_FUNC_INF : x == TAF_FUNC_INF ? x : name##_at(p.k - 54, p.f); \
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

/* 1 + x is 2^k (1 + f); what of x is lost in the sum is a part of f */
TAF_FAST_VOID(log1p_loop, (double *restrict y, const double *restrict x, size_t n), (y, x, n))
{
	for (size_t i = 0; i < n; i++) {
		const struct taf_two u = taf_func_any_sum(1, x[i]);
		const struct taf_func_split p = taf_func_split(u.hi);
		const uint64_t near = taf_func_mask(p.k == 0);
		const double k = taf_func_choose(taf_func_mask(p.k > 100), 100, p.k);
		struct taf_two f;

		f.hi = taf_func_choose(near, x[i], p.f);
		f.lo = taf_func_choose(near, 0, u.lo * taf_func_power(-k));
		y[i] = taf_func_choose(taf_func_normal(u.hi),
		    taf_func_choose(taf_func_mask(taf_func_abs(x[i]) < 0x1p-54), x[i],
		    taf_func_log_of(p.k, f).hi), TAF_FUNC_NAN);
	}
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
