/* SPDX-License-Identifier: ISC */
/*
 * Passes over the points of some blocks side by side: the tones as they are fitted, their
 * derivatives, and sums of products of these.
 */
#include "config.h"

#include <string.h>

#include "kernel/func/func.h"
#include "kernel/number/fast.h"
#include "kernel/tone/tone_private.h"

enum { RUN = 4, WIDE = TAF_TONE_LANES };

/* The sum of this and of a number has the nearest whole number in its last bits. */
#define WHOLE 0x1.8p52

static double
whole(double x)
{
	return (x + WHOLE) - WHOLE;
}

/* turns times m / (2 n), without its whole turns; m is whole. */
static double
part_of_turn(double turns, double m, double n)
{
	const double head = whole(turns), rest = turns - head;
	const double product = head * m, period = 2 * n;
	const double left = product - period * whole(product / period);

	return left / period + rest * (m / period);
}

/*
 * Angles where rotations begin anew, of the first step from there, and of the step of
 * steps, which is the same everywhere.
 */
void
taf_tone_restart(const struct taf_tone_group *g)
{
	const struct taf_tone *t = g->t;
	const double n = (double)t->points;
	const size_t lanes = g->lanes, one = 2 * t->restarts * lanes + lanes;
	size_t s, l;
	unsigned j;

	for (j = 0; j < g->most; j++) {
		double *const angle = g->angle + j * one;

		for (l = 0; l < lanes; l++) {
			const double bin = g->fit->bin[j][l], slope = g->fit->slope[j][l];

			for (s = 0; s < t->restarts; s++) {
				const double m = (double)(2 * s * TAF_TONE_RESTART) -
				    (n - 1), time = m / (2 * n);

				angle[2 * s * lanes + l] = TAF_TONE_TURN *
				    (part_of_turn(bin, m, n) + slope * time * time / 2);
				angle[(2 * s + 1) * lanes + l] = TAF_TONE_TURN *
				    (part_of_turn(bin, 2, n) + slope * (time + 0.5 / n) /
				    n);
			}
			angle[2 * t->restarts * lanes + l] = TAF_TONE_TURN *
			    (slope / (n * n));
		}
	}
	taf_func_cos(g->cosine, g->angle, g->most * one);
	taf_func_sin(g->sine, g->angle, g->most * one);
}

/* A rotation, its step, the step of that, and the amplitude, of each lane. */
enum { ZR, ZI, SR, SI, QR, QI, RE, IM, CARRIED };

static void
take_up(const struct taf_tone_group *g, unsigned j, size_t restart)
{
	const size_t lanes = g->lanes, all = g->t->restarts;
	const size_t one = 2 * all * lanes + lanes;
	const double *const c = g->cosine + j * one, *const s = g->sine + j * one;
	double *const to = g->carry + j * CARRIED * lanes;
	const size_t size = lanes * sizeof *to;

	memcpy(to + ZR * lanes, c + 2 * restart * lanes, size);
	memcpy(to + ZI * lanes, s + 2 * restart * lanes, size);
	memcpy(to + SR * lanes, c + (2 * restart + 1) * lanes, size);
	memcpy(to + SI * lanes, s + (2 * restart + 1) * lanes, size);
	memcpy(to + QR * lanes, c + 2 * all * lanes, size);
	memcpy(to + QI * lanes, s + 2 * all * lanes, size);
	memcpy(to + RE * lanes, g->fit->re[j], size);
	memcpy(to + IM * lanes, g->fit->im[j], size);
}

/* Some points of a tone. */
struct wave {
	double *carry, *column, *weighed, *chunk;
	const double *time, *weight;
	size_t n, parts, lanes;
	size_t apart;		/* numbers from a column to the next */
};

/*
 * The columns of a tone, the derivatives by re, im, bin / (2 pi) and slope / pi; and the
 * tone, which is subtracted from the chunk.  wide is a constant.
 */
