#include "config.h"

#include "kernel/fft.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/fast.h"
#include "kernel/fft_private.h"

enum {
	NARROW = 8,		/* the fewest rows and columns that are worth a matrix */
	WHOLE = 128 * 1024,	/* bytes of pairs up to which all columns are taken at once */
	APART = 64,		/* bytes between planes: they must not lie a power of 2 apart */
	COLUMNS = 128		/* bytes of a row that are taken at once of larger ones */
};

static const struct taf_fft_typed *
typed(const struct taf_fft *f)
{
	return f->want.narrow ? &taf_fft_flt32 : &taf_fft_flt64;
}

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

/* How good a matrix of a rows and b columns is: full vectors, and as square as can be. */
static double
worth(size_t a, size_t b, size_t lanes)
{
	const double ra = (double)((a + lanes - 1) / lanes * lanes) / (double)a;
	const double rb = (double)((b + lanes - 1) / lanes * lanes) / (double)b;
	const double skew = a > b ? (double)a / (double)b : (double)b / (double)a;

	return -(ra + rb + skew / 8);
}

/* The rows of the best matrix for n points, or 0. */
static size_t
best_rows(size_t n, size_t lanes)
{
	size_t best = 0, a;

	for (a = NARROW; a <= n / NARROW; a++)
		if (n % a == 0 && (best == 0 ||
		    worth(a, n / a, lanes) > worth(best, n / best, lanes)))
			best = a;
	return best;
}

static size_t
round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* exp(-2 pi i k j / h) as planes of rows k, of which those behind a are zeros. */
static enum taf_status
plan_cell(struct taf_fft *f, size_t lanes, struct taf_err *e)
{
	const size_t a = f->first.n, wide = f->wide[0], all = round_up(a, lanes) * wide;
	const size_t used = wide < f->second.n ? wide : f->second.n;
	double *v = calloc(2 * all, sizeof *v), *row = taf_alloc(used, 2 * sizeof *row);
	size_t k, j;

	for (k = 0; k < a && v != NULL && row != NULL; k++) {
		taf_fft_turns(row, used, 0, k, f->h);
		for (j = 0; j < used; j++) {
			v[k * wide + j] = row[2 * j];
			v[all + k * wide + j] = row[2 * j + 1];
		}
	}
	if (v != NULL && row != NULL)
		f->cell = taf_fft_table(v, 2 * all, f->want.narrow);
	free(row);
	free(v);
	return f->cell != NULL ? TAF_OK : taf_fail_mem(e);
}

static enum taf_status
plan_matrix(struct taf_fft *f, size_t a, struct taf_err *e)
{
	const size_t lanes = typed(f)->lanes, b = f->h / a, word = 64 / lanes;
	const bool whole = f->h * 2 * word <= WHOLE;
	enum taf_status st;

	f->way = TAF_FFT_SPLIT;
	f->wide[0] = whole ? round_up(b, lanes) : COLUMNS / word;
	f->wide[1] = whole ? round_up(a, lanes) : COLUMNS / word;
	st = taf_fft_steps_open(&f->first, a, f->want.narrow, e);
	if (st == TAF_OK)
		st = taf_fft_steps_open(&f->second, b, f->want.narrow, e);
	if (st == TAF_OK)
		st = plan_cell(f, lanes, e);
	if (st != TAF_OK || whole)
		return st;
	f->grain = 1;
	while (f->grain * f->grain < f->h)
		f->grain *= 2;
	f->low = taf_alloc(f->grain, 2 * sizeof *f->low);
	f->high = taf_alloc(f->h / f->grain + 1, 2 * sizeof *f->high);
	if (f->low == NULL || f->high == NULL)
		return taf_fail_mem(e);
	taf_fft_turns(f->low, f->grain, 0, 1, f->h);
	taf_fft_turns(f->high, f->h / f->grain + 1, 0, f->grain, f->h);
	return TAF_OK;
}

