/* SPDX-License-Identifier: ISC */
/*
 * Power spectra of numbers of one type, REAL: included by spectra_flt32.c and
 * spectra_flt64.c.  Each of LANES neighbours in a row is of another block.
 */

#ifdef REAL

#include <string.h>

#include "kernel/fft/fft_odd_typed.h"
#include "kernel/fft/fft_steps_typed.h"
#include "kernel/fft/spectra_private.h"

/* Parts of the scratch memory. */
struct workspace {
	REAL *laid, *x, *result, *more;
	struct planes plane[3];
};

/* Points of several advances, so that those at one place of each lie in a row. */
struct advances {
	REAL *to;
	const REAL *from;
	size_t rows, cols, wide, skip;	/* rows are of wide numbers */
	size_t have;			/* points from from on */
};

TAF_WIDE_VOID(lay_tile, (const struct advances *a, size_t row, size_t col), (a, row, col))
{
	_Alignas(64) REAL tile[LANES * LANES], rest[LANES * LANES];
	const size_t rows = a->rows - row < LANES ? a->rows - row : LANES;

	for (size_t c = 0; c < LANES; c++) {
		const size_t at = (col + c) * a->skip + row;

		if (rows == LANES && at + LANES <= a->have) {
			memcpy(tile + c * LANES, a->from + at, LANES * sizeof *tile);
			continue;
		}
		for (size_t t = 0; t < LANES; t++)
			tile[c * LANES + t] = t < rows && at + t < a->have ?
			    a->from[at + t] : 0;
	}
	flip(tile, rest);
	for (size_t t = 0; t < rows; t++)
		memcpy(a->to + (row + t) * a->wide + col, tile + t * LANES,
		    LANES * sizeof *tile);
}

static void
lay(const struct advances *a)
{
	size_t row, col;

	if (a->rows >= LANES / 2) {
		for (col = 0; col < a->cols; col += LANES)
			for (row = 0; row < a->rows; row += LANES)
				lay_tile(a, row, col);
		return;
	}
	for (row = 0; row < a->rows; row++)
		for (col = 0; col < a->cols; col++)
			a->to[row * a->wide + col] = col * a->skip + row < a->have ?
			    a->from[col * a->skip + row] : 0;
}

/* Points of LANES blocks become rows. */
struct weighing {
	REAL *x;
	const REAL *laid, *weight;
	const size_t *row;
	size_t points, skip, wide;
	bool remove_mean;
};

TAF_WIDE_VOID(weigh, (const struct weighing *w), (w))
{
	const size_t lanes = unknown(w->wide);
	REAL mean[LANES] = { 0 };
	double sum[LANES] = { 0 };

	for (size_t j = 0; j < w->points && w->remove_mean; j++) {
		const REAL *from = w->laid + j % w->skip * w->wide + j / w->skip;

		for (size_t l = 0; l < lanes; l++)
			sum[l] += (double)from[l];
	}
	for (size_t l = 0; l < lanes && w->remove_mean; l++)
		mean[l] = (REAL)(sum[l] / (double)w->points);
	for (size_t first = 0, a = 0; first < w->points; first += w->skip, a++) {
		const size_t left = w->points - first,
		    n = left < w->skip ? left : w->skip;

		for (size_t t = 0; t < n; t++) {
			const REAL *from = w->laid + t * w->wide + a;
			const REAL weight = w->weight[first + t];
			REAL *to = w->x + w->row[first + t] * LANES;

			TAF_APART
			for (size_t l = 0; l < lanes; l++)
				to[l] = (from[l] - mean[l]) * weight;
		}
	}
}

/* Squares of the transform of h pairs, taken apart into that of twice as many numbers. */
struct squaring {
	REAL *to;
	const REAL *zr, *zi;
	size_t h, stride;
	const REAL *twiddle;
};

