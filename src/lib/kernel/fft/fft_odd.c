/* SPDX-License-Identifier: ISC */
/*
 * An odd number n of reals, r times m with a small prime r.  Transforms of the r points
 * that lie m apart are a half, too: one of them is real, of m numbers; r / 2 of them are
 * complex, times twiddles, and the other half mirrors those.  So transforms of length m
 * do the rest, and none has the full length.
 *
 * Numbers lie in r rows: point j is in row j / m, column j % m, where each column is one
 * number, or as many as there are lanes.
 */
#include "config.h"

#include <string.h>

#include "kernel/fft/fft_numbers.h"
#include "kernel/fft/fft_private.h"
#include "kernel/number/fast.h"

#define REAL double

#include "kernel/fft/fft_odd_typed.h"

struct odd {
	const struct taf_fft_lanes *l;
	size_t radix, half, m;		/* half: of the radix */
	size_t lanes, columns;		/* columns: m times the lanes */
	size_t wide;			/* from a row to the next */
	double *x;			/* rows of the points; row 0: what is real */
	double *re, *im;		/* half rows: transforms of r points */
	double *pairs;			/* half times all columns */
	double *rest;			/* pairs of the real transform of m */
	void *scratch;
};

/* Transforms of r points: row 0 of x becomes their sum, re and im the others. */
static TAF_INLINE void
analyse_some(const struct odd *o, size_t half)
{
	const size_t wide = o->wide;
	struct fold f;

	for (size_t q = 0; q < wide; q += LANES) {
		const size_t lanes = unknown(wide);
		double *const x = o->x + q;
		double z[LANES], r[LANES], i[LANES];

		fold_rows(&f, z, x, wide, half, lanes);
		for (size_t k = 1; k <= half; k++) {
			folded_frequency(&f, r, i, x, o->l->f->root, k, half, lanes);
			memcpy(o->re + (k - 1) * wide + q, r, sizeof r);
			memcpy(o->im + (k - 1) * wide + q, i, sizeof i);
		}
		memcpy(x, z, sizeof z);
	}
}

TAF_WIDE_VOID(analyse, (const struct odd *o), (o))
{
	if (o->half == 1)
		analyse_some(o, 1);
	else if (o->half == 2)
		analyse_some(o, 2);
	else
		analyse_some(o, o->half);
}

/* A row of parts, times the twiddle of its column, becomes pairs. */
struct products {
	const double *re, *im;
	double *to;
	const double *by;	/* pairs, one for each column */
	size_t columns;
	unsigned shift;		/* of a column's number, to that of its twiddle */
};

TAF_WIDE_VOID(multiply, (const struct products *t), (t))
{
	double re[TAF_FFT_FEW], im[TAF_FFT_FEW], c[TAF_FFT_FEW], s[TAF_FFT_FEW];

	for (size_t at = 0; at < t->columns; at += TAF_FFT_FEW) {
		const size_t left = t->columns - at;
		const size_t n = left < TAF_FFT_FEW ? left : TAF_FFT_FEW;
		const double *const x = t->re + at, *const y = t->im + at;

		for (size_t i = 0; i < n; i++) {
			const double *const by = t->by + 2 * ((at + i) >> t->shift);

			c[i] = by[0];
			s[i] = by[1];
		}
		for (size_t i = 0; i < n; i++)
			re[i] = x[i] * c[i] - y[i] * s[i];
		for (size_t i = 0; i < n; i++)
			im[i] = x[i] * s[i] + y[i] * c[i];
		taf_fft_give_pairs(t->to, at, re, im, n, 1, false);
	}
}

static void
twiddle(const struct odd *o)
{
	for (size_t k = 0; k < o->half; k++)
		multiply(&(struct products){ .re = o->re + k * o->wide,
			.im = o->im + k * o->wide, .to = o->pairs + 2 * k * o->columns,
			.by = o->l->f->cell + 2 * k * o->m, .columns = o->columns,
			.shift = o->lanes == 1 ? 0 : 3 });
}

/* Transforms of length m, of pairs in their place, and of what is real. */
static void
transform(const struct odd *o)
{
	const struct taf_fft *const f = o->l->f;
	struct taf_fft_side s = { .to = o->rest, .from = o->x, .to_step = o->lanes,
		.from_step = o->lanes, .lines = o->lanes, .points = o->m };
	size_t k;

	for (k = 0; k < o->lanes && o->m == 1; k++) {
		o->rest[2 * k] = o->x[k];
		o->rest[2 * k + 1] = 0;
	}
	if (o->m == 1)
		return;
	if (o->lanes == 1) {
		taf_fft_lines(f->inner, o->pairs, o->pairs, o->half, o->scratch);
		taf_fft_lines(f->rest, o->rest, o->x, 1, o->scratch);
		return;
	}
	taf_fft_side(f->rest, &s, o->scratch);
	for (k = 0; k < o->half; k++) {
		s.to = o->pairs + 2 * k * o->columns;
		s.from = s.to;
		taf_fft_side(f->inner, &s, o->scratch);
	}
}

/* n numbers that lie step apart, from number at on, to numbers side by side. */
static TAF_INLINE void
take(const struct taf_fft_lanes *l, double *restrict x, size_t at, size_t step, size_t n)
{
	const float *const f = (const float *)l->from + at;
	const double *const d = (const double *)l->from + at;

	if (l->f->want.narrow)
		for (size_t i = 0; i < n; i++)
			x[i] = (double)f[i * step];
	else
		for (size_t i = 0; i < n; i++)
			x[i] = d[i * step];
}

