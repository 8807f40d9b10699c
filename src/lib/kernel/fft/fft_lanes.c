/* SPDX-License-Identifier: ISC */
/* Lines side by side, each in a lane of its own. */
#include "config.h"

#include <string.h>

#include "kernel/fft/fft_mirror.h"
#include "kernel/fft/fft_numbers.h"
#include "kernel/fft/fft_private.h"
#include "kernel/number/fast.h"

#define REAL double

#include "kernel/fft/fft_typed.h"

enum { ROWS = TAF_FFT_FEW / LANES };

/* Points first, first + step, ... of all lines, and as many rows. */
struct rows {
	const struct taf_fft_lanes *l;
	struct taf_fft_planes p;
	size_t first, step, count;
};

/* Numbers of a row, of which the first is number at; lanes are far apart. */
static TAF_INLINE void
take_numbers(const struct taf_fft_lanes *l, double *restrict row, size_t at)
{
	const float *const x = (const float *)l->from + at;
	const double *const y = (const double *)l->from + at;
	const size_t far = l->from_lane, lines = l->lines, all = unknown(lines);

	if (far == 1 && lines == LANES && l->f->want.narrow)
		for (size_t i = 0; i < all; i++)
			row[i] = (double)x[i];
	else if (far == 1 && lines == LANES)
		for (size_t i = 0; i < all; i++)
			row[i] = y[i];
	else
		for (size_t i = 0; i < lines; i++)
			row[i] = l->f->want.narrow ? (double)x[i * far] : y[i * far];
}

static TAF_INLINE void
take_pairs(const struct taf_fft_lanes *l, double *restrict re, double *restrict im,
    size_t at)
{
	const float *const x = (const float *)l->from + 2 * at;
	const double *const y = (const double *)l->from + 2 * at;
	const size_t far = 2 * l->from_lane, lines = l->lines;

	if (far == 2 && lines == LANES)
		taf_fft_take_pairs(re, im, l->from, at, unknown(lines),
		    l->f->want.narrow);
	else
		for (size_t i = 0; i < lines; i++) {
			re[i] = l->f->want.narrow ? (double)x[i * far] : y[i * far];
			im[i] = l->f->want.narrow ? (double)x[i * far + 1] :
			    y[i * far + 1];
		}
}

static TAF_INLINE void
give_numbers(const struct taf_fft_lanes *l, const double *restrict row, size_t at,
    double scale)
{
	float *const x = (float *)l->to + at;
	double *const y = (double *)l->to + at;
	const size_t far = l->to_lane, lines = l->lines, all = unknown(lines);

	if (far == 1 && lines == LANES && l->f->want.narrow)
		for (size_t i = 0; i < all; i++)
			x[i] = (float)(row[i] * scale);
	else if (far == 1 && lines == LANES)
		for (size_t i = 0; i < all; i++)
			y[i] = row[i] * scale;
	else
		for (size_t i = 0; i < lines; i++)
			if (l->f->want.narrow)
				x[i * far] = (float)(row[i] * scale);
			else
				y[i * far] = row[i] * scale;
}

static TAF_INLINE void
give_pairs(const struct taf_fft_lanes *l, const double *restrict re,
    const double *restrict im, size_t at, double scale)
{
	float *const x = (float *)l->to + 2 * at;
	double *const y = (double *)l->to + 2 * at;
	const size_t far = 2 * l->to_lane, lines = l->lines;

	if (far == 2 && lines == LANES)
		taf_fft_give_pairs(l->to, at, re, im, unknown(lines), scale,
		    l->f->want.narrow);
	else
		for (size_t i = 0; i < lines; i++)
			if (l->f->want.narrow) {
				x[i * far] = (float)(re[i] * scale);
				x[i * far + 1] = (float)(im[i] * scale);
			} else {
				y[i * far] = re[i] * scale;
				y[i * far + 1] = im[i] * scale;
			}
}

