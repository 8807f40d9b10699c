/* SPDX-License-Identifier: ISC */
#include "op/fft/longline.h"

#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "io/spool.h"
#include "io/temp.h"
#include "kernel/fft/fft_twiddle.h"
#include "stream/tiles.h"

enum {
	PAIR = 2 * sizeof(double),
	/* runs that are transposed at once: they fill lines of the cache */
	ROWS = 8,
	/* lines of a tile that are worth more than another thread */
	WIDE = 64,
	FEW = 4,		/* the fewest lines of a tile */
	TILE = 1 << 24,		/* bytes of a tile of as many lines as are worth it */
	PART = 512,		/* pairs that are looked at with their mirror */
	BLOCK = 32 * 1024,	/* pairs of a read or write, where memory allows */
	TABLES = 3,		/* of twiddles, roughly as large as that of the matrix */
	SKEW = 64		/* columns for each row of a matrix, at most */
};

/* Pairs in a temporary file. */
struct pairs {
	struct taf_spool spool;
	struct taf_in *in;	/* once they are all written */
	uint64_t base;
	bool narrow;
};

typedef enum taf_status get_pairs(void *ctx, double *to, uint64_t first, size_t n,
    struct taf_err *e);

/* A transform of n = rows * columns pairs, which lie row by row. */
struct matrix {
	const struct taf_service *service;	/* or NULL */
	uint64_t n, rows, columns;
	bool back, narrow;
	double scale;
	uint64_t memory;
	unsigned threads;
	get_pairs *get;
	void *ctx;
	struct taf_twiddle twiddle;
	size_t wide;		/* columns of a tile of the first pass */
};

struct taf_longline {
	struct taf_longline_want want;
	uint64_t h;		/* pairs that are transformed */
	bool halves;		/* they are numbers side by side */
	bool chirped;
	struct taf_twiddle real, chirp;
	uint64_t m;		/* length of the convolution */
	struct pairs x, y;	/* results; and what is convolved with them */
	char *map;		/* of a line that is transformed as in memory */
	size_t mapped, at;	/* bytes; and where results begin */
};

static size_t
word(bool narrow)
{
	return narrow ? sizeof(float) : sizeof(double);
}

static enum taf_status
open_twiddle(struct taf_twiddle *t, uint64_t n, struct taf_err *e)
{
	return taf_twiddle_open(t, n, taf_twiddle_shift(n), n, e);
}

static enum taf_status
begin_pairs(struct pairs *p, uint64_t n, bool narrow, struct taf_err *e)
{
	const uint64_t bytes = n * 2 * word(narrow);
	const enum taf_status st = taf_spool_region(&p->spool, bytes, &p->base, e);

	p->narrow = narrow;
	return st == TAF_OK ? taf_out_reserve(p->spool.out, p->base, bytes, e) : st;
}

static enum taf_status
end_pairs(struct pairs *p, enum taf_status st, struct taf_err *e)
{
	return taf_spool_end(&p->spool, st, "temporary file", &p->in, e);
}

static void
close_pairs(struct pairs *p)
{
	taf_in_close(p->in);
	p->in = NULL;
	taf_spool_discard(&p->spool);
}

/* They are lost. */
static enum taf_status
write_pairs(struct pairs *p, double *v, uint64_t first, size_t n, struct taf_err *e)
{
	const size_t size = 2 * word(p->narrow);
	size_t i;

	for (i = 0; i < 2 * n && p->narrow; i++) {
		const float f = (float)v[i];

		memcpy((char *)v + i * sizeof f, &f, sizeof f);
	}
	return taf_out_pwrite(p->spool.out, v, n * size, p->base + first * size, e);
}

static enum taf_status
read_pairs(const struct pairs *p, double *v, uint64_t first, size_t n, struct taf_err *e)
{
	const size_t size = 2 * word(p->narrow);
	/* narrow ones come to the second half, ahead of what they become */
	char *const to = (char *)v + (p->narrow ? n * size : 0);
	const enum taf_status st = taf_in_pread(p->in, to, n * size, first * size, e);
	float f;
	size_t i;

	for (i = 0; i < 2 * n && p->narrow && st == TAF_OK; i++) {
		memcpy(&f, to + i * sizeof f, sizeof f);
		v[i] = (double)f;
	}
	return st;
}

