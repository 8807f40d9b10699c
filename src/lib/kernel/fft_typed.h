/*
 * Transforms of numbers of one type, REAL, which FFT(name) gives names to: included by
 * fft_flt32.c and fft_flt64.c.
 */

#ifdef REAL

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/fast.h"
#include "kernel/fft_private.h"
#include "kernel/fft_steps_typed.h"

/* The parts of n pairs. */
TAF_WIDE_VOID(part, (REAL *restrict re, REAL *restrict im, const REAL *restrict pair,
    size_t n), (re, im, pair, n))
{
	for (size_t i = 0; i < n; i++) {
		re[i] = pair[2 * i];
		im[i] = pair[2 * i + 1];
	}
}

/* n pairs of their parts, scaled. */
TAF_WIDE_VOID(join, (REAL *restrict pair, const REAL *restrict re, const REAL *restrict im,
    size_t n, REAL scale), (pair, re, im, n, scale))
{
	for (size_t i = 0; i < n; i++) {
		pair[2 * i] = re[i] * scale;
		pair[2 * i + 1] = im[i] * scale;
	}
}

/*
 * A square of the matrix behind its first transforms: turned by the cell, and by one pair
 * for each row; column l becomes row l.
 */
struct square {
	struct planes to, from, cell;
	size_t to_wide, wide, cols;	/* lengths of the rows; columns that are there */
	const REAL *more;		/* LANES pairs, or NULL: none */
};

TAF_WIDE_VOID(square, (const struct square *s), (s))
{
	_Alignas(64) REAL re[LANES * LANES], im[LANES * LANES], rest[LANES * LANES];
	const size_t lanes = unknown(s->wide);

	for (size_t k = 0; k < LANES; k++) {
		const REAL *xr = s->from.re + k * s->wide, *xi = s->from.im + k * s->wide;
		const REAL *cr = s->cell.re + k * s->wide, *ci = s->cell.im + k * s->wide;
		REAL *yr = re + k * LANES, *yi = im + k * LANES;

		if (s->more == NULL) {
			TAF_APART
			for (size_t l = 0; l < lanes; l++) {
				yr[l] = xr[l] * cr[l] - xi[l] * ci[l];
				yi[l] = xr[l] * ci[l] + xi[l] * cr[l];
			}
		} else {
			const REAL mr = s->more[2 * k], mi = s->more[2 * k + 1];

			TAF_APART
			for (size_t l = 0; l < lanes; l++) {
				const REAL tr = cr[l] * mr - ci[l] * mi;
				const REAL ti = cr[l] * mi + ci[l] * mr;

				yr[l] = xr[l] * tr - xi[l] * ti;
				yi[l] = xr[l] * ti + xi[l] * tr;
			}
		}
	}
	flip(re, rest);
	flip(im, rest);
	for (size_t l = 0; l < s->cols; l++) {
		memcpy(s->to.re + l * s->to_wide, re + l * LANES, LANES * sizeof *re);
		memcpy(s->to.im + l * s->to_wide, im + l * LANES, LANES * sizeof *im);
	}
}

static size_t
round_up(size_t n)
{
	return (n + LANES - 1) / LANES * LANES;
}

/* Planes of the room, one behind the other. */
static void
lay_out(const struct taf_fft_line *l, struct planes p[3])
{
	REAL *at = l->room;

	for (unsigned k = 0; k < 3; k++) {
		p[k].re = at;
		p[k].im = at + l->f->words[k] / 2;
		at += l->f->words[k];
	}
}

/* exp(-2 pi i k j / h) for this j and rows k = first on */
static void
row_turns(const struct taf_fft *f, REAL *more, uint64_t first, uint64_t j)
{
	for (uint64_t k = first; k < first + LANES; k++, more += 2) {
		const uint64_t e = k * j % f->h;
		const double *low = f->low + 2 * (e % f->grain);
		const double *high = f->high + 2 * (e / f->grain);

		more[0] = (REAL)(low[0] * high[0] - low[1] * high[1]);
		more[1] = (REAL)(low[0] * high[1] + low[1] * high[0]);
	}
}