static TAF_INLINE void
clear(double *row)
{
	for (size_t i = 0; i < LANES; i++)
		row[i] = 0;
}

/* The rows of real numbers: pairs of them, or, of an odd number, each with a zero. */
static TAF_INLINE void
take_real(const struct taf_fft_lanes *l, double *re, double *im, size_t point)
{
	const bool in_pairs = l->f->want.n != l->f->h;
	const size_t at = in_pairs ? 2 * point : point;

	if (at < l->points)
		take_numbers(l, re, at * l->from_step);
	if (in_pairs && at + 1 < l->points)
		take_numbers(l, im, (at + 1) * l->from_step);
}

/* Of an odd number: frequencies behind the middle are the mirrors of others. */
static TAF_INLINE void
take_half(const struct taf_fft_lanes *l, double *re, double *im, size_t point)
{
	const size_t n = l->f->want.n, at = point <= n / 2 ? point : n - point;

	take_pairs(l, re, im, at * l->from_step);
	for (size_t i = 0; i < LANES; i++)
		im[i] = point == 0 ? 0 : point <= n / 2 ? im[i] : -im[i];
}

static TAF_INLINE size_t
shifted(const struct taf_fft_lanes *l, size_t point)
{
	const size_t n = l->f->want.n;

	return n - point > l->shift ? point + l->shift : point + l->shift - n;
}

TAF_WIDE_VOID(take, (const struct rows *s), (s))
{
	const struct taf_fft_lanes *const l = s->l;
	const bool back = l->f->want.inverse;
	size_t point = s->first;

	for (size_t k = 0; k < s->count; k++, point += s->step) {
		double *const re = s->p.re + k * LANES, *const im = s->p.im + k * LANES;

		clear(re);
		clear(im);
		if (l->f->want.kind == TAF_FFT_REAL)
			take_real(l, re, im, point);
		else if (l->f->want.kind == TAF_FFT_HALF)
			take_half(l, re, im, point);
		else if (back)
			take_pairs(l, re, im, shifted(l, point) * l->from_step);
		else if (point < l->points)
			take_pairs(l, re, im, point * l->from_step);
	}
}

TAF_WIDE_VOID(give, (const struct rows *s), (s))
{
	const struct taf_fft_lanes *const l = s->l;
	const enum taf_fft_kind kind = l->f->want.kind;
	const size_t n = l->f->want.n;
	const bool back = l->f->want.inverse, in_pairs = n != l->f->h;
	const double scale = l->f->scale;
	size_t point = s->first;

	for (size_t k = 0; k < s->count; k++, point += s->step) {
		const double *const re = s->p.re + k * LANES,
		    *const im = s->p.im + k * LANES;
		const size_t at = in_pairs ? 2 * point : point;

		if (kind == TAF_FFT_COMPLEX && !back) {
			give_pairs(l, re, im, shifted(l, point) * l->to_step, scale);
		} else if (kind == TAF_FFT_REAL) {
			if (point <= n / 2)
				give_pairs(l, re, im, point * l->to_step, scale);
		} else if (at < l->points) {
			if (kind == TAF_FFT_COMPLEX)
				give_pairs(l, re, im, at * l->to_step, scale);
			else
				give_numbers(l, re, at * l->to_step, scale);
			if (in_pairs && at + 1 < l->points)
				give_numbers(l, im, (at + 1) * l->to_step, scale);
		}
	}
}

/* Rows of the matrix, each multiplied by a pair of its own. */
struct twiddled {
	struct taf_fft_planes to, from;
	const double *pairs;
	size_t rows, far;		/* of to, in rows */
	size_t wide;
};

