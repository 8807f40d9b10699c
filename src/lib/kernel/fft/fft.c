/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/fft/fft.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/fft/fft_private.h"
#include "kernel/number/fast.h"

enum {
	LANES = TAF_FFT_LANES,
	ALIGN = 64,		/* bytes of a vector */
	NARROW = 8,		/* the fewest rows and columns that are worth a matrix */
	WHOLE = 8192,		/* pairs up to which all columns have cells */
	SIDE = 32768,		/* pairs up to which lines go side by side: caches end */
	/* reals up to which lines that lie behind each other go side by side, if odd */
	GROUP = 1024,
	EXACT = 16 * 1024	/* reals, if odd, whose twiddles are no products */
};

static uint64_t
without_factors(uint64_t n, unsigned most)
{
	unsigned p;

	while ((p = taf_fft_factor(n, most)) != 0)
		n /= p;
	return n;
}

uint64_t
taf_fft_fast(uint64_t n)
{
	while (without_factors(n, 7) > 1)
		n++;
	return n;
}

/* What a matrix of a rows and b columns costs: steps, vectors that are not full, skew. */
static double
cost(size_t a, size_t b)
{
	const double ra = (double)taf_fft_round_up(a, LANES) / (double)a;
	const double rb = (double)taf_fft_round_up(b, LANES) / (double)b;

	return (taf_fft_steps_of(a) + taf_fft_steps_of(b)) / 2.0 + ra + rb +
	    (double)b / (double)a / 16;
}

/* The rows of the best matrix for n points, not more than it has columns, or 0. */
static size_t
best_rows(size_t n)
{
	size_t best = 0, a;

	for (a = NARROW; a <= n / a; a++)
		if (n % a == 0 && (best == 0 || cost(a, n / a) < cost(best, n / best)))
			best = a;
	return best;
}

size_t
taf_fft_laid_out(size_t numbers)
{
	return 2 * (taf_fft_round_up(numbers, LANES) + TAF_FFT_APART);
}

struct taf_fft_planes
taf_fft_lay_out(double **scratch, size_t numbers)
{
	double *const re = *scratch;

	*scratch += taf_fft_laid_out(numbers);
	return (struct taf_fft_planes){ re, re + taf_fft_laid_out(numbers) / 2 };
}

/* exp(-2 pi i k j / h) as planes of rows k, of which those behind a are zeros. */
static enum taf_status
plan_cell(struct taf_fft *f, struct taf_err *e)
{
	const size_t a = f->first.n, wide = f->cells;
	const size_t all = taf_fft_round_up(a, LANES) * wide;
	const size_t used = wide < f->second.n ? wide : f->second.n;
	double *v = aligned_alloc(64, all * 2 * sizeof *v),
	    *row = taf_alloc(used, 2 * sizeof *row);
	size_t k, j;

	f->cell = v;
	if (v == NULL || row == NULL) {
		free(row);
		return taf_fail_mem(e);
	}
	memset(v, 0, 2 * all * sizeof *v);
	for (k = 0; k < a; k++) {
		taf_twiddles(row, used, 0, k, f->h);
		for (j = 0; j < used; j++) {
			v[k * wide + j] = row[2 * j];
			v[all + k * wide + j] = row[2 * j + 1];
		}
	}
	free(row);
	return TAF_OK;
}

static enum taf_status
plan_matrix(struct taf_fft *f, size_t a, struct taf_err *e)
{
	const size_t b = f->h / a;
	enum taf_status st;

	f->way = TAF_FFT_SPLIT;
	f->cells = f->h <= WHOLE ? taf_fft_round_up(b, LANES) : TAF_FFT_WIDE;
	st = taf_fft_steps_open(&f->first, a, false, e);
	if (st == TAF_OK)
		st = taf_fft_steps_open(&f->second, b, false, e);
	if (st == TAF_OK)
		st = plan_cell(f, e);
	if (st != TAF_OK || f->cells >= b)
		return st;
	return taf_twiddle_open(&f->matrix, f->h, taf_twiddle_shift(f->h), f->h, e);
}

/* Pairs that are transformed. */
static size_t
pairs_of(const struct taf_fft_want *want)
{
	return want->kind != TAF_FFT_COMPLEX && want->n % 2 == 0 ? want->n / 2 : want->n;
}

static bool
is_chirp(size_t h)
{
	return without_factors(h, TAF_FFT_ODD) > 1;
}

/* Is it of this kind and an odd length?  Then pairs that mirror others are left out. */
static bool
is_half(const struct taf_fft_want *want, enum taf_fft_kind kind)
{
	return want->kind == kind && want->n % 2 == 1;
}

