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

/* 2 pi */
#define TURN 0x1.921fb54442d18p+2

/* The sum of this and of a number has the nearest whole number in its last bits. */
#define WHOLE 0x1.8p52

static double
whole(double x)
{
	return (x + WHOLE) - WHOLE;
}

/* What turns times m / (2 n) leaves of whole turns; m is whole. */
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

				angle[2 * s * lanes + l] = TURN * (part_of_turn(bin, m,
				    n) + slope * time * time / 2);
				angle[(2 * s + 1) * lanes + l] = TURN * (part_of_turn(bin,
				    2, n) + slope * (time + 0.5 / n) / n);
			}
			angle[2 * t->restarts * lanes + l] = TURN * (slope / (n * n));
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

/* Lanes; if compilers know a bound, they unroll its loop before they can vectorise it. */
static TAF_INLINE size_t
unknown(size_t lanes, size_t wide)
{
	return (lanes < wide ? lanes : wide) / wide * wide;
}

/*
 * The columns of a tone, the derivatives by re, im, bin / (2 pi) and slope / pi; and the
 * tone, which is subtracted from the chunk.  wide is a constant.
 */
static TAF_INLINE void
run_of_wave(const struct wave *w, size_t at, size_t n, size_t wide)
{
	const size_t lanes = unknown(w->lanes, wide), parts = w->parts;
	double *const restrict carry = w->carry;
	double *const restrict column = w->column + at * parts * wide;
	double *const restrict chunk = w->chunk + at * parts * wide;
	const double *const time = w->time + at;
	const size_t apart = w->apart;

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
wave(const struct wave *w, size_t wide, size_t parts)
{
	struct wave v = *w;
	size_t i;

	v.parts = parts;
	for (i = 0; i + RUN <= v.n; i += RUN)
		run_of_wave(&v, i, RUN, wide);
	for (; i < v.n; i++)
		run_of_wave(&v, i, 1, wide);
}

TAF_WIDE_VOID(wave_wide, (const struct wave *w), (w))
{
	if (w->parts == 1)
		wave(w, WIDE, 1);
	else
		wave(w, WIDE, 2);
}

static void
wave_alone(const struct wave *w)
{
	if (w->parts == 1)
		wave(w, 1, 1);
	else
		wave(w, 1, 2);
}

/* Sums of products of a column with others. */
struct sums {
	double *to;		/* lanes numbers for each of them */
	const double *a, *b;
	size_t n, apart;	/* others, and how far apart they lie */
	size_t rows, lanes;
};

static TAF_INLINE void
sum_rows(double *restrict to, const double *restrict a, const double *restrict b,
    size_t rows, size_t lanes, size_t wide)
{
	lanes = unknown(lanes, wide);
	for (size_t l = 0; l < lanes; l++) {
		double s = 0;

		for (size_t i = 0; i < rows; i++)
			s += a[i * wide + l] * b[i * wide + l];
		to[l] += s;
	}
}

static TAF_INLINE void
sums(const struct sums *s, size_t wide)
{
	for (size_t k = 0; k < s->n; k++) {
		const double *const b = s->b + k * s->apart;
		double *const to = s->to + k * wide;
		size_t i;

		for (i = 0; i + TAF_TONE_CHUNK <= s->rows; i += TAF_TONE_CHUNK)
			sum_rows(to, s->a + i * wide, b + i * wide, TAF_TONE_CHUNK,
			    s->lanes, wide);
		for (; i < s->rows; i++)
			sum_rows(to, s->a + i * wide, b + i * wide, 1, s->lanes, wide);
	}
}

TAF_WIDE_VOID(sums_wide, (const struct sums *s), (s))
{
	sums(s, WIDE);
}

static void
add_sums(const struct sums *s)
{
	if (s->lanes == WIDE)
		sums_wide(s);
	else
		sums(s, 1);
}

/* Rows times numbers that are the same for all lanes. */
struct scaling {
	double *to;
	const double *from, *by;	/* one of by for parts rows */
	size_t rows, parts, lanes;
};

static TAF_INLINE void
scale_rows(const struct scaling *s, size_t wide)
{
	const size_t lanes = unknown(s->lanes, wide);

	for (size_t i = 0; i < s->rows; i++) {
		const double by = s->by[i / s->parts];
		double *const restrict to = s->to + i * wide;
		const double *const restrict from = s->from + i * wide;

		for (size_t l = 0; l < lanes; l++)
			to[l] = from[l] * by;
	}
}

TAF_WIDE_VOID(scale_wide, (const struct scaling *s), (s))
{
	if (s->parts == 1)
		scale_rows(&(struct scaling){ s->to, s->from, s->by, s->rows, 1,
		    s->lanes }, WIDE);
	else
		scale_rows(s, WIDE);
}

static void
scale(const struct scaling *s)
{
	if (s->lanes == WIDE)
		scale_wide(s);
	else
		scale_rows(s, 1);
}

/* Sums of rows, each times a number of its own. */
struct fixed_sums {
	double *to;
	const double *a, *by;
	size_t rows, lanes;
};

static TAF_INLINE void
sum_fixed_rows(double *restrict to, const double *restrict a, const double *restrict by,
    size_t rows, size_t lanes, size_t wide)
{
	lanes = unknown(lanes, wide);
	for (size_t l = 0; l < lanes; l++) {
		double s = 0;

		for (size_t i = 0; i < rows; i++)
			s += a[i * wide + l] * by[i];
		to[l] += s;
	}
}

static TAF_INLINE void
sum_fixed(const struct fixed_sums *s, size_t wide)
{
	size_t i;

	for (i = 0; i + TAF_TONE_CHUNK <= s->rows; i += TAF_TONE_CHUNK)
		sum_fixed_rows(s->to, s->a + i * wide, s->by + i, TAF_TONE_CHUNK,
		    s->lanes, wide);
	for (; i < s->rows; i++)
		sum_fixed_rows(s->to, s->a + i * wide, s->by + i, 1, s->lanes, wide);
}

TAF_WIDE_VOID(sum_fixed_wide, (const struct fixed_sums *s), (s))
{
	sum_fixed(s, WIDE);
}

static void
add_fixed_sums(const struct fixed_sums *s)
{
	if (s->lanes == WIDE)
		sum_fixed_wide(s);
	else
		sum_fixed(s, 1);
}

/* Rows less a column that is the same for all lanes, times a number of each lane. */
struct taking {
	double *chunk;
	const double *from;
	const double *by, *factor;
	size_t rows, lanes;
};

static TAF_INLINE void
take_rows(const struct taking *k, size_t wide)
{
	const size_t lanes = unknown(k->lanes, wide);
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

TAF_WIDE_VOID(take_wide, (const struct taking *k), (k))
{
	take_rows(k, WIDE);
}

/* The chunk of points from at on, less fixed columns and all tones; their columns. */
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

		if (lanes == WIDE)
			take_wide(&take);
		else
			take_rows(&take, 1);
	}
	for (j = 0; j < g->most; j++) {
		if (at % TAF_TONE_RESTART == 0)
			take_up(g, j, at / TAF_TONE_RESTART);
		w.carry = g->carry + j * CARRIED * lanes;
		w.column = g->column + j * TAF_TONE_COLUMNS * apart;
		if (lanes == WIDE)
			wave_wide(&w);
		else
			wave_alone(&w);
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
		scale(&(struct scaling){ residual, g->chunk, t->weight + at, rows,
		    t->parts, lanes });
		add_sums(&(struct sums){ g->rr, g->chunk, residual, 1, apart, rows,
		    lanes });
		add_sums(&(struct sums){ g->tr, residual, g->column, cols, apart, rows,
		    lanes });
		for (k = 0; k < t->nfixed; k++)
			add_fixed_sums(&(struct fixed_sums){ g->fr + k * lanes, residual,
			    fixed + k * t->rows, rows, lanes });
		for (c = 0; c < cols && fresh; c++) {
			double *const weighed = g->weighed + c * apart;

			scale(&(struct scaling){ weighed, g->column + c * apart,
			    t->weight + at, rows, t->parts, lanes });
			add_sums(&(struct sums){ g->tt + c * (c + 1) / 2 * lanes, weighed,
			    g->column, c + 1, apart, rows, lanes });
			for (k = 0; k < t->nfixed; k++)
				add_fixed_sums(&(struct fixed_sums){ g->ft +
				    (k * cols + c) * lanes, weighed,
				    fixed + k * t->rows, rows, lanes });
		}
	}
	if (fresh) {
		put_back(g->tt, g->kept, ntt, keep, lanes);
		put_back(g->ft, kept, nft, keep, lanes);
	}
}