TAF_WIDE_VOID(twiddle, (const struct twiddled *s), (s))
{
	const size_t lanes = unknown(s->wide), far = s->far * LANES;

	for (size_t k = 0; k < s->rows; k++) {
		const double re = s->pairs[2 * k], im = s->pairs[2 * k + 1];
		const double *xr = s->from.re + k * LANES, *xi = s->from.im + k * LANES;
		double *yr = s->to.re + k * far, *yi = s->to.im + k * far;

		TAF_APART
		for (size_t i = 0; i < lanes; i++) {
			yr[i] = xr[i] * re - xi[i] * im;
			yi[i] = xr[i] * im + xi[i] * re;
		}
	}
}

/* exp(-2 pi i k j / h) for all k < a, with the operations of a line. */
static void
cell_twiddles(const struct taf_fft *f, double *pairs, size_t j)
{
	const size_t a = f->first.n, rows = taf_fft_round_up(a, LANES);
	const size_t first = f->cells >= f->second.n ? 0 : j / f->cells * f->cells;
	const double *const re = f->cell + j - first, *const im = re + rows * f->cells;
	size_t k;

	if (first > 0)
		taf_twiddle_run(&f->matrix, pairs, a, first);
	for (k = 0; k < a; k++, pairs += 2) {
		const double cr = re[k * f->cells], ci = im[k * f->cells];
		const double mr = pairs[0], mi = pairs[1];

		pairs[0] = first > 0 ? cr * mr - ci * mi : cr;
		pairs[1] = first > 0 ? cr * mi + ci * mr : ci;
	}
}

static struct taf_fft_planes
row_of(struct taf_fft_planes p, size_t row)
{
	return (struct taf_fft_planes){ p.re + row * LANES, p.im + row * LANES };
}

/* Pairs and their mirrors, in planes. */
struct mirrored {
	const struct taf_fft_lanes *l;
	struct taf_fft_planes p;
	/* k is in row k / per * whole + k % per * rest */
	uint32_t per;
	size_t whole, rest;
	size_t k, rows;		/* k and so many behind it */
};

static TAF_INLINE size_t
place(const struct mirrored *s, size_t k)
{
	/* the short division: it takes a third of the time */
	const uint32_t at = (uint32_t)k;

	return (at / s->per * s->whole + at % s->per * s->rest) * LANES;
}

static TAF_INLINE void
twiddles(struct taf_fft_mirror *m, const struct mirrored *s)
{
	for (size_t r = 0; r < s->rows; r++) {
		double re, im;

		taf_twiddle_at(&s->l->f->real, s->k + r, &re, &im);
		for (size_t i = 0; i < LANES; i++)
			m->cr[r * LANES + i] = re;
		for (size_t i = 0; i < LANES; i++)
			m->ci[r * LANES + i] = im;
	}
}

TAF_WIDE_VOID(unpack, (const struct mirrored *s), (s))
{
	const size_t h = s->l->f->h, step = s->l->to_step, row = LANES * sizeof(double);
	struct taf_fft_mirror m = { { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } };

	for (size_t r = 0; r < s->rows; r++) {
		const size_t up = place(s, s->k + r), down = place(s, h - s->k - r);

		memcpy(m.ar + r * LANES, s->p.re + up, row);
		memcpy(m.ai + r * LANES, s->p.im + up, row);
		memcpy(m.br + r * LANES, s->p.re + down, row);
		memcpy(m.bi + r * LANES, s->p.im + down, row);
	}
	twiddles(&m, s);
	taf_fft_apart(&m);
	for (size_t r = 0; r < s->rows; r++) {
		give_pairs(s->l, m.ar + r * LANES, m.ai + r * LANES, (s->k + r) * step,
		    1);
		give_pairs(s->l, m.br + r * LANES, m.bi + r * LANES,
		    (h - s->k - r) * step, 1);
	}
}