TAF_WIDE_VOID(square_pairs, (const struct squaring *s), (s))
{
	const size_t lanes = unknown(LANES + s->h), h = s->h;
	const REAL quarter = (REAL)0.25;

	for (size_t l = 0; l < lanes; l++) {
		const REAL low = s->zr[l] + s->zi[l], high = s->zr[l] - s->zi[l];

		s->to[l] = low * low;
		s->to[h * s->stride * LANES + l] = high * high;
	}
	for (size_t k = 1; k <= h - k; k++) {
		const REAL wr = s->twiddle[2 * k], wi = s->twiddle[2 * k + 1];
		const REAL *ar = s->zr + k * LANES, *ai = s->zi + k * LANES;
		const REAL *br = s->zr + (h - k) * LANES, *bi = s->zi + (h - k) * LANES;
		REAL *up = s->to + k * s->stride * LANES;
		REAL *down = s->to + (h - k) * s->stride * LANES;

		TAF_APART
		for (size_t l = 0; l < lanes; l++) {
			const REAL sr = ar[l] + br[l], si = ai[l] - bi[l];
			const REAL dr = ar[l] - br[l], di = ai[l] + bi[l];
			/* by -i and the twiddle */
			const REAL qr = wi * dr + wr * di, qi = wi * di - wr * dr;
			const REAL ur = sr + qr, ui = si + qi, vr = sr - qr, vi = si - qi;

			up[l] = (ur * ur + ui * ui) * quarter;
			down[l] = (vr * vr + vi * vi) * quarter;
		}
	}
}

/*
 * The convolution of rows that were transformed as pairs; they are transformed back next.
 */
struct product {
	REAL *zr, *zi;
	REAL *zero;		/* the sum of all points */
	const REAL *first;	/* point 0, which is in none of the rows */
	size_t h, wide;
	const REAL *twiddle, *kernel;
};

TAF_WIDE_VOID(convolve, (const struct product *p), (p))
{
	const size_t wide = p->wide / LANES * LANES, h = p->h;
	const REAL *const last = p->kernel + 2 * h;

	TAF_APART
	for (size_t l = 0; l < wide; l++) {
		const REAL low = p->zr[l] + p->zi[l], high = p->zr[l] - p->zi[l];
		const REAL x = p->first[l], b = low * p->kernel[0], c = high * last[0];

		p->zero[l] = x + low;
		p->zr[l] = b + c + x;
		p->zi[l] = b - c + x;
	}
	for (size_t k = 1; k <= h - k; k++) {
		const REAL wr = p->twiddle[2 * k], wi = p->twiddle[2 * k + 1];
		const REAL kr = p->kernel[2 * k], ki = p->kernel[2 * k + 1];
		const REAL mr = p->kernel[2 * (h - k)], mi = p->kernel[2 * (h - k) + 1];
		REAL *ar = p->zr + k * wide, *ai = p->zi + k * wide;
		REAL *br = p->zr + (h - k) * wide, *bi = p->zi + (h - k) * wide;

		TAF_APART
		for (size_t l = 0; l < wide; l++) {
			const REAL sr = ar[l] + br[l], si = ai[l] - bi[l];
			const REAL dr = ar[l] - br[l], di = ai[l] + bi[l];
			const REAL qr = wi * dr + wr * di, qi = wi * di - wr * dr;
			/* frequency k, and the mirror of far / 2 - k */
			const REAL ur = sr + qr, ui = si + qi, vr = sr - qr, vi = si - qi;
			const REAL xr = ur * kr - ui * ki, xi = ur * ki + ui * kr;
			const REAL yr = vr * mr + vi * mi, yi = vi * mr - vr * mi;
			const REAL er = xr + yr, ei = xi + yi, fr = xr - yr, fi = xi - yi;
			/* by i, and the conjugate */
			const REAL gr = wi * fr - wr * fi, gi = wi * fi + wr * fr;

			ar[l] = er + gr;
			ai[l] = ei + gi;
			br[l] = er - gr;
			bi[l] = gi - ei;
		}
	}
}

/* What the first step gives: rows of pairs for the next steps, or results. */
struct outputs {
	const struct taf_power *f;
	const REAL *x;			/* points, of a radix that is not a convolution */
	struct planes from;		/* else the convolution */
	const REAL *zero;
	struct planes to;
	REAL *rest, *result;
};

/* Frequency k of the points that lie m apart, from p on: (r, i). */
static TAF_INLINE void
put(const struct outputs *o, size_t p, size_t k, const REAL *r, const REAL *i)
{
	const size_t half = o->f->radix / 2, at = (p * half + k - 1) * LANES;
	const size_t lanes = unknown(LANES + k);

	if (o->f->m == 1) {
		REAL *to = o->result + k * o->f->stride * LANES;

		TAF_APART
		for (size_t l = 0; l < lanes; l++)
			to[l] = r[l] * r[l] + i[l] * i[l];
	} else {
		const REAL *twiddle = (const REAL *)o->f->twiddle +
		    2 * (p * half + k - 1);
		const REAL tr = twiddle[0], ti = twiddle[1];
		REAL *yr = o->to.re + at, *yi = o->to.im + at;

		TAF_APART
		for (size_t l = 0; l < lanes; l++) {
			yr[l] = r[l] * tr - i[l] * ti;
			yi[l] = r[l] * ti + i[l] * tr;
		}
	}
}

