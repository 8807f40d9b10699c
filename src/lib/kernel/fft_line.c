/*
 * One line of pairs: columns of its matrix, then rows, so many at a time as a vector
 * holds.
 */
#include "config.h"

#include <string.h>

#include "kernel/fast.h"
#include "kernel/fft_private.h"

enum { LANES = TAF_FFT_LANES, SQUARE = LANES * LANES };

/* LANES; if compilers know a bound, they unroll its loop before they can vectorise it. */
static TAF_INLINE size_t
unknown(size_t wide)
{
	return (wide < LANES ? wide : LANES) / LANES * LANES;
}

/*
 * Rows of n pairs that lie step apart, in planes or as pairs, and rows of LANES numbers.
 */
struct piece {
	struct taf_fft_planes p, other;
	const void *from;
	void *to;
	size_t step, rows, n;
	bool narrow;
	double scale;
};

static TAF_INLINE void
part_wide(double *restrict re, double *restrict im, const double *restrict x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		re[i] = x[2 * i];
		im[i] = x[2 * i + 1];
	}
}

static TAF_INLINE void
part_narrow(double *restrict re, double *restrict im, const float *restrict x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		re[i] = (double)x[2 * i];
		im[i] = (double)x[2 * i + 1];
	}
}

/* The parts of pairs. */
static TAF_INLINE void
part(const struct piece *s, size_t n)
{
	for (size_t k = 0; k < s->rows; k++) {
		double *const re = s->p.re + k * LANES, *const im = s->p.im + k * LANES;
		const size_t at = 2 * k * s->step;

		if (s->narrow)
			part_narrow(re, im, (const float *)s->from + at, n);
		else
			part_wide(re, im, (const double *)s->from + at, n);
	}
}

static TAF_INLINE void
join_wide(double *restrict x, const double *restrict re, const double *restrict im,
    size_t n, double scale)
{
	for (size_t i = 0; i < n; i++) {
		x[2 * i] = re[i] * scale;
		x[2 * i + 1] = im[i] * scale;
	}
}

static TAF_INLINE void
join_narrow(float *restrict x, const double *restrict re, const double *restrict im,
    size_t n, double scale)
{
	for (size_t i = 0; i < n; i++) {
		x[2 * i] = (float)(re[i] * scale);
		x[2 * i + 1] = (float)(im[i] * scale);
	}
}

/* Pairs of their parts, scaled. */
static TAF_INLINE void
join(const struct piece *s, size_t n)
{
	for (size_t k = 0; k < s->rows; k++) {
		const double *const re = s->p.re + k * LANES,
		    *const im = s->p.im + k * LANES;
		const size_t at = 2 * k * s->step;

		if (s->narrow)
			join_narrow((float *)s->to + at, re, im, n, s->scale);
		else
			join_wide((double *)s->to + at, re, im, n, s->scale);
	}
}

/* Rows from planes, and to them. */
static TAF_INLINE void
copy(const struct piece *s, size_t n, bool there)
{
	for (size_t k = 0; k < s->rows; k++) {
		double *const re = s->p.re + k * LANES, *const im = s->p.im + k * LANES;
		double *const yr = s->other.re + k * s->step,
		    *const yi = s->other.im + k * s->step;

		memcpy(there ? yr : re, there ? re : yr, n * sizeof *re);
		memcpy(there ? yi : im, there ? im : yi, n * sizeof *im);
	}
}

TAF_WIDE_VOID(take_piece, (const struct piece *s), (s))
{
	if (s->from != NULL && s->n == LANES)
		part(s, unknown(s->n));
	else if (s->from != NULL)
		part(s, s->n);
	else if (s->n == LANES)
		copy(s, LANES, false);
	else
		copy(s, s->n, false);
}

TAF_WIDE_VOID(give_piece, (const struct piece *s), (s))
{
	if (s->to != NULL && s->n == LANES)
		join(s, unknown(s->n));
	else if (s->to != NULL)
		join(s, s->n);
	else if (s->n == LANES)
		copy(s, LANES, true);
	else
		copy(s, s->n, true);
}

/* Columns j to j + n of the matrix. */
static void
take(const struct taf_fft_line *l, struct taf_fft_planes p, size_t j, size_t n)
{
	const size_t pair = 2 * (l->f->want.narrow ? sizeof(float) : sizeof(double));
	struct piece s = { .p = p, .step = l->f->second.n, .rows = l->f->first.n, .n = n,
	    .narrow = l->f->want.narrow };

	if (l->from != NULL)
		s.from = (const char *)l->from + j * pair;
	else
		s.other = (struct taf_fft_planes){ l->in.re + j, l->in.im + j };
	if (n < LANES) {
		/* behind the last column */
		memset(p.re, 0, s.rows * LANES * sizeof *p.re);
		memset(p.im, 0, s.rows * LANES * sizeof *p.im);
	}
	take_piece(&s);
}

/* Results k to k + n of each row of transforms. */
static void
give(const struct taf_fft_line *l, struct taf_fft_planes p, size_t k, size_t n)
{
	const size_t pair = 2 * (l->f->want.narrow ? sizeof(float) : sizeof(double));
	struct piece s = { .p = p, .step = l->f->first.n, .rows = l->f->second.n, .n = n,
	    .narrow = l->f->want.narrow, .scale = l->scale };

	if (l->to != NULL)
		s.to = (char *)l->to + k * pair;
	else
		s.other = (struct taf_fft_planes){ l->out.re + k, l->out.im + k };
	give_piece(&s);
}