TAF_WIDE_VOID(pack, (const struct mirrored *s), (s))
{
	const size_t h = s->l->f->h, step = s->l->from_step, row = LANES * sizeof(double);
	struct taf_fft_mirror m = { { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } };

	for (size_t r = 0; r < s->rows; r++) {
		take_pairs(s->l, m.ar + r * LANES, m.ai + r * LANES, (s->k + r) * step);
		take_pairs(s->l, m.br + r * LANES, m.bi + r * LANES,
		    (h - s->k - r) * step);
	}
	twiddles(&m, s);
	taf_fft_together(&m);
	for (size_t r = 0; r < s->rows; r++) {
		const size_t up = place(s, s->k + r), down = place(s, h - s->k - r);

		memcpy(s->p.re + up, m.ar + r * LANES, row);
		memcpy(s->p.im + up, m.ai + r * LANES, row);
		memcpy(s->p.re + down, m.br + r * LANES, row);
		memcpy(s->p.im + down, m.bi + r * LANES, row);
	}
}

static void
mirrors(struct mirrored *s, void (*function)(const struct mirrored *))
{
	const size_t end = (s->l->f->h + 1) / 2;

	for (s->k = 1; s->k < end; s->k += s->rows) {
		s->rows = end - s->k < ROWS ? end - s->k : ROWS;
		function(s);
	}
}

/* All frequencies of real numbers from those of their pairs. */
static void
unpack_all(struct mirrored *s)
{
	const struct taf_fft_lanes *const l = s->l;
	const size_t h = l->f->h;
	const double *re = s->p.re, *im = s->p.im;
	double sum[LANES], difference[LANES], zero[LANES] = { 0 };
	size_t i;

	for (i = 0; i < LANES; i++) {
		sum[i] = re[i] + im[i];
		difference[i] = re[i] - im[i];
	}
	give_pairs(l, sum, zero, 0, 1);
	give_pairs(l, difference, zero, h * l->to_step, 1);
	if (h % 2 == 0) {
		re += place(s, h / 2);
		im += place(s, h / 2);
		for (i = 0; i < LANES; i++)
			difference[i] = -im[i];
		give_pairs(l, re, difference, h / 2 * l->to_step, 1);
	}
	mirrors(s, unpack);
}

static void
pack_all(struct mirrored *s)
{
	const struct taf_fft_lanes *const l = s->l;
	const size_t h = l->f->h;
	double re[LANES] = { 0 }, im[LANES] = { 0 }, other[LANES] = { 0 };
	size_t i;

	take_pairs(l, re, im, 0);
	take_pairs(l, other, im, h * l->from_step);
	for (i = 0; i < LANES; i++) {
		s->p.re[i] = re[i] + other[i];
		s->p.im[i] = re[i] - other[i];
	}
	if (h % 2 == 0) {
		double *const mr = s->p.re + place(s, h / 2),
		    *const mi = s->p.im + place(s, h / 2);

		take_pairs(l, re, im, h / 2 * l->from_step);
		for (i = 0; i < LANES; i++) {
			mr[i] = 2 * re[i];
			mi[i] = -2 * im[i];
		}
	}
	mirrors(s, pack);
}

/* What a group of lines is transformed in. */
struct workspace {
	const struct taf_fft_lanes *l;
	struct taf_fft_planes p[3];	/* the matrix, and two for columns of it */
	size_t far;			/* rows from one of the matrix to the next */
	double *pairs;
	bool back, unpack, pack;
};

static void
tiny(const struct workspace *d)
{
	const struct taf_fft *const f = d->l->f;
	const struct taf_fft_planes to[2] = { d->p[2], d->p[1] };
	struct rows s = { d->l, taf_fft_exchanged(d->p[1], d->back), 0, 1, f->h };
	struct mirrored m = { .l = d->l, .p = s.p, .per = (uint32_t)f->h, .rest = 1 };

	if (d->pack)
		pack_all(&m);
	else
		take(&s);
	s.p = taf_fft_exchanged(taf_fft_columns(&f->first, d->p[1], to, LANES), d->back);
	m.p = s.p;
	if (d->unpack)
		unpack_all(&m);
	else
		give(&s);
}