/* Bytes that a thread needs for transforms of len pairs, but for its tile, roughly. */
static uint64_t
bytes_for(uint64_t len)
{
	uint64_t rest = len, p;

	for (p = 2; p <= 61; p++)
		while (rest % p == 0)
			rest /= p;
	/* the line, its scratch and tables; a large prime makes it a convolution */
	return len * (rest == 1 ? 7 : 28) * PAIR + 1024;
}

/* What a pass over lines of this length needs at least. */
static uint64_t
least_bytes(const struct matrix *m, uint64_t len)
{
	return TABLES * taf_twiddle_size(m->n) + bytes_for(len) +
	    (len * FEW + 2 * ROWS * FEW) * PAIR;
}

/*
 * The factors of n that are nearest to each other; false where they are too far apart.
 * They follow from n alone, and the memory is at least what they need.
 */
static bool
split(struct matrix *m)
{
	uint64_t a;

	for (m->rows = 0, a = 1; a <= m->n / a; a++)
		if (m->n % a == 0 && m->n / a <= SKEW * a)
			m->rows = a;
	m->columns = m->rows > 0 ? m->n / m->rows : 0;
	if (m->rows > 0 && m->memory < least_bytes(m, m->columns))
		m->memory = least_bytes(m, m->columns);
	return m->rows > 0;
}

/* What a tile has: lines from number first on, in its scratch. */
struct workspace {
	uint64_t first;
	double *tile, *line, *block;
	void *scratch;
};

/* Lines of len points, wide of them at a time: the columns, or the rows behind those. */
struct pass {
	const struct matrix *m;
	bool second;
	size_t len, wide, block;
	uint64_t lines, next;
	struct taf_fft *fft;
	struct pairs *from, *to;
	uint64_t first[TAF_THREADS_MOST];	/* of the lines of each thread */
};

/* Make to of the n lines of from, transposed: runs of n, one for each of count points. */
static void
transpose(double *to, const double *from, size_t len, size_t n, size_t count)
{
	size_t at, i, k, some;

	for (at = 0; at < count; at += some) {
		some = count - at < ROWS ? count - at : ROWS;
		for (i = 0; i < n; i++)
			for (k = at; k < at + some; k++) {
				to[2 * (k * n + i)] = from[2 * (i * len + k)];
				to[2 * (k * n + i) + 1] = from[2 * (i * len + k) + 1];
			}
	}
}

/* n columns of the matrix. */
static enum taf_status
load_columns(const struct pass *p, const struct workspace *d, size_t n, struct taf_err *e)
{
	const struct matrix *m = p->m;
	enum taf_status st = TAF_OK;
	size_t row, i, k, some;

	for (row = 0; row < p->len && st == TAF_OK; row += some) {
		some = p->len - row < ROWS ? p->len - row : ROWS;
		for (k = 0; k < some && st == TAF_OK; k++)
			st = m->get(m->ctx, d->block + 2 * k * n,
			    (row + k) * m->columns + d->first, n, e);
		for (i = 0; i < n; i++)
			for (k = 0; k < some; k++) {
				double *const to = d->tile + 2 * (i * p->len + row + k);

				to[0] = d->block[2 * (k * n + i)];
				to[1] = d->block[2 * (k * n + i) + 1];
			}
	}
	return st;
}

/* n rows of what the first pass made: its tiles lie one behind the other. */
static enum taf_status
load_rows(const struct pass *p, const struct workspace *d, size_t n, struct taf_err *e)
{
	const struct matrix *m = p->m;
	enum taf_status st = TAF_OK;
	size_t at, wide, row, k, some;

	for (at = 0; at < p->len; at += wide) {
		wide = p->len - at < m->wide ? p->len - at : m->wide;
		for (row = 0; row < n && st == TAF_OK; row += some) {
			some = p->block / wide < n - row ? p->block / wide : n - row;
			st = read_pairs(p->from, d->block,
			    at * m->rows + (d->first + row) * wide, some * wide, e);
			for (k = 0; k < some; k++)
				memcpy(d->tile + 2 * ((row + k) * p->len + at),
				    d->block + 2 * k * wide, wide * PAIR);
		}
	}
	return st;
}