/* A square of LANES rows and columns is turned over its diagonal; b is lost. */
static TAF_INLINE void
flip(double *restrict a, double *restrict b)
{
	/* the highest bits of each index become its lowest: two, then one */
	for (size_t i = 0; i < SQUARE / 4; i++) {
		b[4 * i] = a[i];
		b[4 * i + 1] = a[i + SQUARE / 4];
		b[4 * i + 2] = a[i + SQUARE / 2];
		b[4 * i + 3] = a[i + 3 * SQUARE / 4];
	}
	for (size_t i = 0; i < SQUARE / 2; i++) {
		a[2 * i] = b[i];
		a[2 * i + 1] = b[i + SQUARE / 2];
	}
}

/*
 * A square of the matrix behind its first transforms: turned by the cell, and by one pair
 * for each row; column l becomes row l.
 */
struct square {
	struct taf_fft_planes to, from, cell;
	size_t wide, cells, cols;	/* lengths of the rows; columns that are there */
	const double *more;		/* LANES pairs, or NULL: none */
};

TAF_WIDE_VOID(square, (const struct square *s), (s))
{
	_Alignas(64) double re[SQUARE], im[SQUARE], rest[SQUARE];
	const size_t lanes = unknown(s->wide);

	for (size_t k = 0; k < LANES; k++) {
		const double *xr = s->from.re + k * LANES, *xi = s->from.im + k * LANES;
		const double *cr = s->cell.re + k * s->cells,
		    *ci = s->cell.im + k * s->cells;
		double *yr = re + k * LANES, *yi = im + k * LANES;

		if (s->more == NULL) {
			TAF_APART
			for (size_t l = 0; l < lanes; l++) {
				yr[l] = xr[l] * cr[l] - xi[l] * ci[l];
				yi[l] = xr[l] * ci[l] + xi[l] * cr[l];
			}
		} else {
			const double mr = s->more[2 * k], mi = s->more[2 * k + 1];

			TAF_APART
			for (size_t l = 0; l < lanes; l++) {
				const double tr = cr[l] * mr - ci[l] * mi;
				const double ti = cr[l] * mi + ci[l] * mr;

				yr[l] = xr[l] * tr - xi[l] * ti;
				yi[l] = xr[l] * ti + xi[l] * tr;
			}
		}
	}
	flip(re, rest);
	flip(im, rest);
	for (size_t l = 0; l < s->cols; l++) {
		memcpy(s->to.re + l * LANES, re + l * LANES, LANES * sizeof *re);
		memcpy(s->to.im + l * LANES, im + l * LANES, LANES * sizeof *im);
	}
}

static struct taf_fft_planes
exchanged(struct taf_fft_planes p, bool back)
{
	return back ? (struct taf_fft_planes){ p.im, p.re } : p;
}

/* Transform columns j to j + LANES of the matrix into rows of p[0]. */
static void
first_half(const struct taf_fft_line *l, const struct taf_fft_planes p[3], size_t j)
{
	const struct taf_fft *f = l->f;
	const size_t a = f->first.n, b = f->second.n;
	const size_t n = b - j < LANES ? b - j : LANES, rows = taf_fft_round_up(a, LANES);
	const bool all = f->cells > LANES || j == 0;
	const struct taf_fft_planes to[2] = { p[2], p[1] };
	double more[2 * LANES];
	struct taf_fft_planes x;
	size_t k;

	take(l, exchanged(p[1], l->back), j, n);
	x = taf_fft_columns(&f->first, p[1], to, LANES);
	for (k = 0; k < a; k += LANES) {
		const size_t at = (k * b + j * LANES),
		    cell = k * f->cells + (all ? j : 0);
		const struct square s = { .to = { p[0].re + at, p[0].im + at },
			.from = { x.re + k * LANES, x.im + k * LANES },
			.cell = { f->cell + cell, f->cell + rows * f->cells + cell },
			.wide = LANES, .cells = f->cells, .cols = n,
			.more = all ? NULL : more };

		if (!all)
			taf_fft_row_turns(f, more, k, LANES, j);
		square(&s);
	}
}

/* Transform columns k to k + LANES of p[0]; they are the result. */
static void
second_half(const struct taf_fft_line *l, const struct taf_fft_planes p[3], size_t k)
{
	const size_t a = l->f->first.n, b = l->f->second.n;
	const struct taf_fft_planes from = { p[0].re + k * b, p[0].im + k * b };

	give(l, exchanged(taf_fft_columns(&l->f->second, from, p + 1, LANES), l->back), k,
	    a - k < LANES ? a - k : LANES);
}

/* Numbers of the three pairs of planes. */
static void
numbers(const struct taf_fft *f, size_t n[3])
{
	const size_t a = taf_fft_round_up(f->first.n, LANES), b = f->second.n;

	n[0] = a * b;
	n[1] = n[2] = (a > b ? a : b) * LANES;
}

size_t
taf_fft_line_room(const struct taf_fft *f)
{
	size_t n[3];

	numbers(f, n);
	return taf_fft_laid_out(n[0]) + 2 * taf_fft_laid_out(n[1]);
}

void
taf_fft_line(const struct taf_fft_line *l)
{
	double *room = l->room;
	struct taf_fft_planes p[3];
	size_t n[3], j;

	numbers(l->f, n);
	for (j = 0; j < 3; j++)
		p[j] = taf_fft_lay_out(&room, n[j]);
	for (j = 0; j < l->f->second.n; j += LANES)
		first_half(l, p, j);
	for (j = 0; j < l->f->first.n; j += LANES)
		second_half(l, p, j);
}
