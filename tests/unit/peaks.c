/* SPDX-License-Identifier: ISC */
/* op/line/peaking_line against a plain look at each point. */
#include "op/line/peaking_line.h"

#include <math.h>
#include <string.h>

#include "unit.h"

enum { MOST = 60, LONG = 9000 };

static uint32_t seed = 12345;

static double
height(void)
{
	seed = seed * 1664525 + 1013904223;
	return (double)(seed >> 29) - 3;
}

/* What there is in x, of LONG points at most. */
static size_t
peaks_of(const struct taf_peaks *how, const double *x, size_t n, struct taf_peak *out)
{
	static union {
		double aligned;
		unsigned char bytes[LONG * 64];
	} scratch;
	const struct taf_peaking_line l = { .how = how, .n = n, .x = x,
	    .scratch = scratch.bytes };
	const struct taf_peak *peak;
	struct taf_err e;
	size_t found;

	CHECK(taf_peaking_bytes(how, n) <= sizeof scratch);
	CHECK_EQ(taf_peaking_line(&l, true, &peak, &found, &e), TAF_OK);
	memcpy(out, peak, found * sizeof *peak);
	return found;
}

/* Tops of x: middles of equal points that are above what is beside them. */
static size_t
tops(const double *x, size_t n, double *place)
{
	size_t i, end, found = 0;

	for (i = 1; i < n; i = end) {
		for (end = i + 1; end < n && x[end] == x[i]; end++)
			;
		if (x[i] > x[i - 1] && end < n && x[i] > x[end])
			place[found++] = (double)(i + end - 1) / 2;
	}
	return found;
}

static void
every_top(void)
{
	const struct taf_peaks how = { .minimum = -(double)INFINITY };
	struct taf_peak peak[MOST];
	size_t n, i;
	double x[MOST], want[MOST];

	for (n = 0; n < MOST; n++)
		for (unsigned turn = 0; turn < 20; turn++) {
			size_t found;

			for (i = 0; i < n; i++)
				x[i] = height();
			found = tops(x, n, want);
			if (!CHECK_EQ(peaks_of(&how, x, n, peak), found))
				return;
			for (i = 0; i < found; i++) {
				CHECK(fabs(peak[i].place - want[i]) <= 0.5);
				CHECK(peak[i].height == x[(size_t)peak[i].place]);
			}
		}
}

static void
few_and_apart(void)
{
	const double x[] = { 0, 3, 0, 5, 0, 4, 0, 1, 0, 9, 0 };
	struct taf_peaks how = { .minimum = 2 };
	struct taf_peak peak[6];
	const size_t n = sizeof x / sizeof x[0];

	CHECK_EQ(peaks_of(&how, x, n, peak), 4);
	how.count = 2;
	CHECK_EQ(peaks_of(&how, x, n, peak), 2);
	CHECK(peak[0].place == 3 && peak[0].height == 5 && peak[1].place == 9);
	CHECK(peak[0].width == 1);
	how.count = 0;
	how.distance = 3;
	/* 5 puts out both its neighbours */
	CHECK_EQ(peaks_of(&how, x, n, peak), 2);
	CHECK(peak[0].place == 3 && peak[1].place == 9);
}

static void
passages(void)
{
	const double x[] = { 0, 4, 2, -2, 0, 6 };
	struct taf_peaks how = { .edges = TAF_EDGES_RISING, .leveled = true, .level = 1 };
	struct taf_peak peak[6];

	CHECK_EQ(peaks_of(&how, x, 6, peak), 2);
	CHECK(peak[0].place == 0.25 && peak[0].height == 1 && peak[0].width == 2);
	CHECK(fabs(peak[1].place - (4 + 1.0 / 6)) < 1e-15);
	how.edges = TAF_EDGES_FALLING;
	CHECK_EQ(peaks_of(&how, x, 6, peak), 1);
	CHECK(peak[0].place == 2.25);
}

/* Where the straight line is at v, in points; scipy's peak_widths, and it begins. */
static double
half_way(const double *x, size_t n, size_t top, double v, int by)
{
	size_t i = top;

	while (by > 0 ? i + 1 < n : i > 0) {
		const size_t next = by > 0 ? i + 1 : i - 1;

		if (x[next] != x[next])
			return (double)i;
		if (x[next] <= v)
			return (double)i + by * (x[i] - v) / (x[i] - x[next]);
		i = next;
	}
	return (double)i;
}

