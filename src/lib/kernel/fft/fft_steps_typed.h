/* SPDX-License-Identifier: ISC */
/*
 * The steps of transforms of numbers of one type, REAL.
 *
 * Points of several transforms lie side by side, real parts and imaginary parts apart, in
 * rows whose length is a multiple of LANES.  So all loops go along the rows, the compiler
 * makes vectors of them, and each transform sees the same operations.
 */

#ifdef REAL

#include "kernel/fft/fft_steps.h"
#include "kernel/fft/fft_typed.h"
#include "kernel/number/fast.h"

struct planes {
	REAL *re, *im;
};

/* A step over all rows; rows have wide numbers. */
struct pass {
	REAL *yr, *yi;
	const REAL *xr, *xi;
	size_t m, wide;
	const REAL *twiddle;
	const REAL *root;
	unsigned radix;
};

/* One group of rows: outputs lie wide apart, inputs far. */
struct group {
	REAL *yr, *yi;
	const REAL *xr, *xi;
	size_t wide, far;
	const REAL *twiddle;
};

struct pair {
	REAL r, i;
};

static TAF_INLINE struct pair
plus(struct pair a, struct pair b)
{
	return (struct pair){ a.r + b.r, a.i + b.i };
}

static TAF_INLINE struct pair
minus(struct pair a, struct pair b)
{
	return (struct pair){ a.r - b.r, a.i - b.i };
}

/* times -i */
static TAF_INLINE struct pair
right(struct pair a)
{
	return (struct pair){ a.i, -a.r };
}

static TAF_INLINE struct pair
scaled(struct pair a, REAL by)
{
	return (struct pair){ a.r * by, a.i * by };
}

static TAF_INLINE struct pair
times(struct pair a, REAL r, REAL i)
{
	return (struct pair){ a.r * r - a.i * i, a.r * i + a.i * r };
}

/* The transforms of some points, in their places. */
static TAF_INLINE void
two(struct pair *x)
{
	const struct pair d = minus(x[0], x[1]);

	x[0] = plus(x[0], x[1]);
	x[1] = d;
}

static TAF_INLINE void
three(struct pair *x)
{
	const REAL c = (REAL)-0.5, s = (REAL)0x1.bb67ae8584caap-1;
	const struct pair t = plus(x[1], x[2]);
	const struct pair b = plus(x[0], scaled(t, c));
	const struct pair d = scaled(right(minus(x[1], x[2])), s);

	x[0] = plus(x[0], t);
	x[1] = plus(b, d);
	x[2] = minus(b, d);
}

static TAF_INLINE void
four(struct pair *a, struct pair *b, struct pair *c, struct pair *d)
{
	const struct pair s = plus(*a, *c), u = minus(*a, *c);
	const struct pair t = plus(*b, *d), v = right(minus(*b, *d));

	*a = plus(s, t);
	*b = plus(u, v);
	*c = minus(s, t);
	*d = minus(u, v);
}

static TAF_INLINE void
five(struct pair *x)
{
	const REAL c1 = (REAL)0x1.3c6ef372fe95p-2, s1 = (REAL)0x1.e6f0e134454ffp-1;
	const REAL c2 = (REAL)-0x1.9e3779b97f4a8p-1, s2 = (REAL)0x1.2cf2304755a5ep-1;
	const struct pair t = plus(x[1], x[4]), u = right(minus(x[1], x[4]));
	const struct pair v = plus(x[2], x[3]), w = right(minus(x[2], x[3]));
	const struct pair b = plus(plus(x[0], scaled(t, c1)), scaled(v, c2));
	const struct pair c = plus(plus(x[0], scaled(t, c2)), scaled(v, c1));
	const struct pair d = plus(scaled(u, s1), scaled(w, s2));
	const struct pair f = minus(scaled(u, s2), scaled(w, s1));

	x[0] = plus(plus(x[0], t), v);
	x[1] = plus(b, d);
	x[2] = plus(c, f);
	x[3] = minus(c, f);
	x[4] = minus(b, d);
}

