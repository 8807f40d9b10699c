/* SPDX-License-Identifier: ISC */
/* Steps of Gauss and Newton, for each lane by itself. */
#include "kernel/tone/tone_private.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 12, WIDE = TAF_TONE_LANES, COLUMNS = TAF_TONE_COLUMNS };

/* Steps that are long. */
#define FAR 0.1
#define FAR_SLOPE 0.5
/* And short ones, in radians over a block, and as a part of the amplitude. */
#define NEAR 0.002
#define NEAR_SLOPE 0.01

/* Equations of some columns of a lane, scaled so that their diagonal is 1. */
struct system {
	size_t n;
	unsigned column[TAF_TONE_ALL];	/* of the group's */
	double scale[TAF_TONE_ALL], right[TAF_TONE_ALL];
	/* the lower half of the matrix, then of its factor after Cholesky */
	double a[TAF_TONE_ALL][TAF_TONE_ALL];
};

static double
product(const struct taf_tone_group *g, size_t l, unsigned a, unsigned b)
{
	const size_t cols = COLUMNS * g->most, lanes = g->lanes;
	const unsigned high = a > b ? a : b, low = a > b ? b : a;
	double sum = g->tt[(high * (high + 1) / 2 + low) * lanes + l];
	size_t k;

	/* what the fixed columns explain */
	for (k = 0; k < g->t->nfixed; k++)
		sum -= g->ft[(k * cols + a) * lanes + l] *
		    g->ft[(k * cols + b) * lanes + l];
	return sum;
}

static void
set_up(const struct taf_tone_group *g, size_t l, bool linear, struct system *s)
{
	const size_t cols = COLUMNS * g->most, lanes = g->lanes;
	unsigned j, c;
	size_t i, m, k;

	s->n = 0;
	for (j = 0; j < g->fit->tones[l]; j++)
		for (c = 0; c < (linear ? 2 : COLUMNS); c++)
			s->column[s->n++] = j * COLUMNS + c;
	for (i = 0; i < s->n; i++) {
		const unsigned a = s->column[i];

		s->right[i] = g->tr[a * lanes + l];
		for (k = 0; k < g->t->nfixed; k++)
			s->right[i] -= g->ft[(k * cols + a) * lanes + l] *
			    g->fr[k * lanes + l];
		for (m = 0; m <= i; m++)
			s->a[i][m] = product(g, l, a, s->column[m]);
	}
}

/* False where there is no solution. */
static bool
factor(struct system *s)
{
	size_t i, j, k;

	for (i = 0; i < s->n; i++) {
		if (!(s->a[i][i] > 0))
			return false;
		s->scale[i] = 1 / sqrt(s->a[i][i]);
		if (!(s->scale[i] < (double)INFINITY))
			return false;
	}
	for (i = 0; i < s->n; i++)
		for (j = 0; j <= i; j++) {
			double sum = s->a[i][j] * s->scale[i] * s->scale[j];

			for (k = 0; k < j; k++)
				sum -= s->a[i][k] * s->a[j][k];
			if (i == j && !(sum > 1e-13))
				return false;
			s->a[i][j] = i == j ? sqrt(sum) : sum / s->a[j][j];
		}
	return true;
}

static void
solve(const struct system *s, double *x)
{
	size_t i, k;

	for (i = 0; i < s->n; i++) {
		x[i] *= s->scale[i];
		for (k = 0; k < i; k++)
			x[i] -= s->a[i][k] * x[k];
		x[i] /= s->a[i][i];
	}
	for (i = s->n; i-- > 0;) {
		for (k = i + 1; k < s->n; k++)
			x[i] -= s->a[k][i] * x[k];
		x[i] /= s->a[i][i];
	}
	for (i = 0; i < s->n; i++)
		x[i] *= s->scale[i];
}

/* Bins and slopes of the step that was solved for are no longer than allowed. */
static void
shorten(const struct system *s, double *x)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		const unsigned c = s->column[i] % COLUMNS;
		const double most = c == 2 ? 0.5 * TAF_TONE_TURN : 2 * TAF_TONE_HALF_TURN;

		if (c >= 2)
			x[i] = x[i] > most ? most : x[i] < -most ? -most : x[i];
	}
}

static void
advance(const struct taf_tone_group *g, size_t l, const struct system *s, const double *x)
{
	const size_t cols = COLUMNS * g->most, lanes = g->lanes;
	struct taf_tone_fit *f = g->fit;
	size_t i, k;

	for (i = 0; i < s->n; i++) {
		const unsigned j = s->column[i] / COLUMNS;
		const double by = x[i];

		switch (s->column[i] % COLUMNS) {
		case 0:
			f->re[j][l] += by;
			break;
		case 1:
			f->im[j][l] += by;
			break;
		case 2:
			f->bin[j][l] += by / TAF_TONE_TURN;
			break;
		default:
			f->slope[j][l] += by / TAF_TONE_HALF_TURN;
			break;
		}
	}
	for (k = 0; k < g->t->nfixed; k++) {
		double by = g->fr[k * lanes + l];

		for (i = 0; i < s->n; i++)
			by -= g->ft[(k * cols + s->column[i]) * lanes + l] * x[i];
		f->fixed[k][l] += by;
	}
}

/*
 * How much larger the sigma of the bin (2) or slope (3) of a tone is than that of a tone
 * by itself.
 */
static double
larger(const struct taf_tone *t, const struct system *s, double amplitude2, size_t i)
{
	double x[TAF_TONE_ALL] = { 0 };

	x[i] = 1;
	solve(s, x);
	return sqrt(x[i] * amplitude2 * (t->parts == 1 ? 0.5 : 1) *
	    t->apart[i % COLUMNS - 2]);
}