/* n points as a convolution with exp(i pi k^2 / n). */
static enum taf_status
plan_chirp(struct taf_fft *f, struct taf_err *e)
{
	const struct taf_fft_want want = { .n = (size_t)taf_fft_fast(2 * f->h - 1) };
	const size_t n = f->h;
	size_t room, k;
	uint64_t square = 0;
	double *v, *work;
	enum taf_status st;

	f->way = TAF_FFT_CHIRP;
	st = taf_fft_open(&f->inner, &want, e);
	if (st != TAF_OK)
		return st;
	room = taf_fft_room(f->inner);
	v = calloc(want.n, 2 * sizeof *v);
	work = aligned_alloc(64, room);
	f->chirp = taf_alloc(n, 2 * sizeof *v);
	f->spectrum = taf_alloc(want.n, 2 * sizeof *v);
	if (v == NULL || work == NULL || f->chirp == NULL || f->spectrum == NULL) {
		free(v);
		free(work);
		return taf_fail_mem(e);
	}
	for (k = 0; k < n; k++) {
		double *c = f->chirp + 2 * k;
		const size_t other = k == 0 ? 0 : want.n - k;

		taf_fft_turns(c, 1, square, 0, 2 * (uint64_t)n);
		v[2 * k] = v[2 * other] = c[0] / (double)want.n;
		v[2 * k + 1] = v[2 * other + 1] = -c[1] / (double)want.n;
		square = (square + 2 * k + 1) % (2 * (uint64_t)n);
	}
	taf_fft_lines(f->inner, f->spectrum, v, 1, work);
	free(work);
	free(v);
	return TAF_OK;
}

/* Turns that a real transform needs besides that of its pairs. */
static enum taf_status
plan_pairs(struct taf_fft *f, struct taf_err *e)
{
	const size_t many = f->h / 2 / TAF_FFT_FEW + 1;
	double few[TAF_FFT_FEW][2], planes[2][TAF_FFT_FEW];
	size_t k;

	taf_fft_turns(*few, TAF_FFT_FEW, 0, 1, f->want.n);
	for (k = 0; k < TAF_FFT_FEW; k++) {
		planes[0][k] = few[k][0];
		planes[1][k] = few[k][1];
	}
	f->few = taf_fft_table(*planes, 2 * TAF_FFT_FEW, f->want.narrow);
	f->many = taf_alloc(many, 2 * sizeof *f->many);
	if (f->few == NULL || f->many == NULL)
		return taf_fail_mem(e);
	taf_fft_turns(f->many, many, 0, TAF_FFT_FEW, f->want.n);
	return TAF_OK;
}

static bool
in_pairs(const struct taf_fft *f)
{
	return f->want.kind != TAF_FFT_COMPLEX && f->want.n % 2 == 0;
}

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Numbers that the planes of a line take. */
static void
plan_room(struct taf_fft *f)
{
	const size_t lanes = typed(f)->lanes, pad = APART / (64 / lanes);
	size_t plane[2] = { 0, 0 };
	unsigned k;

	if (f->way == TAF_FFT_TINY) {
		plane[0] = plane[1] = f->h * lanes;
	} else if (f->way == TAF_FFT_SPLIT) {
		plane[0] = round_up(f->first.n, f->wide[1]) * f->second.n;
		plane[1] = larger(round_up(f->first.n, lanes) * f->wide[0],
		    f->second.n * f->wide[1]);
	}
	for (k = 0; k < 3; k++)
		f->words[k] = 2 * (plane[k > 0] + pad);
}

static enum taf_status
plan(struct taf_fft *f, struct taf_err *e)
{
	const size_t lanes = typed(f)->lanes;
	enum taf_status st;
	size_t a;

	f->h = in_pairs(f) ? f->want.n / 2 : f->want.n;
	if (without_factors(f->h, TAF_FFT_ODD) > 1) {
		st = plan_chirp(f, e);
	} else {
		a = f->h < NARROW * NARROW ? 0 : best_rows(f->h, lanes);
		if (a > 0)
			st = plan_matrix(f, a, e);
		else
			st = taf_fft_steps_open(&f->first, f->h, f->want.narrow, e);
	}
	plan_room(f);
	return st == TAF_OK && in_pairs(f) ? plan_pairs(f, e) : st;
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
	free(f->cell);
	free(f->low);
	free(f->high);
	free(f->few);
	free(f->many);
	free(f->chirp);
	free(f->spectrum);
	free(f);
}

/* Pairs of a line that lie beside from and to, in bytes. */
static size_t
beside(const struct taf_fft *f)
{
	const size_t pair = f->want.narrow ? 2 * sizeof(float) : 2 * sizeof(double);

	if (f->want.kind == TAF_FFT_COMPLEX || (f->want.kind == TAF_FFT_REAL && in_pairs(f)))
		return 0;
	/* pairs that are made of the numbers, and those of all frequencies */
	return round_up((in_pairs(f) ? 1 : 2) * f->h * pair, 64);
}

