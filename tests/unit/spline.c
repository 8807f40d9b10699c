/* SPDX-License-Identifier: ISC */
/*
 * kernel/line/spline: its slopes are those that the equations of
 * a spline ask for, however cut.
 */
#include "kernel/line/spline.h"

#include <math.h>
#include <stdlib.h>

#include "unit.h"

enum { MOST = 300 };

static void
fill(double *x, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		x[i] = (double)(i * i * 7919 % 1009) / 16 - 30;
}

/* Places that ascend by 0.25 to 2.25, or descend. */
static void
place(double *t, size_t n, double way)
{
	size_t i;

	t[0] = -20 * way;
	for (i = 1; i < n; i++)
		t[i] = t[i - 1] + way * (0.25 + (double)(i * i * 31 % 9) / 4);
}

static double
gap(const double *t, size_t i)
{
	return t == NULL ? 1 : t[i + 1] - t[i];
}

/* The second derivative of piece i at its front; times 6, its third one. */
static double
bend(const double *x, const double *d, const double *t, size_t i)
{
	const double h = gap(t, i);

	return (6 * (x[i + 1] - x[i]) / h - 4 * d[i] - 2 * d[i + 1]) / h;
}

static double
twist(const double *x, const double *d, const double *t, size_t i)
{
	const double h = gap(t, i);

	return (d[i] + d[i + 1] - 2 * (x[i + 1] - x[i]) / h) / (h * h);
}

/* How much the pieces differ where they meet; the ends are no knots. */
static double
defect(const double *x, const double *d, const double *t, size_t n)
{
	double most = 0;
	size_t i;

	for (i = 0; i + 2 < n; i++)
		most = fmax(most, fabs(bend(x, d, t, i) + 6 * gap(t, i) *
		    twist(x, d, t, i) - bend(x, d, t, i + 1)));
	if (n < 3)
		return n < 2 ? fabs(d[0]) : fabs(twist(x, d, t, 0)) +
		    fabs(bend(x, d, t, 0));
	most = fmax(most, fabs(twist(x, d, t, 0) - twist(x, d, t, 1)));
	most = fmax(most, fabs(twist(x, d, t, n - 3) - twist(x, d, t, n - 2)));
	return n == 3 ? fmax(most, fabs(twist(x, d, t, 0))) : most;
}

/* Lines of points at t, or 1 apart where that is NULL. */
static void
check_slopes(const double *t, double tolerance)
{
	double x[MOST], whole[MOST], part[MOST];
	size_t n, at, some;

	fill(x, MOST);
	for (n = 1; n <= MOST; n++) {
		const struct taf_points_at all = { x, 0, n, n };

		taf_spline_slopes(whole, 0, n, &all, t);
		if (!CHECK(defect(x, whole, t, n) < tolerance))
			printf("#   length %zu: %g\n", n, defect(x, whole, t, n));
		for (at = 0; at < n; at += some) {
			struct taf_points_at seen = { NULL, 0, 0, n };
			uint64_t span[2];
			double *copy;

			some = 1 + (at * 31 + n) % 67 < n - at ? 1 + (at * 31 + n) % 67 :
			    n - at;
			taf_spline_span(n, at, some, t == NULL, span);
			seen.first = span[0];
			seen.n = (size_t)(span[1] - span[0]);
			/* nothing but that can be read */
			copy = malloc(seen.n * sizeof *copy);
			memcpy(copy, x + span[0], seen.n * sizeof *copy);
			seen.p = copy;
			taf_spline_slopes(part + at, at, some, &seen, t);
			free(copy);
		}
		CHECK(memcmp(whole, part, n * sizeof *part) == 0);
	}
}

static void
test_slopes(void)
{
	check_slopes(NULL, 1e-11);
}

static void
test_uneven(void)
{
	double t[MOST];

	place(t, MOST, 1);
	check_slopes(t, 1e-10);
	place(t, MOST, -1);
	check_slopes(t, 1e-10);
}

/* Polynomials of third order, and what a NaN reaches. */
static void
test_cubic(void)
{
	double x[MOST], d[MOST], t[MOST];
	const struct taf_points_at all = { x, 0, MOST, MOST };
	size_t i, n;

	for (i = 0; i < MOST; i++) {
		const double p = (double)i / 64;

		x[i] = ((p - 4) * p + 3) * p - 7;
	}
	taf_spline_slopes(d, 0, MOST, &all, NULL);
	for (i = 0; i < MOST; i++) {
		const double p = (double)i / 64;

		CHECK(fabs(d[i] - ((3 * p - 8) * p + 3) / 64) < 1e-13);
	}
	x[150] = (double)NAN;
	taf_spline_slopes(d, 0, MOST, &all, NULL);
	for (i = n = 0; i < MOST; i++)
		n += d[i] != d[i];
	CHECK(n == 2 * TAF_SPLINE_REACH && d[150] == d[150] && d[118] != d[118] &&
	    d[182] != d[182]);
	place(t, MOST, 1);
	for (i = 0; i < MOST; i++)
		x[i] = ((t[i] / 64 - 4) * t[i] + 3) * t[i] - 7;
	taf_spline_slopes(d, 0, MOST, &all, t);
	for (i = 0; i < MOST; i++)
		CHECK(fabs(d[i] - ((3 * t[i] / 64 - 8) * t[i] + 3)) < 1e-10);
}

int
main(void)
{
	UNIT(test_slopes);
	UNIT(test_uneven);
	UNIT(test_cubic);
	return unit_end();
}