static void
transform(const struct pass *p, const struct workspace *d, size_t n)
{
	const struct matrix *m = p->m;
	size_t i, k;

	for (i = 0; i < n; i++) {
		double *const x = d->tile + 2 * i * p->len;

		taf_fft_lines(p->fft, d->line, x, 1, d->scratch);
		if (!p->second)
			taf_twiddle_steps(&m->twiddle, d->line, p->len, d->first + i,
			    m->back);
		for (k = 0; k < 2 * p->len && p->second && m->scale != 1; k++)
			d->line[k] *= m->scale;
		memcpy(x, d->line, p->len * PAIR);
	}
}

/*
 * Point by point: in one piece from the first pass, as rows of the result from the
 * second.
 */
static enum taf_status
save(const struct pass *p, const struct workspace *d, size_t n, struct taf_err *e)
{
	const struct matrix *m = p->m;
	enum taf_status st = TAF_OK;
	size_t at, k, some;

	for (at = 0; at < p->len && st == TAF_OK; at += some) {
		some = p->block / n < p->len - at ? p->block / n : p->len - at;
		transpose(d->block, d->tile + 2 * at, p->len, n, some);
		if (!p->second)
			st = write_pairs(p->to, d->block, d->first * m->rows + at * n,
			    some * n, e);
		for (k = 0; k < some && p->second && st == TAF_OK; k++)
			st = write_pairs(p->to, d->block + 2 * k * n,
			    (at + k) * m->rows + d->first, n, e);
	}
	return st;
}

/* Bytes of scratch of a transform, so that what is behind it is aligned. */
static size_t
fft_bytes(const struct pass *p)
{
	return (taf_fft_scratch(p->fft) + 63) / 64 * 64;
}

static bool
next(void *ctx, struct taf_tile *t)
{
	struct pass *p = ctx;
	const uint64_t done = p->next < p->lines ? p->next : p->lines;

	if (p->m->service != NULL)
		taf_progress(p->m->service, (p->second ? p->lines + done : done) *
		    p->len * PAIR, 2 * p->lines * p->len * PAIR);
	p->first[t->slot] = p->next;
	p->next += p->wide;
	t->out = (struct taf_runs){ .n = p->len, .runs = p->wide };
	t->scratch_size = fft_bytes(p) + (p->len * (p->wide + 1) + p->block) * PAIR;
	return done < p->lines;
}

static enum taf_status
work(void *ctx, struct taf_tile *t, struct taf_err *e)
{
	struct pass *p = ctx;
	double *const tile = (double *)(void *)((char *)t->scratch + fft_bytes(p));
	const struct workspace d = { p->first[t->slot], tile, tile + 2 * p->len * p->wide,
		tile + 2 * p->len * (p->wide + 1), t->scratch };
	const uint64_t left = p->lines - d.first;
	const size_t n = left < p->wide ? (size_t)left : p->wide;
	enum taf_status st;

	st = p->second ? load_rows(p, &d, n, e) : load_columns(p, &d, n, e);
	if (st != TAF_OK)
		return st;
	transform(p, &d, n);
	return save(p, &d, n, e);
}

/* How many lines a tile has, and how many threads share the memory. */
static unsigned
plan(struct pass *p)
{
	const uint64_t memory = p->m->memory - TABLES * taf_twiddle_size(p->m->n);
	const uint64_t fixed = bytes_for(p->len), least = p->second ? p->m->wide : 1;
	unsigned threads = p->m->threads;
	uint64_t wide, most, each, block = BLOCK;

	if (threads > TAF_THREADS_MOST)
		threads = TAF_THREADS_MOST;
	for (;; threads--) {
		each = memory / threads;
		while (block > each / 16 / PAIR)
			block /= 2;
		wide = each > fixed + block * PAIR ? (each - fixed - block * PAIR) /
		    PAIR / (p->len + ROWS) : 0;
		if (threads == 1 || wide >= WIDE)
			break;
	}
	most = TILE / PAIR / p->len > WIDE ? TILE / PAIR / p->len : WIDE;
	wide = wide < most ? wide : most;
	wide = wide < FEW ? FEW : wide < p->lines ? wide : p->lines;
	block = block > ROWS * wide ? block : ROWS * wide;
	p->wide = (size_t)wide;
	p->block = (size_t)(block > least ? block : least);
	return threads;
}

