/* SPDX-License-Identifier: ISC */
/*
 * Transforms of real numbers.  An even number of them are taken for pairs, of which a
 * transform of half the length is untangled.
 */
#include "config.h"

#include <string.h>

#include "kernel/fft/fft_mirror.h"
#include "kernel/fft/fft_numbers.h"
#include "kernel/fft/fft_private.h"
#include "kernel/number/fast.h"

enum { FEW = TAF_FFT_FEW };

/* FEW pairs from k on, or fewer, and their mirrors. */
struct part {
	const struct taf_fft *f;
	struct taf_fft_planes p;
	void *to;
	const void *from;
	size_t k, first, n;	/* n from first on: 0 has no mirror */
};

/* Numbers in the other order. */
static TAF_INLINE void
reverse(double *restrict to, const double *restrict from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[n - 1 - i];
}

static TAF_INLINE void
twiddles(const struct part *s, struct taf_fft_mirror *m)
{
	/* FEW is what low has: these are one product after the other, for vectors */
	const double *const low = s->f->real.low;
	const double *const high = s->f->real.high + 2 * (s->k / FEW);

	for (size_t i = 0; i < FEW; i++) {
		m->cr[i] = low[2 * i] * high[0] - low[2 * i + 1] * high[1];
		m->ci[i] = low[2 * i] * high[1] + low[2 * i + 1] * high[0];
	}
}

/* Pairs k to k + n, and their mirrors, which end with h - k. */
static TAF_INLINE void
unpack_some(const struct part *s, struct taf_fft_mirror *m, size_t k, size_t n)
{
	const size_t down = s->f->h - k - n + 1, skip = k - s->k;
	const bool narrow = s->f->want.narrow;
	double re[FEW], im[FEW];

	memcpy(m->ar + skip, s->p.re + k, n * sizeof *re);
	memcpy(m->ai + skip, s->p.im + k, n * sizeof *im);
	reverse(m->br + skip, s->p.re + down, n);
	reverse(m->bi + skip, s->p.im + down, n);
	twiddles(s, m);
	taf_fft_apart(m);
	taf_fft_give_pairs(s->to, k, m->ar + skip, m->ai + skip, n, 1, narrow);
	reverse(re, m->br + skip, n);
	reverse(im, m->bi + skip, n);
	taf_fft_give_pairs(s->to, down, re, im, n, 1, narrow);
}

static TAF_INLINE void
pack_some(const struct part *s, struct taf_fft_mirror *m, size_t k, size_t n)
{
	const size_t down = s->f->h - k - n + 1, skip = k - s->k;
	const bool narrow = s->f->want.narrow;
	double re[FEW], im[FEW];

	taf_fft_take_pairs(m->ar + skip, m->ai + skip, s->from, k, n, narrow);
	taf_fft_take_pairs(re, im, s->from, down, n, narrow);
	reverse(m->br + skip, re, n);
	reverse(m->bi + skip, im, n);
	twiddles(s, m);
	taf_fft_together(m);
	memcpy(s->p.re + k, m->ar + skip, n * sizeof *re);
	memcpy(s->p.im + k, m->ai + skip, n * sizeof *im);
	reverse(s->p.re + down, m->br + skip, n);
	reverse(s->p.im + down, m->bi + skip, n);
}

#define PART(name) \
TAF_WIDE_VOID(name##_part, (const struct part *s), (s)) \
{ \
	struct taf_fft_mirror m; \
\
	if (s->n == FEW) { \
		name##_some(s, &m, s->k, FEW); \
		return; \
	} \
	memset(&m, 0, sizeof m); \
	name##_some(s, &m, s->first, s->n); \
}

PART(unpack)
PART(pack)

/* All pairs that have a mirror: not 0, nor the middle of an even h. */
static void
parts(struct part *s, void (*function)(const struct part *))
{
	const size_t end = (s->f->h + 1) / 2;
	size_t last;

	for (s->k = 0; s->k < end; s->k += FEW) {
		last = end - s->k < FEW ? end : s->k + FEW;
		s->first = s->k == 0 ? 1 : s->k;
		s->n = last - s->first;
		if (s->n > 0)
			function(s);
	}
}

static double
number(const struct taf_fft *f, const void *v, size_t i)
{
	return f->want.narrow ? (double)((const float *)v)[i] : ((const double *)v)[i];
}

static void
set_number(const struct taf_fft *f, void *v, size_t i, double x)
{
	if (f->want.narrow)
		((float *)v)[i] = (float)x;
	else
		((double *)v)[i] = x;
}

static void
set_pair(const struct taf_fft *f, void *v, size_t i, double re, double im)
{
	set_number(f, v, 2 * i, re);
	set_number(f, v, 2 * i + 1, im);
}

static void
unpack_odd(const struct taf_fft *f, void *to, const struct taf_fft_planes *from)
{
	size_t k;

	for (k = 0; k < f->h && f->want.kind == TAF_FFT_HALF; k++)
		set_number(f, to, k, from->re[k] * f->scale);
	for (k = 0; k <= f->h / 2 && f->want.kind == TAF_FFT_REAL; k++)
		set_pair(f, to, k, from->re[k], from->im[k]);
}

void
taf_fft_unpack(const struct taf_fft *f, void *to, const struct taf_fft_planes *from)
{
	struct part s = { .f = f, .p = *from, .to = to };
	const size_t h = f->h;

	if (!taf_fft_in_pairs(f)) {
		unpack_odd(f, to, from);
		return;
	}
	parts(&s, unpack_part);
	set_pair(f, to, 0, from->re[0] + from->im[0], 0);
	set_pair(f, to, h, from->re[0] - from->im[0], 0);
	if (h % 2 == 0)
		set_pair(f, to, h / 2, from->re[h / 2], -from->im[h / 2]);
}

/*
 * Numbers become pairs with 0, and frequencies are joined by their mirrors, or are twice
 * as much without them, which gives the same real parts.
 */
static void
pack_odd(const struct taf_fft *f, const struct taf_fft_planes *to, const void *from)
{
	const double times = f->way == TAF_FFT_CHIRP ? 2 : 1;
	size_t k;

	to->re[0] = number(f, from, 0);
	to->im[0] = 0;
	for (k = 1; k < f->h && f->want.kind == TAF_FFT_REAL; k++) {
		to->re[k] = number(f, from, k);
		to->im[k] = 0;
	}
	for (k = 1; k <= f->h / 2 && f->want.kind == TAF_FFT_HALF; k++) {
		to->re[k] = to->re[f->h - k] = times * number(f, from, 2 * k);
		to->im[k] = times * number(f, from, 2 * k + 1);
		to->im[f->h - k] = -to->im[k];
	}
}

void
taf_fft_pack(const struct taf_fft *f, const struct taf_fft_planes *to, const void *from)
{
	struct part s = { .f = f, .p = *to, .from = from };
	const size_t h = f->h;

	if (!taf_fft_in_pairs(f)) {
		pack_odd(f, to, from);
		return;
	}
	parts(&s, pack_part);
	to->re[0] = number(f, from, 0) + number(f, from, 2 * h);
	to->im[0] = number(f, from, 0) - number(f, from, 2 * h);
	if (h % 2 == 0) {
		to->re[h / 2] = 2 * number(f, from, h);
		to->im[h / 2] = -2 * number(f, from, h + 1);
	}
}