static TAF_INLINE void
run_of_wave(const struct wave *w, size_t at, size_t n, size_t wide)
{
	const size_t lanes = taf_tone_lanes(w->lanes, wide), parts = w->parts;
	double *const restrict carry = w->carry;
	double *const restrict column = w->column + at * parts * wide;
	double *const restrict chunk = w->chunk + at * parts * wide;
	const double *const time = w->time + at;
	const size_t apart = w->apart;

	TAF_APART
	for (size_t l = 0; l < lanes; l++) {
		double c = carry[ZR * wide + l], s = carry[ZI * wide + l];
		double sr = carry[SR * wide + l], si = carry[SI * wide + l];
		const double qr = carry[QR * wide + l], qi = carry[QI * wide + l];
		const double re = carry[RE * wide + l], im = carry[IM * wide + l];

		for (size_t i = 0; i < n; i++) {
			const double t = time[i];
			const double m = re * c - im * s, o = re * s + im * c;
			const double tp = -o * t, nc = c * sr - s * si;
			const double ns = c * si + s * sr, nr = sr * qr - si * qi;
			size_t row = i * parts * wide + l;

			column[row] = c;
			column[apart + row] = -s;
			column[2 * apart + row] = tp;
			column[3 * apart + row] = tp * t;
			chunk[row] -= m;
			if (parts == 2) {
				row += wide;
				column[row] = s;
				column[apart + row] = c;
				column[2 * apart + row] = m * t;
				column[3 * apart + row] = m * t * t;
				chunk[row] -= o;
			}
			si = sr * qi + si * qr;
			sr = nr;
			c = nc;
			s = ns;
		}
		carry[ZR * wide + l] = c;
		carry[ZI * wide + l] = s;
		carry[SR * wide + l] = sr;
		carry[SI * wide + l] = si;
	}
}

static TAF_INLINE void
wave_parts(const struct wave *w, size_t parts, size_t wide)
{
	struct wave v = *w;
	size_t i;

	v.parts = parts;
	for (i = 0; i + RUN <= v.n; i += RUN)
		run_of_wave(&v, i, RUN, wide);
	for (; i < v.n; i++)
		run_of_wave(&v, i, 1, wide);
}

static TAF_INLINE void
wave(const struct wave *w, size_t wide)
{
	if (w->parts == 1)
		wave_parts(w, 1, wide);
	else
		wave_parts(w, 2, wide);
}
TAF_TONE_ROWS_OF(wave, wave)

/* Sums of products of a column with others. */
struct sums {
	double *to;		/* lanes numbers for each of them */
	const double *a, *b;
	size_t n, apart;	/* others, and how far apart they lie */
	size_t rows, lanes;
	bool fixed;		/* a row of the others is one number, for all lanes */
};

static TAF_INLINE void
sum_rows(double *restrict to, const double *restrict a, const double *restrict b,
    size_t rows, size_t lanes, size_t wide, bool fixed)
{
	lanes = taf_tone_lanes(lanes, wide);
	TAF_APART
	for (size_t l = 0; l < lanes; l++) {
		double s = 0;

		for (size_t i = 0; i < rows; i++)
			s += a[i * wide + l] * b[fixed ? i : i * wide + l];
		to[l] += s;
	}
}

static TAF_INLINE void
sums_of(const struct sums *s, size_t wide, bool fixed)
{
	const size_t row = fixed ? 1 : wide;

	for (size_t k = 0; k < s->n; k++) {
		const double *const b = s->b + k * s->apart;
		double *const to = s->to + k * wide;
		size_t i;

		for (i = 0; i + TAF_TONE_CHUNK <= s->rows; i += TAF_TONE_CHUNK)
			sum_rows(to, s->a + i * wide, b + i * row, TAF_TONE_CHUNK,
			    s->lanes, wide, fixed);
		for (; i < s->rows; i++)
			sum_rows(to, s->a + i * wide, b + i * row, 1, s->lanes, wide,
			    fixed);
	}
}

static TAF_INLINE void
sums(const struct sums *s, size_t wide)
{
	if (s->fixed)
		sums_of(s, wide, true);
	else
		sums_of(s, wide, false);
}
TAF_TONE_ROWS_OF(sums, sums)

/* Rows times numbers that are the same for all lanes. */
struct scaling {
	double *to;
	const double *from, *by;	/* one of by for parts rows */
	size_t rows, parts, lanes;
};

static TAF_INLINE void
scale_parts(const struct scaling *s, size_t parts, size_t wide)
{
	const size_t lanes = taf_tone_lanes(s->lanes, wide);

	for (size_t i = 0; i < s->rows; i++) {
		const double by = s->by[i / parts];
		double *const restrict to = s->to + i * wide;
		const double *const restrict from = s->from + i * wide;

		TAF_APART
		for (size_t l = 0; l < lanes; l++)
			to[l] = from[l] * by;
	}
}

