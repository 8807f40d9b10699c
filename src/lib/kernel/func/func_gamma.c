#include "config.h"

#include "kernel/func/func.h"
#include "kernel/func/func_exp.h"
#include "kernel/func/func_log.h"
#include "kernel/func/func_trig.h"

/*
 * Stirling's series gives log gamma from 10 on.  Below, gamma(a) is gamma(a + n) divided
 * by a (a + 1) ... (a + n - 1); and gamma(-a) is -pi / (a sin(pi a) gamma(a)).
 */
static const struct taf_two pi = { 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53 };
static const struct taf_two log_pi = { 0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57 };
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
	const struct taf_two rest = { 0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55 };
	double w, series;

	for (int j = 0; b.hi < 10; j++) {
		r.factor = multiply(r.factor, b);
		b = taf_func_any_sum(a, j + 1);
	}
	w = 1 / (b.hi * b.hi);
	series = ((0x1.5555555555555p-4 + w * -0x1.6c16c16c1697cp-9) +
	    (w * w) * ((0x1.a01a019c051eep-11 + w * -0x1.381377985f3f1p-11) +
	    (w * w) * ((0x1.b94707b01d16cp-11 + w * -0x1.f37f7526abf9ap-10) +
	    (w * w) * 0x1.6813d0b49986ep-8))) / b.hi;
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

	*odd = a < 0x1p53 &&
	    (taf_func_bits(a >= 0x1p52 ? a : down + 0x1p52) & 1) != 0;
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
	const double t = x - 1.5, w = t * t, v = w * w, u = v * v;
	const double a = (t * -0x1.2aed059bd608ap-3 +
	    w * (0x1.01af62a2928d5p-4 + t * -0x1.007aa83cee07cp-5)) +
	    v * ((0x1.13342352978afp-6 + t * -0x1.34dbda14b6b9p-7) +
	    w * (0x1.64f0663cf4745p-8 + t * -0x1.a503521ec373dp-9));
	const double b = ((0x1.f814bf7203218p-10 + t * -0x1.313e8d5112cbbp-10) +
	    w * (0x1.750a1365be06cp-11 + t * -0x1.cb445aa8158cdp-12)) +
	    v * ((0x1.1c82d8bafa518p-12 + t * -0x1.62451f4651ce2p-13) +
	    w * (0x1.b9b34dd336644p-14 + t * -0x1.1549d73c68d0ap-14));
	const double c = ((0x1.68df9ac507b77p-15 + t * -0x1.c8603b56393f7p-16) +
	    w * (0x1.c19aa68befda7p-17 + t * -0x1.1c6b2c758fdabp-17)) +
	    v * ((0x1.a8702279d3a82p-17 + t * -0x1.104b316e68187p-17) +
	    w * (-0x1.ea7a475505e73p-19 + t * 0x1.3e99c2893f14ep-19));
	const double d = 0x1.3eed1fa89cf27p-18 + t * -0x1.9b1eafe65fcaap-19;

	const struct taf_two rest = taf_func_sum(0x1.eeb95b094c191p-2,
	    a + u * (b + u * (c + u * d)));
	const struct taf_two first = { x - 1, 0 }, second = taf_func_any_sum(x, -2);

	return multiply(multiply(first, second), rest).hi;
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
		v = logarithm((struct taf_two){ a, 0 });
		return a * ((v.hi - 1) + v.lo);
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

void
taf_func_gamma(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, gamma_loop, NULL);
}

void
taf_func_lgamma(double *y, const double *x, size_t n)
{
	taf_func_blocks(y, x, n, lgamma_loop, NULL);
}
