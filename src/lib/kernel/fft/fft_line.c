/* SPDX-License-Identifier: ISC */
/*
 * One line of pairs: columns of its matrix, then rows, so many at a time as a vector
 * holds.
 */
#include "config.h"

#include <string.h>

#include "kernel/fft/fft_numbers.h"
#include "kernel/fft/fft_private.h"
#include "kernel/number/fast.h"

#define REAL double

#include "kernel/fft/fft_typed.h"

/*
 * Rows of n pairs that lie step apart, in planes or as pairs, and rows of wide numbers.
 */
struct piece {
	struct taf_fft_planes p, other;
	const void *from;
	void *to;
	size_t step, wide, rows, n;
	bool narrow;
	double scale;
};

/* The parts of pairs. */
static TAF_INLINE void
part(const struct piece *s, size_t n)
{
	for (size_t k = 0; k < s->rows; k++)
		taf_fft_take_pairs(s->p.re + k * s->wide, s->p.im + k * s->wide, s->from,
		    k * s->step, n, s->narrow);
}

/* Pairs of their parts, scaled. */
static TAF_INLINE void
join(const struct piece *s, size_t n)
{
	for (size_t k = 0; k < s->rows; k++)
		taf_fft_give_pairs(s->to, k * s->step, s->p.re + k * s->wide,
		    s->p.im + k * s->wide, n, s->scale, s->narrow);
}

/* Rows from planes, and to them. */
static TAF_INLINE void
copy(const struct piece *s, size_t n, bool there)
{
	for (size_t k = 0; k < s->rows; k++) {
		double *const re = s->p.re + k * s->wide,
		    *const im = s->p.im + k * s->wide;
		double *const yr = s->other.re + k * s->step,
		    *const yi = s->other.im + k * s->step;

		memcpy(there ? yr : re, there ? re : yr, n * sizeof *re);
		memcpy(there ? yi : im, there ? im : yi, n * sizeof *im);
	}
}

/* Rows without a gap are a long one. */
static struct piece
merged(struct piece s)
{
	if (s.step == s.n && s.wide == s.n) {
		s.n *= s.rows;
		s.rows = 1;
	}
	return s;
}

TAF_WIDE_VOID(take_piece, (const struct piece *s), (s))
{
	if (s->from == NULL && s->n == TAF_FFT_WIDE)
		copy(s, TAF_FFT_WIDE, false);
	else if (s->from == NULL)
		copy(s, s->n, false);
	else if (s->n % LANES == 0)
		part(s, s->n / LANES * LANES);
	else
		part(s, s->n);
}

TAF_WIDE_VOID(give_piece, (const struct piece *s), (s))
{
	if (s->to == NULL && s->n == TAF_FFT_WIDE)
		copy(s, TAF_FFT_WIDE, true);
	else if (s->to == NULL)
		copy(s, s->n, true);
	else if (s->n % LANES == 0)
		join(s, s->n / LANES * LANES);
	else
		join(s, s->n);
}

/* Columns j to j + n of the matrix. */
static void
take(const struct taf_fft_line *l, struct taf_fft_planes p, size_t j, size_t n)
{
	const size_t pair = 2 * (l->f->want.narrow ? sizeof(float) : sizeof(double));
	struct piece s = { .p = p, .step = l->f->second.n, .rows = l->f->first.n, .n = n,
	    .wide = taf_fft_round_up(n, LANES), .narrow = l->f->want.narrow };

	if (l->from != NULL)
		s.from = (const char *)l->from + j * pair;
	else
		s.other = (struct taf_fft_planes){ l->in.re + j, l->in.im + j };
	if (n < s.wide) {
		/* behind the last column */
		memset(p.re, 0, s.rows * s.wide * sizeof *p.re);
		memset(p.im, 0, s.rows * s.wide * sizeof *p.im);
	}
	s = merged(s);
	take_piece(&s);
}

/* Results k to k + n of each row of transforms. */
static void
give(const struct taf_fft_line *l, struct taf_fft_planes p, size_t k, size_t n)
{
	const size_t pair = 2 * (l->f->want.narrow ? sizeof(float) : sizeof(double));
	struct piece s = { .p = p, .step = l->f->first.n, .rows = l->f->second.n, .n = n,
	    .wide = taf_fft_round_up(n, LANES), .narrow = l->f->want.narrow,
	    .scale = l->scale };

	if (l->to != NULL)
		s.to = (char *)l->to + k * pair;
	else
		s.other = (struct taf_fft_planes){ l->out.re + k, l->out.im + k };
	s = merged(s);
	give_piece(&s);
}

