/*
 * Transforms of numbers of one type, REAL, which FFT(name) gives names to: included by
 * fft_flt32.c and fft_flt64.c.
 *
 * Points of several transforms lie side by side, real parts and imaginary parts apart, in
 * rows whose length is a multiple of LANES.  So all loops go along the rows, the compiler
 * makes vectors of them, and each transform sees the same operations.
 */

#ifdef REAL

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/fast.h"
#include "kernel/fft_private.h"

enum { LANES = 64 / sizeof(REAL) };

struct planes {
	REAL *re, *im;
};

/* A step over all rows; rows have wide numbers. */
struct pass {
	REAL *yr, *yi;
	const REAL *xr, *xi;
	size_t m, wide;
	const REAL *turn;
	const REAL *root;
	unsigned radix;
};

/* One group of rows: outputs lie wide apart, inputs far. */
struct group {
	REAL *yr, *yi;
	const REAL *xr, *xi;
	size_t wide, far;
	const REAL *turn;
};

#define TAKE(k) \
	const REAL a##k##r = g->xr[q + (k) * far], a##k##i = g->xi[q + (k) * far]

/* Output k is (r, i), turned unless this is the last step. */
#define GIVE(k, r, i) do { \
	const REAL vr_ = (r), vi_ = (i); \
	if (turned && (k) > 0) { \
		const REAL tr_ = g->turn[2 * (k) - 2], ti_ = g->turn[2 * (k) - 1]; \
		g->yr[q + (k) * wide] = vr_ * tr_ - vi_ * ti_; \
		g->yi[q + (k) * wide] = vr_ * ti_ + vi_ * tr_; \
	} else { \
		g->yr[q + (k) * wide] = vr_; \
		g->yi[q + (k) * wide] = vi_; \
	} \
} while (0)

/* s and d become the sum and the difference of a and b */
#define BOTH(s, d, a, b) \
	const REAL s##r = a##r + b##r, s##i = a##i + b##i, \
	    d##r = a##r - b##r, d##i = a##i - b##i

static TAF_INLINE void
two(const struct group *g, bool turned)
{
	const size_t wide = g->wide, far = g->far;

	TAF_APART
	for (size_t q = 0; q < wide; q++) {
		TAKE(0);
		TAKE(1);

		GIVE(0, a0r + a1r, a0i + a1i);
		GIVE(1, a0r - a1r, a0i - a1i);
	}
}

static TAF_INLINE void
three(const struct group *g, bool turned)
{
	const REAL c = (REAL)-0.5, s = (REAL)0x1.bb67ae8584caap-1;
	const size_t wide = g->wide, far = g->far;

	TAF_APART
	for (size_t q = 0; q < wide; q++) {
		TAKE(0);
		TAKE(1);
		TAKE(2);
		BOTH(t, u, a1, a2);
		const REAL br = a0r + c * tr, bi = a0i + c * ti;
		const REAL dr = s * ui, di = -s * ur;

		GIVE(0, a0r + tr, a0i + ti);
		GIVE(1, br + dr, bi + di);
		GIVE(2, br - dr, bi - di);
	}
}

static TAF_INLINE void
four(const struct group *g, bool turned)
{
	const size_t wide = g->wide, far = g->far;

	TAF_APART
	for (size_t q = 0; q < wide; q++) {
		TAKE(0);
		TAKE(1);
		TAKE(2);
		TAKE(3);
		BOTH(s, d, a0, a2);
		BOTH(t, u, a1, a3);

		GIVE(0, sr + tr, si + ti);
		GIVE(1, dr + ui, di - ur);
		GIVE(2, sr - tr, si - ti);
		GIVE(3, dr - ui, di + ur);
	}
}

