/* SPDX-License-Identifier: ISC */
#include "kernel/line/cascade.h"

#include <math.h>

#include "config.h"
#include "base/attr.h"
#include "kernel/func/func.h"
#include "kernel/number/fast.h"

enum { LANES = 4 };		/* lines that are filtered side by side */

#define PI 3.14159265358979323846

/* 0.5 dB: 10^0.05 - 1. */
#define RIPPLE 0.12201845430196342

struct complex {
	double re, im;
};

static double
call(void (*f)(double *, const double *, size_t), double x)
{
	double y;

	f(&y, &x, 1);
	return y;
}

static struct complex
times(struct complex a, struct complex b)
{
	return (struct complex){ a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

static struct complex
over(struct complex a, struct complex b)
{
	const double n = b.re * b.re + b.im * b.im;

	return (struct complex){ (a.re * b.re + a.im * b.im) / n,
	    (a.im * b.re - a.re * b.im) / n };
}

static struct complex
minus(struct complex a, struct complex b)
{
	return (struct complex){ a.re - b.re, a.im - b.im };
}

/* The root whose real part is not below 0. */
static struct complex
root(struct complex a)
{
	const double r = sqrt(sqrt(a.re * a.re + a.im * a.im));
	const double size = r * r;
	double big = sqrt((size + (a.re < 0 ? -a.re : a.re)) / 2);
	double small = big > 0 ? a.im / (2 * big) : 0;

	if (a.re >= 0)
		return (struct complex){ big, small };
	return small >= 0 ? (struct complex){ small, big } :
	    (struct complex){ -small, -big };
}

static double
magnitude(struct complex a)
{
	return sqrt(a.re * a.re + a.im * a.im);
}

static void
butter(struct complex *p, unsigned n)
{
	unsigned k;

	for (k = 0; k < n; k++) {
		const double angle = PI * ((double)(2 * k) - n + 1) / (2.0 * n);

		p[k] = (struct complex){ -call(taf_func_cos, angle),
		    -call(taf_func_sin, angle) };
	}
}

static void
cheby(struct complex *p, unsigned n)
{
	const double mu = call(taf_func_asinh, 1 / sqrt(RIPPLE)) / n;
	const double across = call(taf_func_sinh, mu), along = call(taf_func_cosh, mu);
	unsigned k;

	butter(p, n);
	for (k = 0; k < n; k++) {
		p[k].re *= across;
		p[k].im *= along;
	}
}

/* The reverse Bessel polynomial number n at s, over its derivative. */
static struct complex
bessel_step(const double *c, unsigned n, struct complex s)
{
	struct complex value = { c[n], 0 }, slope = { 0, 0 };
	unsigned k;

	for (k = n; k-- > 0;) {
		slope = times(slope, s);
		slope.re += value.re;
		slope.im += value.im;
		value = times(value, s);
		value.re += c[k];
	}
	return over(value, slope);
}

/* Its roots, all at once by Aberth's method, made so large that their product is 1. */
static void
bessel(struct complex *p, unsigned n)
{
	double c[TAF_FILTER_ORDER + 1], scale, part = 1.0 / n;
	unsigned i, k, round;

	for (c[n] = 1, k = n; k-- > 0;)
		c[k] = c[k + 1] * (double)((2 * n - k) * (k + 1)) / (double)(2 * (n - k));
	taf_func_pow(&scale, &c[0], &part, 1);
	butter(p, n);
	for (i = 0; i < n; i++)
		p[i] = (struct complex){ p[i].re * scale, p[i].im * scale };
	for (round = 0; round < 100; round++)
		for (i = 0; i < n; i++) {
			const struct complex newton = bessel_step(c, n, p[i]);
			struct complex others = { 0, 0 }, one = { 1, 0 }, part_of;

			for (k = 0; k < n; k++)
				if (k != i) {
					part_of = over(one, minus(p[i], p[k]));
					others.re += part_of.re;
					others.im += part_of.im;
				}
			p[i] = minus(p[i], over(newton,
			    minus(one, times(newton, others))));
		}
	for (i = 0; i < n; i++)
		p[i] = (struct complex){ p[i].re / scale, p[i].im / scale };
}

/*
 * Frequencies of the analogue filter that the bilinear transform puts at f cycles a
 * point.
 */
static double
warp(double f)
{
	return 4 * call(taf_func_tan, PI * f);
}

/* Its poles, from those of the low pass at 1; how many. */
static unsigned
move_poles(const struct taf_pass_band *p, struct complex *pole)
{
	const double low = p->low > 0 ? warp(p->low) : 0,
	    high = p->high > 0 ? warp(p->high) : 0;
	unsigned k, n = p->order;

	for (k = 0; k < p->order; k++) {
		struct complex s = pole[k], half, far;

		if (p->low == 0) {
			pole[k] = (struct complex){ s.re * high, s.im * high };
		} else if (p->high == 0) {
			pole[k] = over((struct complex){ low, 0 }, s);
		} else {
			half = (struct complex){ s.re * (high - low) / 2,
			    s.im * (high - low) / 2 };
			far = times(half, half);
			far.re -= low * high;
			far = root(far);
			pole[k] = minus(half, far);
			pole[n++] = (struct complex){ half.re + far.re,
			    half.im + far.im };
		}
	}
	return n;
}

/* The size of a section's response at z. */
static double
response(const struct taf_section *s, struct complex z)
{
	const struct complex one = { 1, 0 }, back = over(one, z),
	    twice = times(back, back);
	const struct complex up = { s->b[0] + s->b[1] * back.re + s->b[2] * twice.re,
	    s->b[1] * back.im + s->b[2] * twice.im };
	const struct complex down = { 1 + s->a[0] * back.re + s->a[1] * twice.re,
	    s->a[0] * back.im + s->a[1] * twice.im };

	return magnitude(up) / magnitude(down);
}

static struct complex
bilinear(struct complex s)
{
	return over((struct complex){ 4 + s.re, s.im },
	    (struct complex){ 4 - s.re, -s.im });
}

/* Zeros of a section with so many poles, and a gain of 1 in the pass band. */
static void
complete(const struct taf_pass_band *p, struct taf_section *s, unsigned poles)
{
	struct complex at = { 1, 0 };
	double size;
	unsigned k;

	if (p->low > 0 && p->high > 0) {
		at = bilinear((struct complex){ 0, sqrt(warp(p->low) * warp(p->high)) });
		s->b[0] = 1;
		s->b[1] = 0;
		s->b[2] = -1;
	} else {
		const double sign = p->low > 0 ? -1 : 1;

		at.re = sign;
		s->b[0] = 1;
		s->b[1] = poles == 2 ? 2 * sign : sign;
		s->b[2] = poles == 2 ? 1 : 0;
	}
	size = response(s, at);
	for (k = 0; k < 3; k++)
		s->b[k] /= size;
}

size_t
taf_filter_design(const struct taf_pass_band *p, struct taf_section *s)
{
	struct complex pole[2 * TAF_FILTER_ORDER];
	double real[2 * TAF_FILTER_ORDER];
	unsigned n, k, reals = 0;
	size_t sections = 0;

	(p->type == TAF_FILTER_BUTTER ? butter : p->type == TAF_FILTER_CHEBY ? cheby :
	    bessel) (pole, p->order);
	n = move_poles(p, pole);
	for (k = 0; k < n; k++) {
		const struct complex z = bilinear(pole[k]);

		if (z.im > 1e-12) {
			s[sections].a[0] = -2 * z.re;
			s[sections++].a[1] = z.re * z.re + z.im * z.im;
		} else if (z.im >= -1e-12) {
			real[reals++] = z.re;
		}
	}
	for (k = 0; k < reals; k += 2) {
		s[sections].a[0] = k + 1 < reals ? -(real[k] + real[k + 1]) : -real[k];
		s[sections++].a[1] = k + 1 < reals ? real[k] * real[k + 1] : 0;
	}
	for (k = 0; k < sections; k++)
		complete(p, &s[k], reals % 2 == 1 && k + 1 == sections ? 1 : 2);
	/* even orders touch the lower end of the ripple at the middle */
	if (p->type == TAF_FILTER_CHEBY && p->order % 2 == 0)
		for (k = 0; k < 3; k++)
			s[0].b[k] /= sqrt(1 + RIPPLE);
	return sections;
}

struct taf_section
taf_filter_notch(double f, double q)
{
	const double gain = 1 / (1 + call(taf_func_tan, PI * f / q));
	const double cosine = -2 * call(taf_func_cos, 2 * PI * f);

	return (struct taf_section){ { gain, gain * cosine, gain },
	    { gain * cosine, 2 * gain - 1 } };
}

void
taf_filter_settle(struct taf_filter *f, double x)
{
	size_t k;

	for (k = 0; k < f->n; k++) {
		const struct taf_section *s = &f->section[k];
		const double y = x * (s->b[0] + s->b[1] + s->b[2]) /
		    (1 + s->a[0] + s->a[1]);

		f->state[k][0] = y - s->b[0] * x;
		f->state[k][1] = s->b[2] * x - s->a[1] * y;
		x = y;
	}
}

/*
 * A section, or two in one go, over n points that lie step apart: points of some lines
 * side by side.  A product that waits for the last result comes last.
 */
static TAF_INLINE void
run_some(const struct taf_section *section, size_t sections, double *state, double *x,
    size_t n, ptrdiff_t step, size_t lines)
{
	struct taf_section p[2];
	double u[2][LANES], v[2][LANES];
	size_t k, l;

	for (k = 0; k < sections; k++) {
		p[k] = section[k];
		for (l = 0; l < lines; l++) {
			u[k][l] = state[2 * k * lines + l];
			v[k][l] = state[(2 * k + 1) * lines + l];
		}
	}
	for (; n > 0; n--, x += step)
		for (l = 0; l < lines; l++) {
			double in = x[l];

			for (k = 0; k < sections; k++) {
				const double out = p[k].b[0] * in + u[k][l];

				u[k][l] = (p[k].b[1] * in + v[k][l]) - p[k].a[0] * out;
				v[k][l] = p[k].b[2] * in - p[k].a[1] * out;
				in = out;
			}
			x[l] = in;
		}
	for (k = 0; k < sections; k++)
		for (l = 0; l < lines; l++) {
			state[2 * k * lines + l] = u[k][l];
			state[(2 * k + 1) * lines + l] = v[k][l];
		}
}

/* The state of a section has two numbers for each line. */
static TAF_INLINE void
run_all(const struct taf_filter *f, double *state, double *x, size_t n, ptrdiff_t step,
    size_t lines)
{
	size_t k;

	for (k = 0; k + 1 < f->n; k += 2)
		run_some(&f->section[k], 2, state + 2 * k * lines, x, n, step, lines);
	if (k < f->n)
		run_some(&f->section[k], 1, state + 2 * k * lines, x, n, step, lines);
}

TAF_FAST_VOID(run_lanes, (const struct taf_filter *f, double *state, double *x, size_t n,
    ptrdiff_t step), (f, state, x, n, step))
{
	run_all(f, state, x, n, step, LANES);
}

void
taf_filter_forward(struct taf_filter *f, double *x, size_t n)
{
	run_all(f, &f->state[0][0], x, n, 1, 1);
}

void
taf_filter_backward(struct taf_filter *f, double *x, size_t n)
{
	if (n > 0)
		run_all(f, &f->state[0][0], x + (n - 1), n, -1, 1);
}

size_t
taf_filter_margin(const struct taf_filter *f)
{
	size_t k, zeros = 0, poles = 0;

	for (k = 0; k < f->n; k++) {
		zeros += f->section[k].b[2] == 0;
		poles += f->section[k].a[1] == 0;
	}
	return 3 * (2 * f->n + 1 - (zeros < poles ? zeros : poles));
}

/* Each of so many lanes at rest after what it is at x for ever. */
static void
settle_lanes(struct taf_filter *f, double *state, const double *x, size_t lanes)
{
	size_t k, l;

	for (l = 0; l < lanes; l++) {
		taf_filter_settle(f, x[l]);
		for (k = 0; k < 2 * f->n; k++)
			state[k * lanes + l] = f->state[k / 2][k % 2];
	}
}

/* Lines side by side, or one; what is no line is the first one again. */
static TAF_INLINE void
both_ways(struct taf_filter *f, double *out, const double *in, size_t len, size_t lines,
    double *scratch, size_t lanes)
{
	const size_t margin = taf_filter_margin(f), all = len + 2 * margin;
	double state[2 * TAF_FILTER_SECTIONS * LANES], *x = scratch + margin * lanes;
	double *const last = scratch + (all - 1) * lanes;
	const ptrdiff_t step = (ptrdiff_t)lanes;
	size_t i, l;

	for (l = 0; l < lanes; l++) {
		const double *from = in + (l < lines ? l * len : 0);

		for (i = 0; i < margin; i++) {
			scratch[i * lanes + l] = 2 * from[0] - from[margin - i];
			x[(len + i) * lanes + l] = 2 * from[len - 1] - from[len - 2 - i];
		}
		for (i = 0; i < len; i++)
			x[i * lanes + l] = from[i];
	}
	settle_lanes(f, state, scratch, lanes);
	if (lanes == 1)
		run_all(f, state, scratch, all, step, 1);
	else
		run_lanes(f, state, scratch, all, step);
	settle_lanes(f, state, last, lanes);
	if (lanes == 1)
		run_all(f, state, last, all, -step, 1);
	else
		run_lanes(f, state, last, all, -step);
	for (l = 0; l < lines; l++)
		for (i = 0; i < len; i++)
			out[l * len + i] = x[i * lanes + l];
}

size_t
taf_filter_scratch(const struct taf_filter *f, size_t len, size_t lines)
{
	return (len + 2 * taf_filter_margin(f)) * (lines > 1 ? LANES : 1);
}

void
taf_filter_both(struct taf_filter *f, double *out, const double *in, size_t len,
    size_t lines, double *scratch)
{
	size_t n;

	for (; lines > 0; lines -= n, in += n * len, out += n * len) {
		n = lines < LANES ? lines : LANES;
		if (n == 1)
			both_ways(f, out, in, len, 1, scratch, 1);
		else
			both_ways(f, out, in, len, n, scratch, LANES);
	}
}