static enum taf_status
run_pass(struct pass *p, struct taf_err *e)
{
	const struct taf_fft_want fft = { .n = p->len, .inverse = p->m->back };
	const struct taf_tiles tiles = { .threads = plan(p), .ctx = p, .next = next,
		.work = work };
	enum taf_status st = taf_fft_open(&p->fft, &fft, e);

	if (st == TAF_OK)
		st = taf_tiles(&tiles, e);
	taf_fft_close(p->fft);
	return st;
}

/* Columns, twiddles, rows: result k + rows j is point j of row k. */
static enum taf_status
run_matrix(struct matrix *m, struct pairs *result, struct taf_err *e)
{
	struct pairs middle = { .spool = { .fd = -1 } };
	struct pass *p = calloc(2, sizeof *p);
	enum taf_status st = p == NULL ? taf_fail_mem(e) :
	    open_twiddle(&m->twiddle, m->n, e);

	if (st == TAF_OK)
		st = begin_pairs(&middle, m->n, m->narrow, e);
	if (st == TAF_OK) {
		p[0] = (struct pass){ .m = m, .len = (size_t)m->rows, .lines = m->columns,
		    .to = &middle };
		st = run_pass(&p[0], e);
		m->wide = p[0].wide;
		st = end_pairs(&middle, st, e);
	}
	if (st == TAF_OK)
		st = begin_pairs(result, m->n, m->narrow, e);
	if (st == TAF_OK) {
		p[1] = (struct pass){ .m = m, .second = true, .len = (size_t)m->columns,
		    .lines = m->rows, .from = &middle, .to = result };
		st = run_pass(&p[1], e);
		st = end_pairs(result, st, e);
	}
	close_pairs(&middle);
	taf_twiddle_close(&m->twiddle);
	free(p);
	return st;
}

/* Frequencies of a half: those at its ends are real, whatever they say. */
static enum taf_status
get_half(const struct taf_longline *l, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	const struct taf_longline_want *w = &l->want;
	const enum taf_status st = w->get(w->ctx, to, first, n, e);

	if (first == 0)
		to[1] = 0;
	if (w->n % 2 == 0 && n > w->n / 2 - first)
		to[2 * (w->n / 2 - first) + 1] = 0;
	return st;
}

/* They become their conjugates, in the other order. */
static void
reverse(double *v, size_t n)
{
	size_t i;

	for (i = 0; i < n / 2; i++) {
		double *const a = v + 2 * i, *const b = v + 2 * (n - 1 - i);
		const double re = a[0], im = a[1];

		a[0] = b[0];
		a[1] = b[1];
		b[0] = re;
		b[1] = im;
	}
	for (i = 0; i < n; i++)
		v[2 * i + 1] = -v[2 * i + 1];
}

/* Pairs of twice as many numbers, from their half spectrum. */
static enum taf_status
get_together(const struct taf_longline *l, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	double mirror[2 * PART];
	enum taf_status st = TAF_OK;
	size_t at, some;

	for (at = 0; at < n && st == TAF_OK; at += some) {
		some = n - at < PART ? n - at : PART;
		st = get_half(l, to + 2 * at, first + at, some, e);
		if (st == TAF_OK)
			st = get_half(l, mirror, l->h - (first + at) - (some - 1), some,
			    e);
		if (st == TAF_OK)
			taf_twiddle_together(&l->real, to + 2 * at, mirror, some,
			    first + at);
	}
	return st;
}

/* Pairs of a spectrum of which there is a half. */
static enum taf_status
get_mirrored(const struct taf_longline *l, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	const uint64_t half = l->h / 2 + 1;
	const size_t low = first >= half ? 0 : half - first < n ? (size_t)(half - first) :
	    n;
	enum taf_status st = TAF_OK;

	if (low > 0)
		st = get_half(l, to, first, low, e);
	if (low < n && st == TAF_OK) {
		st = get_half(l, to + 2 * low, l->h - (first + n - 1), n - low, e);
		reverse(to + 2 * low, n - low);
	}
	return st;
}