/* Of pairs that are convolved, how many come. */
static size_t
chirp_points(const struct taf_fft_want *want)
{
	return is_half(want, TAF_FFT_HALF) ? want->n / 2 + 1 : pairs_of(want);
}

/* And how many go. */
static size_t
chirp_results(const struct taf_fft_want *want)
{
	return is_half(want, TAF_FFT_REAL) ? want->n / 2 + 1 : pairs_of(want);
}

/* The length that they are convolved in. */
static size_t
chirp_length(const struct taf_fft_want *want)
{
	size_t n = (size_t)taf_fft_fast(chirp_points(want) + chirp_results(want) - 1);

	while (best_rows(n) == 0)
		n = (size_t)taf_fft_fast(n + 1);
	return n;
}

/* Numbers of the space for the transform that a convolution takes, of m pairs. */
static size_t
inner_scratch(size_t m)
{
	const size_t a = best_rows(m);
	const struct taf_fft inner = { .first = { .n = a }, .second = { .n = m / a } };

	return taf_fft_round_up(taf_fft_line_scratch(&inner), LANES);
}

/* The largest prime factor of an odd number of reals that has a step of its own, or 0. */
static size_t
odd_radix(const struct taf_fft_want *want)
{
	size_t radix = 0, n = want->n;
	unsigned p;

	if (want->kind != TAF_FFT_REAL || n % 2 == 0)
		return 0;
	while ((p = taf_fft_factor(n, TAF_FFT_ODD)) != 0) {
		radix = p;
		n /= p;
	}
	return radix;
}

/* The transforms behind the first step: of pairs, and of reals. */
static struct taf_fft_want
odd_part(const struct taf_fft_want *want, size_t radix, bool pairs)
{
	return (struct taf_fft_want){ .n = want->n / radix,
		.kind = pairs ? TAF_FFT_COMPLEX : TAF_FFT_REAL };
}

/* Numbers of twiddles of it. */
static size_t
odd_twiddles(const struct taf_fft_want *want, size_t radix)
{
	return taf_fft_round_up(radix / 2 * (want->n / radix) * 2, LANES);
}

static enum taf_status
plan_odd(struct taf_fft *f, size_t radix, struct taf_err *e)
{
	struct taf_fft_want pairs = odd_part(&f->want, radix, true);
	struct taf_fft_want reals = odd_part(&f->want, radix, false);
	const size_t m = pairs.n, all = odd_twiddles(&f->want, radix);
	struct taf_twiddle t = { .low = NULL };
	double *lent = f->want.tables;
	enum taf_status st;
	size_t k;

	f->way = TAF_FFT_ODD_REAL;
	f->radix = radix;
	f->root = taf_alloc(radix, 2 * sizeof *f->root);
	f->cell = lent != NULL ? lent : taf_alloc(all, sizeof *f->cell);
	if (f->root == NULL || f->cell == NULL)
		return taf_fail_mem(e);
	taf_twiddles(f->root, radix, 0, 1, radix);
	if (lent != NULL) {
		pairs.tables = lent + all;
		reals.tables = lent + all + taf_fft_tables(&pairs) / sizeof *lent;
	}
	st = taf_twiddle_open(&t, f->want.n, taf_twiddle_shift(f->want.n), f->want.n, e);
	for (k = 0; k < radix / 2 && st == TAF_OK; k++)
		if (f->want.n <= EXACT)
			taf_twiddles(f->cell + 2 * k * m, m, 0, k + 1, f->want.n);
		else
			taf_twiddle_run(&t, f->cell + 2 * k * m, m, k + 1);
	taf_twiddle_close(&t);
	if (st == TAF_OK && m > 1)
		st = taf_fft_open(&f->inner, &pairs, e);
	return st == TAF_OK && m > 1 ? taf_fft_open(&f->rest, &reals, e) : st;
}

static size_t
odd_tables(const struct taf_fft_want *want, size_t radix)
{
	const struct taf_fft_want pairs = odd_part(want, radix, true);
	const struct taf_fft_want reals = odd_part(want, radix, false);

	return odd_twiddles(want, radix) * sizeof(double) + taf_fft_tables(&pairs) +
	    taf_fft_tables(&reals);
}

size_t
taf_fft_tables(const struct taf_fft_want *want)
{
	const size_t radix = odd_radix(want);
	const size_t h = pairs_of(want), m = is_chirp(h) ? chirp_length(want) : 0;

	if (radix > 0)
		return odd_tables(want, radix);
	/* the chirp, its spectrum, and what makes that */
	return m == 0 ? 0 : (taf_fft_round_up(2 * h, LANES) +
	    taf_fft_round_up(2 * m, LANES) + inner_scratch(m)) * sizeof(double);
}

