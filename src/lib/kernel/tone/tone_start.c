/* SPDX-License-Identifier: ISC */
/*
 * First steps of a fit: a block is mixed down to the bin of its tone, and some dozens of
 * parts of it are fitted by a single exponential.  This is quick, and right but for what
 * other lines do to it.
 */
#include "config.h"

#include <string.h>

#include "kernel/func/func.h"
#include "kernel/number/fast.h"
#include "kernel/tone/tone_private.h"

enum { RUN = 4, STEPS = 12, WIDE = TAF_TONE_LANES };

/* A rotation and its step; sums of a part, by time from its middle, by the square. */
enum { ZR, ZI, SR, SI, SUM_R, SUM_I, FAR_R, FAR_I, SQUARE_R, SQUARE_I, CARRIED };
enum { SUMS = CARRIED - SUM_R };

struct mixing {
	double *carry;
	const double *rows, *weight;
	double far, apart;	/* of the first point from the middle of the part */
	size_t n, parts, lanes;
};

static TAF_INLINE void
mix_run(const struct mixing *m, size_t at, size_t n, size_t parts, size_t wide)
{
	const size_t lanes = taf_tone_lanes(m->lanes, wide);
	double *const restrict carry = m->carry;
	const double *const restrict rows = m->rows + at * parts * wide;
	const double *const restrict weight = m->weight + at;

	TAF_APART
	for (size_t l = 0; l < lanes; l++) {
		double c = carry[ZR * wide + l], s = carry[ZI * wide + l];
		double sum_r = carry[SUM_R * wide + l], sum_i = carry[SUM_I * wide + l];
		double far_r = carry[FAR_R * wide + l], far_i = carry[FAR_I * wide + l];
		double square_r = carry[SQUARE_R * wide + l];
		double square_i = carry[SQUARE_I * wide + l];
		const double sr = carry[SR * wide + l], si = carry[SI * wide + l];

		for (size_t i = 0; i < n; i++) {
			const double x = rows[i * parts * wide + l] * weight[i];
			const double next = c * sr - s * si;
			const double far = m->far + (double)(at + i) * m->apart;
			double re = x * c, im = x * s;

			if (parts == 2) {
				const double y = rows[(2 * i + 1) * wide + l] * weight[i];

				re -= y * s;
				im += y * c;
			}
			sum_r += re;
			sum_i += im;
			re *= far;
			im *= far;
			far_r += re;
			far_i += im;
			square_r += re * far;
			square_i += im * far;
			s = c * si + s * sr;
			c = next;
		}
		carry[FAR_R * wide + l] = far_r;
		carry[FAR_I * wide + l] = far_i;
		carry[SQUARE_R * wide + l] = square_r;
		carry[SQUARE_I * wide + l] = square_i;
		carry[ZR * wide + l] = c;
		carry[ZI * wide + l] = s;
		carry[SUM_R * wide + l] = sum_r;
		carry[SUM_I * wide + l] = sum_i;
	}
}

static TAF_INLINE void
mix_parts(const struct mixing *m, size_t parts, size_t wide)
{
	size_t i;

	for (i = 0; i + RUN <= m->n; i += RUN)
		mix_run(m, i, RUN, parts, wide);
	for (; i < m->n; i++)
		mix_run(m, i, 1, parts, wide);
}

static TAF_INLINE void
mix(const struct mixing *m, size_t wide)
{
	if (m->parts == 1)
		mix_parts(m, 1, wide);
	else
		mix_parts(m, 2, wide);
}
TAF_TONE_ROWS_OF(mix, mixing)

/* exp(-i pi k m / length), m of either sign */
static void
mixed(const struct taf_tone *t, size_t k, double m, double *re, double *im)
{
	const double period = 2 * (double)t->start.length;
	const double product = (double)k * m;
	double left = product - period * (double)(long long)(product / period);

	left += left < 0 ? period : 0;
	*re = t->mix[2 * (size_t)left];
	*im = t->mix[2 * (size_t)left + 1];
}