/* What is transformed. */
static enum taf_status
get_points(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct taf_longline *l = ctx;
	const struct taf_longline_want *w = &l->want;
	enum taf_status st;
	size_t i;

	if (w->kind == TAF_FFT_HALF)
		return l->halves ? get_together(l, to, first, n, e) :
		    get_mirrored(l, to, first, n, e);
	if (l->halves)
		return w->get(w->ctx, to, 2 * first, 2 * n, e);
	st = w->get(w->ctx, to, first, n, e);
	for (i = n; i-- > 0 && w->kind == TAF_FFT_REAL;) {
		to[2 * i] = to[i];
		to[2 * i + 1] = 0;
	}
	return st;
}

static bool
goes_back(const struct taf_longline *l)
{
	return l->want.inverse || l->want.kind == TAF_FFT_HALF;
}

/* The same, as it is convolved. */
static enum taf_status
get_chirped(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct taf_longline *l = ctx;
	const size_t some = first >= l->h ? 0 : l->h - first < n ?
	    (size_t)(l->h - first) : n;
	enum taf_status st = TAF_OK;

	if (some > 0)
		st = get_points(ctx, to, first, some, e);
	if (st == TAF_OK)
		taf_twiddle_squares(&l->chirp, to, some, first, goes_back(l));
	memset(to + 2 * some, 0, (n - some) * PAIR);
	return st;
}

/* Some pairs of the chirp from first on, below h. */
static void
chirp(const struct taf_longline *l, double *to, uint64_t first, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		to[2 * i] = 1;
		to[2 * i + 1] = 0;
	}
	taf_twiddle_squares(&l->chirp, to, n, first, !goes_back(l));
}

/* With what: the chirp, and backwards at the end. */
static enum taf_status
get_chirp(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct taf_longline *l = ctx;
	const uint64_t end = first + n, tail = l->m - (l->h - 1);
	const uint64_t from = first > tail ? first : tail;
	size_t i;

	(void)e;
	memset(to, 0, n * PAIR);
	if (first < l->h)
		chirp(l, to, first, l->h - first < n ? (size_t)(l->h - first) : n);
	if (end > from) {
		const size_t some = (size_t)(end - from);
		double *const v = to + 2 * (n - some);

		chirp(l, v, l->m - (end - 1), some);
		reverse(v, some);
		for (i = 0; i < some; i++)
			v[2 * i + 1] = -v[2 * i + 1];
	}
	return TAF_OK;
}

static enum taf_status
get_products(void *ctx, double *to, uint64_t first, size_t n, struct taf_err *e)
{
	const struct taf_longline *l = ctx;
	double other[2 * PART];
	enum taf_status st = read_pairs(&l->x, to, first, n, e);
	size_t at, i, some;

	for (at = 0; at < n && st == TAF_OK; at += some) {
		some = n - at < PART ? n - at : PART;
		st = read_pairs(&l->y, other, first + at, some, e);
		for (i = 0; i < some; i++) {
			double *const a = to + 2 * (at + i), re = a[0], im = a[1];
			const double *const b = other + 2 * i;

			a[0] = re * b[0] - im * b[1];
			a[1] = re * b[1] + im * b[0];
		}
	}
	return st;
}

/* A length without factors: a convolution with a chirp, of a length that has some. */
static enum taf_status
convolve(struct taf_longline *l, struct matrix *m, struct taf_err *e)
{
	const double scale = m->scale;
	struct pairs product = { .spool = { .fd = -1 } };
	enum taf_status st;

	m->get = get_chirped;
	m->back = false;
	m->scale = 1;
	st = run_matrix(m, &l->x, e);
	m->get = get_chirp;
	if (st == TAF_OK)
		st = run_matrix(m, &l->y, e);
	m->get = get_products;
	m->back = true;
	m->scale = scale;
	if (st == TAF_OK)
		st = run_matrix(m, &product, e);
	close_pairs(&l->x);
	close_pairs(&l->y);
	l->x = product;
	return st;
}

