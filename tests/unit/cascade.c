/* SPDX-License-Identifier: ISC */
/* kernel/line/cascade against the difference equation, and what designs promise. */
/* link: m */
#include "kernel/line/cascade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { LEN = 300, LINES = 7 };

static void
noise(double *x, size_t n)
{
	static uint32_t seed = 99;

	for (size_t i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		x[i] = (double)(seed >> 8) / (1 << 23) - 1;
	}
}

/* The gain of sections at a frequency. */
static double
gain(const struct taf_section *s, size_t n, double f)
{
	const double c1 = cos(2 * 3.14159265358979323846 * f), c2 = 2 * c1 * c1 - 1;
	const double s1 = -sin(2 * 3.14159265358979323846 * f), s2 = 2 * s1 * c1;
	double g = 1;

	for (size_t i = 0; i < n; i++) {
		const double *b = s[i].b, *a = s[i].a;

		g *= hypot(b[0] + b[1] * c1 + b[2] * c2, b[1] * s1 + b[2] * s2) /
		    hypot(1 + a[0] * c1 + a[1] * c2, a[0] * s1 + a[1] * s2);
	}
	return g;
}

static void
designs(void)
{
	struct taf_section s[TAF_FILTER_SECTIONS];
	struct taf_pass_band p = { .type = TAF_FILTER_BUTTER };
	size_t n;

	for (p.order = 1; p.order <= TAF_FILTER_ORDER; p.order++) {
		p.low = 0;
		p.high = 0.11;
		n = taf_filter_design(&p, s);
		CHECK(fabs(gain(s, n, 0.11) - sqrt(0.5)) < 1e-9);
		CHECK(fabs(gain(s, n, 0) - 1) < 1e-9);
		p.low = 0.07;
		p.high = 0;
		n = taf_filter_design(&p, s);
		CHECK(fabs(gain(s, n, 0.07) - sqrt(0.5)) < 1e-9 && gain(s, n, 0) < 1e-9);
	}
	p = (struct taf_pass_band){ .order = 4, .low = 0.1, .high = 0.2 };
	n = taf_filter_design(&p, s);
	CHECK(fabs(gain(s, n, 0.1) - sqrt(0.5)) < 1e-9);
	CHECK(fabs(gain(s, n, 0.2) - sqrt(0.5)) < 1e-9);
	s[0] = taf_filter_notch(0.13, 20);
	CHECK(gain(s, 1, 0.13) < 1e-12 && fabs(gain(s, 1, 0) - 1) < 1e-12);
}

static void
band(struct taf_filter *f)
{
	const struct taf_pass_band p = { .order = 2, .low = 0.05, .high = 0.2 };

	memset(f, 0, sizeof *f);
	f->n = taf_filter_design(&p, f->section);
	/* an odd number: sections go two at a time, and one is left */
	f->section[f->n++] = taf_filter_notch(0.11, 5);
}

static void
as_the_equation_says(void)
{
	double x[LEN], want[LEN], out[LEN];
	struct taf_filter f;
	size_t i, k;

	noise(x, LEN);
	band(&f);
	memcpy(want, x, sizeof want);
	for (k = 0; k < f.n; k++) {
		const struct taf_section *s = &f.section[k];
		double y[LEN] = { 0 };

		for (i = 0; i < LEN; i++)
			y[i] = s->b[0] * want[i] + (i > 0 ? s->b[1] * want[i - 1] -
			    s->a[0] * y[i - 1] : 0) + (i > 1 ? s->b[2] * want[i - 2] -
			    s->a[1] * y[i - 2] : 0);
		memcpy(want, y, sizeof want);
	}
	/* in two pieces */
	memcpy(out, x, sizeof out);
	taf_filter_forward(&f, out, 101);
	taf_filter_forward(&f, out + 101, LEN - 101);
	for (i = 0; i < LEN; i++)
		if (!CHECK(fabs(out[i] - want[i]) < 1e-12))
			return;
}

static void
lines_alone_and_together(void)
{
	static double x[LINES * LEN], alone[LINES * LEN], together[LINES * LEN];
	struct taf_filter f;
	double *scratch;
	size_t k;

	noise(x, LINES * LEN);
	band(&f);
	scratch = malloc(taf_filter_scratch(&f, LEN, LINES) * sizeof *scratch);
	if (scratch == NULL) {
		CHECK(scratch != NULL);
		return;
	}
	taf_filter_both(&f, together, x, LEN, LINES, scratch);
	for (k = 0; k < LINES; k++)
		taf_filter_both(&f, alone + k * LEN, x + k * LEN, LEN, 1, scratch);
	CHECK_MEM(alone, together, sizeof alone);
	free(scratch);
	/* of what never changes nothing is in this band */
	taf_filter_settle(&f, 3);
	for (k = 0; k < LEN; k++)
		alone[k] = 3;
	taf_filter_forward(&f, alone, LEN);
	for (k = 0; k < LEN; k++)
		CHECK(fabs(alone[k]) < 1e-9);
}

int
main(void)
{
	UNIT(designs);
	UNIT(as_the_equation_says);
	UNIT(lines_alone_and_together);
	return unit_end();
}