static TAF_INLINE void
five(const struct group *g, bool turned)
{
	const REAL c1 = (REAL)0x1.3c6ef372fe95p-2, s1 = (REAL)0x1.e6f0e134454ffp-1;
	const REAL c2 = (REAL)-0x1.9e3779b97f4a8p-1, s2 = (REAL)0x1.2cf2304755a5ep-1;
	const size_t wide = g->wide, far = g->far;

	TAF_APART
	for (size_t q = 0; q < wide; q++) {
		TAKE(0);
		TAKE(1);
		TAKE(2);
		TAKE(3);
		TAKE(4);
		BOTH(t, u, a1, a4);
		BOTH(v, w, a2, a3);
		const REAL br = a0r + c1 * tr + c2 * vr, bi = a0i + c1 * ti + c2 * vi;
		const REAL dr = s1 * ui + s2 * wi, di = -(s1 * ur + s2 * wr);
		const REAL er = a0r + c2 * tr + c1 * vr, ei = a0i + c2 * ti + c1 * vi;
		const REAL fr = s2 * ui - s1 * wi, fi = s1 * wr - s2 * ur;

		GIVE(0, a0r + tr + vr, a0i + ti + vi);
		GIVE(1, br + dr, bi + di);
		GIVE(2, er + fr, ei + fi);
		GIVE(3, er - fr, ei - fi);
		GIVE(4, br - dr, bi - di);
	}
}

static TAF_INLINE void
seven(const struct group *g, bool turned)
{
	const REAL c1 = (REAL)0x1.3f3a0e28bedd1p-1, s1 = (REAL)0x1.904c37505de4bp-1;
	const REAL c2 = (REAL)-0x1.c7b90e3024582p-3, s2 = (REAL)0x1.f329c0558e969p-1;
	const REAL c3 = (REAL)-0x1.cd4bca9cb5c71p-1, s3 = (REAL)0x1.bc4c04d71abc1p-2;
	const size_t wide = g->wide, far = g->far;

	TAF_APART
	for (size_t q = 0; q < wide; q++) {
		TAKE(0);
		TAKE(1);
		TAKE(2);
		TAKE(3);
		TAKE(4);
		TAKE(5);
		TAKE(6);
		BOTH(t, u, a1, a6);
		BOTH(v, w, a2, a5);
		BOTH(x, y, a3, a4);
		const REAL br = a0r + c1 * tr + c2 * vr + c3 * xr;
		const REAL bi = a0i + c1 * ti + c2 * vi + c3 * xi;
		const REAL cr = a0r + c2 * tr + c3 * vr + c1 * xr;
		const REAL ci = a0i + c2 * ti + c3 * vi + c1 * xi;
		const REAL dr = a0r + c3 * tr + c1 * vr + c2 * xr;
		const REAL di = a0i + c3 * ti + c1 * vi + c2 * xi;
		const REAL er = s1 * ui + s2 * wi + s3 * yi;
		const REAL ei = -(s1 * ur + s2 * wr + s3 * yr);
		const REAL fr = s2 * ui - s3 * wi - s1 * yi;
		const REAL fi = s3 * wr + s1 * yr - s2 * ur;
		const REAL hr = s3 * ui - s1 * wi + s2 * yi;
		const REAL hi = s1 * wr - s3 * ur - s2 * yr;

		GIVE(0, a0r + tr + vr + xr, a0i + ti + vi + xi);
		GIVE(1, br + er, bi + ei);
		GIVE(2, cr + fr, ci + fi);
		GIVE(3, dr + hr, di + hi);
		GIVE(4, dr - hr, di - hi);
		GIVE(5, cr - fr, ci - fi);
		GIVE(6, br - er, bi - ei);
	}
}