/* All parts of the blocks, mixed down by these bins of the first transform. */
static void
mix_down(const struct taf_tone_group *g, const double *rows, const size_t *bin)
{
	const struct taf_tone *t = g->t;
	const size_t lanes = g->lanes;
	double carry[CARRIED * WIDE];
	struct mixing m = { .carry = carry, .parts = t->parts, .lanes = lanes };
	double middle;
	size_t part, at = 0, l, end, restart;

	for (part = 0; part < t->few; part++) {
		end = at + t->each < t->points ? at + t->each : t->points;
		memset(carry + SUM_R * lanes, 0, SUMS * lanes * sizeof *carry);
		middle = (double)at + ((double)t->each - 1) / 2;
		for (; at < end; at += m.n) {
			restart = at % TAF_TONE_RESTART;
			m.n = TAF_TONE_RESTART - restart < end - at ?
			    TAF_TONE_RESTART - restart : end - at;
			for (l = 0; l < lanes && restart == 0; l++) {
				mixed(t, bin[l], (double)(2 * at) - (double)(t->points -
				    1), &carry[ZR * lanes + l], &carry[ZI * lanes + l]);
				mixed(t, bin[l], 2, &carry[SR * lanes + l],
				    &carry[SI * lanes + l]);
			}
			m.apart = 1 / (double)t->points;
			m.far = ((double)at - middle) * m.apart;
			m.rows = rows + at * t->parts * lanes;
			m.weight = t->weight + at;
			mix_lanes(&m);
		}
		memcpy(g->few + SUMS * part * lanes, carry + SUM_R * lanes,
		    SUMS * lanes * sizeof *carry);
	}
}

/* Sums over the parts of what is left of a rotation, by powers of time. */
struct turning {
	double *carry;		/* rotation, its step, the step of that */
	double *sum;		/* three pairs for each lane */
	const double *few;
	size_t n, lanes;
	double first, apart;	/* times */
	const double *off, *slope;
};

static TAF_INLINE void
turn(const struct turning *k, size_t wide)
{
	const size_t lanes = taf_tone_lanes(k->lanes, wide);
	double *const restrict carry = k->carry;
	double *const restrict sum = k->sum;

	const double *const restrict off = k->off;
	const double *const restrict slope = k->slope;

	for (size_t i = 0; i < k->n; i++) {
		const double *const restrict few = k->few + SUMS * i * wide;
		const double t = k->first + (double)i * k->apart;

		TAF_APART
		for (size_t l = 0; l < lanes; l++) {
			const double c = carry[l], s = carry[wide + l];
			const double sr = carry[2 * wide + l], si = carry[3 * wide + l];
			const double br = carry[4 * wide + l], bi = carry[5 * wide + l];
			const double qx = few[4 * wide + l], qy = few[5 * wide + l];
			/* inside a part the angle goes on, as far as it is straight */
			const double turn = TAF_TONE_TURN * (off[l] + slope[l] * t);
			const double fx = few[2 * wide + l] + turn * qy;
			const double fy = few[3 * wide + l] - turn * qx;
			const double x = few[l] + turn * (few[3 * wide + l] -
			    turn / 2 * qx);
			const double y = few[wide + l] - turn * (few[2 * wide + l] +
			    turn / 2 * qy);
			const double q2r = qx * c - qy * s, q2i = qx * s + qy * c;
			const double re = x * c - y * s, im = x * s + y * c;
			const double fr = fx * c - fy * s, fi = fx * s + fy * c;
			const double re1 = re * t + fr, im1 = im * t + fi;

			sum[l] += re;
			sum[wide + l] += im;
			sum[2 * wide + l] += re1;
			sum[3 * wide + l] += im1;
			sum[4 * wide + l] += (re1 + fr) * t + q2r;
			sum[5 * wide + l] += (im1 + fi) * t + q2i;
			carry[l] = c * sr - s * si;
			carry[wide + l] = c * si + s * sr;
			carry[2 * wide + l] = sr * br - si * bi;
			carry[3 * wide + l] = sr * bi + si * br;
		}
	}
}
TAF_TONE_ROWS_OF(turn, turning)