/* Where four rows of the matrix and four columns are. */
struct square {
	const double *xr, *xi;		/* wide apart */
	const double *cr, *ci;		/* cells apart */
	const double *more;		/* of the first row, or NULL */
	double *yr, *yi;		/* tall apart */
	size_t wide, cells, tall, cols;
};

#ifdef __GNUC__

/* GCC makes single numbers of a loop that transposes; vectors stay in registers. */
typedef double quad __attribute__((vector_size(4 * sizeof(double))));

#ifdef __clang__
#define QUAD_OF(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int64_t places __attribute__((vector_size(4 * sizeof(int64_t))));
#define QUAD_OF(a, b, i, j, k, l) __builtin_shuffle(a, b, (places){ i, j, k, l })
#endif

/* Four columns become rows, of which so many are there. */
static TAF_INLINE void
give_quads(double *to, size_t tall, const quad r[4], size_t cols)
{
	const quad a = QUAD_OF(r[0], r[1], 0, 4, 2, 6), b = QUAD_OF(r[0], r[1], 1, 5, 3,
	    7);
	const quad c = QUAD_OF(r[2], r[3], 0, 4, 2, 6), d = QUAD_OF(r[2], r[3], 1, 5, 3,
	    7);
	const quad s[4] = { QUAD_OF(a, c, 0, 1, 4, 5), QUAD_OF(b, d, 0, 1, 4, 5),
		QUAD_OF(a, c, 2, 3, 6, 7), QUAD_OF(b, d, 2, 3, 6, 7) };

	for (size_t i = 0; i < 4; i++)
		if (i < cols)
			memcpy(to + i * tall, &s[i], sizeof s[i]);
}

static TAF_INLINE void
twiddle_square(const struct square *s)
{
	quad yr[4], yi[4];

	for (size_t i = 0; i < 4; i++) {
		quad xr, xi, cr, ci;

		memcpy(&xr, s->xr + i * s->wide, sizeof xr);
		memcpy(&xi, s->xi + i * s->wide, sizeof xi);
		memcpy(&cr, s->cr + i * s->cells, sizeof cr);
		memcpy(&ci, s->ci + i * s->cells, sizeof ci);
		if (s->more != NULL) {
			const double mr = s->more[2 * i], mi = s->more[2 * i + 1];
			const quad r = { mr, mr, mr, mr }, j = { mi, mi, mi, mi };
			const quad tr = cr * r - ci * j;

			ci = cr * j + ci * r;
			cr = tr;
		}
		yr[i] = xr * cr - xi * ci;
		yi[i] = xr * ci + xi * cr;
	}
	give_quads(s->yr, s->tall, yr, s->cols);
	give_quads(s->yi, s->tall, yi, s->cols);
}

#else

static void
twiddle_square(const struct square *s)
{
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < s->cols; k++) {
			const double xr = s->xr[i * s->wide + k];
			const double xi = s->xi[i * s->wide + k];
			double cr = s->cr[i * s->cells + k], ci = s->ci[i * s->cells + k];

			if (s->more != NULL) {
				const double mr = s->more[2 * i];
				const double mi = s->more[2 * i + 1];
				const double tr = cr * mr - ci * mi;

				ci = cr * mi + ci * mr;
				cr = tr;
			}
			s->yr[k * s->tall + i] = xr * cr - xi * ci;
			s->yi[k * s->tall + i] = xr * ci + xi * cr;
		}
}

#endif

/*
 * Columns of the matrix behind their transforms.  They are multiplied by the cell, and by
 * one pair for each row, and become rows: of a block of TAF_FFT_WIDE rows of the matrix.
 */
struct squares {
	const struct taf_fft *f;
	struct taf_fft_planes to, from, cell;
	size_t first, n, wide;		/* columns of from; length of its rows */
	const double *more;		/* pairs, or NULL: none */
};