static TAF_INLINE void
seven(struct pair *x)
{
	const REAL c1 = (REAL)0x1.3f3a0e28bedd1p-1, s1 = (REAL)0x1.904c37505de4bp-1;
	const REAL c2 = (REAL)-0x1.c7b90e3024582p-3, s2 = (REAL)0x1.f329c0558e969p-1;
	const REAL c3 = (REAL)-0x1.cd4bca9cb5c71p-1, s3 = (REAL)0x1.bc4c04d71abc1p-2;
	const struct pair t = plus(x[1], x[6]), u = right(minus(x[1], x[6]));
	const struct pair v = plus(x[2], x[5]), w = right(minus(x[2], x[5]));
	const struct pair y = plus(x[3], x[4]), z = right(minus(x[3], x[4]));
	const struct pair b = plus(plus(plus(x[0], scaled(t, c1)), scaled(v, c2)),
	    scaled(y, c3));
	const struct pair c = plus(plus(plus(x[0], scaled(t, c2)), scaled(v, c3)),
	    scaled(y, c1));
	const struct pair d = plus(plus(plus(x[0], scaled(t, c3)), scaled(v, c1)),
	    scaled(y, c2));
	const struct pair e = plus(plus(scaled(u, s1), scaled(w, s2)), scaled(z, s3));
	const struct pair f = minus(minus(scaled(u, s2), scaled(w, s3)), scaled(z, s1));
	const struct pair g = plus(minus(scaled(u, s3), scaled(w, s1)), scaled(z, s2));

	x[0] = plus(plus(plus(x[0], t), v), y);
	x[1] = plus(b, e);
	x[2] = plus(c, f);
	x[3] = plus(d, g);
	x[4] = minus(d, g);
	x[5] = minus(c, f);
	x[6] = minus(b, e);
}

/* times exp(-i pi / 4), but for a factor */
static TAF_INLINE struct pair
eighth(struct pair a)
{
	return (struct pair){ a.r + a.i, a.i - a.r };
}

static TAF_INLINE void
eight(struct pair *x)
{
	const REAL half = (REAL)0x1.6a09e667f3bcdp-1;
	struct pair e[4] = { x[0], x[2], x[4], x[6] };
	struct pair o[4] = { x[1], x[3], x[5], x[7] };

	four(e, e + 1, e + 2, e + 3);
	four(o, o + 1, o + 2, o + 3);
	o[1] = scaled(eighth(o[1]), half);
	o[2] = right(o[2]);
	o[3] = scaled(right(eighth(o[3])), half);
	x[0] = plus(e[0], o[0]);
	x[1] = plus(e[1], o[1]);
	x[2] = plus(e[2], o[2]);
	x[3] = plus(e[3], o[3]);
	x[4] = minus(e[0], o[0]);
	x[5] = minus(e[1], o[1]);
	x[6] = minus(e[2], o[2]);
	x[7] = minus(e[3], o[3]);
}

/* Fours of fours: frequency 4 i + k is in place 4 k + i. */
static TAF_INLINE void
sixteen(struct pair *x)
{
	const REAL half = (REAL)0x1.6a09e667f3bcdp-1;
	const REAL c = (REAL)0x1.d906bcf328d46p-1, s = (REAL)0x1.87de2a6aea963p-2;

	four(x, x + 4, x + 8, x + 12);
	four(x + 1, x + 5, x + 9, x + 13);
	four(x + 2, x + 6, x + 10, x + 14);
	four(x + 3, x + 7, x + 11, x + 15);
	x[5] = times(x[5], c, -s);
	x[6] = scaled(eighth(x[6]), half);
	x[7] = times(x[7], s, -c);
	x[9] = scaled(eighth(x[9]), half);
	x[10] = right(x[10]);
	x[11] = scaled(right(eighth(x[11])), half);
	x[13] = times(x[13], s, -c);
	x[14] = scaled(right(eighth(x[14])), half);
	x[15] = times(x[15], -c, s);
	four(x, x + 1, x + 2, x + 3);
	four(x + 4, x + 5, x + 6, x + 7);
	four(x + 8, x + 9, x + 10, x + 11);
	four(x + 12, x + 13, x + 14, x + 15);
}