/* Column j of the matrix. */
static void
first_half(const struct workspace *d, size_t j)
{
	const struct taf_fft *const f = d->l->f;
	const size_t a = f->first.n, row = LANES * sizeof(double);
	const struct taf_fft_planes to[2] = { d->p[2], d->p[1] };
	const struct taf_fft_planes column = row_of(d->p[0], j);
	const struct rows s = { d->l, taf_fft_exchanged(d->p[1], d->back), j,
	    f->second.n, a };
	struct twiddled t = { .to = column, .pairs = d->pairs, .rows = a, .far = d->far,
	    .wide = LANES };
	size_t k;

	if (!d->pack)
		take(&s);
	for (k = 0; k < a && d->pack; k++) {
		memcpy(s.p.re + k * LANES, column.re + k * d->far * LANES, row);
		memcpy(s.p.im + k * LANES, column.im + k * d->far * LANES, row);
	}
	cell_twiddles(f, d->pairs, j);
	t.from = taf_fft_columns(&f->first, d->p[1], to, LANES);
	twiddle(&t);
}

/* Row k of it. */
static void
second_half(const struct workspace *d, size_t k)
{
	const struct taf_fft *const f = d->l->f;
	const size_t b = f->second.n, row = LANES * sizeof(double);
	const struct taf_fft_planes from = row_of(d->p[0], k * d->far);
	const struct taf_fft_planes x = taf_fft_columns(&f->second, from, d->p + 1,
	    LANES);
	const struct rows s = { d->l, taf_fft_exchanged(x, d->back), k, f->first.n, b };

	if (d->unpack) {
		memcpy(from.re, x.re, b * row);
		memcpy(from.im, x.im, b * row);
	} else {
		give(&s);
	}
}

static void
split(const struct workspace *d)
{
	const struct taf_fft *const f = d->l->f;
	/* points come row by row, frequencies column by column */
	struct mirrored from = { .l = d->l, .p = d->p[0], .per = (uint32_t)f->second.n,
	    .whole = d->far, .rest = 1 };
	struct mirrored to = { .l = d->l, .p = d->p[0], .per = (uint32_t)f->first.n,
	    .whole = 1, .rest = d->far };
	size_t j;

	if (d->pack)
		pack_all(&from);
	for (j = 0; j < f->second.n; j++)
		first_half(d, j);
	for (j = 0; j < f->first.n; j++)
		second_half(d, j);
	if (d->unpack)
		unpack_all(&to);
}

/* An odd number of rows apart: powers of 2 would meet in one set of a cache. */
static size_t
row_distance(const struct taf_fft *f)
{
	return f->second.n | 1;
}

static void
numbers(const struct taf_fft *f, size_t n[3])
{
	const size_t a = f->first.n, b = f->second.n;

	n[0] = f->way == TAF_FFT_SPLIT ? a * row_distance(f) * LANES : 0;
	n[1] = n[2] = (a > b ? a : b) * LANES;
}

size_t
taf_fft_lanes_scratch(const struct taf_fft *f)
{
	size_t n[3];

	numbers(f, n);
	return taf_fft_laid_out(n[0]) + 2 * taf_fft_laid_out(n[1]) + 2 * f->first.n;
}

void
taf_fft_lanes(const struct taf_fft_lanes *l)
{
	const struct taf_fft *const f = l->f;
	const bool in_pairs = taf_fft_in_pairs(f);
	struct workspace d = { .l = l, .far = row_distance(f),
	    .back = f->want.inverse || f->want.kind == TAF_FFT_HALF,
	    .unpack = in_pairs && f->want.kind == TAF_FFT_REAL,
	    .pack = in_pairs && f->want.kind == TAF_FFT_HALF };
	double *scratch = l->scratch;
	size_t n[3], k;

	numbers(f, n);
	for (k = 0; k < 3; k++)
		d.p[k] = taf_fft_lay_out(&scratch, n[k]);
	d.pairs = scratch;
	if (f->way == TAF_FFT_TINY)
		tiny(&d);
	else
		split(&d);
}