/* Transform columns j to j + wide of the matrix into rows of z. */
static void
first_half(const struct taf_fft_line *l, const struct planes p[3], size_t j)
{
	const struct taf_fft *f = l->f;
	const size_t a = f->first.n, b = f->second.n, wide = f->wide[0], other = f->wide[1];
	const size_t n = b - j < wide ? b - j : wide;
	const REAL *from = (const REAL *)l->from + 2 * j;
	const struct planes in = exchanged(p[1], l->back);
	const struct planes to[2] = { p[2], p[1] };
	REAL more[2 * LANES];
	struct planes x;
	size_t k, c;

	/* rows without a rest lie together */
	if (n == wide && n == b)
		part(in.re, in.im, from, a * b);
	for (k = 0; k < a && (n < wide || n < b); k++) {
		part(in.re + k * wide, in.im + k * wide, from + 2 * k * b, n);
		for (c = n; c < wide; c++)
			in.re[k * wide + c] = in.im[k * wide + c] = 0;
	}
	x = columns(&f->first, p[1], to, wide);
	for (k = 0; k < a; k += LANES) {
		const size_t at = k / other * (other * b) + k % other;
		REAL *const cell = (REAL *)f->cell + k * wide;

		if (j > 0)
			row_turns(f, more, k, j);
		for (c = 0; c < n; c += LANES) {
			const struct square s = {
				.to = { p[0].re + at + (j + c) * other,
					p[0].im + at + (j + c) * other },
				.from = { x.re + k * wide + c, x.im + k * wide + c },
				.cell = { cell + c, cell + round_up(a) * wide + c },
				.to_wide = other, .wide = wide,
				.cols = n - c < LANES ? n - c : LANES,
				.more = j > 0 ? more : NULL };

			square(&s);
		}
	}
}

/* Transform columns k to k + wide of z; they are the result. */
static void
second_half(const struct taf_fft_line *l, const struct planes p[3], size_t k)
{
	const struct taf_fft *f = l->f;
	const size_t a = f->first.n, b = f->second.n, wide = f->wide[1];
	const size_t n = a - k < wide ? a - k : wide;
	const struct planes from = { p[0].re + k * b, p[0].im + k * b };
	const struct planes x = exchanged(columns(&f->second, from, p + 1, wide), l->back);
	REAL *to = (REAL *)l->to + 2 * k;
	size_t i;

	if (n == wide && n == a)
		join(to, x.re, x.im, a * b, (REAL)l->scale);
	for (i = 0; i < b && (n < wide || n < a); i++)
		join(to + 2 * i * a, x.re + i * wide, x.im + i * wide, n, (REAL)l->scale);
}

/* Lines side by side. */
static void
tiny(const struct taf_fft_line *l, const struct planes p[3])
{
	const size_t n = l->f->h;
	const REAL *from = l->from;
	REAL *to = l->to;
	struct planes x = exchanged(p[0], l->back);
	size_t i, k;

	memset(p[0].re, 0, n * LANES * sizeof *to);
	memset(p[0].im, 0, n * LANES * sizeof *to);
	for (k = 0; k < l->lines; k++)
		for (i = 0; i < n; i++, from += 2) {
			x.re[i * LANES + k] = from[0];
			x.im[i * LANES + k] = from[1];
		}
	x = exchanged(columns(&l->f->first, p[0], p + 1, LANES), l->back);
	for (k = 0; k < l->lines; k++)
		for (i = 0; i < n; i++, to += 2) {
			to[0] = x.re[i * LANES + k] * (REAL)l->scale;
			to[1] = x.im[i * LANES + k] * (REAL)l->scale;
		}
}

