/* SPDX-License-Identifier: ISC */
#include "kernel/fft/correlate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "base/buf.h"
#include "kernel/number/fast.h"

enum {
	LEAST = 8192,		/* lags of a block */
	FEW = 64 * 1024,	/* points of b that are worth to be cut */
	RATIO = 8,		/* and so many times the lags */
	LANES = 8
};

/* Lines of more points have no transform: the next fast length may be far away. */
static const uint64_t most = UINT64_C(1) << 34;

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The power of 2 that is n or more. */
static uint64_t
power(uint64_t n)
{
	uint64_t p = LEAST;

	while (p < n)
		p *= 2;
	return p;
}

/* An even length, as halves of real lines are worth a transform. */
static uint64_t
fast(uint64_t n)
{
	return n > most ? UINT64_MAX : 2 * taf_fft_fast((n + 1) / 2);
}

static uint64_t
clamp(int64_t i, uint64_t n)
{
	return i < 0 ? 0 : (uint64_t)i < n ? (uint64_t)i : n;
}

/* The points of a that lags from lo on, n of them, are made of. */
static void
points(const struct taf_correlate *c, int64_t lo, uint64_t n, uint64_t span[2])
{
	span[0] = clamp(lo, c->len[0] - 1);
	span[1] = larger(span[0] + 1,
	    clamp(lo + (int64_t)(n - 1 + c->len[1]), c->len[0]));
}

void
taf_correlate_plan(struct taf_correlate *c)
{
	const uint64_t b = c->len[1];
	uint64_t span[2], n;

	c->block = c->lags;
	c->length = UINT64_MAX;
	c->few = c->few && b >= FEW && b / RATIO >= c->lags && c->lags < most / 4;
	if (c->few) {
		c->block = power(3 * c->lags);
		c->length = fast(c->block + c->lags - 1);
	} else if (b < most / 4 && c->lags / 2 > power(3 * b)) {
		c->block = power(3 * b);
		c->length = fast(c->block + b - 1);
	} else if (b < most && c->lags < most) {
		/* lags that are not wanted may fall on one another */
		points(c, c->lo, c->lags, span);
		n = larger(larger(b, c->lags), span[1] - span[0]);
		n = larger(n, (uint64_t)((int64_t)span[1] - c->lo));
		c->length = fast(larger(n, (uint64_t)(c->lo + (int64_t)(c->lags + b - 1 -
		    span[0]))));
	}
}

enum taf_status
taf_correlate_open(struct taf_correlate *c, struct taf_err *e)
{
	struct taf_fft_want want = { .n = (size_t)c->length,
	    .kind = c->pairs ? TAF_FFT_COMPLEX : TAF_FFT_REAL };

	c->to = c->back = NULL;
	if (taf_fft_open(&c->to, &want, e) != TAF_OK)
		return e->code;
	want.inverse = c->pairs;
	want.kind = c->pairs ? TAF_FFT_COMPLEX : TAF_FFT_HALF;
	return taf_fft_open(&c->back, &want, e);
}

void
taf_correlate_close(struct taf_correlate *c)
{
	taf_fft_close(c->to);
	taf_fft_close(c->back);
}

size_t
taf_correlate_pairs(const struct taf_correlate *c)
{
	return (size_t)(c->pairs ? c->length : c->length / 2 + 1);
}

/* Of the larger transform, in whole lines of cache. */
static size_t
scratch(const struct taf_correlate *c)
{
	const size_t to = taf_fft_scratch(c->to), back = taf_fft_scratch(c->back);

	return ((to > back ? to : back) + 63) / 64 * 64;
}

/* Numbers that points and their transform take. */
static size_t
numbers(const struct taf_correlate *c)
{
	return 2 * taf_correlate_pairs(c);
}

size_t
taf_correlate_need(const struct taf_correlate *c)
{
	return scratch(c) + 2 * numbers(c) * sizeof(double) +
	    ((size_t)c->block + 1) * sizeof(int64_t);
}

enum taf_status
taf_correlate_workspace_open(struct taf_correlate_workspace *d,
    const struct taf_correlate *c, struct taf_err *e)
{
	d->scratch = aligned_alloc(64, scratch(c));
	d->x = taf_alloc(numbers(c), sizeof *d->x);
	d->y = taf_alloc(numbers(c), sizeof *d->y);
	d->marks = taf_alloc((size_t)c->block + 1, sizeof *d->marks);
	return d->scratch != NULL && d->x != NULL && d->y != NULL && d->marks != NULL ?
	    TAF_OK : taf_fail_mem(e);
}

void
taf_correlate_workspace_close(struct taf_correlate_workspace *d)
{
	free(d->scratch);
	free(d->x);
	free(d->y);
	free(d->marks);
}

/* What some numbers are like. */
struct look {
	double most;
	bool whole, finite;
};

