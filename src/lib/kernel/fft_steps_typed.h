/*
 * The steps of transforms of numbers of one type, REAL.
 *
 * Points of several transforms lie side by side, real parts and imaginary parts apart, in
 * rows whose length is a multiple of LANES.  So all loops go along the rows, the compiler
 * makes vectors of them, and each transform sees the same operations.
 */

#ifdef REAL

#include "kernel/fast.h"
#include "kernel/fft_steps.h"

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
			const REAL *const t = turned ? g->turn + 2 * k - 2 : one;
			const REAL *const u = turned ? g->turn + 2 * (radix - k) - 2 :
			    one;
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

static TAF_INLINE struct planes
exchanged(struct planes p, bool back)
{
	return back ? (struct planes){ p.im, p.re } : p;
}

/*
 * A square of LANES rows and columns, as LANES^2 numbers, is turned over its diagonal:
 * the highest bits of each index become its lowest.  b is lost.
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

#endif