static TAF_INLINE void
eight(const struct group *g, bool turned)
{
	const REAL half = (REAL)0x1.6a09e667f3bcdp-1;
	const size_t wide = g->wide, far = g->far;

	TAF_APART
	for (size_t q = 0; q < wide; q++) {
		TAKE(0);
		TAKE(1);
		TAKE(2);
		TAKE(3);
		TAKE(4);
		TAKE(5);
		TAKE(6);
		TAKE(7);
		BOTH(s, d, a0, a4);
		BOTH(t, u, a2, a6);
		BOTH(v, w, a1, a5);
		BOTH(x, y, a3, a7);
		/* even points */
		BOTH(e0, e2, s, t);
		const REAL e1r = dr + ui, e1i = di - ur, e3r = dr - ui, e3i = di + ur;
		/* odd ones, turned by eighths */
		BOTH(o0, p, v, x);
		const REAL z1r = wr + yi, z1i = wi - yr, z3r = wr - yi, z3i = wi + yr;
		const REAL o1r = half * (z1r + z1i), o1i = half * (z1i - z1r);
		const REAL o2r = pi, o2i = -pr;
		const REAL o3r = half * (z3i - z3r), o3i = -half * (z3r + z3i);

		GIVE(0, e0r + o0r, e0i + o0i);
		GIVE(1, e1r + o1r, e1i + o1i);
		GIVE(2, e2r + o2r, e2i + o2i);
		GIVE(3, e3r + o3r, e3i + o3i);
		GIVE(4, e0r - o0r, e0i - o0i);
		GIVE(5, e1r - o1r, e1i - o1i);
		GIVE(6, e2r - o2r, e2i - o2i);
		GIVE(7, e3r - o3r, e3i - o3i);
	}
}

/* LANES; if compilers know a bound, they unroll its loop before they can vectorise it. */
static TAF_INLINE size_t
unknown(size_t wide)
{
	return (wide < LANES ? wide : LANES) / LANES * LANES;
}

/* Any odd radix: sums and differences of points that are mirrored. */
static TAF_INLINE void
odd(const struct group *g, unsigned radix, const REAL *root, bool turned)
{
	const size_t half = radix / 2, wide = g->wide, far = g->far, lanes = unknown(wide);
	REAL sr[TAF_FFT_ODD / 2][LANES], si[TAF_FFT_ODD / 2][LANES];
	REAL dr[TAF_FFT_ODD / 2][LANES], di[TAF_FFT_ODD / 2][LANES];

	for (size_t q = 0; q < wide; q += LANES) {
		const REAL *xr = g->xr + q, *xi = g->xi + q;
		REAL *yr = g->yr + q, *yi = g->yi + q;
		REAL zr[LANES], zi[LANES];

		for (size_t l = 0; l < lanes; l++) {
			zr[l] = xr[l];
			zi[l] = xi[l];
		}
		for (size_t j = 1; j <= half; j++)
			for (size_t l = 0; l < lanes; l++) {
				const size_t one = l + j * far, two = l + (radix - j) * far;

				sr[j - 1][l] = xr[one] + xr[two];
				si[j - 1][l] = xi[one] + xi[two];
				dr[j - 1][l] = xr[one] - xr[two];
				di[j - 1][l] = xi[one] - xi[two];
				zr[l] += sr[j - 1][l];
				zi[l] += si[j - 1][l];
			}
		for (size_t l = 0; l < lanes; l++) {
			yr[l] = zr[l];
			yi[l] = zi[l];
		}
		for (size_t k = 1; k <= half; k++) {
			REAL br[LANES], bi[LANES], cr[LANES] = { 0 }, ci[LANES] = { 0 };
			REAL *const up = yr + k * wide, *const upi = yi + k * wide;
			REAL *const down = yr + (radix - k) * wide;
			REAL *const downi = yi + (radix - k) * wide;
			const REAL one[4] = { 1, 0, 1, 0 };
			const REAL *const t = turned ? g->turn + 2 * k - 2 : one;
			const REAL *const u = turned ? g->turn + 2 * (radix - k) - 2 : one;
			size_t at = 0;

			for (size_t l = 0; l < lanes; l++) {
				br[l] = xr[l];
				bi[l] = xi[l];
			}
			for (size_t j = 0; j < half; j++) {
				at += k;
				at -= at >= radix ? radix : 0;
				const REAL c = root[2 * at], s = root[2 * at + 1];

				for (size_t l = 0; l < lanes; l++) {
					br[l] += c * sr[j][l];
					bi[l] += c * si[j][l];
					cr[l] -= s * di[j][l];
					ci[l] += s * dr[j][l];
				}
			}
			TAF_APART
			for (size_t l = 0; l < lanes; l++) {
				const REAL pr = br[l] + cr[l], pi = bi[l] + ci[l];
				const REAL mr = br[l] - cr[l], mi = bi[l] - ci[l];

				up[l] = pr * t[0] - pi * t[1];
				upi[l] = pr * t[1] + pi * t[0];
				down[l] = mr * u[0] - mi * u[1];
				downi[l] = mr * u[1] + mi * u[0];
			}
		}
	}
}

