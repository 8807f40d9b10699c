/* SPDX-License-Identifier: ISC */
/* taf_bins_count() against a search for each value among the edges. */
/* link: m */
#include "kernel/stat/hist.h"

#include <math.h>

#include "feed.h"

enum { MOST = 3000, BINS = 700 };

static const enum taf_type types[] = { TAF_INT8, TAF_UINT8, TAF_INT16, TAF_UINT16,
	TAF_INT32,
	TAF_UINT32, TAF_INT64, TAF_UINT64, TAF_FLT32, TAF_FLT64 };
static const double maps[][2] = { { 1.5, -0.25 }, { 3, 0 }, { 1e3, 1e-3 } };

/*
 * Integers of 64 bits in two parts, of which either is a double, so that nothing is lost.
 */
static size_t
naive(const double *edge, size_t n, double high, double low)
{
	size_t above = n + 1, k = 0;

	if (high != high)
		return n + 2;
	/* the first edge above: between k and above */
	while (k < above) {
		const size_t middle = (k + above) / 2;

		if ((edge[middle] - high) - low > 0)
			above = middle;
		else
			k = middle + 1;
	}
	if (k <= n)
		return k;
	return (edge[n] - high) - low == 0 ? n : n + 1;
}

/* Values at edges, beside them and elsewhere. */
static double
draw_value(const double *edge, size_t n)
{
	static const double special[] = { 0, -0.0, NAN, INFINITY, -INFINITY, 1e300,
	    -1e300 };
	const double at = edge[draw((uint32_t)n + 1)];

	switch (draw(6)) {
	case 0:
		return at;
	case 1:
		return nextafter(at, draw(2) == 0 ? INFINITY : -INFINITY);
	case 2:
		return special[draw(7)];
	default:
		return edge[0] + (edge[n] - edge[0]) * ((double)draw(12000) - 1000) /
		    10000;
	}
}

static void
counts(void)
{
	static const double ranges[][2] = { { -1, 1 }, { 0, 100 }, { -3.3, 2.7 },
		{ 9007199254740000, 9007199254750000 }, { 1, 1 + 1e-9 },
		{ -1e-310, 3e-310 },
		{ -9e18, 9e18 }, { 0, 1.8e19 }, { -5e200, 7e200 } };
	static double edge[BINS + 1], v[MOST];
	static _Alignas(8) unsigned char in[MOST * 8];
	static uint64_t got[BINS + 3], want[BINS + 3];
	static uint32_t table[1 << 16];

	for (int round = 0; round < unit_rounds(2000); round++) {
		const enum taf_type type = types[draw(10)];
		const size_t size = taf_type_size(type),
		    n = 1 + draw(draw(2) == 0 ? 5 : BINS);
		const double *range = ranges[draw(9)], *map = draw(3) == 0 ?
		    maps[draw(3)] : NULL;
		const bool narrow = type == TAF_FLT32 && map == NULL;
		struct taf_bins b;
		size_t i;

		if (!taf_bins_between(edge, n, range[0], range[1], narrow))
			continue;
		for (i = 0; i < MOST; i++)
			v[i] = draw_value(edge, n);
		(void)taf_convert(in, type, v, TAF_FLT64, MOST, NULL, true, NULL);
		/* beside what doubles are */
		for (i = 0; i < MOST && (type == TAF_INT64 || type == TAF_UINT64); i++) {
			uint64_t u;

			memcpy(&u, in + i * size, size);
			u += draw(3);
			memcpy(in + i * size, &u, size);
		}
		b = taf_bins_plan(edge, n, type, map);
		if (draw(2) == 0 && taf_bins_patterns(type) > 0)
			taf_bins_table(&b, table);
		memset(got, 0, sizeof got);
		memset(want, 0, sizeof want);
		taf_bins_count(&b, got, in, MOST);
		for (i = 0; i < MOST; i++) {
			double high, low = 0;
			uint64_t u;
			int64_t s;

			(void)taf_convert(&high, TAF_FLT64, in + i * size, type, 1, map,
			    false, NULL);
			memcpy(&u, in + i * size, size < 8 ? size : 8);
			memcpy(&s, in + i * size, size < 8 ? size : 8);
			if (map == NULL && type == TAF_INT64) {
				low = (double)(s % 2048);
				high = (double)(s - s % 2048);
			} else if (map == NULL && type == TAF_UINT64) {
				low = (double)(u % 2048);
				high = (double)(u - u % 2048);
			}
			want[naive(edge, n, high, low)]++;
		}
		CHECK_MEM(got, want, (n + 3) * sizeof *got);
	}
}

static void
edges(void)
{
	double edge[5];

	/* a step that is no double, a range that is too large, too many bins */
	CHECK(taf_bins_between(edge, 2, 0, 1e-323, false));
	CHECK(!taf_bins_between(edge, 4, 0, 5e-324, false));
	CHECK(!taf_bins_between(edge, 4, -1e308, 1e308, false));
	CHECK(!taf_bins_between(edge, 4, 1, 1 + 1e-8, true));
	CHECK(!taf_bins_between(edge, 4, 0, 1e39, true));
	CHECK(taf_bins_between(edge, 4, 0, 0.7, true));
	CHECK(edge[4] == (double)0.7f && edge[0] == 0);
	CHECK(taf_bins_multiples(edge, 4, -2, 0.25) && edge[0] == -0.5 && edge[4] == 0.5);
	CHECK(!taf_bins_multiples(edge, 4, 0x1p53, 1));
}

int
main(void)
{
	UNIT(counts);
	UNIT(edges);
	return unit_end();
}
