/* SPDX-License-Identifier: ISC */
#include "kernel/fft/taper.h"

#include "kernel/func/func.h"

/* The weight at x, from -1 to 1 between the ends. */
static double
weight(enum taf_taper t, double x)
{
	const double angle = 0x1.921fb54442d18p+1 * x;
	double c[2] = { angle, 2 * angle }, g = -4.5 * x * x;

	taf_func_cos(c, c, 2);
	switch (t) {
	case TAF_TAPER_BOXCAR:
		break;
	case TAF_TAPER_HANN:
		return 0.5 + 0.5 * c[0];
	case TAF_TAPER_HAMMING:
		return 0.54 + 0.46 * c[0];
	case TAF_TAPER_BLACKMAN:
		return 0.42 + 0.5 * c[0] + 0.08 * c[1];
	case TAF_TAPER_GAUSS:
		taf_func_exp(&g, &g, 1);
		return g;
	}
	return 1;
}

void
taf_taper_part(double *w, uint64_t first, size_t n, uint64_t all, enum taf_taper t)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const uint64_t k = first + i;
		/* the same for points that are mirrored, and exact in the middle */
		const uint64_t at = k < all - 1 - k ? k : all - 1 - k;

		w[i] = all == 1 ? 1 : weight(t, 1 - 2 * (double)at / (double)(all - 1));
	}
}

void
taf_taper(double *w, size_t n, enum taf_taper t, bool periodic)
{
	taf_taper_part(w, 0, n, n + periodic, t);
}