static enum taf_status
run(struct taf_longline *l, struct taf_err *e)
{
	const struct taf_longline_want *w = &l->want;
	struct matrix m = { .service = w->service, .n = l->h, .narrow = w->narrow,
	    .memory = w->memory, .threads = w->threads < 1 ? 1 : w->threads,
	    .back = goes_back(l), .scale = 1, .get = get_points, .ctx = l };
	enum taf_status st = TAF_OK;

	if (l->halves && w->kind != TAF_FFT_COMPLEX)
		st = open_twiddle(&l->real, w->n, e);
	if (st != TAF_OK)
		return st;
	/* of pairs that are made together there are twice as many in a sum */
	if (l->halves && goes_back(l))
		m.scale = 0.5;
	if (split(&m))
		return run_matrix(&m, &l->x, e);
	l->chirped = true;
	l->m = m.n = taf_fft_fast(2 * l->h - 1);
	if (goes_back(l))
		m.scale /= (double)l->h;
	/* lengths without large factors have such */
	while (!split(&m))
		l->m = m.n = taf_fft_fast(m.n + 1);
	st = open_twiddle(&l->chirp, 2 * l->h, e);
	return st == TAF_OK ? convolve(l, &m, e) : st;
}

/* --- as in memory --- */

/* Numbers of a line as it comes, or of its results. */
static size_t
numbers(const struct taf_longline_want *w, bool results)
{
	const size_t n = (size_t)w->n;

	if (w->kind == (results ? TAF_FFT_HALF : TAF_FFT_REAL))
		return n;
	return 2 * (w->kind == TAF_FFT_COMPLEX ? n : n / 2 + 1);
}

/* The points, as numbers of the line's type. */
static enum taf_status
get_line(const struct taf_longline *l, char *to, struct taf_err *e)
{
	const struct taf_longline_want *w = &l->want;
	const size_t parts = w->kind == TAF_FFT_REAL ? 1 : 2;
	const size_t all = numbers(w, false) / parts;
	double v[2 * PART];
	enum taf_status st = TAF_OK;
	size_t at, i, n;

	for (at = 0; at < all && st == TAF_OK; at += n) {
		n = all - at < PART ? all - at : PART;
		st = w->get(w->ctx, v, at, n, e);
		for (i = 0; i < n * parts && w->single; i++)
			((float *)(void *)to)[at * parts + i] = (float)v[i];
		if (!w->single)
			memcpy(to + at * parts * sizeof *v, v, n * parts * sizeof *v);
	}
	return st;
}

/* Points, results, tables and scratch lie in one file. */
static enum taf_status
run_whole(struct taf_longline *l, struct taf_err *e)
{
	const struct taf_longline_want *w = &l->want;
	struct taf_fft_want want = { .n = (size_t)w->n, .kind = w->kind,
	    .inverse = w->inverse && w->kind == TAF_FFT_COMPLEX, .narrow = w->single };
	const size_t tables = taf_fft_tables(&want), size = word(w->single);
	void *lent = tables > 0 ? taf_temp_map(tables, e) : NULL;
	const size_t in = (numbers(w, false) * size + 63) / 64 * 64,
	    out = (numbers(w, true) * size + 63) / 64 * 64;
	struct taf_fft *f = NULL;
	enum taf_status st;

	if (tables > 0 && lent == NULL)
		return e->code;
	want.tables = lent;
	st = taf_fft_open(&f, &want, e);
	if (st == TAF_OK) {
		l->at = in;
		l->mapped = in + out + taf_fft_scratch(f);
		l->map = taf_temp_map(l->mapped, e);
		st = l->map != NULL ? get_line(l, l->map, e) : e->code;
	}
	if (st == TAF_OK)
		taf_fft_lines(f, l->map + in, l->map, 1, l->map + in + out);
	taf_fft_close(f);
	taf_temp_unmap(lent, tables);
	return st;
}

static void
get_whole(const struct taf_longline *l, double *to, uint64_t first, size_t n)
{
	const struct taf_longline_want *w = &l->want;
	const size_t parts = w->kind == TAF_FFT_HALF ? 1 : 2, at = (size_t)first * parts;
	const float *const x = (const float *)(void *)(l->map + l->at);
	const double *const y = (const double *)(void *)(l->map + l->at);
	size_t i;

	for (i = 0; i < n * parts; i++)
		to[i] = w->single ? (double)x[at + i] : y[at + i];
}