static TAF_INLINE void
scale(const struct scaling *s, size_t wide)
{
	if (s->parts == 1)
		scale_parts(s, 1, wide);
	else
		scale_parts(s, 2, wide);
}
TAF_TONE_ROWS_OF(scale, scaling)

/* Rows less a column that is the same for all lanes, times a number of each lane. */
struct taking {
	double *chunk;
	const double *from;
	const double *by, *factor;
	size_t rows, lanes;
};

static TAF_INLINE void
take(const struct taking *k, size_t wide)
{
	const size_t lanes = taf_tone_lanes(k->lanes, wide);
	const double *const restrict factor = k->factor;

	for (size_t i = 0; i < k->rows; i++) {
		const double by = k->by[i];
		double *const to = k->chunk + i * wide;
		const double *const from = k->from + i * wide;

		TAF_APART
		for (size_t l = 0; l < lanes; l++)
			to[l] = from[l] - factor[l] * by;
	}
}
TAF_TONE_ROWS_OF(take, taking)

/* Fill g->chunk with the points from at on, less all columns, and g->column. */
static void
chunk(const struct taf_tone_group *g, size_t at, size_t n)
{
	const struct taf_tone *t = g->t;
	const size_t lanes = g->lanes, rows = n * t->parts, first = at * t->parts;
	const size_t apart = TAF_TONE_CHUNK * t->parts * lanes;
	struct wave w = { .chunk = g->chunk, .time = t->time + at, .n = n,
		.parts = t->parts, .lanes = lanes, .apart = apart };
	unsigned j;
	size_t k;

	for (k = 0; k < t->nfixed; k++) {
		const struct taking take = { g->chunk, k == 0 ? g->y + first * lanes :
			g->chunk, t->fixed + k * t->rows + first,
			g->fit->fixed[k], rows, lanes };

		take_lanes(&take);
	}
	for (j = 0; j < g->most; j++) {
		if (at % TAF_TONE_RESTART == 0)
			take_up(g, j, at / TAF_TONE_RESTART);
		w.carry = g->carry + j * CARRIED * lanes;
		w.column = g->column + j * TAF_TONE_COLUMNS * apart;
		wave_lanes(&w);
	}
}

/* Points of the chunk that begins at this one. */
static size_t
points_of(const struct taf_tone *t, size_t at)
{
	const size_t left = t->points - at;

	return left < TAF_TONE_CHUNK ? left : TAF_TONE_CHUNK;
}

static void
zero(double *to, size_t n)
{
	memset(to, 0, n * sizeof *to);
}

/* Sums of products of columns that some lanes have kept from the pass before. */
static void
put_back(double *to, const double *kept, size_t n, const bool *keep, size_t lanes)
{
	size_t i, l;

	for (l = 0; l < lanes; l++)
		for (i = 0; i < n && keep[l]; i++)
			to[i * lanes + l] = kept[i * lanes + l];
}