/* Sums of squares of weighed combinations of columns. */
struct spread {
	double *to;			/* of each lane */
	const double *column, *fixed, *weight;
	const double *vector;		/* of fixed, and of the tones' columns */
	size_t nfixed, fixed_apart, cols, apart, rows, parts, lanes;
};

static TAF_INLINE void
spread_rows(const struct spread *s, size_t wide)
{
	const size_t lanes = unknown(s->lanes, wide);
	const double *const restrict v = s->vector;
	double *const restrict to = s->to;

	for (size_t i = 0; i < s->rows; i++) {
		const double w = s->weight[i / s->parts];
		const double *const restrict column = s->column + i * wide;
		const double *const restrict fixed = s->fixed + i;

		for (size_t l = 0; l < lanes; l++) {
			double sum = 0;

			for (size_t k = 0; k < s->nfixed; k++)
				sum += v[k * wide + l] * fixed[k * s->fixed_apart];
			for (size_t c = 0; c < s->cols; c++)
				sum += v[(s->nfixed + c) * wide + l] *
				    column[c * s->apart + l];
			sum *= w;
			to[l] += sum * sum;
		}
	}
}

/* The same, for one tone and a constant, with all numbers known. */
static TAF_INLINE void
spread_one(const struct spread *s, size_t wide)
{
	struct spread one = *s;

	one.nfixed = one.parts = 1;
	one.cols = TAF_TONE_COLUMNS;
	spread_rows(&one, wide);
}

