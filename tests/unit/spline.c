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

/* The second derivative of piece i at its front; times 6, its third one. */
static double
bend(const double *x, const double *d, size_t i)
{
	return 6 * (x[i + 1] - x[i]) - 4 * d[i] - 2 * d[i + 1];
}

static double
twist(const double *x, const double *d, size_t i)
{
	return d[i] + d[i + 1] - 2 * (x[i + 1] - x[i]);
}

/* How much the pieces differ where they meet; the ends are no knots. */
static double
defect(const double *x, const double *d, size_t n)
{
	double most = 0;
	size_t i;

	for (i = 0; i + 2 < n; i++)
		most = fmax(most, fabs(bend(x, d, i) + 6 * twist(x, d, i) -
		    bend(x, d, i + 1)));
	if (n < 3)
		return n < 2 ? fabs(d[0]) : fabs(twist(x, d, 0)) + fabs(bend(x, d, 0));
	most = fmax(most, fabs(twist(x, d, 0) - twist(x, d, 1)));
	most = fmax(most, fabs(twist(x, d, n - 3) - twist(x, d, n - 2)));
	return n == 3 ? fmax(most, fabs(twist(x, d, 0))) : most;
}

static void
test_slopes(void)
{
	double x[MOST], whole[MOST], part[MOST];
	size_t n, at, some;

	fill(x, MOST);
	for (n = 1; n <= MOST; n++) {
		const struct taf_points_at all = { x, 0, n, n };

		taf_spline_slopes(whole, 0, n, &all);
		if (!CHECK(defect(x, whole, n) < 1e-11))
			printf("#   length %zu: %g\n", n, defect(x, whole, n));
		for (at = 0; at < n; at += some) {
			struct taf_points_at seen = { NULL, 0, 0, n };
			uint64_t span[2];
			double *copy;

			some = 1 + (at * 31 + n) % 67 < n - at ? 1 + (at * 31 + n) % 67 :
			    n - at;
			taf_spline_span(n, at, some, span);
			seen.first = span[0];
			seen.n = (size_t)(span[1] - span[0]);
			/* nothing but that can be read */
			copy = malloc(seen.n * sizeof *copy);
			memcpy(copy, x + span[0], seen.n * sizeof *copy);
			seen.p = copy;
			taf_spline_slopes(part + at, at, some, &seen);
			free(copy);
		}
		CHECK(memcmp(whole, part, n * sizeof *part) == 0);
	}
}

/* Polynomials of third order, and what a NaN reaches. */
static void
test_cubic(void)
{
	double x[MOST], d[MOST];
	const struct taf_points_at all = { x, 0, MOST, MOST };
	size_t i, n;

	for (i = 0; i < MOST; i++) {
		const double t = (double)i / 64;

		x[i] = ((t - 4) * t + 3) * t - 7;
	}
	taf_spline_slopes(d, 0, MOST, &all);
	for (i = 0; i < MOST; i++) {
		const double t = (double)i / 64;

		CHECK(fabs(d[i] - ((3 * t - 8) * t + 3) / 64) < 1e-13);
	}
	x[150] = (double)NAN;
	taf_spline_slopes(d, 0, MOST, &all);
	for (i = n = 0; i < MOST; i++)
		n += d[i] != d[i];
	CHECK(n == 2 * TAF_SPLINE_REACH && d[150] == d[150] && d[118] != d[118] &&
	    d[182] != d[182]);
}

int
main(void)
{
	UNIT(test_slopes);
	UNIT(test_cubic);
	return unit_end();
}