/* n points as a convolution with exp(i pi k^2 / n). */
static enum taf_status
plan_chirp(struct taf_fft *f, struct taf_err *e)
{
	const struct taf_fft_want want = { .n = chirp_length(&f->want) };
	const size_t n = f->h, all = taf_fft_tables(&f->want);
	const size_t before = chirp_points(&f->want), behind = chirp_results(&f->want);
	size_t k;
	uint64_t square = 0;
	double *v;
	enum taf_status st;

	f->way = TAF_FFT_CHIRP;
	st = taf_fft_open(&f->inner, &want, e);
	if (st != TAF_OK)
		return st;
	f->chirp = f->want.tables != NULL ? f->want.tables : aligned_alloc(64, all);
	if (f->chirp == NULL)
		return taf_fail_mem(e);
	v = f->spectrum = f->chirp + taf_fft_round_up(2 * n, LANES);
	memset(v, 0, want.n * 2 * sizeof *v);
	for (k = 0; k < n; k++) {
		double *const c = f->chirp + 2 * k, *const other = v + 2 * (want.n - k);

		taf_twiddles(c, 1, square, 0, 2 * (uint64_t)n);
		if (k < behind) {
			v[2 * k] = c[0] / (double)want.n;
			v[2 * k + 1] = -c[1] / (double)want.n;
		}
		if (k > 0 && k < before) {
			other[0] = c[0] / (double)want.n;
			other[1] = -c[1] / (double)want.n;
		}
		square = (square + 2 * k + 1) % (2 * (uint64_t)n);
	}
	taf_fft_lines(f->inner, v, v, 1, v + taf_fft_round_up(2 * want.n, LANES));
	return TAF_OK;
}

bool
taf_fft_in_pairs(const struct taf_fft *f)
{
	return f->want.kind != TAF_FFT_COMPLEX && f->want.n % 2 == 0;
}

static enum taf_status
plan(struct taf_fft *f, struct taf_err *e)
{
	const size_t radix = odd_radix(&f->want);
	enum taf_status st;
	size_t a;

	f->h = pairs_of(&f->want);
	if (radix > 0)
		return plan_odd(f, radix, e);
	if (is_chirp(f->h)) {
		st = plan_chirp(f, e);
	} else {
		a = f->h < NARROW * NARROW ? 0 : best_rows(f->h);
		if (a > 0)
			st = plan_matrix(f, a, e);
		else
			st = taf_fft_steps_open(&f->first, f->h, false, e);
	}
	return st == TAF_OK && taf_fft_in_pairs(f) ? taf_twiddle_open(&f->real,
	    f->want.n, TAF_FFT_FEW_BITS, f->h / 2, e) : st;
}

enum taf_status
taf_fft_open(struct taf_fft **to, const struct taf_fft_want *want, struct taf_err *e)
{
	struct taf_fft *f = calloc(1, sizeof *f);
	enum taf_status st;

	*to = NULL;
	if (f == NULL)
		return taf_fail_mem(e);
	f->want = *want;
	f->scale = want->inverse || want->kind == TAF_FFT_HALF ? 1 / (double)want->n : 1;
	st = plan(f, e);
	if (st == TAF_OK)
		*to = f;
	else
		taf_fft_close(f);
	return st;
}

void
taf_fft_close(struct taf_fft *f)
{
	if (f == NULL)
		return;
	taf_fft_steps_close(&f->first);
	taf_fft_steps_close(&f->second);
	taf_fft_close(f->inner);
	taf_fft_close(f->rest);
	free(f->root);
	if (f->way != TAF_FFT_ODD_REAL || f->want.tables == NULL)
		free(f->cell);
	taf_twiddle_close(&f->matrix);
	taf_twiddle_close(&f->real);
	if (f->want.tables == NULL)
		free(f->chirp);
	free(f);
}

/* Planes of a line whose pairs are not the numbers as they come and go. */
static size_t
beside(const struct taf_fft *f)
{
	return f->want.kind == TAF_FFT_COMPLEX ? 0 : taf_fft_laid_out(f->h);
}

/* Numbers of scratch memory that the transform of a line takes. */
static size_t
line_scratch(const struct taf_fft *f)
{
	if (f->way == TAF_FFT_CHIRP)
		return taf_fft_round_up(2 * f->inner->h, LANES) +
		    taf_fft_line_scratch(f->inner);
	return f->way == TAF_FFT_TINY ? 0 : taf_fft_line_scratch(f);
}