TAF_WIDE_VOID(look, (const double *x, size_t n, struct look *s), (x, n, s))
{
	double top[LANES] = { 0 };
	uint64_t odd[LANES] = { 0 }, wild[LANES] = { 0 };
	size_t i;

	for (i = 0; i + LANES <= n; i += LANES)
		for (size_t k = 0; k < LANES; k++) {
			const double v = fabs(x[i + k]);

			top[k] = v > top[k] ? v : top[k];
			odd[k] |= (v + 0x1p52) - 0x1p52 != v ? 1 : 0;
			wild[k] |= v <= DBL_MAX ? 0 : 1;
		}
	for (; i < n; i++) {
		const double v = fabs(x[i]);

		top[0] = v > top[0] ? v : top[0];
		odd[0] |= (v + 0x1p52) - 0x1p52 != v ? 1 : 0;
		wild[0] |= v <= DBL_MAX ? 0 : 1;
	}
	*s = (struct look){ 0, true, true };
	for (size_t k = 0; k < LANES; k++) {
		s->most = top[k] > s->most ? top[k] : s->most;
		s->whole = s->whole && odd[k] == 0;
		s->finite = s->finite && wild[k] == 0;
	}
}

/* The same where some are not finite, of the others. */
static void
look_again(const double *x, size_t n, struct look *s)
{
	size_t i;

	s->most = 0;
	s->whole = true;
	for (i = 0; i < n; i++) {
		const double v = fabs(x[i]);

		if (!(v <= DBL_MAX))
			continue;
		s->most = v > s->most ? v : s->most;
		s->whole = s->whole && (v + 0x1p52) - 0x1p52 == v;
	}
}

/* Numbers so large or small that a product of spectra might be lost are scaled. */
static int
scale_of(double size)
{
	int e = 0;

	if (size > 0x1p200 || (size > 0 && size < 0x1p-200))
		(void)frexp(size, &e);
	return -e;
}

void
taf_correlate_spectrum(const struct taf_correlate *c, struct taf_correlate_workspace *d,
    const struct taf_stretch *p, size_t at, struct taf_spectrum *s)
{
	const size_t parts = c->pairs ? 2 : 1, n = p->n * (p->pairs ? 2 : 1);
	const size_t by = c->pairs && !p->pairs ? 2 : 1;
	double *const to = d->x + at * parts;
	struct look l;
	size_t i;

	look(p->x, n, &l);
	if (!l.finite)
		look_again(p->x, n, &l);
	*s = (struct taf_spectrum){ .pairs = s->pairs, .most = l.most,
	    .scale = scale_of(l.most), .whole = l.whole, .finite = l.finite };
	memset(d->x, 0, (size_t)c->length * parts * sizeof *d->x);
	if (l.finite && s->scale == 0 && by == 1)
		memcpy(to, p->x, n * sizeof *to);
	else
		for (i = 0; i < n; i++)
			to[i * by] = fabs(p->x[i]) <= DBL_MAX ?
			    ldexp(p->x[i], s->scale) : 0;
	taf_fft_lines(c->to, s->pairs, d->x, 1, d->scratch);
}

TAF_WIDE_VOID(product, (double *restrict a, const double *restrict b, size_t n),
    (a, b, n))
{
	for (size_t i = 0; i < n; i++) {
		const double re = a[2 * i], im = a[2 * i + 1];

		a[2 * i] = re * b[2 * i] + im * b[2 * i + 1];
		a[2 * i + 1] = im * b[2 * i] - re * b[2 * i + 1];
	}
}

TAF_WIDE_VOID(add, (double *restrict sum, const double *restrict a,
    const double *restrict b, size_t n), (sum, a, b, n))
{
	for (size_t i = 0; i < n; i++) {
		const double re = a[2 * i], im = a[2 * i + 1];

		sum[2 * i] += re * b[2 * i] + im * b[2 * i + 1];
		sum[2 * i + 1] += im * b[2 * i] - re * b[2 * i + 1];
	}
}

void
taf_correlate_add(const struct taf_correlate *c, double *sum,
    const struct taf_spectrum *a, const struct taf_spectrum *b)
{
	const int scale = -a->scale - b->scale;
	const size_t n = taf_correlate_pairs(c);
	size_t i;

	if (scale == 0) {
		add(sum, a->pairs, b->pairs, n);
		return;
	}
	product(a->pairs, b->pairs, n);
	for (i = 0; i < 2 * n; i++)
		sum[i] += ldexp(a->pairs[i], scale);
}

double
taf_correlate_doubt(const struct taf_correlate *c, const struct taf_spectrum *a,
    const struct taf_spectrum *b, double n)
{
	uint64_t steps = 1, m;

	for (m = c->length; m > 1; m /= 2)
		steps++;
	/* in units of the norms: R. P. Brent, C. Percival, P. Zimmermann (2007) */
	return 16 * 0x1p-53 * (double)steps * a->most * b->most * n * (c->pairs ? 2 : 1);
}

