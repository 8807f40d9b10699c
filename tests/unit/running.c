/* SPDX-License-Identifier: ISC */
/*
 * kernel/line/running against sums that lose nothing, and against itself in other
 * pieces.
 */
/* link: m */
#include "kernel/line/running.h"

#include <float.h>
#include <math.h>

#include "kernel/number/total.h"
#include "unit.h"

enum { MOST = 3000 };

static const struct taf_running begin;

/* Numbers of 20 digits in all, of which some take back the one before. */
static void
draw_points(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = i > 0 && draw(3) == 0 ? -x[i - 1] :
		    ldexp((double)draw(1 << 30) - (1 << 29),
		    (int)draw(40) - 20);
}

static void
nothing_is_lost(void)
{
	static double x[MOST], out[MOST];

	for (unsigned round = 0; round < 60; round++) {
		const size_t n = round < 40 ? 1 + draw(700) : MOST;
		const bool half = round % 2 == 0;
		uint64_t all[TAF_TOTAL_WORDS] = { 0 };
		struct taf_running s = begin;
		double most = 0;
		bool good = true;

		draw_points(x, n);
		taf_running(&s, out, x, 0, n, half);
		for (size_t i = 0; i < n; i++) {
			double want;

			most += fabs(x[i]);
			taf_total_add_f64(all, taf_total_flt64, half ? x[i] / 2 : x[i]);
			want = taf_total_f64(all, taf_total_flt64);
			if (half)
				taf_total_add_f64(all, taf_total_flt64, x[i] / 2);
			good = good && fabs(out[i] - want) <=
			    0x1p-52 * fabs(want) + 0x1p-90 * most;
		}
		CHECK(good);
	}
}

/* The sums of n points in pieces; the state goes on from one that was passed over. */
static void
sum_pieces(double *out, const double *x, size_t n, bool half)
{
	struct taf_running s = begin, passed = begin;
	size_t at, part;

	for (at = 0; at < n; at += part) {
		part = 1 + draw(draw(2) == 0 ? 40 : 1500);
		part = part < n - at ? part : n - at;
		s = passed;
		taf_running(&s, out + at, x + at, at, part, half);
		taf_running_pass(&passed, x + at, at, part);
	}
}

static void
cuts_have_no_influence(void)
{
	static double x[MOST], want[MOST], out[MOST];

	for (unsigned round = 0; round < 60; round++) {
		const size_t n = 1 + draw(MOST);
		const bool half = round % 2 == 0;
		struct taf_running one = begin, s = begin;
		size_t at, part;

		draw_points(x, n);
		/* nothing is side by side where one point comes at a time */
		for (at = 0; at < n; at++)
			taf_running(&one, want + at, x + at, at, 1, half);
		for (at = 0; at < n; at += part) {
			part = 1 + draw(draw(2) == 0 ? 40 : 1500);
			part = part < n - at ? part : n - at;
			taf_running(&s, out + at, x + at, at, part, half);
		}
		CHECK_MEM(out, want, n * sizeof *out);
		CHECK_MEM(&s, &one, sizeof s);
		sum_pieces(out, x, n, half);
		CHECK_MEM(out, want, n * sizeof *out);
	}
}

static void
infinities(void)
{
	static double x[MOST], want[MOST], out[MOST];

	/* the second run alone is more than a double holds, and is not with the first */
	for (size_t i = 0; i < MOST; i++)
		x[i] = i == 3 ? -DBL_MAX : i == 40 || i == 41 ? DBL_MAX : i < 45 ? 0 : 1;
	for (size_t n = 64; n <= 1024; n *= 2) {
		struct taf_running s = begin;

		taf_running(&s, out, x, 0, n, false);
		CHECK(out[2] == 0 && out[39] == -DBL_MAX && out[40] == 0);
		CHECK(out[41] == DBL_MAX && out[n - 1] == DBL_MAX);
	}
	/* a sum that was infinite for a moment is never finite again */
	for (size_t i = 0; i < MOST; i++)
		x[i] = i == 100 ? DBL_MAX : i == 500 ? DBL_MAX / 4 :
		    i == 501 ? -DBL_MAX / 2 : 0;
	for (size_t n = 512; n <= 2048; n *= 2) {
		struct taf_running s = begin;

		if (n < 2048)
			taf_running(&s, out, x, 0, n, false);
		else
			sum_pieces(out, x, n, false);
		CHECK(out[499] == DBL_MAX && out[500] == (double)INFINITY);
		CHECK(out[501] == (double)INFINITY && out[n - 1] == (double)INFINITY);
	}
	for (size_t i = 0; i < MOST; i++) {
		x[i] = i == 700 ? (double)INFINITY : i == 1500 ? -(double)INFINITY : 0.5;
		want[i] = i < 700 ? (double)(i + 1) / 2 :
		    i < 1500 ? (double)INFINITY : (double)NAN;
	}
	for (unsigned half = 0; half < 2; half++) {
		struct taf_running s = begin;
		bool good = true;

		taf_running(&s, out, x, 0, MOST, half == 1);
		for (size_t i = 0; i < MOST; i++)
			good = good && (isnan(want[i]) ? isnan(out[i]) :
			    out[i] == want[i] - (i < 700 && half == 1 ? 0.25 : 0));
		CHECK(good);
		memcpy(want, out, sizeof out);
		sum_pieces(out, x, MOST, half == 1);
		for (size_t i = 0; i < MOST; i++)
			good = good && (isnan(want[i]) ? isnan(out[i]) :
			    out[i] == want[i]);
		CHECK(good);
		for (size_t i = 0; i < MOST; i++)
			want[i] = i < 700 ? (double)(i + 1) / 2 :
			    i < 1500 ? (double)INFINITY : (double)NAN;
	}
}

int
main(void)
{
	UNIT(nothing_is_lost);
	UNIT(cuts_have_no_influence);
	UNIT(infinities);
	return unit_end();
}