/* The loop over points q of a group, whose radix is known here. */
#define TAKE(k) \
	if ((k) < radix) \
		x[k] = (struct pair){ g->xr[q + (k) * far], g->xi[q + (k) * far] }

/* Output k, multiplied unless this is the last step. */
#define GIVE(k) do { \
	const size_t at_ = q + (k) * wide; \
	const unsigned from_ = radix == 16 ? (k) % 4 * 4 + (k) / 4 : (k); \
	if ((k) < radix) { \
		const struct pair y_ = twiddled && (k) > 0 ? times(x[from_], \
		    g->twiddle[2 * (k) - 2], g->twiddle[2 * (k) - 1]) : x[from_]; \
		g->yr[at_] = y_.r; \
		g->yi[at_] = y_.i; \
	} \
} while (0)

#define FOUR(what, k) \
	what(k); \
	what(k + 1); \
	what(k + 2); \
	what(k + 3)

static TAF_INLINE void
points(const struct group *g, const unsigned radix, bool twiddled)
{
	const size_t wide = g->wide, far = g->far;

	TAF_APART
	for (size_t q = 0; q < wide; q++) {
		struct pair x[16];

		FOUR(TAKE, 0);
		FOUR(TAKE, 4);
		FOUR(TAKE, 8);
		FOUR(TAKE, 12);
		switch (radix) {
		case 2:
			two(x);
			break;
		case 3:
			three(x);
			break;
		case 4:
			four(x, x + 1, x + 2, x + 3);
			break;
		case 5:
			five(x);
			break;
		case 7:
			seven(x);
			break;
		case 8:
			eight(x);
			break;
		case 16:
			sixteen(x);
			break;
		}
		FOUR(GIVE, 0);
		FOUR(GIVE, 4);
		FOUR(GIVE, 8);
		FOUR(GIVE, 12);
	}
}

#undef TAKE
#undef GIVE
#undef FOUR

/* Any odd radix: sums and differences of points that are mirrored. */
static TAF_INLINE void
odd(const struct group *g, unsigned radix, const REAL *root, bool twiddled)
{
	const size_t half = radix / 2, wide = g->wide, far = g->far,
	    lanes = unknown(wide);
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
				const size_t one = l + j * far,
				    two = l + (radix - j) * far;

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
			const REAL *const t = twiddled ? g->twiddle + 2 * k - 2 : one;
			const REAL *const u = twiddled ?
			    g->twiddle + 2 * (radix - k) - 2 : one;
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

/* All groups of a step; radix 0 is any odd one. */
static TAF_INLINE void
groups(const struct pass *s, const unsigned radix)
{
	/* said so that the compiler makes no loop for a rest */
	const size_t wide = s->wide / LANES * LANES;
	struct group g = { s->yr, s->yi, s->xr, s->xi, wide, wide * s->m, s->twiddle };

	if (s->m == 1) {
		if (radix == 0)
			odd(&g, s->radix, s->root, false);
		else
			points(&g, radix, false);
		return;
	}
	for (size_t p = 0; p < s->m; p++) {
		if (radix == 0)
			odd(&g, s->radix, s->root, true);
		else
			points(&g, radix, true);
		g.xr += wide;
		g.xi += wide;
		g.yr += s->radix * wide;
		g.yi += s->radix * wide;
		g.twiddle += 2 * (s->radix - 1);
	}
}

TAF_WIDE_VOID(pass, (const struct pass *s), (s))
{
	switch (s->radix) {
	case 2:
		groups(s, 2);
		break;
	case 3:
		groups(s, 3);
		break;
	case 4:
		groups(s, 4);
		break;
	case 5:
		groups(s, 5);
		break;
	case 7:
		groups(s, 7);
		break;
	case 8:
		groups(s, 8);
		break;
	case 16:
		groups(s, 16);
		break;
	default:
		groups(s, 0);
		break;
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
		s.twiddle = step->twiddle;
		s.root = step->root;
		pass(&s);
		s.wide *= step->radix;
	}
	return src;
}

#endif