static TAF_INLINE void
group(const struct pass *s, const struct group *g, bool turned)
{
	switch (s->radix) {
	case 2:
		two(g, turned);
		break;
	case 3:
		three(g, turned);
		break;
	case 4:
		four(g, turned);
		break;
	case 5:
		five(g, turned);
		break;
	case 7:
		seven(g, turned);
		break;
	case 8:
		eight(g, turned);
		break;
	default:
		odd(g, s->radix, s->root, turned);
		break;
	}
}

TAF_WIDE_VOID(pass, (const struct pass *s), (s))
{
	/* said so that the compiler makes no loop for a rest */
	const size_t wide = s->wide / LANES * LANES;
	struct group g = { s->yr, s->yi, s->xr, s->xi, wide, wide * s->m, s->turn };

	if (s->m == 1) {
		group(s, &g, false);
		return;
	}
	for (size_t p = 0; p < s->m; p++) {
		group(s, &g, true);
		g.xr += wide;
		g.xi += wide;
		g.yr += s->radix * wide;
		g.yi += s->radix * wide;
		g.turn += 2 * (s->radix - 1);
	}
}

/* Transforms of columns side by side: from src by way of a and b; where they are then. */
static struct planes
columns(const struct taf_fft_steps *f, struct planes src, const struct planes to[2],
    size_t wide)
{
	struct pass s = { .wide = wide };
	unsigned k;

	for (k = 0; k < f->count; k++) {
		const struct taf_fft_step *step = &f->step[k];

		s.xr = src.re;
		s.xi = src.im;
		src = to[k % 2];
		s.yr = src.re;
		s.yi = src.im;
		s.m = step->m;
		s.radix = step->radix;
		s.turn = step->turn;
		s.root = step->root;
		pass(&s);
		s.wide *= step->radix;
	}
	return src;
}

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
 * A square of LANES rows and columns, as LANES^2 numbers, is turned over its diagonal: the
 * highest bits of each index become its lowest.  b is lost.
 */
static TAF_INLINE void
flip(REAL *restrict a, REAL *restrict b)
{
	const size_t all = LANES * LANES, rest = LANES / 4;

	for (size_t i = 0; i < all / 4; i++) {
		b[4 * i] = a[i];
		b[4 * i + 1] = a[i + all / 4];
		b[4 * i + 2] = a[i + all / 2];
		b[4 * i + 3] = a[i + 3 * all / 4];
	}
	if (rest == 2) {
		for (size_t i = 0; i < all / 2; i++) {
			a[2 * i] = b[i];
			a[2 * i + 1] = b[i + all / 2];
		}
		return;
	}
	for (size_t i = 0; i < all / 4; i++) {
		a[4 * i] = b[i];
		a[4 * i + 1] = b[i + all / 4];
		a[4 * i + 2] = b[i + all / 2];
		a[4 * i + 3] = b[i + 3 * all / 4];
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

static struct planes
exchanged(struct planes p, bool back)
{
	return back ? (struct planes){ p.im, p.re } : p;
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

static void *
table(const double *v, size_t n)
{
	REAL *t = taf_alloc(n, sizeof *t);
	size_t i;

	if (t == NULL)
		return NULL;
	for (i = 0; i < n; i++)
		t[i] = (REAL)v[i];
	return t;
}

const struct taf_fft_typed FFT = { LANES, table, line, unpack, pack, mirror,
	widen, narrow };

#endif