/* One step; off and slope are of a lane, from its bin. */
static void
sums_of(const struct taf_tone_group *g, const double *off, const double *slope,
    double *sum)
{
	const struct taf_tone *t = g->t;
	const size_t lanes = g->lanes;
	const double apart = (double)t->each / (double)t->points;
	double angle[3 * WIDE], c[3 * WIDE], s[3 * WIDE], carry[6 * WIDE];
	struct turning k = { carry, sum, g->few, t->few, lanes, (apart - 1) / 2, apart,
		off, slope };
	size_t l, j;

	for (l = 0; l < lanes; l++) {
		angle[l] = -TAF_TONE_TURN * (off[l] * k.first + slope[l] * k.first *
		    k.first / 2);
		angle[lanes + l] = -TAF_TONE_TURN * (off[l] * apart + slope[l] *
		    (k.first * apart + apart * apart / 2));
		angle[2 * lanes + l] = -TAF_TONE_TURN * slope[l] * apart * apart;
	}
	taf_func_cos(c, angle, 3 * lanes);
	taf_func_sin(s, angle, 3 * lanes);
	for (j = 0; j < 3; j++) {
		memcpy(carry + 2 * j * lanes, c + j * lanes, lanes * sizeof *c);
		memcpy(carry + (2 * j + 1) * lanes, s + j * lanes, lanes * sizeof *s);
	}
	memset(sum, 0, 6 * lanes * sizeof *sum);
	turn_lanes(&k);
}

/* At most this much, of either sign. */
static double
within(double x, double most)
{
	return x > most ? most : x < -most ? -most : x;
}

/* The next step of a lane, and its amplitude; false where it was the last. */
static bool
step(const struct taf_tone *t, const double *sum, size_t lanes, double *off,
    double *slope, double amplitude[2])
{
	const double m0 = t->moment[0], m2 = t->moment[1], m4 = t->moment[2];
	const double re = sum[0] / m0, im = sum[lanes] / m0, power = re * re + im * im;
	const double first = re * sum[3 * lanes] - im * sum[2 * lanes];
	const double second = re * sum[5 * lanes] - im * sum[4 * lanes];
	const double d = first / (TAF_TONE_TURN * power * m2);
	const double k = second / (TAF_TONE_HALF_TURN * power * (m4 - m2 * m2 / m0));

	amplitude[0] = re;
	amplitude[1] = im;
	if (!(power > 0) || !(d - d == 0) || !(k - k == 0))
		return false;
	*off += within(d, 0.5);
	*slope += within(k, 2);
	return d > 2e-5 || d < -2e-5 || k > 2e-4 || k < -2e-4;
}

void
taf_tone_begin(const struct taf_tone_group *g, unsigned j, const bool *asked,
    const double *rows)
{
	const struct taf_tone *t = g->t;
	struct taf_tone_fit *f = g->fit;
	const size_t lanes = g->lanes;
	const double per = (double)t->points / (double)t->start.length;
	double off[WIDE] = { 0 }, slope[WIDE] = { 0 }, sum[6 * WIDE], amplitude[WIDE][2];
	bool on[WIDE], any = true;
	size_t bin[WIDE] = { 0 }, l;
	unsigned n;

	for (l = 0; l < lanes; l++) {
		double k = f->from[j][l] / per;

		on[l] = asked[l];
		if (!asked[l])
			continue;
		k += k < 0 ? (double)t->start.length : 0;
		bin[l] = (size_t)(k + 0.5);
	}
	mix_down(g, rows, bin);
	for (n = 0; n < STEPS && any; n++) {
		sums_of(g, off, slope, sum);
		any = false;
		for (l = 0; l < lanes; l++) {
			if (on[l])
				on[l] = step(t, sum + l, lanes, &off[l], &slope[l],
				    amplitude[l]);
			any = any || on[l];
		}
	}
	for (l = 0; l < lanes; l++) {
		/* start.length, added to a bin below 0, is half a turn for even points */
		const bool turned = f->from[j][l] < 0 && t->points % 2 == 0;
		const double twice = t->parts == 1 ? 2 : turned ? -1 : 1;

		/* it has gone astray, or has not come to an end */
		if (!asked[l] || on[l] || !(off[l] < 1.5 && off[l] > -1.5))
			continue;
		f->bin[j][l] = f->from[j][l] + off[l];
		f->slope[j][l] = slope[l];
		f->re[j][l] = twice * amplitude[l][0];
		f->im[j][l] = twice * amplitude[l][1];
		f->fresh[l] = f->re[j][l] == 0 && f->im[j][l] == 0;
	}
}