bool
taf_fft_has_side(const struct taf_fft *f)
{
	return f->way != TAF_FFT_CHIRP && f->h <= SIDE && (f->rest == NULL ||
	    (taf_fft_has_side(f->inner) && taf_fft_has_side(f->rest)));
}

/* So many lines that lie behind each other go side by side. */
static size_t
group(const struct taf_fft *f)
{
	return f->way == TAF_FFT_TINY || (f->want.n <= GROUP && taf_fft_has_side(f)) ?
	    LANES : 1;
}

size_t
taf_fft_scratch(const struct taf_fft *f)
{
	const size_t n = f->way == TAF_FFT_TINY ? taf_fft_lanes_scratch(f) :
	    f->way == TAF_FFT_ODD_REAL ? taf_fft_odd_scratch(f, group(f) > 1) :
	    beside(f) + line_scratch(f);

	return taf_fft_round_up(n * sizeof(double), ALIGN) + ALIGN;
}

/* The first place in it that a vector may begin at. */
static void *
aligned(void *scratch)
{
	return (char *)scratch + (ALIGN - (uintptr_t)scratch % ALIGN) % ALIGN;
}

/*
 * The products of pairs.  Parts go through blocks of their own: of a difference beside a
 * sum GCC 12 makes one instruction that rounds once, whatever -ffp-contract says.
 */
TAF_WIDE_VOID(multiply, (double *to, const double *x, const double *y, size_t n),
    (to, x, y, n))
{
	double re[TAF_FFT_FEW], im[TAF_FFT_FEW];

	for (size_t at = 0; at < n; at += TAF_FFT_FEW) {
		const size_t part = n - at < TAF_FFT_FEW ? n - at : TAF_FFT_FEW;

		for (size_t i = 0; i < part; i++)
			re[i] = x[2 * (at + i)] * y[2 * (at + i)] -
			    x[2 * (at + i) + 1] * y[2 * (at + i) + 1];
		for (size_t i = 0; i < part; i++)
			im[i] = x[2 * (at + i)] * y[2 * (at + i) + 1] +
			    x[2 * (at + i) + 1] * y[2 * (at + i)];
		for (size_t i = 0; i < part; i++) {
			to[2 * (at + i)] = re[i];
			to[2 * (at + i) + 1] = im[i];
		}
	}
}

/* n points of a line as pairs, parts exchanged or not. */
static void
widen(const struct taf_fft_line *l, double *pairs, size_t n)
{
	const size_t re = l->back, im = !l->back;
	const float *x = l->from;
	const double *y = l->from;
	size_t i;

	for (i = 0; i < n; i++)
		if (l->from == NULL) {
			pairs[2 * i + re] = l->in.re[i];
			pairs[2 * i + im] = l->in.im[i];
		} else {
			pairs[2 * i + re] = l->f->want.narrow ? (double)x[2 * i] :
			    y[2 * i];
			pairs[2 * i + im] = l->f->want.narrow ? (double)x[2 * i + 1] :
			    y[2 * i + 1];
		}
}

static void
narrow(const struct taf_fft_line *l, const double *pairs, size_t n)
{
	const size_t re = l->back, im = !l->back;
	float *x = l->to;
	double *y = l->to;
	size_t i;

	for (i = 0; i < n; i++) {
		const double a = pairs[2 * i + re] * l->scale,
		    b = pairs[2 * i + im] * l->scale;

		if (l->to == NULL) {
			l->out.re[i] = pairs[2 * i + re];
			l->out.im[i] = pairs[2 * i + im];
		} else if (l->f->want.narrow) {
			x[2 * i] = (float)a;
			x[2 * i + 1] = (float)b;
		} else {
			y[2 * i] = a;
			y[2 * i + 1] = b;
		}
	}
}

static void
convolve(const struct taf_fft_line *l)
{
	const struct taf_fft *f = l->f, *inner = f->inner;
	const size_t n = inner->h, points = chirp_points(&f->want);
	double *const x = l->scratch;
	struct taf_fft_line in = { .f = inner, .to = x, .from = x, .scale = 1,
	    .scratch = x + taf_fft_round_up(2 * n, LANES) };

	widen(l, x, points);
	multiply(x, x, f->chirp, points);
	memset(x + 2 * points, 0, (n - points) * 2 * sizeof *x);
	taf_fft_line(&in);
	multiply(x, x, f->spectrum, n);
	in.back = true;
	taf_fft_line(&in);
	multiply(x, x, f->chirp, chirp_results(&f->want));
	narrow(l, x, chirp_results(&f->want));
}

