/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/func/func.h"
#include "kernel/func/func_exp.h"
#include "kernel/func/func_log.h"
#include "kernel/func/func_trig.h"

/*
 * Stirling's series gives log gamma from 10 on.  Below, gamma(a) is gamma(a + n) divided
 * by a (a + 1) ... (a + n - 1); and gamma(-a) is -pi / (a sin(pi a) gamma(a)).
 */
static const struct taf_two pi = { TAF_FUNC_PI_HI, TAF_FUNC_PI_LO };
static const struct taf_two log_pi = { TAF_FUNC_LOG_PI_HI, TAF_FUNC_LOG_PI_LO };
static const double tiny = 0x1p-57;	/* below, gamma(a) is 1 / a */

static struct taf_two
add(struct taf_two a, struct taf_two b)
{
	const struct taf_two s = taf_func_any_sum(a.hi, b.hi);

	return taf_func_sum(s.hi, s.lo + (a.lo + b.lo));
}

static struct taf_two
multiply(struct taf_two a, struct taf_two b)
{
	const struct taf_two p = taf_func_product(a.hi, b.hi);

	return taf_func_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static struct taf_two
negative(struct taf_two a)
{
	const struct taf_two r = { -a.hi, -a.lo };

	return r;
}

static struct taf_two
logarithm(struct taf_two a)
{
	const struct taf_func_split p = taf_func_split(a.hi);
	const double rest = a.lo * taf_func_power(-taf_func_clamp(p.k, -1000, 1000));
	struct taf_two r;

	taf_func_log_rows(&r.hi, &r.lo, &p.k, &p.f, &rest, 1);
	return r;
}

/* log gamma(a) = log - log factor for a up to 2^60 */
struct stirling {
	struct taf_two log, factor;
};

static struct stirling
stirling(double a)
{
	struct stirling r = { { 0, 0 }, { 1, 0 } };
	struct taf_two b = { a, 0 }, half;
	const struct taf_two rest = { TAF_FUNC_LOG_ROOT_HI, TAF_FUNC_LOG_ROOT_LO };
	const double *const c = taf_func_stirling_c;
	double w, series;

	for (int j = 0; b.hi < 10; j++) {
		r.factor = multiply(r.factor, b);
		b = taf_func_any_sum(a, j + 1);
	}
	w = 1 / (b.hi * b.hi);
	series = ((c[0] + w * c[1]) + (w * w) * ((c[2] + w * c[3]) +
	    (w * w) * ((c[4] + w * c[5]) + (w * w) * c[6]))) / b.hi;
	half = add(b, (struct taf_two){ -0.5, 0 });
	r.log = add(add(multiply(half, logarithm(b)), negative(b)), rest);
	r.log = add(r.log, (struct taf_two){ series, 0 });
	return r;
}

/* a |sin(pi a)| for a that is not whole */
static struct taf_two
sine_times(double a)
{
	const double r = taf_func_abs(a < 0x1p51 ? a - taf_func_round(a) : 0.5);
	struct taf_two v = { r > 0.25 ? 0.5 - r : r, 0 };

	v = multiply(v, pi);
	v = r > 0.25 ? taf_func_cosine(v) : taf_func_sine(v);
	return multiply(v, (struct taf_two){ a, 0 });
}

/* Whether a > 0 is whole, and odd. */
static int
is_whole(double a, int *odd)
{
	const double below = a >= 0x1p52 ? a : (a + 0x1p52) - 0x1p52;
	const double down = below > a ? below - 1 : below;

	*odd = a < 0x1p53 && (taf_bits64(a >= 0x1p52 ? a : down + 0x1p52) & 1) != 0;
	return down == a;
}

static double
gamma_of(double x)
{
	const double a = taf_func_abs(x);
	struct taf_func_reduced d;
	struct taf_two e, q;
	struct stirling s;
	double v;
	int odd = 0;

	if (x != x)
		return TAF_FUNC_NAN;
	if (a > 0 && a < tiny)
		return 1 / x;
	if (x <= 0 && is_whole(a, &odd))
		return TAF_FUNC_NAN;
	if (a > 200)
		return x > 0 ? TAF_FUNC_INF : odd ? 0 : -0.0;
	s = stirling(a);
	e = x < 0 ? negative(s.log) : s.log;
	d = taf_func_reduce(e.hi);
	d.r = taf_func_sum(d.r.hi, d.r.lo + e.lo);
	e = taf_func_sum(1, d.r.hi);
	e = taf_func_sum(e.hi, e.lo + taf_func_exp_tail(d.r, taf_func_exp_cubic(d.r.hi)));
	if (x > 0)
		q = taf_func_quotient(e, s.factor);
	else
		q = taf_func_quotient(multiply(multiply(e, s.factor), pi), sine_times(a));
	v = taf_func_scale(q.hi + q.lo, d.k);
	return x > 0 || odd ? v : -v;
}

/* The zeros at 1 and 2 are factors: what is left of (x - 1) (x - 2), by t = x - 3/2 */
static double
between(double x)
{
	const struct taf_two t = { x - 1.5, 0 };
	const struct taf_two first = { x - 1, 0 }, second = taf_func_any_sum(x, -2);
	const double *const c = taf_func_lgamma_c, w = t.hi * t.hi;
	double even = c[26], odd = 0;
	struct taf_two r = { 0, 0 };

	for (size_t i = 26; i > 0; i -= 2) {
		odd = odd * w + c[i - 1];
		even = even * w + c[i - 2];
	}
	r.hi = even + t.hi * odd;
	r = add(multiply(r, t), taf_func_lgamma_first[1]);
	r = add(multiply(r, t), taf_func_lgamma_first[0]);
	return multiply(multiply(first, second), r).hi;
}

static double
lgamma_of(double x)
{
	const double a = taf_func_abs(x);
	struct taf_two v;
	struct stirling s;
	double y;
	int odd;

	if (x != x)
		return TAF_FUNC_NAN;
	if (a == TAF_FUNC_INF)
		return a;
	if (a < tiny) {
		taf_func_log(&y, &a, 1);
		return -y;
	}
	if (x < 0 && is_whole(a, &odd))
		return TAF_FUNC_INF;
	if (a > 0x1p60) {
		v = add(logarithm((struct taf_two){ a, 0 }), (struct taf_two){ -1, 0 });
		/* smaller, since it may overflow */
		return multiply((struct taf_two){ a * 0x1p-100, 0 }, v).hi * 0x1p100;
	}
	if (x >= 0.81 && x <= 2.19)
		return between(x);
	s = stirling(a);
	v = add(s.log, negative(logarithm(s.factor)));
	if (x < 0)
		v = add(add(log_pi, negative(logarithm(sine_times(a)))), negative(v));
	return v.hi;
}

static void
gamma_loop(double *y, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = gamma_of(x[i]);
}

static void
lgamma_loop(double *y, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = lgamma_of(x[i]);
}

TAF_FUNC(gamma, NULL)

TAF_FUNC(lgamma, NULL)
