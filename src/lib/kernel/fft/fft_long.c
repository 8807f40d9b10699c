#include "config.h"

#include "kernel/fft/fft_long.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernel/fft/fft_private.h"

static unsigned
shift_of(uint64_t n)
{
	unsigned shift = 0;

	while ((uint64_t)1 << 2 * shift < n)
		shift++;
	return shift;
}

uint64_t
taf_turns_size(uint64_t n)
{
	const unsigned shift = shift_of(n);

	return (((uint64_t)1 << shift) + (n >> shift) + 1) * 2 * sizeof(double);
}

enum taf_status
taf_turns_open(struct taf_turns *t, uint64_t n, struct taf_err *e)
{
	size_t low, high;

	memset(t, 0, sizeof *t);
	t->n = n;
	t->shift = shift_of(n);
	low = (size_t)1 << t->shift;
	high = (size_t)(n >> t->shift) + 1;
	t->low = taf_alloc(low, 2 * sizeof *t->low);
	t->high = taf_alloc(high, 2 * sizeof *t->high);
	if (t->low == NULL || t->high == NULL) {
		taf_turns_close(t);
		return taf_fail_mem(e);
	}
	taf_fft_turns(t->low, low, 0, 1, n);
	taf_fft_turns(t->high, high, 0, low, n);
	return TAF_OK;
}

void
taf_turns_close(struct taf_turns *t)
{
	free(t->low);
	free(t->high);
	t->low = t->high = NULL;
}

/* exp(-2 pi i k / n), k < n */
static inline void
turn(const struct taf_turns *t, uint64_t k, double *re, double *im)
{
	const double *low = t->low + 2 * (k & (((uint64_t)1 << t->shift) - 1));
	const double *high = t->high + 2 * (k >> t->shift);

	*re = low[0] * high[0] - low[1] * high[1];
	*im = low[0] * high[1] + low[1] * high[0];
}

static inline void
multiply(double *pair, double re, double im, bool back)
{
	const double x = pair[0], y = pair[1], s = back ? -im : im;

	pair[0] = x * re - y * s;
	pair[1] = x * s + y * re;
}

void
taf_turns_steps(const struct taf_turns *t, double *pairs, size_t count, uint64_t step,
    bool back)
{
	uint64_t k = 0;
	double re, im;
	size_t i;

	step %= t->n;
	for (i = 0; i < count; i++, pairs += 2) {
		turn(t, k, &re, &im);
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
taf_turns_squares(const struct taf_turns *t, double *pairs, size_t count, uint64_t first,
    bool back)
{
	uint64_t k = square(first, t->n), odd = (2 * first + 1) % t->n;
	double re, im;
	size_t i;

	for (i = 0; i < count; i++, pairs += 2) {
		turn(t, k, &re, &im);
		multiply(pairs, re, im, back);
		k = (k + odd) % t->n;
		odd = (odd + 2) % t->n;
	}
}

void
taf_turns_apart(const struct taf_turns *t, double *pairs, const double *mirror,
    size_t count, uint64_t first)
{
	double re, im;
	size_t i;

	for (i = 0; i < count; i++) {
		double *const a = pairs + 2 * i;
		const double *const b = mirror + 2 * (count - 1 - i);
		const double sr = a[0] + b[0], si = a[1] - b[1];
		const double dr = a[0] - b[0], di = a[1] + b[1];

		turn(t, first + i, &re, &im);
		a[0] = 0.5 * (sr + (dr * im + di * re));
		a[1] = 0.5 * (si - (dr * re - di * im));
	}
}

void
taf_turns_together(const struct taf_turns *t, double *pairs, const double *mirror,
    size_t count, uint64_t first)
{
	double re, im;
	size_t i;

	for (i = 0; i < count; i++) {
		double *const a = pairs + 2 * i;
		const double *const b = mirror + 2 * (count - 1 - i);
		const double sr = a[0] + b[0], si = a[1] - b[1];
		const double dr = a[0] - b[0], di = a[1] + b[1];

		turn(t, first + i, &re, &im);
		/* turned back */
		a[0] = sr - (di * re - dr * im);
		a[1] = si + (dr * re + di * im);
	}
}