/* Is the step x of tone j short beside sigma?  rms is that of the residuals. */
static bool
short_step(const struct taf_tone *t, const struct system *s, unsigned j, const double *x,
    double amplitude2, double rms)
{
	const double step[2] = { fabs(x[COLUMNS * j + 2]) / TAF_TONE_TURN,
		fabs(x[COLUMNS * j + 3]) / TAF_TONE_HALF_TURN };
	const double least = 1e-14 * (double)t->points;
	const double ratio = rms / sqrt(amplitude2) / 1000;
	unsigned k;

	if (step[0] < least && step[1] < least)
		return true;
	for (k = 0; k < 2; k++)
		if (!(step[k] < ratio * t->loose[k]) && !(step[k] < ratio * t->loose[k] *
		    larger(t, s, amplitude2, COLUMNS * j + 2 + k)))
			return false;
	return true;
}

/* Which tones of a lane have come to rest, by the step x; the lane, if all have. */
static void
look(const struct taf_tone_group *g, size_t l, const struct system *s, const double *x)
{
	struct taf_tone_fit *f = g->fit;
	const double rms = sqrt(g->rr[l] / g->t->sum);
	bool all = true, far = false;
	unsigned j;

	for (j = 0; j < f->tones[l]; j++) {
		f->still[j][l] = short_step(g->t, s, j, x, f->re[j][l] * f->re[j][l] +
		    f->im[j][l] * f->im[j][l], rms);
		all = all && f->still[j][l];
		far = far || fabs(x[COLUMNS * j + 2]) > FAR * TAF_TONE_TURN ||
		    fabs(x[COLUMNS * j + 3]) > FAR_SLOPE * TAF_TONE_HALF_TURN;
	}
	/* derivatives do not reach so far: amplitudes are solved for once more */
	f->fresh[l] = far && !all;
	f->good[l] = all;
	f->active[l] = !all;
}

/* Is the step so short that derivatives hardly differ behind it? */
static bool
near(const struct taf_tone_fit *f, size_t l, const double *x)
{
	unsigned j;

	for (j = 0; j < f->tones[l]; j++, x += COLUMNS)
		if (!(fabs(x[2]) < NEAR) || !(fabs(x[3]) < NEAR_SLOPE) ||
		    !(fabs(x[0]) + fabs(x[1]) < NEAR * (fabs(f->re[j][l]) +
		    fabs(f->im[j][l]))))
			return false;
	return true;
}

static bool
astray(const struct taf_tone_fit *f, size_t l)
{
	unsigned j;

	for (j = 0; j < f->tones[l]; j++)
		if (!(fabs(f->bin[j][l] - f->from[j][l]) <= 1.5))
			return true;
	return false;
}

/*
 * One step of a lane.  *s becomes its equations, without columns if there is no solution.
 * True if sums of products are the same after it.
 */
static bool
step(const struct taf_tone_group *g, size_t l, struct system *s)
{
	struct taf_tone_fit *f = g->fit;
	double x[TAF_TONE_ALL];
	const bool linear = f->fresh[l];
	unsigned j;

	set_up(g, l, linear, s);
	for (j = 0; j < f->tones[l]; j++)
		f->still[j][l] = false;
	if (!factor(s)) {
		f->active[l] = false;
		s->n = 0;
		return false;
	}
	memcpy(x, s->right, s->n * sizeof *x);
	solve(s, x);
	shorten(s, x);
	advance(g, l, s, x);
	f->fresh[l] = false;
	if (!linear)
		look(g, l, s, x);
	/* of several tones one may come back */
	if (f->active[l] && f->tones[l] == 1 && astray(f, l))
		f->active[l] = false;
	return !linear && near(f, l, x);
}

/* Rows of the inverse matrix, by which noise becomes that of bin and slope. */
static void
make_vectors(const struct taf_tone_group *g, size_t l, const struct system *s)
{
	const size_t lanes = g->lanes, nfixed = g->t->nfixed, cols = COLUMNS * g->most;
	struct taf_tone_fit *f = g->fit;
	double x[TAF_TONE_ALL];
	unsigned j, which;
	size_t i, k;

	for (j = 0; j < f->tones[l] && s->n > 0; j++)
		for (which = 0; which < 2; which++) {
			double *const v = g->vector + ((2 * j + which) *
			    (nfixed + cols)) * lanes + l;

			memset(x, 0, sizeof x);
			x[COLUMNS * j + 2 + which] = 1;
			solve(s, x);
			for (k = 0; k < nfixed; k++) {
				double sum = 0;

				for (i = 0; i < s->n; i++)
					sum -= g->ft[(k * cols + s->column[i]) * lanes +
					    l] * x[i];
				v[k * lanes] = sum;
			}
			for (i = 0; i < s->n; i++)
				v[(nfixed + s->column[i]) * lanes] = x[i];
		}
}

void
taf_tone_steps(const struct taf_tone_group *g)
{
	struct taf_tone_fit *f = g->fit;
	const size_t vector = g->t->nfixed + COLUMNS * g->most;
	unsigned steps[WIDE] = { 0 };
	bool any = true, keep[WIDE] = { false };
	struct system s;
	size_t l;

	memset(g->vector, 0, 2 * g->most * vector * g->lanes * sizeof *g->vector);
	for (l = 0; l < g->lanes; l++)
		f->good[l] = false;
	while (any) {
		taf_tone_restart(g);
		taf_tone_products(g, keep);
		any = false;
		for (l = 0; l < g->lanes; l++) {
			if (!f->active[l])
				continue;
			steps[l] += !f->fresh[l];
			keep[l] = step(g, l, &s);
			if (steps[l] == MOST_STEPS)
				f->active[l] = f->fresh[l] = false;
			if (!f->active[l])
				make_vectors(g, l, &s);
			any = any || f->active[l];
		}
	}
}
