/* Transforms of real numbers by way of pairs of them. */
#include "config.h"

#include <string.h>

#include "kernel/fft/fft_mirror.h"
#include "kernel/fft/fft_private.h"
#include "kernel/number/fast.h"

enum { FEW = TAF_FFT_FEW };

static TAF_INLINE void
turns(struct taf_fft_mirror *m, const struct taf_fft *f, size_t k)
{
	const double *const few = f->few, *const many = f->many + 2 * (k / FEW);

	for (size_t i = 0; i < FEW; i++) {
		m->cr[i] = few[i] * many[0] - few[FEW + i] * many[1];
		m->ci[i] = few[i] * many[1] + few[FEW + i] * many[0];
	}
}

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
take_pairs(const struct part *s, double *restrict re, double *restrict im, size_t at,
    size_t n)
{
	const float *const x = (const float *)s->from + 2 * at;
	const double *const y = (const double *)s->from + 2 * at;

	if (s->f->want.narrow)
		for (size_t i = 0; i < n; i++) {
			re[i] = (double)x[2 * i];
			im[i] = (double)x[2 * i + 1];
		}
	else
		for (size_t i = 0; i < n; i++) {
			re[i] = y[2 * i];
			im[i] = y[2 * i + 1];
		}
}

static TAF_INLINE void
give_pairs(const struct part *s, const double *restrict re, const double *restrict im,
    size_t at, size_t n)
{
	float *const x = (float *)s->to + 2 * at;
	double *const y = (double *)s->to + 2 * at;

	if (s->f->want.narrow)
		for (size_t i = 0; i < n; i++) {
			x[2 * i] = (float)re[i];
			x[2 * i + 1] = (float)im[i];
		}
	else
		for (size_t i = 0; i < n; i++) {
			y[2 * i] = re[i];
			y[2 * i + 1] = im[i];
		}
}

/* Pairs k to k + n, and their mirrors, which end with h - k. */
static TAF_INLINE void
unpack_some(const struct part *s, struct taf_fft_mirror *m, size_t k, size_t n)
{
	const size_t down = s->f->h - k - n + 1, skip = k - s->k;
	double *const br = m->br + skip, *const bi = m->bi + skip;
	double re[FEW], im[FEW];

	memcpy(m->ar + skip, s->p.re + k, n * sizeof *re);
	memcpy(m->ai + skip, s->p.im + k, n * sizeof *im);
	reverse(br, s->p.re + down, n);
	reverse(bi, s->p.im + down, n);
	turns(m, s->f, s->k);
	taf_fft_apart(m);
	give_pairs(s, m->ar + skip, m->ai + skip, k, n);
	reverse(re, br, n);
	reverse(im, bi, n);
	give_pairs(s, re, im, down, n);
}

static TAF_INLINE void
pack_some(const struct part *s, struct taf_fft_mirror *m, size_t k, size_t n)
{
	const size_t down = s->f->h - k - n + 1, skip = k - s->k;
	double re[FEW], im[FEW];

	take_pairs(s, m->ar + skip, m->ai + skip, k, n);
	take_pairs(s, re, im, down, n);
	reverse(m->br + skip, re, n);
	reverse(m->bi + skip, im, n);
	turns(m, s->f, s->k);
	taf_fft_together(m);
	memcpy(s->p.re + k, m->ar + skip, n * sizeof *re);
	memcpy(s->p.im + k, m->ai + skip, n * sizeof *im);
	reverse(s->p.re + down, m->br + skip, n);
	reverse(s->p.im + down, m->bi + skip, n);
}

TAF_WIDE_VOID(unpack_part, (const struct part *s), (s))
{
	struct taf_fft_mirror m;

	if (s->n == FEW) {
		unpack_some(s, &m, s->k, FEW);
		return;
	}
	memset(&m, 0, sizeof m);
	unpack_some(s, &m, s->first, s->n);
}

TAF_WIDE_VOID(pack_part, (const struct part *s), (s))
{
	struct taf_fft_mirror m;

	if (s->n == FEW) {
		pack_some(s, &m, s->k, FEW);
		return;
	}
	memset(&m, 0, sizeof m);
	pack_some(s, &m, s->first, s->n);
}

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
set_pair(const struct taf_fft *f, void *v, size_t i, double re, double im)
{
	if (f->want.narrow) {
		((float *)v)[2 * i] = (float)re;
		((float *)v)[2 * i + 1] = (float)im;
	} else {
		((double *)v)[2 * i] = re;
		((double *)v)[2 * i + 1] = im;
	}
}

void
taf_fft_unpack(const struct taf_fft *f, void *to, const struct taf_fft_planes *from)
{
	struct part s = { .f = f, .p = *from, .to = to };
	const size_t h = f->h;

	parts(&s, unpack_part);
	set_pair(f, to, 0, from->re[0] + from->im[0], 0);
	set_pair(f, to, h, from->re[0] - from->im[0], 0);
	if (h % 2 == 0)
		set_pair(f, to, h / 2, from->re[h / 2], -from->im[h / 2]);
}

void
taf_fft_pack(const struct taf_fft *f, const struct taf_fft_planes *to, const void *from)
{
	struct part s = { .f = f, .p = *to, .from = from };
	const size_t h = f->h;

	parts(&s, pack_part);
	to->re[0] = number(f, from, 0) + number(f, from, 2 * h);
	to->im[0] = number(f, from, 0) - number(f, from, 2 * h);
	if (h % 2 == 0) {
		to->re[h / 2] = 2 * number(f, from, h);
		to->im[h / 2] = -2 * number(f, from, h + 1);
	}
}