TAF_WIDE_VOID(spread_wide, (const struct spread *s), (s))
{
	if (s->nfixed == 1 && s->parts == 1 && s->cols == TAF_TONE_COLUMNS)
		spread_one(s, WIDE);
	else
		spread_rows(s, WIDE);
}

void
taf_tone_residuals(const struct taf_tone_group *g, bool spread)
{
	const struct taf_tone *t = g->t;
	const size_t lanes = g->lanes, apart = TAF_TONE_CHUNK * t->parts * lanes;
	const size_t cols = TAF_TONE_COLUMNS * g->most, vector = t->nfixed + cols;
	size_t at, n;
	unsigned k;

	for (k = 0; k < 2 * g->most && spread; k++)
		zero(g->fit->spread[k], TAF_TONE_LANES);
	for (at = 0; at < t->points; at += n) {
		const size_t rows = (n = points_of(t, at)) * t->parts;

		chunk(g, at, n);
		memcpy(g->r + at * t->parts * lanes, g->chunk,
		    rows * lanes * sizeof *g->r);
		for (k = 0; k < 2 * g->most && spread; k++) {
			const struct spread s = { g->fit->spread[k], g->column,
				t->fixed + at * t->parts, t->weight + at,
				g->vector + k * vector * lanes, t->nfixed, t->rows, cols,
				apart, rows, t->parts, lanes };

			if (lanes == WIDE)
				spread_wide(&s);
			else
				spread_rows(&s, 1);
		}
	}
}