void
taf_tone_products(const struct taf_tone_group *g, const bool *keep)
{
	const struct taf_tone *t = g->t;
	const size_t lanes = g->lanes, apart = TAF_TONE_CHUNK * t->parts * lanes;
	const size_t cols = TAF_TONE_COLUMNS * g->most;
	const size_t ntt = cols * (cols + 1) / 2, nft = t->nfixed * cols;
	double *const kept = g->kept + ntt * lanes;
	double *const residual = g->chunk + apart;
	bool fresh = false;
	size_t at, n, k, c, l;

	for (l = 0; l < lanes; l++)
		fresh = fresh || !keep[l];
	memcpy(g->kept, g->tt, ntt * lanes * sizeof *kept);
	memcpy(kept, g->ft, nft * lanes * sizeof *kept);
	if (fresh) {
		zero(g->tt, ntt * lanes);
		zero(g->ft, nft * lanes);
	}
	zero(g->tr, cols * lanes);
	zero(g->fr, t->nfixed * lanes);
	zero(g->rr, lanes);
	for (at = 0; at < t->points; at += n) {
		const size_t rows = (n = points_of(t, at)) * t->parts;
		const double *const fixed = t->fixed + at * t->parts;

		chunk(g, at, n);
		scale_lanes(&(struct scaling){ residual, g->chunk, t->weight + at, rows,
		    t->parts, lanes });
		sums_lanes(&(struct sums){ g->rr, g->chunk, residual, 1, apart, rows,
		    lanes, false });
		sums_lanes(&(struct sums){ g->tr, residual, g->column, cols, apart, rows,
		    lanes, false });
		sums_lanes(&(struct sums){ g->fr, residual, fixed, t->nfixed, t->rows,
		    rows, lanes, true });
		for (c = 0; c < cols && fresh; c++) {
			double *const weighed = g->weighed + c * apart;

			scale_lanes(&(struct scaling){ weighed, g->column + c * apart,
			    t->weight + at, rows, t->parts, lanes });
			sums_lanes(&(struct sums){ g->tt + c * (c + 1) / 2 * lanes,
			    weighed, g->column, c + 1, apart, rows, lanes, false });
			for (k = 0; k < t->nfixed; k++)
				sums_lanes(&(struct sums){ g->ft + (k * cols + c) * lanes,
				    weighed, fixed + k * t->rows, 1, 0, rows, lanes,
				    true });
		}
	}
	if (fresh) {
		put_back(g->tt, g->kept, ntt, keep, lanes);
		put_back(g->ft, kept, nft, keep, lanes);
	}
}

/* Sums of squares of two weighed combinations of columns. */
struct spread {
	double *to[2];			/* of each lane */
	const double *column, *fixed, *weight;
	const double *vector[2];	/* of fixed, and of the tones' columns */
	size_t nfixed, fixed_apart, cols, apart, rows, parts, lanes;
};

static TAF_INLINE void
spread(const struct spread *s, size_t wide)
{
	const size_t lanes = taf_tone_lanes(s->lanes, wide);
	const double *const restrict v = s->vector[0];
	const double *const restrict u = s->vector[1];
	double *const restrict to = s->to[0];
	double *const restrict other = s->to[1];

	for (size_t i = 0; i < s->rows; i++) {
		const double w = s->weight[i / s->parts];
		double a[WIDE] = { 0 }, b[WIDE] = { 0 };

		for (size_t k = 0; k < s->nfixed; k++) {
			const double x = s->fixed[i + k * s->fixed_apart];

			TAF_APART
			for (size_t l = 0; l < lanes; l++) {
				a[l] += v[k * wide + l] * x;
				b[l] += u[k * wide + l] * x;
			}
		}
		for (size_t c = 0; c < s->cols; c++) {
			const size_t at = (s->nfixed + c) * wide;
			const double *const x = s->column + i * wide + c * s->apart;

			TAF_APART
			for (size_t l = 0; l < lanes; l++) {
				a[l] += v[at + l] * x[l];
				b[l] += u[at + l] * x[l];
			}
		}
		TAF_APART
		for (size_t l = 0; l < lanes; l++) {
			to[l] += a[l] * w * (a[l] * w);
			other[l] += b[l] * w * (b[l] * w);
		}
	}
}
TAF_TONE_ROWS_OF(spread, spread)

void
taf_tone_residuals(const struct taf_tone_group *g)
{
	const struct taf_tone *t = g->t;
	const size_t lanes = g->lanes, apart = TAF_TONE_CHUNK * t->parts * lanes;
	const size_t cols = TAF_TONE_COLUMNS * g->most, vector = t->nfixed + cols;
	size_t at, n;
	unsigned j;

	for (j = 0; j < 2 * g->most; j++)
		zero(g->fit->spread[j], TAF_TONE_LANES);
	for (at = 0; at < t->points; at += n) {
		const size_t rows = (n = points_of(t, at)) * t->parts;

		chunk(g, at, n);
		memcpy(g->r + at * t->parts * lanes, g->chunk,
		    rows * lanes * sizeof *g->r);
		for (j = 0; j < g->most; j++) {
			const double *const v = g->vector + 2 * j * vector * lanes;
			const struct spread s = {
				{ g->fit->spread[2 * j], g->fit->spread[2 * j + 1] },
				g->column, t->fixed + at * t->parts, t->weight + at,
				{ v, v + vector * lanes }, t->nfixed, t->rows, cols,
				apart, rows, t->parts, lanes };

			spread_lanes(&s);
		}
	}
}
