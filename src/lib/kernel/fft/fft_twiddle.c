/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/fft/fft_twiddle.h"

#include <stdlib.h>

#include "base/buf.h"
#include "kernel/func/func_trig.h"

/* 2 pi r / n of an angle in the first octant */
static struct taf_two
angle(uint64_t r, uint64_t n)
{
	const struct taf_two two_pi = { 0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52 };
	const double x = (double)r;
	struct taf_two p = taf_func_product(x, two_pi.hi), q;

	p.lo += x * two_pi.lo;
	q = taf_func_quotient(p, (struct taf_two){ (double)n, 0 });
	return taf_func_sum(q.hi, q.lo);
}

/* exp(-2 pi i k / n), k < n < 2^53 */
static void
factor(double pair[2], uint64_t k, uint64_t n)
{
	const bool low = 2 * k > n;			/* below the axis: mirrored */
	const uint64_t half = low ? n - k : k;
	const bool left = 4 * half > n;
	const uint64_t up = left ? n - 2 * half : 2 * half;	/* of 2 n */
	const bool steep = 4 * up > n;
	/* of 4 n */
	const struct taf_two t = angle(steep ? n - 2 * up : 2 * up, 4 * n);
	const double s = taf_func_sine(t).hi, c = taf_func_cosine(t).hi;
	const double re = steep ? s : c, im = steep ? c : s;

	pair[0] = left ? -re : re;
	pair[1] = low ? im : -im;
}

void
taf_twiddles(double *pairs, size_t count, uint64_t first, uint64_t step, uint64_t n)
{
	uint64_t k = first % n;

	step %= n;
	for (size_t i = 0; i < count; i++, pairs += 2) {
		factor(pairs, k, n);
		k = n - k > step ? k + step : k + step - n;
	}
}

unsigned
taf_twiddle_shift(uint64_t n)
{
	unsigned shift = 0;

	while ((uint64_t)1 << 2 * shift < n)
		shift++;
	return shift;
}

uint64_t
taf_twiddle_size(uint64_t n)
{
	const unsigned shift = taf_twiddle_shift(n);

	return (((uint64_t)1 << shift) + (n >> shift) + 1) * 2 * sizeof(double);
}

enum taf_status
taf_twiddle_open(struct taf_twiddle *t, uint64_t n, unsigned shift, uint64_t most,
    struct taf_err *e)
{
	const size_t low = (size_t)1 << shift, high = (size_t)(most >> shift) + 1;

	t->n = n;
	t->shift = shift;
	t->low = taf_alloc(low, 2 * sizeof *t->low);
	t->high = taf_alloc(high, 2 * sizeof *t->high);
	if (t->low == NULL || t->high == NULL) {
		taf_twiddle_close(t);
		return taf_fail_mem(e);
	}
	taf_twiddles(t->low, low, 0, 1, n);
	taf_twiddles(t->high, high, 0, low, n);
	return TAF_OK;
}

void
taf_twiddle_close(struct taf_twiddle *t)
{
	free(t->low);
	free(t->high);
	t->low = t->high = NULL;
}

static inline void
multiply(double *pair, double re, double im, bool back)
{
	const double x = pair[0], y = pair[1], s = back ? -im : im;

	pair[0] = x * re - y * s;
	pair[1] = x * s + y * re;
}

void
taf_twiddle_run(const struct taf_twiddle *t, double *pairs, size_t count, uint64_t step)
{
	uint64_t k = 0;
	size_t i;

	step %= t->n;
	for (i = 0; i < count; i++, pairs += 2) {
		taf_twiddle_at(t, k, &pairs[0], &pairs[1]);
		k = t->n - k > step ? k + step : k - (t->n - step);
	}
}

void
taf_twiddle_steps(const struct taf_twiddle *t, double *pairs, size_t count, uint64_t step,
    bool back)
{
	uint64_t k = 0;
	double re, im;
	size_t i;

	step %= t->n;
	for (i = 0; i < count; i++, pairs += 2) {
		taf_twiddle_at(t, k, &re, &im);
		multiply(pairs, re, im, back);
		k = t->n - k > step ? k + step : k - (t->n - step);
	}
}

/* a^2 mod n, for a below n / 2 and n at most 2^51: by parts of a. */
static uint64_t
square(uint64_t a, uint64_t n)
{
	uint64_t r = 0;
	unsigned bit;

	for (bit = 51; bit-- > 0;) {
		r = 2 * r % n;
		if (a >> bit & 1)
			r = (r + a) % n;
	}
	return r;
}

void
taf_twiddle_squares(const struct taf_twiddle *t, double *pairs, size_t count,
    uint64_t first, bool back)
{
	uint64_t k = square(first, t->n), odd = (2 * first + 1) % t->n;
	double re, im;
	size_t i;

	for (i = 0; i < count; i++, pairs += 2) {
		taf_twiddle_at(t, k, &re, &im);
		multiply(pairs, re, im, back);
		k = (k + odd) % t->n;
		odd = (odd + 2) % t->n;
	}
}

/* Sum and difference of a pair and its conjugate mirror, and a twiddle. */
struct mirrored {
	double sr, si, dr, di;
	double re, im;
};

static struct mirrored
mirrored(const struct taf_twiddle *t, const double *a, const double *b, uint64_t k)
{
	struct mirrored m = { a[0] + b[0], a[1] - b[1], a[0] - b[0], a[1] + b[1], 0, 0 };

	taf_twiddle_at(t, k, &m.re, &m.im);
	return m;
}

void
taf_twiddle_apart(const struct taf_twiddle *t, double *pairs, const double *mirror,
    size_t count, uint64_t first)
{
	for (size_t i = 0; i < count; i++) {
		double *const a = pairs + 2 * i;
		const struct mirrored m =
		    mirrored(t, a, mirror + 2 * (count - 1 - i), first + i);

		a[0] = 0.5 * (m.sr + (m.dr * m.im + m.di * m.re));
		a[1] = 0.5 * (m.si - (m.dr * m.re - m.di * m.im));
	}
}

void
taf_twiddle_together(const struct taf_twiddle *t, double *pairs, const double *mirror,
    size_t count, uint64_t first)
{
	for (size_t i = 0; i < count; i++) {
		double *const a = pairs + 2 * i;
		const struct mirrored m =
		    mirrored(t, a, mirror + 2 * (count - 1 - i), first + i);

		/* by the conjugate */
		a[0] = m.sr - (m.di * m.re - m.dr * m.im);
		a[1] = m.si + (m.dr * m.re + m.di * m.im);
	}
}