static size_t
transform_room(const struct taf_fft *f)
{
	if (f->way == TAF_FFT_CHIRP)
		return 2 * round_up(f->inner->h * 2 * sizeof(double), 64) +
		    taf_fft_room(f->inner);
	return round_up((f->words[0] + f->words[1] + f->words[2]) * (64 / typed(f)->lanes), 64);
}

size_t
taf_fft_room(const struct taf_fft *f)
{
	return beside(f) + transform_room(f);
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

static void
convolve(const struct taf_fft_line *l)
{
	const struct taf_fft *f = l->f, *inner = f->inner;
	const size_t n = inner->h;
	double *const x = l->room;
	double *const y = x + round_up(2 * n, 64 / sizeof *x);
	struct taf_fft_line in = { .f = inner, .to = y, .from = x, .lines = 1, .scale = 1,
	    .room = y + round_up(2 * n, 64 / sizeof *y) };

	typed(f)->widen(x, l->from, f->h, l->back);
	multiply(x, x, f->chirp, f->h);
	memset(x + 2 * f->h, 0, (n - f->h) * 2 * sizeof *x);
	taf_fft_flt64.line(&in);
	multiply(x, y, f->spectrum, n);
	in.back = true;
	taf_fft_flt64.line(&in);
	multiply(y, y, f->chirp, f->h);
	typed(f)->narrow(l, y, f->h);
}

/* Pairs to pairs. */
static void
transform(const struct taf_fft_line *l)
{
	const size_t pair = l->f->want.narrow ? 2 * sizeof(float) : 2 * sizeof(double);
	const size_t lanes = l->f->way == TAF_FFT_TINY ? typed(l->f)->lanes : 1;
	struct taf_fft_line part = *l;
	size_t at;

	for (at = 0; at < l->lines; at += part.lines) {
		part.lines = l->lines - at < lanes ? l->lines - at : lanes;
		part.from = (const char *)l->from + at * l->f->h * pair;
		part.to = (char *)l->to + at * l->f->h * pair;
		if (l->f->way == TAF_FFT_CHIRP)
			convolve(&part);
		else
			typed(l->f)->line(&part);
	}
}

/* A line of an odd number of numbers, as pairs, and their transform. */
static void
odd_line(const struct taf_fft *f, void *to, const void *from, const struct taf_fft_line *with)
{
	const size_t n = f->want.n, word = f->want.narrow ? sizeof(float) : sizeof(double);
	const bool real = f->want.kind == TAF_FFT_REAL;
	struct taf_fft_line l = *with;
	char *x = l.room, *y = x + 2 * n * word;
	size_t k;

	l.room = x + beside(f);
	l.from = x;
	l.to = y;
	l.lines = 1;
	if (real) {
		memset(x, 0, 2 * n * word);
		for (k = 0; k < n; k++)
			memcpy(x + 2 * k * word, (const char *)from + k * word, word);
		transform(&l);
		memcpy(to, y, (n / 2 + 1) * 2 * word);
		return;
	}
	typed(f)->mirror(x, from, n);
	transform(&l);
	for (k = 0; k < n; k++)
		memcpy((char *)to + k * word, y + 2 * k * word, word);
}

void
taf_fft_lines(const struct taf_fft *f, void *to, const void *from, size_t lines, void *room)
{
	const size_t word = f->want.narrow ? sizeof(float) : sizeof(double);
	const size_t half = (f->want.n / 2 + 1) * 2 * word, whole = f->want.n * word;
	const bool back = f->want.inverse || f->want.kind == TAF_FFT_HALF;
	struct taf_fft_line l = { .f = f, .to = to, .from = from, .lines = lines,
	    .back = back, .scale = back ? 1 / (double)f->want.n : 1, .room = room };
	size_t k;

	if (f->want.kind == TAF_FFT_COMPLEX) {
		transform(&l);
		return;
	}
	l.lines = 1;
	for (k = 0; k < lines; k++) {
		const bool real = f->want.kind == TAF_FFT_REAL;
		char *const y = (char *)to + k * (real ? half : whole);
		const char *const x = (const char *)from + k * (real ? whole : half);

		l.from = x;
		l.to = y;
		l.room = room;
		if (!in_pairs(f)) {
			odd_line(f, y, x, &l);
		} else if (real) {
			transform(&l);
			typed(f)->unpack(f, y);
		} else {
			typed(f)->pack(f, room, x);
			l.from = room;
			l.room = (char *)room + beside(f);
			transform(&l);
		}
	}
}
