/* SPDX-License-Identifier: ISC */
/* What residuals say of a tone: the noise around it, and how far it stands above that. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "kernel/func/func.h"
#include "kernel/number/fast.h"
#include "kernel/tone/tone_private.h"

enum { WIDE = TAF_TONE_LANES, BINS = TAF_TONE_NOISE_BINS };

/* The median of what is distributed as an exponential of mean 1. */
#define MEDIAN 0x1.62e42fefa39efp-1

/* So near to a tone, or a known line, bins tell nothing of noise. */
#define EMPTY 3.0
#define EMPTY_KNOWN 1.5

/* The misfit is that of the bins so near to a tone. */
#define NEAR 8.0

/* A line alone: the weighed points of a lane, and the squares of its transform. */
static void
power_of_lane(const struct taf_tone_group *g, const struct taf_tone_power *p,
    const double *rows, size_t l)
{
	const struct taf_tone *t = g->t;
	const size_t parts = t->parts, lanes = g->lanes;
	size_t i, k;

	for (i = 0; i < t->rows; i++)
		g->line[i] = rows[i * lanes + l] * t->weight[i / parts];
	memset(g->line + t->rows, 0, (p->length * parts - t->rows) * sizeof *g->line);
	taf_fft_lines(p->fft, g->spectrum, g->line, 1, g->fft);
	for (k = 0; k < p->bins; k++) {
		const double re = g->spectrum[2 * k], im = g->spectrum[2 * k + 1];

		g->power[k * lanes + l] = re * re + im * im;
	}
}

void
taf_tone_powers(const struct taf_tone_group *g, const struct taf_tone_power *p,
    const double *rows)
{
	const struct taf_spectra_part part = { .to = g->power, .apart = p->bins,
		.from = rows, .blocks = WIDE, .rows = true, .scratch = g->fft };
	size_t l;

	if (p->spectra != NULL) {
		taf_spectra_blocks(p->spectra, &part);
		return;
	}
	for (l = 0; l < g->lanes; l++)
		power_of_lane(g, p, rows, l);
}

/* Bins as a spectrum has them: of pairs those above the middle are negative. */
static double
bin_of(const struct taf_tone *t, size_t k)
{
	return t->parts == 2 && 2 * k >= t->points ? (double)k - (double)t->points :
	    (double)k;
}

/* From a to b; the spectrum of pairs is a circle. */
static double
distance(const struct taf_tone *t, double a, double b)
{
	double d = fabs(a - b);

	if (t->parts == 2 && d > (double)t->points / 2)
		d = fabs(d - (double)t->points);
	return d;
}

static bool
tells(const struct taf_tone_group *g, size_t l, size_t k)
{
	const struct taf_tone_fit *f = g->fit;
	unsigned j;

	if (!g->t->quiet[k])
		return false;
	for (j = 0; j < f->tones[l]; j++)
		if (!(distance(g->t, f->bin[j][l], bin_of(g->t, k)) > EMPTY))
			return false;
	return true;
}

/* The bin behind bin k, or before it; t->rest.bins if there is none. */
static size_t
neighbour(const struct taf_tone *t, size_t k, bool up)
{
	const size_t all = t->rest.bins;

	if (t->parts == 2)
		return up ? (k + 1) % all : (k + all - 1) % all;
	return up ? k + 1 : k > 0 ? k - 1 : all;
}

/*
 * Powers of the bins next to that of tone j that tell of noise go to column l; how many.
 */
static size_t
gather(const struct taf_tone_group *g, size_t l, unsigned j, double *to)
{
	const struct taf_tone *t = g->t;
	const size_t all = t->rest.bins, lanes = g->lanes;
	const double at = g->fit->bin[j][l], first = taf_tone_below(at);
	size_t down, up, n = 0, seen = 0;

	if (!(fabs(at) < 2 * (double)t->points))
		return 0;
	if (t->parts == 2) {
		down = (size_t)(first + 2 * (double)t->points) % all;
		up = (down + 1) % all;
	} else {
		down = first < 0 ? all : first < (double)all ? (size_t)first : all - 1;
		up = down == all ? 0 : down + 1;
	}
	for (; n < BINS && seen < all; seen++) {
		const bool low = down < all && (up >= all ||
		    distance(t, at, bin_of(t, down)) <= distance(t, at, bin_of(t, up)));
		const size_t k = low ? down : up;

		if (tells(g, l, k))
			to[n++ * lanes + l] = g->power[k * lanes + l];
		if (low)
			down = neighbour(t, down, false);
		else
			up = neighbour(t, up, true);
	}
	return n;
}

/* The smaller of each two goes to low. */
static TAF_INLINE void
order(double *restrict low, double *restrict high, size_t lanes)
{
	TAF_APART
	for (size_t l = 0; l < lanes; l++) {
		const double a = low[l], b = high[l];

		low[l] = a < b ? a : b;
		high[l] = a < b ? b : a;
	}
}

/* The columns of BINS rows are sorted, by the steps of a plan. */
struct sorting {
	double *rows;
	const struct taf_tone *t;
	size_t lanes;
};