static void
transform(const struct taf_fft_line *l)
{
	if (l->f->way == TAF_FFT_CHIRP)
		convolve(l);
	else
		taf_fft_line(l);
}

/* A line of real numbers, or to one: pairs are as these lie. */
static void
real_line(struct taf_fft_line *l, void *to, const void *from)
{
	const struct taf_fft *f = l->f;
	const bool real = f->want.kind == TAF_FFT_REAL, pairs = taf_fft_in_pairs(f);
	double *scratch = l->scratch;

	l->in = l->out = taf_fft_lay_out(&scratch, f->h);
	l->scratch = scratch;
	l->from = real && pairs ? from : NULL;
	l->to = !real && pairs ? to : NULL;
	if (l->from == NULL)
		taf_fft_pack(f, &l->in, from);
	transform(l);
	if (l->to == NULL)
		taf_fft_unpack(f, to, &l->out);
}

/* Numbers, of its type, of a line as it comes, or, with to, as it goes. */
static size_t
line_numbers(const struct taf_fft *f, bool to)
{
	if (f->want.kind == (to ? TAF_FFT_HALF : TAF_FFT_REAL))
		return f->want.n;
	return 2 * (f->want.kind == TAF_FFT_COMPLEX ? f->want.n : f->want.n / 2 + 1);
}

static void
lanes(const struct taf_fft_lanes *l)
{
	if (l->f->way == TAF_FFT_ODD_REAL)
		taf_fft_odd(l);
	else
		taf_fft_lanes(l);
}

/* Short lines in lanes: what lies from one line to the next is a step of these. */
static void
group_lines(const struct taf_fft *f, char *to, const char *from, size_t lines,
    void *scratch)
{
	const size_t most = group(f);
	const size_t word = f->want.narrow ? sizeof(float) : sizeof(double);
	const size_t in = line_numbers(f, false), out = line_numbers(f, true);
	struct taf_fft_lanes l = { .f = f, .to_step = 1, .from_step = 1,
	    .to_lane = f->want.kind == TAF_FFT_HALF ? out : out / 2,
	    .from_lane = f->want.kind == TAF_FFT_REAL ? in : in / 2,
	    .points = f->want.n, .scratch = scratch };
	size_t at;

	for (at = 0; at < lines; at += l.lines) {
		l.lines = lines - at < most ? lines - at : most;
		l.to = to + at * out * word;
		l.from = from + at * in * word;
		lanes(&l);
	}
}

void
taf_fft_lines(const struct taf_fft *f, void *to, const void *from, size_t lines,
    void *scratch)
{
	const size_t word = f->want.narrow ? sizeof(float) : sizeof(double);
	const bool back = f->want.inverse || f->want.kind == TAF_FFT_HALF;
	size_t k;

	scratch = aligned(scratch);
	if (f->way == TAF_FFT_TINY || f->way == TAF_FFT_ODD_REAL) {
		group_lines(f, to, from, lines, scratch);
		return;
	}
	for (k = 0; k < lines; k++) {
		char *const y = (char *)to + k * line_numbers(f, true) * word;
		const char *const x = (const char *)from + k * line_numbers(f, false) *
		    word;
		struct taf_fft_line l = { .f = f, .to = y, .from = x, .back = back,
		    .scale = f->scale, .scratch = scratch };

		if (f->want.kind == TAF_FFT_COMPLEX)
			transform(&l);
		else
			real_line(&l, y, x);
	}
}

size_t
taf_fft_side_scratch(const struct taf_fft *f)
{
	const size_t n = f->way == TAF_FFT_ODD_REAL ? taf_fft_odd_scratch(f, true) :
	    taf_fft_lanes_scratch(f);

	return taf_fft_round_up(n * sizeof(double), ALIGN) + ALIGN;
}

void
taf_fft_side(const struct taf_fft *f, const struct taf_fft_side *s, void *scratch)
{
	const size_t word = f->want.narrow ? sizeof(float) : sizeof(double);
	const size_t in = f->want.kind == TAF_FFT_REAL ? word : 2 * word;
	const size_t out = f->want.kind == TAF_FFT_HALF ? word : 2 * word;
	struct taf_fft_lanes l = { .f = f, .to_step = s->to_step,
	    .from_step = s->from_step, .to_lane = 1, .from_lane = 1, .points = s->points,
	    .shift = s->shift, .scratch = aligned(scratch) };
	size_t at;

	for (at = 0; at < s->lines; at += l.lines) {
		l.lines = s->lines - at < LANES ? s->lines - at : LANES;
		l.to = (char *)s->to + at * out;
		l.from = (const char *)s->from + at * in;
		lanes(&l);
	}
}
