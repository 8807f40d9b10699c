/* SPDX-License-Identifier: ISC */
#include "config.h"

#include "kernel/fft/fft_steps.h"

#include <stdlib.h>

#include "base/buf.h"
#include "kernel/fft/fft_twiddle.h"

unsigned
taf_fft_factor(uint64_t n, unsigned most)
{
	unsigned p;

	for (p = 2; p <= most; p += p == 2 ? 1 : 2)
		if (n % p == 0)
			return p;
	return 0;
}

void *
taf_fft_table(const double *v, size_t n, bool narrow)
{
	void *const t = taf_alloc(n, narrow ? sizeof(float) : sizeof(double));
	size_t i;

	for (i = 0; i < n && t != NULL; i++)
		if (narrow)
			((float *)t)[i] = (float)v[i];
		else
			((double *)t)[i] = v[i];
	return t;
}

/* The radix of the next step: few steps, and of eight rather than of sixteen points. */
static unsigned
next_radix(size_t n)
{
	unsigned twos = 0;

	while ((n >> twos & 1) == 0)
		twos++;
	if (twos == 0)
		return taf_fft_factor(n, TAF_FFT_ODD);
	if (twos <= 4)
		return 1u << twos;
	return twos % 3 == 0 || twos == 5 ? 8 : 16;
}

unsigned
taf_fft_steps_of(size_t n)
{
	unsigned count = 0;

	for (; n > 1; count++)
		n /= next_radix(n);
	return count;
}

/* The twiddles of n points that are r times m. */
static enum taf_status
plan_step(struct taf_fft_step *s, size_t m, unsigned radix, bool narrow,
    struct taf_err *e)
{
	const size_t others = radix - 1, n = m * radix;
	double *v = taf_alloc(m * others + radix, 2 * sizeof *v);
	size_t p;

	if (v == NULL)
		return taf_fail_mem(e);
	s->radix = radix;
	s->m = m;
	for (p = 0; p < m; p++)
		taf_twiddles(v + 2 * p * others, others, p, p, n);
	taf_twiddles(v + 2 * m * others, radix, 0, 1, radix);
	s->twiddle = taf_fft_table(v, 2 * m * others, narrow);
	s->root = taf_fft_table(v + 2 * m * others, 2 * (size_t)radix, narrow);
	free(v);
	return s->twiddle != NULL && s->root != NULL ? TAF_OK : taf_fail_mem(e);
}

enum taf_status
taf_fft_steps_open(struct taf_fft_steps *s, size_t n, bool narrow, struct taf_err *e)
{
	enum taf_status st = TAF_OK;

	s->n = n;
	while (n > 1 && st == TAF_OK) {
		const unsigned radix = next_radix(n);

		n /= radix;
		st = plan_step(&s->step[s->count++], n, radix, narrow, e);
	}
	return st;
}

void
taf_fft_steps_close(struct taf_fft_steps *s)
{
	while (s->count-- > 0) {
		free(s->step[s->count].twiddle);
		free(s->step[s->count].root);
	}
}