/* Rows from k on, tall of them. */
static TAF_INLINE void
squares_of(const struct squares *s, size_t k, size_t tall, const double *more)
{
	/* copies: what is stored might lie there, for all that compilers know */
	const struct taf_fft_planes from = s->from, cell = s->cell, to = s->to;
	const size_t cells = s->f->cells, wide = s->wide, n = s->n;
	const size_t first = k * s->f->second.n + s->first * tall;

	for (size_t i = 0; i < tall; i += 4, k += 4)
		for (size_t l = 0; l < n; l += 4) {
			const size_t x = k * wide + l, c = k * cells + l;
			const size_t y = first + l * tall + i;

			twiddle_square(&(struct square){ from.re + x, from.im + x,
			    cell.re + c, cell.im + c, more != NULL ? more + 2 * k : NULL,
			    to.re + y, to.im + y, wide, cells, tall, n - l });
		}
}

TAF_WIDE_VOID(squares, (const struct squares *s), (s))
{
	const size_t a = taf_fft_round_up(s->f->first.n, LANES), block = TAF_FFT_WIDE;

	for (size_t k = 0; k < a; k += block) {
		const size_t tall = a - k < block ? a - k : block;

		if (s->more != NULL)
			squares_of(s, k, tall, s->more);
		else
			squares_of(s, k, tall, NULL);
	}
}

/* Parts of the scratch memory: the matrix, two for columns, and twiddles of rows. */
struct workspace {
	struct taf_fft_planes p[3];
	double *more;
};

/* Transform columns j to j + n of the matrix into rows of p[0]. */
static void
first_half(const struct taf_fft_line *l, const struct workspace *d, size_t j, size_t n)
{
	const struct taf_fft *f = l->f;
	const struct taf_fft_planes to[2] = { d->p[2], d->p[1] };
	const size_t all = taf_fft_round_up(f->first.n, LANES) * f->cells;
	const size_t cell = f->cells >= f->second.n ? j : 0;
	const bool more = cell != j;
	struct squares s = { .f = f, .to = d->p[0], .first = j, .n = n,
	    .cell = { f->cell + cell, f->cell + all + cell },
	    .wide = taf_fft_round_up(n, LANES), .more = more ? d->more : NULL };

	take(l, taf_fft_exchanged(d->p[1], l->back), j, n);
	s.from = taf_fft_columns(&f->first, d->p[1], to, s.wide);
	if (more)
		taf_twiddle_run(&f->matrix, d->more, f->first.n, j);
	squares(&s);
}

/* Transform columns k to k + n of p[0]; they are the result. */
static void
second_half(const struct taf_fft_line *l, const struct workspace *d, size_t k, size_t n)
{
	const size_t at = k * l->f->second.n;
	const struct taf_fft_planes from = { d->p[0].re + at, d->p[0].im + at };
	const struct taf_fft_planes x = taf_fft_columns(&l->f->second, from, d->p + 1,
	    taf_fft_round_up(n, LANES));

	give(l, taf_fft_exchanged(x, l->back), k, n);
}

/* Numbers of the three pairs of planes. */
static void
numbers(const struct taf_fft *f, size_t n[3])
{
	const size_t a = taf_fft_round_up(f->first.n, LANES), b = f->second.n;
	const size_t longer = a > b ? a : b, wide = taf_fft_round_up(longer, LANES);

	n[0] = a * b;
	n[1] = n[2] = longer * (wide < TAF_FFT_WIDE ? wide : TAF_FFT_WIDE);
}

size_t
taf_fft_line_scratch(const struct taf_fft *f)
{
	size_t n[3];

	numbers(f, n);
	return taf_fft_laid_out(n[0]) + 2 * taf_fft_laid_out(n[1]) +
	    2 * taf_fft_round_up(f->first.n, LANES);
}

void
taf_fft_line(const struct taf_fft_line *l)
{
	const size_t a = l->f->first.n, b = l->f->second.n, wide = TAF_FFT_WIDE;
	double *scratch = l->scratch;
	struct workspace d;
	size_t n[3], j;

	numbers(l->f, n);
	for (j = 0; j < 3; j++)
		d.p[j] = taf_fft_lay_out(&scratch, n[j]);
	d.more = scratch;
	for (j = 0; j < b; j += wide)
		first_half(l, &d, j, b - j < wide ? b - j : wide);
	for (j = 0; j < a; j += wide)
		second_half(l, &d, j, a - j < wide ? a - j : wide);
}
