/* SPDX-License-Identifier: ISC */
/*
 * kernel/line/smooth, median and weights against naive loops, in one piece and in
 * parts.
 */
#include "kernel/line/smooth.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/line/weights.h"
#include "unit.h"

enum { MOST = 2100 };

static uint64_t seed = 7;

static double
noise(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (double)(seed >> 40) / 65536 - 128;
}

/* The point at i by the rule of the edge; false where there is none. */
static bool
point(const double *x, int64_t len, enum taf_edge edge, int64_t i, double *v)
{
	if (i >= 0 && i < len) {
		*v = x[i];
		return true;
	}
	*v = edge == TAF_EDGE_NAN ? (double)NAN : 0;
	while (edge == TAF_EDGE_REFLECT && (i < 0 || i >= len))
		i = i < 0 ? -1 - i : 2 * len - 1 - i;
	if (edge == TAF_EDGE_REFLECT)
		*v = x[i];
	return edge != TAF_EDGE_SHRINK;
}

static int
by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
naive(const struct taf_smooth *how, double *y, const double *x, size_t len)
{
	const int64_t h = (int64_t)how->half;
	double *p = malloc((2 * how->half + 1) * sizeof *p), all, nan;
	int64_t i, k;
	size_t n;

	for (i = 0; i < (int64_t)len; i++) {
		for (y[i] = all = nan = 0, n = 0, k = -h; k <= h; k++) {
			const double w = how->by == TAF_SMOOTH_WEIGHTS ?
			    how->weight[k + h] : 1;
			double v;

			if (!point(x, (int64_t)len, how->edge, i + k, &v))
				continue;
			nan += v == v ? 0 : 1;
			p[n++] = v;
			all += w;
			y[i] += w * v;
		}
		if (how->by == TAF_SMOOTH_MEDIAN) {
			qsort(p, n, sizeof *p, by_value);
			y[i] = nan > 0 ? (double)NAN : (p[(n - 1) / 2] + p[n / 2]) / 2;
		} else if (how->by != TAF_SMOOTH_WEIGHTS || n < 2 * how->half + 1) {
			y[i] /= all;
		}
	}
	free(p);
}

static bool
same(double a, double b)
{
	return (a != a && b != b) || fabs(a - b) <= 1e-9;
}

/*
 * Whole, and then in parts, which see what they need of the line and give the same bits.
 */
static void
check(const struct taf_smooth *how, const double *x, size_t len)
{
	const uint64_t reach = taf_smooth_reach(how);
	double *scratch = malloc(taf_smooth_scratch(how, len) * sizeof *scratch);
	const struct taf_points_at all = { x, 0, len, len };
	double want[MOST], y[MOST], part[MOST];
	size_t at, n, bad = 0, other = 0;

	if (how->by == TAF_SMOOTH_TRIANGLE) {
		struct taf_smooth mean = *how;

		mean.by = TAF_SMOOTH_MEAN;
		naive(&mean, part, x, len);
		naive(&mean, want, part, len);
	} else {
		naive(how, want, x, len);
	}
	taf_smooth(how, y, 0, len, &all, scratch);
	for (at = 0; at < len; at += n) {
		const uint64_t first = at > reach ? at - reach : 0;
		struct taf_points_at some = { NULL, first, 0, len };
		double *copy;

		n = 1 + (size_t)fabs(noise()) * 3 % 401;
		n = n < len - at ? n : len - at;
		some.n = (size_t)((at + n + reach < len ? at + n + reach : len) - first);
		/* nothing but that can be read */
		copy = malloc(some.n * sizeof *copy);
		memcpy(copy, x + first, some.n * sizeof *copy);
		some.p = copy;
		taf_smooth(how, part + at, at, n, &some, scratch);
		free(copy);
	}
	for (at = 0; at < len; at++) {
		bad += !same(y[at], want[at]);
		other += memcmp(&y[at], &part[at], sizeof y[at]) != 0 && y[at] == y[at];
	}
	if (!CHECK(bad == 0) || !CHECK(other == 0))
		printf("#   by %d, edge %d, half %zu, length %zu: %zu, %zu\n", how->by,
		    how->edge, how->half, len, bad, other);
	free(scratch);
}

static void
test_all(void)
{
	static const size_t halves[] = { 0, 1, 2, 7, 15, 31, 95, 96, 130, 400 };
	double x[MOST], weight[2 * 400 + 1];
	size_t i, len, turn = 0;

	for (i = 0; i < sizeof weight / sizeof weight[0]; i++)
		weight[i] = 1 + noise() / 200;
	for (len = 1; len <= 300; len += len < 40 ? 1 : 37)
		for (i = 0; i < 4 * 4; i++) {
			struct taf_smooth how = { .by = (enum taf_smooth_by)(i % 4),
			    .edge = (enum taf_edge)(i / 4), .weight = weight,
			    .half = halves[turn++ % 10], .rough = len % 2 == 0 };
			size_t k;

			for (k = 0; k < len; k++)
				x[k] = turn % 3 == 0 && k % 29 == 7 ? (double)NAN :
				    turn % 5 == 0 ? floor(noise() / 32) : noise();
			check(&how, x, len);
		}
	for (turn = 0; turn < 10; turn++)
		for (i = 0; i < 4; i++) {
			const struct taf_smooth how = { .by = (enum taf_smooth_by)i,
			    .edge = (enum taf_edge)(turn % 4), .weight = weight,
			    .half = halves[turn], .rough = turn % 3 != 0 };
			size_t k;

			for (k = 0; k < MOST; k++)
				x[k] = k % 977 == 501 ? (double)NAN : noise();
			check(&how, x, MOST);
		}
}

/* A polynomial of the order comes out as it is, and so does its slope. */
static void
test_polynomials(void)
{
	double weight[101], worst = 0;
	unsigned order, derivative, power;
	size_t half, i;
	int place;

	for (half = 1; half <= 50; half += half < 6 ? 1 : 11)
		for (order = 0; order <= 2 * half && order <= 8; order++)
			for (derivative = 0; derivative < 2; derivative++)
				for (place = -(int)half; place <= (int)half;
				    place += (int)half)
					for (power = 0; power <= order; power++) {
						const struct taf_polynomial p =
						    { order, derivative, place };
						const double h = (double)half,
						    x = place / h;
						double sum = 0, want = pow(x, power);

						if (derivative == 1)
							want = power == 0 ? 0 : power *
							    pow(x, power - 1) / h;
						taf_weights_polynomial(weight, half, &p);
						for (i = 0; i <= 2 * half; i++)
							sum += weight[i] *
							    pow(((double)i - h) / h,
							    power);
						worst = fabs(sum - want) > worst ?
						    fabs(sum - want) : worst;
					}
	CHECK(worst < 1e-10);
	printf("# off by %g\n", worst);
}

static void
test_bell(void)
{
	double weight[25], sum = 0;
	size_t i;

	taf_weights_gauss(weight, 12, 3);
	for (i = 0; i < 25; i++) {
		const double x = ((double)i - 12) / 3;

		sum += weight[i];
		CHECK(fabs(weight[i] / weight[12] - exp(-x * x / 2)) < 1e-15);
	}
	CHECK(fabs(sum - 1) < 1e-15);
}

int
main(void)
{
	UNIT(test_all);
	UNIT(test_polynomials);
	UNIT(test_bell);
	return unit_end();
}