void
taf_correlate_span(const struct taf_correlate *c, uint64_t at, uint64_t n,
    uint64_t span[2])
{
	const uint64_t from = at / c->block * c->block;
	const uint64_t end = (at + n + c->block - 1) / c->block * c->block;

	points(c, c->lo + (int64_t)from, (end < c->lags ? end : c->lags) - from, span);
}

void
taf_correlate_mark(const struct taf_correlate *c, const struct taf_stretch *p,
    bool is_b, const struct taf_marks *m)
{
	const size_t parts = p->pairs ? 2 : 1;
	const int64_t base = c->lo + (int64_t)m->at;
	const int64_t others = (int64_t)c->len[is_b ? 0 : 1];
	size_t i;

	for (i = 0; i < p->n; i++) {
		const double *x = p->x + i * parts;
		const int64_t at = (int64_t)(p->first + i);
		/* lags with which a point of the other line stands against it */
		const int64_t low = is_b ? -at : at - others + 1;

		if (fabs(x[0]) <= DBL_MAX && fabs(x[parts - 1]) <= DBL_MAX)
			continue;
		m->marks[clamp(low - base, m->n)]++;
		m->marks[clamp(low + others - base, m->n)]--;
	}
}

static void
apply_marks(const int64_t *marks, double *out, size_t n, size_t parts)
{
	int64_t now = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		now += marks[i];
		if (now > 0)
			out[i * parts] = out[i * parts + parts - 1] = (double)NAN;
	}
}

/* n numbers on their way out: whole ones, which the transforms have left nearly so. */
static void
finish(double *out, size_t n, bool whole, const struct taf_power *by)
{
	size_t i;

	for (i = 0; i < n && whole; i++)
		out[i] = (out[i] + 0x1.8p52) - 0x1.8p52 + 0.0;
	for (i = 0; i < n && by->x != 1; i++)
		out[i] /= by->x;
	for (i = 0; i < n && by->e != 0; i++)
		out[i] = ldexp(out[i], -by->e);
}

void
taf_correlate_block(const struct taf_correlate *c, struct taf_correlate_workspace *d,
    const struct taf_correlate_block *k, uint64_t at, double *out, size_t n)
{
	const size_t parts = c->pairs ? 2 : 1, length = (size_t)c->length;
	struct taf_spectrum of = { .pairs = d->y };
	struct taf_stretch a = *k->a;
	struct taf_power by = k->by;
	uint64_t span[2];
	size_t first, run;
	bool whole;

	/* those of the block, whatever there are: results are not to depend on that */
	taf_correlate_span(c, at, n, span);
	a.x += (span[0] - a.first) * (a.pairs ? 2 : 1);
	a.first = span[0];
	a.n = (size_t)(span[1] - span[0]);
	taf_correlate_spectrum(c, d, &a, 0, &of);
	product(of.pairs, k->sb->pairs, taf_correlate_pairs(c));
	taf_fft_lines(c->back, d->x, of.pairs, 1, d->scratch);
	/* lags before the first point lie at the end */
	first = (size_t)((c->lo + (int64_t)at - (int64_t)a.first + (int64_t)length) %
	    (int64_t)length);
	run = length - first < n ? length - first : n;
	memcpy(out, d->x + first * parts, run * parts * sizeof *out);
	memcpy(out + run * parts, d->x, (n - run) * parts * sizeof *out);
	whole = of.whole && k->sb->whole && taf_correlate_doubt(c, &of, k->sb,
	    sqrt((double)a.n * (double)k->b->n)) < 0.5;
	by.e += of.scale + k->sb->scale;
	finish(out, n * parts, whole, &by);
	if (of.finite && k->sb->finite)
		return;
	memset(d->marks, 0, (n + 1) * sizeof *d->marks);
	if (!of.finite)
		taf_correlate_mark(c, &a, false, &(struct taf_marks){ at, n, d->marks });
	if (!k->sb->finite)
		taf_correlate_mark(c, k->b, true, &(struct taf_marks){ at, n, d->marks });
	apply_marks(d->marks, out, n, parts);
}

void
taf_correlate_sum(const struct taf_correlate *c, struct taf_correlate_workspace *d,
    const struct taf_correlate_sum *k, double *out)
{
	const size_t parts = c->pairs ? 2 : 1, n = (size_t)c->lags;

	taf_fft_lines(c->back, d->x, k->pairs, 1, d->scratch);
	memcpy(out, d->x, n * parts * sizeof *out);
	finish(out, n * parts, k->whole, &k->by);
	apply_marks(k->marks, out, n, parts);
}