/* A plan: the files of a line, twice where its results are not finite. */
static enum taf_status
foresee(const struct taf_longline *l, struct taf_err *e)
{
	const struct taf_longline_want *w = &l->want;
	const struct taf_fft_want want = { .n = (size_t)w->n, .kind = w->kind };
	const uint64_t pair = 2 * word(w->narrow);
	struct matrix m = { .n = l->h };

	if (w->n <= TAF_LONGLINE && !w->passes) {
		taf_need_map(2 * (taf_fft_tables(&want) + 6 * w->n * word(w->single)));
	} else {
		/* of a length without factors, those of a convolution */
		taf_need_file(2 * pair * (split(&m) ? 2 * l->h : 4 * 5 * l->h));
	}
	return taf_need_end(w->memory, e);
}

enum taf_status
taf_longline_open(struct taf_longline **to, const struct taf_longline_want *want,
    struct taf_err *e)
{
	struct taf_longline *l = calloc(1, sizeof *l);
	enum taf_status st;

	*to = NULL;
	if (l == NULL)
		return taf_fail_mem(e);
	l->want = *want;
	l->halves = want->kind != TAF_FFT_COMPLEX && want->n % 2 == 0;
	l->h = l->halves ? want->n / 2 : want->n;
	l->x.spool.fd = l->y.spool.fd = -1;
	if (taf_need_asked() != NULL)
		st = foresee(l, e);
	else
		st = want->n <= TAF_LONGLINE && !want->passes ? run_whole(l, e) :
		    run(l, e);
	if (st == TAF_OK)
		*to = l;
	else
		taf_longline_close(l);
	return st;
}

void
taf_longline_close(struct taf_longline *l)
{
	if (l == NULL)
		return;
	close_pairs(&l->x);
	close_pairs(&l->y);
	taf_twiddle_close(&l->real);
	taf_twiddle_close(&l->chirp);
	if (l->map != NULL)
		taf_temp_unmap(l->map, l->mapped);
	free(l);
}

/* Results of the transform of pairs. */
static enum taf_status
get_results(const struct taf_longline *l, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	const enum taf_status st = read_pairs(&l->x, to, first, n, e);

	if (l->chirped && st == TAF_OK)
		taf_twiddle_squares(&l->chirp, to, n, first, goes_back(l));
	return st;
}

/* Those of numbers, from theirs. */
static enum taf_status
get_apart(const struct taf_longline *l, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	double mirror[2 * PART];
	enum taf_status st = TAF_OK;
	size_t at, some;

	for (at = 0; at < n && st == TAF_OK; at += some) {
		const uint64_t k = first + at;
		double *const v = to + 2 * at;

		some = n - at < PART ? n - at : PART;
		/* frequency h is frequency 0 */
		if (k == l->h) {
			st = get_results(l, v, 0, 1, e);
			mirror[0] = v[0];
			mirror[1] = v[1];
			some = 1;
		} else {
			some = some < l->h - k ? some : (size_t)(l->h - k);
			st = get_results(l, v, k, some, e);
			if (st == TAF_OK && k > 0) {
				st = get_results(l, mirror, l->h - k - (some - 1), some,
				    e);
			} else if (st == TAF_OK) {
				memcpy(mirror + 2 * (some - 1), v, PAIR);
				if (some > 1)
					st = get_results(l, mirror, l->h - (some - 1),
					    some - 1, e);
			}
		}
		if (st == TAF_OK)
			taf_twiddle_apart(&l->real, v, mirror, some, k);
		if (k == 0)
			v[1] = 0;
		if (k + some > l->h)
			to[2 * (l->h - first) + 1] = 0;
	}
	return st;
}

enum taf_status
taf_longline_get(const struct taf_longline *l, double *to, uint64_t first, size_t n,
    struct taf_err *e)
{
	enum taf_status st;
	size_t i;

	if (l->map != NULL) {
		get_whole(l, to, first, n);
		return TAF_OK;
	}
	if (l->halves)
		return l->want.kind == TAF_FFT_REAL ? get_apart(l, to, first, n, e) :
		    get_results(l, to, first / 2, n / 2 + n % 2, e);
	st = get_results(l, to, first, n, e);
	for (i = 0; i < n && l->want.kind == TAF_FFT_HALF; i++)
		to[i] = to[2 * i];
	return st;
}