static void
line(const struct taf_fft_line *l)
{
	struct planes p[3];
	size_t j;

	lay_out(l, p);
	if (l->f->way == TAF_FFT_TINY) {
		tiny(l, p);
		return;
	}
	for (j = 0; j < l->f->second.n; j += l->f->wide[0])
		first_half(l, p, j);
	for (j = 0; j < l->f->first.n; j += l->f->wide[1])
		second_half(l, p, j);
}

/* Some pairs of a real transform, from k on and from h - k on downwards. */
struct mirror {
	REAL ar[TAF_FFT_FEW], ai[TAF_FFT_FEW], br[TAF_FFT_FEW], bi[TAF_FFT_FEW];
	REAL cr[TAF_FFT_FEW], ci[TAF_FFT_FEW];
};

/* The pairs; and the turns of k, of which few are a table. */
static TAF_INLINE void
mirror_take(struct mirror *m, const REAL *up, const REAL *down, const REAL *few,
    const double *many)
{
	const REAL mr = (REAL)many[0], mi = (REAL)many[1];

	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		m->ar[i] = up[2 * i];
		m->ai[i] = up[2 * i + 1];
	}
	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		m->br[TAF_FFT_FEW - 1 - i] = down[2 * i];
		m->bi[TAF_FFT_FEW - 1 - i] = down[2 * i + 1];
	}
	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		m->cr[i] = few[i] * mr - few[TAF_FFT_FEW + i] * mi;
		m->ci[i] = few[i] * mi + few[TAF_FFT_FEW + i] * mr;
	}
}

static TAF_INLINE void
mirror_give(const struct mirror *m, REAL *up, REAL *down)
{
	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		up[2 * i] = m->ar[i];
		up[2 * i + 1] = m->ai[i];
	}
	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		down[2 * i] = m->br[TAF_FFT_FEW - 1 - i];
		down[2 * i + 1] = m->bi[TAF_FFT_FEW - 1 - i];
	}
}

/* Z[k] and Z[h - k] of the pairs become X[k] and X[h - k] of the numbers. */
static TAF_INLINE void
mirror_apart(struct mirror *m)
{
	const REAL half = (REAL)0.5;

	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		const REAL sr = m->ar[i] + m->br[i], si = m->ai[i] - m->bi[i];
		const REAL dr = m->ar[i] - m->br[i], di = m->ai[i] + m->bi[i];
		const REAL tr = dr * m->cr[i] - di * m->ci[i];
		const REAL ti = dr * m->ci[i] + di * m->cr[i];

		m->ar[i] = half * (sr + ti);
		m->ai[i] = half * (si - tr);
		m->br[i] = half * (sr - ti);
		m->bi[i] = -half * (si + tr);
	}
}

/* The other way round, without the half. */
static TAF_INLINE void
mirror_together(struct mirror *m)
{
	for (size_t i = 0; i < TAF_FFT_FEW; i++) {
		const REAL sr = m->ar[i] + m->br[i], si = m->ai[i] - m->bi[i];
		const REAL dr = m->ar[i] - m->br[i], di = m->ai[i] + m->bi[i];
		/* turned back */
		const REAL tr = dr * m->cr[i] + di * m->ci[i];
		const REAL ti = di * m->cr[i] - dr * m->ci[i];

		m->ar[i] = sr - ti;
		m->ai[i] = si + tr;
		m->br[i] = sr + ti;
		m->bi[i] = tr - si;
	}
}

/* to may be from; all of both have h + 1 pairs */
struct mirrored {
	REAL *to;
	const REAL *from;
	size_t h;
	const REAL *few;
	const double *many;
	bool apart;
};