static TAF_INLINE void
put_zero(const struct outputs *o, size_t p, const REAL *r)
{
	const size_t lanes = unknown(LANES + p);

	if (o->f->m == 1)
		for (size_t l = 0; l < lanes; l++)
			o->result[l] = r[l] * r[l];
	else
		memcpy(o->rest + o->f->rest->row[p] * LANES, r, LANES * sizeof *r);
}

static TAF_INLINE void
real_step(const struct outputs *o, unsigned radix)
{
	const size_t half = radix / 2, m = o->f->m, lanes = unknown(LANES + radix);
	struct fold f;

	for (size_t p = 0; p < m; p++) {
		const REAL *x = o->x + p * LANES;
		REAL z[LANES], r[LANES], i[LANES];

		fold_rows(&f, z, x, m * LANES, half, lanes);
		put_zero(o, p, z);
		for (size_t k = 1; k <= half; k++) {
			folded_frequency(&f, r, i, x, o->f->root, k, half, lanes);
			put(o, p, k, r, i);
		}
	}
}

TAF_WIDE_VOID(real_steps, (const struct outputs *o), (o))
{
	switch (o->f->radix) {
	case 3:
		real_step(o, 3);
		break;
	case 5:
		real_step(o, 5);
		break;
	default:
		real_step(o, o->f->radix);
		break;
	}
}

/* Hartley's transform, in the order of the powers of the generator. */
TAF_WIDE_VOID(convolved, (const struct outputs *o), (o))
{
	const size_t radix = o->f->radix, half = radix / 2, m = o->f->m;
	const size_t lanes = unknown(LANES + m);
	const REAL middle = (REAL)0.5;

	for (size_t p = 0; p < m; p++) {
		put_zero(o, p, o->zero + p * LANES);
		for (size_t q = 0; q < half; q++) {
			const size_t k = o->f->frequency[q], other = q + half;
			const REAL *a = (q % 2 ? o->from.im : o->from.re) +
			    (q / 2 * m + p) * LANES;
			const REAL *b = (other % 2 ? o->from.im : o->from.re) +
			    (other / 2 * m + p) * LANES;
			const REAL sign = k > half ? -middle : middle;
			REAL r[LANES], i[LANES];

			for (size_t l = 0; l < lanes; l++) {
				r[l] = (a[l] + b[l]) * middle;
				i[l] = (a[l] - b[l]) * sign;
			}
			put(o, p, k > half ? radix - k : k, r, i);
		}
	}
}

/* Squares of pairs; those above half the frequencies are of their mirrors. */
struct pairs {
	const struct taf_power *f;
	struct planes from;
	REAL *to;
};

TAF_WIDE_VOID(square_rows, (const struct pairs *s), (s))
{
	const struct taf_power *f = s->f;
	const size_t half = f->radix / 2, lanes = unknown(LANES + half);
	const REAL *re = s->from.re, *im = s->from.im;

	for (size_t q = 0; q < f->m; q++)
		for (size_t k = 1; k <= half; k++) {
			const size_t at = q * f->radix + k;
			const size_t low = at > f->n / 2 ? f->n - at : at;
			REAL *to = s->to + low * f->stride * LANES;

			TAF_APART
			for (size_t l = 0; l < lanes; l++)
				to[l] = re[l] * re[l] + im[l] * im[l];
			re += LANES;
			im += LANES;
		}
}

static struct planes
other_plane(const struct workspace *d, struct planes a, unsigned n)
{
	unsigned k = 0;

	while (n > 0 || d->plane[k].re == a.re || d->plane[k].re == a.im) {
		n -= d->plane[k].re != a.re && d->plane[k].re != a.im;
		k++;
	}
	return d->plane[k];
}

/* Transforms of columns that lie in x, to two other planes. */
static struct planes
through(const struct workspace *d, const struct taf_fft_steps *steps, struct planes x,
    size_t wide)
{
	const struct planes to[2] = { other_plane(d, x, 0), other_plane(d, x, 1) };

	return columns(steps, x, to, wide);
}

static struct planes
exchanged(struct planes p)
{
	return (struct planes){ p.im, p.re };
}