static TAF_INLINE void
sort(const struct sorting *s, size_t wide)
{
	const size_t lanes = taf_tone_lanes(s->lanes, wide);

	for (size_t k = 0; k < s->t->nsort; k++)
		order(s->rows + s->t->sort[k][0] * wide,
		    s->rows + s->t->sort[k][1] * wide, lanes);
}
TAF_TONE_ROWS_OF(sort, sorting)

/* Variances of the noise of a point, by n[l] bins each; 0 bins are NaN. */
static void
estimate(const struct taf_tone_group *g, unsigned j, size_t *n, double *variance)
{
	_Alignas(64) double rows[BINS * WIDE];
	const size_t lanes = g->lanes;
	size_t i, l;

	for (i = 0; i < BINS * lanes; i++)
		rows[i] = (double)INFINITY;
	for (l = 0; l < lanes; l++)
		n[l] = j < g->fit->tones[l] ? gather(g, l, j, rows) : 0;
	sort_lanes(&(struct sorting){ rows, g->t, lanes });
	for (l = 0; l < lanes; l++)
		variance[l] = n[l] == 0 ? (double)NAN : (rows[(n[l] - 1) / 2 * lanes +
		    l] + rows[n[l] / 2 * lanes + l]) / 2 / MEDIAN / g->t->squares;
}

/* The variance of a point that a given density stands for. */
static double
given(const struct taf_tone *t, double bin, double scale)
{
	const struct taf_tone_noise *noise = t->want.noise;
	const double last = (double)(noise->n - 1);
	double at = (t->sign * bin / t->duration - noise->start) / noise->step, d;
	size_t k;

	at = at > 0 ? at < last ? at : last : 0;
	k = (size_t)at;
	d = noise->density[k];
	if (k + 1 < noise->n)
		d += (at - (double)k) * (noise->density[k + 1] - d);
	d /= t->duration / (double)t->points * (t->parts == 1 ? 2 : 1);
	return d / scale / scale;
}

/* The mean of the powers around a tone. */
static double
near(const struct taf_tone_group *g, size_t l, double bin)
{
	const struct taf_tone *t = g->t;
	const double first = taf_tone_above(bin - NEAR);
	const double last = taf_tone_below(bin + NEAR);
	const double all = (double)t->rest.bins;
	double sum = 0, n = 0, k;

	for (k = first; k <= last && n < all; k++) {
		double at = k;

		if (t->parts == 2)
			at -= all * taf_tone_below(at / all);
		if (!(at >= 0 && at < all))
			continue;
		sum += g->power[(size_t)at * g->lanes + l];
		n++;
	}
	return sum / n;
}

/* The ratio up to which noise alone passes, of n bins (0: it is known). */
static double
threshold(const struct taf_tone *t, size_t n, double width)
{
	const double third = (double)n / 3;
	double x = 3 * width / t->want.chance, log;

	taf_func_log(&log, &x, 1);
	if (n == 0)
		return log;
	x = log / third;
	taf_func_expm1(&x, &x, 1);
	return third * x;
}

static void
result(const struct taf_tone_group *g, size_t l, unsigned j, size_t n, double width,
    struct taf_tone_result *to)
{
	const struct taf_tone *t = g->t;
	const struct taf_tone_fit *f = g->fit;
	const double re = f->re[j][l], im = f->im[j][l], s2 = to->variance;
	const double amplitude2 = re * re + im * im, parts = (double)t->parts;
	double factor;
	unsigned k;

	to->ratio = amplitude2 * t->sum * t->sum / (parts == 1 ? 4 : 1) /
	    (s2 * t->squares);
	to->misfit = s2 > 0 ? sqrt(near(g, l, f->bin[j][l]) / (s2 * t->squares)) : 0;
	to->above = (n > 0 || t->want.noise != NULL) &&
	    to->ratio > threshold(t, n, width);
	if (!(s2 == s2))
		to->misfit = to->ratio = (double)NAN;
	factor = 1 + 3 / to->ratio;
	if (n > 0)
		factor += 3 / (double)n;
	if (to->misfit > 1.5)
		factor *= to->misfit * to->misfit;
	for (k = 0; k < 2; k++)
		to->sigma[k] = sqrt(factor * s2 / parts * f->spread[2 * j + k][l]) /
		    (k == 0 ? TAF_TONE_TURN : TAF_TONE_HALF_TURN);
	if (s2 == 0)
		to->sigma[0] = to->sigma[1] = 0;
}

void
taf_tone_results(const struct taf_tone_group *g, const double (*looked)[2],
    struct taf_tone_result (*to)[TAF_TONE_LANES], const double *scale)
{
	const struct taf_tone *t = g->t;
	double variance[WIDE];
	size_t n[WIDE] = { 0 }, l;
	unsigned j;

	taf_tone_restart(g);
	taf_tone_residuals(g);
	taf_tone_powers(g, &t->rest, g->r);
	for (j = 0; j < g->most; j++) {
		if (t->want.noise == NULL)
			estimate(g, j, n, variance);
		for (l = 0; l < g->lanes; l++) {
			if (j >= g->fit->tones[l])
				continue;
			to[j][l].variance = t->want.noise == NULL ? variance[l] :
			    given(t, g->fit->bin[j][l], scale[l]);
			result(g, l, j, n[l], looked[l][1] - looked[l][0], &to[j][l]);
		}
	}
}