static void
widths_end_at_half(void)
{
	const struct taf_peaks all = { .minimum = 0.5 };
	const struct taf_peaks one = { .minimum = 0.5, .count = 1 };
	struct taf_peak peak[MOST];
	size_t n, i, k;
	double x[MOST];

	for (n = 3; n < MOST; n++)
		for (unsigned turn = 0; turn < 20; turn++) {
			for (i = 0; i < n; i++)
				x[i] = height() >= 3 && turn % 2 == 0 ?
				    (double)NAN : height();
			for (k = 0; k < 2; k++) {
				i = peaks_of(k == 0 ? &all : &one, x, n, peak);
				while (i-- > 0) {
					const size_t at = (size_t)peak[i].place;
					const double half = peak[i].height / 2;
					const double width = half_way(x, n, at, half, 1) -
					    half_way(x, n, at, half, -1);

					CHECK(fabs(peak[i].width - width) < 1e-12);
				}
			}
		}
}

/* Peaks whose width is that of many blocks, of which some are wanted, or all. */
static void
widths_across_blocks(void)
{
	static const size_t lengths[] = { 4095, 4096, 4097, 8193, LONG };
	static const unsigned counts[] = { 0, 7, 300 };
	static double x[LONG], want[LONG];
	static struct taf_peak peak[LONG];

	for (size_t r = 0; r < 15; r++) {
		const struct taf_peaks how = { .minimum = 0.5, .count = counts[r / 5] };
		const size_t n = lengths[r % 5];
		double lowest = (double)INFINITY;
		size_t i, found, higher = 0, fit = 0;

		for (i = 0; i < n; i++)
			x[i] = 8 * fabs((double)((i + 700 * r) % 3000) - 1500) / 1500 +
			    height() / 4 + (double)i * 1e-6;
		found = peaks_of(&how, x, n, peak);
		for (i = 0; i < found; i++) {
			const size_t at = (size_t)peak[i].place;
			const double half = peak[i].height / 2;

			CHECK(fabs(peak[i].width - half_way(x, n, at, half, 1) +
			    half_way(x, n, at, half, -1)) < 1e-9);
			CHECK(x[at] == peak[i].height);
			CHECK(i == 0 || peak[i - 1].place < peak[i].place);
			lowest = peak[i].height < lowest ? peak[i].height : lowest;
		}
		for (i = tops(x, n, want); i-- > 0;) {
			higher += x[(size_t)want[i]] > lowest;
			fit += x[(size_t)want[i]] >= how.minimum;
		}
		CHECK_EQ(found, how.count > 0 && how.count < fit ? how.count : fit);
		CHECK_EQ(higher, found - 1);
	}
}

/*
 * Passages as each pair of points on different sides, with none but points at the level
 * between them; in two pieces, too.
 */
static void
passages_between_sides(void)
{
	struct taf_peaks how = { .edges = TAF_EDGES_RISING | TAF_EDGES_FALLING };
	struct taf_peak peak[MOST], want[MOST];
	size_t n, i, j, k, found;
	double x[MOST];

	for (n = 0; n < MOST; n++)
		for (unsigned turn = 0; turn < 20; turn++) {
			struct taf_passages s = { .level = 0 };
			const size_t cut = n > 0 ? turn % n : 0;

			for (i = 0; i < n; i++)
				x[i] = height() >= 3 && turn % 2 == 0 ?
				    (double)NAN : height();
			for (found = i = 0; i + 1 < n; i++) {
				for (j = i + 1; j < n && x[j] == 0; j++)
					;
				if (x[i] == 0 || j == n || !(x[i] * x[j] < 0))
					continue;
				want[found].place = j - i > 1 ? (double)(i + j) / 2 :
				    (double)i + -x[i] / (x[j] - x[i]);
				want[found].height = x[j];
				want[found++].width = (double)NAN;
			}
			for (k = 0; k + 1 < found; k++)
				if (want[k].height * want[k + 1].height < 0)
					want[k].width = want[k + 1].place - want[k].place;
			(void)taf_passages_find(&s, &how, x, 0, cut, peak);
			(void)taf_passages_find(&s, &how, x + cut, cut, n - cut, peak);
			if (!CHECK_EQ(s.found, found))
				return;
			for (k = 0; k < found; k++)
				CHECK(peak[k].place == want[k].place && (peak[k].width ==
				    want[k].width || want[k].width != want[k].width));
		}
}

int
main(void)
{
	UNIT(every_top);
	UNIT(widths_end_at_half);
	UNIT(widths_across_blocks);
	UNIT(passages_between_sides);
	UNIT(few_and_apart);
	UNIT(passages);
	return unit_end();
}