/* Points that there are, to rows of zeros. */
TAF_WIDE_VOID(rows, (const struct odd *o), (o))
{
	const struct taf_fft_lanes *const l = o->l;
	size_t j = 0;

	for (size_t row = 0; row < o->radix && j < l->points; row++) {
		const size_t left = l->points - j, n = left < o->m ? left : o->m;
		double *x = o->x + row * o->wide;

		if (o->lanes == 1)
			take(l, x, j * l->from_step, l->from_step, n);
		for (size_t p = 0; p < n && o->lanes > 1; p++, x += LANES)
			if (l->from_lane == 1)
				take(l, x, (j + p) * l->from_step, 1, l->lines);
			else
				take(l, x, (j + p) * l->from_step, l->from_lane,
				    l->lines);
		j += n;
	}
}

/* Some numbers q of a row of pairs: frequencies k + r q, or n minus that, mirrored. */
struct some {
	const struct odd *o;
	const double *pairs;
	size_t k, q, end;
	bool mirror;
};

static TAF_INLINE void
give_some(const struct some *s, size_t lines, size_t lane, bool narrow)
{
	const struct odd *const o = s->o;
	const size_t n = o->l->f->want.n, lanes = o->lanes, step = o->l->to_step;
	float *const x = o->l->to;
	double *const y = o->l->to;

	for (size_t q = s->q; q < s->end; q++) {
		const double *const v = s->pairs + 2 * q * lanes;
		const size_t f = q * o->radix + s->k;
		const size_t at = 2 * (s->mirror ? n - f : f) * step;

		for (size_t i = 0; i < lines; i++) {
			const double re = v[2 * i];
			const double im = s->mirror ? -v[2 * i + 1] : v[2 * i + 1];
			const size_t to = at + 2 * i * lane;

			if (narrow) {
				x[to] = (float)re;
				x[to + 1] = (float)im;
			} else {
				y[to] = re;
				y[to + 1] = im;
			}
		}
	}
}

TAF_FAST_VOID(give, (const struct some *s), (s))
{
	const struct taf_fft_lanes *const l = s->o->l;
	const bool narrow = l->f->want.narrow;

	if (l->lines == 1 && narrow)
		give_some(s, 1, 1, true);
	else if (l->lines == 1)
		give_some(s, 1, 1, false);
	else if (narrow)
		give_some(s, l->lines, l->to_lane, true);
	else
		give_some(s, l->lines, l->to_lane, false);
}

/* All frequencies: k + r q is number q of row k, those of r q of what is real. */
static void
frequencies(const struct odd *o)
{
	const size_t most = o->l->f->want.n / 2;
	struct some s = { .o = o, .pairs = o->rest, .end = o->m / 2 + 1 };

	give(&s);
	for (s.k = 1; s.k <= o->half; s.k++) {
		s.pairs = o->pairs + 2 * (s.k - 1) * o->columns;
		s.q = 0;
		s.end = (most - s.k) / o->radix + 1;
		s.mirror = false;
		give(&s);
		s.q = s.end;
		s.end = o->m;
		s.mirror = true;
		give(&s);
	}
}

/* Numbers of the parts of the scratch memory, for lines side by side or one alone. */
static void
numbers(const struct taf_fft *f, size_t lanes, size_t n[5])
{
	const size_t radix = f->radix, half = radix / 2, m = f->want.n / radix;
	const size_t wide = taf_fft_round_up(m * lanes, LANES);

	n[0] = radix * wide;
	n[1] = n[2] = half * wide;
	n[3] = taf_fft_round_up(2 * half * m * lanes, LANES);
	n[4] = taf_fft_round_up(2 * (m / 2 + 1) * lanes, LANES);
}

size_t
taf_fft_odd_scratch(const struct taf_fft *f, bool side)
{
	size_t n[5], all = 0, inner = 0, rest = 0;

	numbers(f, side ? LANES : 1, n);
	for (unsigned k = 0; k < 5; k++)
		all += n[k];
	if (f->inner != NULL) {
		inner = side ? taf_fft_side_scratch(f->inner) : taf_fft_scratch(f->inner);
		rest = side ? taf_fft_side_scratch(f->rest) : taf_fft_scratch(f->rest);
	}
	return all + (inner > rest ? inner : rest) / sizeof(double);
}

void
taf_fft_odd(const struct taf_fft_lanes *l)
{
	const struct taf_fft *const f = l->f;
	const size_t lanes = l->lines > 1 ? LANES : 1, m = f->want.n / f->radix;
	struct odd o = { .l = l, .radix = f->radix, .half = f->radix / 2, .m = m,
		.lanes = lanes, .columns = m * lanes,
		.wide = taf_fft_round_up(m * lanes, LANES) };
	size_t n[5];

	numbers(f, lanes, n);
	o.x = l->scratch;
	o.re = o.x + n[0];
	o.im = o.re + n[1];
	o.pairs = o.im + n[2];
	o.rest = o.pairs + n[3];
	o.scratch = o.rest + n[4];
	memset(o.x, 0, n[0] * sizeof *o.x);
	rows(&o);
	analyse(&o);
	twiddle(&o);
	transform(&o);
	frequencies(&o);
}