TAF_WIDE_VOID(mirror_all, (const struct mirrored *s), (s))
{
	const size_t end = (s->h + 1) / 2;	/* the middle of an even h is its own mirror */
	struct mirror m;

	for (size_t k = 0; k < end; k += TAF_FFT_FEW) {
		const double *many = s->many + 2 * (k / TAF_FFT_FEW);
		/* 0 has no partner: from 1 on */
		const size_t first = k == 0 ? 1 : k;
		const size_t n = end - k < TAF_FFT_FEW ? end - k : TAF_FFT_FEW;
		const size_t skip = first - k;
		REAL room[2][2 * TAF_FFT_FEW];

		if (n == TAF_FFT_FEW && skip == 0) {
			mirror_take(&m, s->from + 2 * k, s->from + 2 * (s->h - k - n + 1),
			    s->few, many);
		} else {
			memset(room, 0, sizeof room);
			if (n > skip) {
				memcpy(room[0] + 2 * skip, s->from + 2 * first,
				    2 * (n - skip) * sizeof **room);
				memcpy(room[1] + 2 * (TAF_FFT_FEW - n),
				    s->from + 2 * (s->h - k - n + 1),
				    2 * (n - skip) * sizeof **room);
			}
			mirror_take(&m, room[0], room[1], s->few, many);
		}
		if (s->apart)
			mirror_apart(&m);
		else
			mirror_together(&m);
		if (n == TAF_FFT_FEW && skip == 0) {
			mirror_give(&m, s->to + 2 * k, s->to + 2 * (s->h - k - n + 1));
		} else if (n > skip) {
			mirror_give(&m, room[0], room[1]);
			memcpy(s->to + 2 * first, room[0] + 2 * skip,
			    2 * (n - skip) * sizeof **room);
			memcpy(s->to + 2 * (s->h - k - n + 1),
			    room[1] + 2 * (TAF_FFT_FEW - n), 2 * (n - skip) * sizeof **room);
		}
	}
}

static void
unpack(const struct taf_fft *f, void *pairs)
{
	const struct mirrored s = { pairs, pairs, f->h, f->few, f->many, true };
	REAL *const x = pairs;
	const REAL re = x[0], im = x[1];

	mirror_all(&s);
	x[0] = re + im;
	x[1] = 0;
	x[2 * f->h] = re - im;
	x[2 * f->h + 1] = 0;
	if (f->h % 2 == 0)
		x[f->h + 1] = -x[f->h + 1];
}

static void
pack(const struct taf_fft *f, void *to, const void *from)
{
	const struct mirrored s = { to, from, f->h, f->few, f->many, false };
	const REAL *const x = from;
	REAL *const z = to;

	mirror_all(&s);
	z[0] = x[0] + x[2 * f->h];
	z[1] = x[0] - x[2 * f->h];
	if (f->h % 2 == 0) {
		z[f->h] = 2 * x[f->h];
		z[f->h + 1] = -2 * x[f->h + 1];
	}
}

static void
mirror(void *to, const void *from, size_t n)
{
	const REAL *x = from;
	REAL *y = to;
	size_t k;

	memcpy(y, x, (n / 2 + 1) * 2 * sizeof *y);
	y[1] = 0;
	for (k = 1; k <= n / 2; k++) {
		y[2 * (n - k)] = x[2 * k];
		y[2 * (n - k) + 1] = -x[2 * k + 1];
	}
}

/* Pairs become pairs of doubles, and the reverse, with their parts exchanged or not. */
static void
widen(double *to, const void *from, size_t n, bool back)
{
	const REAL *x = from;
	const size_t re = back, im = !back;

	for (size_t i = 0; i < n; i++) {
		to[2 * i] = (double)x[2 * i + re];
		to[2 * i + 1] = (double)x[2 * i + im];
	}
}

static void
narrow(const struct taf_fft_line *l, const double *from, size_t n)
{
	REAL *y = l->to;
	const size_t re = l->back, im = !l->back;

	for (size_t i = 0; i < n; i++) {
		y[2 * i + re] = (REAL)(from[2 * i] * l->scale);
		y[2 * i + im] = (REAL)(from[2 * i + 1] * l->scale);
	}
}

const struct taf_fft_typed FFT = { LANES, line, unpack, pack, mirror,
	widen, narrow };

#endif