static void
power(const struct taf_power *f, struct workspace *d, REAL *x)
{
	const size_t half = f->radix / 2;
	struct planes z = { x, x + f->n / 2 * LANES };
	REAL *const more = d->more;
	struct outputs o = { .f = f, .x = x, .result = d->result };

	if (f->radix == 0) {
		z = through(d, &f->steps, z, LANES);
		square_pairs(&(struct squaring){ d->result, z.re, z.im, f->n / 2,
		    f->stride, f->twiddle });
		return;
	}
	o.rest = d->more;
	d->more += f->m == 1 ? 0 : f->rest->rows * LANES;
	o.to = d->plane[0];
	if (f->far > 0) {
		const size_t wide = f->m * LANES, h = f->far / 2;

		z.im = x + h * wide;
		z = through(d, &f->pairs, z, wide);
		convolve(&(struct product){ z.re, z.im, d->more, x + f->far * wide, h,
		    wide, f->far_twiddle, f->kernel });
		o.zero = d->more;
		o.from = exchanged(through(d, &f->pairs, exchanged(z), wide));
		o.to = other_plane(d, o.from, 0);
		convolved(&o);
	} else {
		real_steps(&o);
	}
	if (f->m > 1) {
		z = through(d, &f->steps, o.to, half * LANES);
		square_rows(&(struct pairs){ f, z, d->result });
		power(f->rest, d, o.rest);
	}
	d->more = more;
}

/* Rows of results become results of blocks. */
struct giving {
	REAL *to;
	const REAL *from;
	size_t n, apart, blocks;
};

TAF_WIDE_VOID(give, (const struct giving *g), (g))
{
	_Alignas(64) REAL tile[LANES * LANES], rest[LANES * LANES];

	for (size_t k = 0; k < g->n; k += LANES) {
		const size_t n = g->n - k < LANES ? g->n - k : LANES;

		memcpy(tile, g->from + k * LANES, sizeof tile);
		flip(tile, rest);
		for (size_t b = 0; b < g->blocks; b++)
			if (n == LANES)
				memcpy(g->to + b * g->apart + k, tile + b * LANES,
				    LANES * sizeof *tile);
			else
				memcpy(g->to + b * g->apart + k, tile + b * LANES,
				    n * sizeof *tile);
	}
}

/* Frequencies that have no mirror. */
static void
halve(const struct taf_spectra *s, REAL *result)
{
	const size_t last = s->want.length / 2 * LANES;

	for (size_t l = 0; l < LANES; l++) {
		result[l] *= (REAL)0.5;
		if (s->want.length % 2 == 0)
			result[last + l] *= (REAL)0.5;
	}
}

/* LANES blocks whose points lie in rows of wide numbers. */
static void
some(const struct taf_spectra *s, struct workspace *d, const REAL *laid, size_t wide,
    size_t skip)
{
	const struct taf_spectra_want *want = &s->want;

	weigh(&(struct weighing){ d->x, laid, s->weight, s->power->row, want->points,
	    skip, wide, want->remove_mean });
	power(s->power, d, d->x);
	if (want->twice)
		halve(s, d->result);
}

static void
blocks(const struct taf_spectra *s, const struct taf_spectra_part *part)
{
	const struct taf_spectra_want *want = &s->want;
	const size_t skip = want->skip, over = (want->points - 1) / skip;
	REAL *scratch = part->scratch, *to = part->to;
	struct workspace d;
	size_t at, b, n;

	d.laid = scratch;
	d.x = d.laid + s->laid;
	d.result = d.x + s->rows;
	scratch = d.result + s->result;
	for (unsigned k = 0; k < 3; k++, scratch += 2 * s->plane) {
		d.plane[k].re = scratch;
		d.plane[k].im = scratch + s->plane;
	}
	d.more = scratch;
	/* rows that no point goes to stay zeros */
	memset(d.x, 0, s->rows * sizeof *d.x);
	if (part->rows) {
		some(s, &d, part->from, LANES, want->points);
		memcpy(to, d.result + want->first * LANES, want->n * LANES * sizeof *to);
		return;
	}
	for (at = 0; at < part->blocks; at += n) {
		n = part->blocks - at < s->batch ? part->blocks - at : s->batch;
		lay(&(struct advances){ d.laid, (const REAL *)part->from + at * skip,
		    skip < want->points ? skip : want->points,
		    (n + LANES - 1) / LANES * LANES + over, s->wide, skip,
		    (n - 1) * skip + want->points });
		for (b = 0; b < n; b += LANES) {
			some(s, &d, d.laid + b, s->wide, skip);
			give(&(struct giving){ to + (at + b) * part->apart,
			    d.result + want->first * LANES, want->n, part->apart,
			    n - b < LANES ? n - b : LANES });
		}
	}
}

const struct taf_spectra_typed SPECTRA = { LANES, blocks };

#endif
