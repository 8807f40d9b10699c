/* SPDX-License-Identifier: ISC */
#include "format/example.h"

enum { POINTS = 101, CURVES = 3, PAGES = 2 };

/* sin(2 pi x) by its series around the nearest quarter: libm would slow every start. */
static double
sine_of_turns(double x)
{
	static const double pi = 3.14159265358979323846;
	int quarter = (int)(x * 4 + 0.5), k;
	double r = 2 * pi * (x - quarter / 4.0), s = 0, c = 0, term = 1;

	for (k = 0; k < 20; k += 2) {
		c += term;
		term *= r / (k + 1);
		s += term;
		term *= -r / (k + 2);
	}
	return quarter % 4 == 0 ? s : quarter % 4 == 1 ? c : quarter % 4 == 2 ? -s : -c;
}

enum taf_status
taf_example(int ndim, struct taf_array *a, struct taf_in **in, struct taf_err *e)
{
	/* taf_in_mem keeps it */
	static double v[PAGES][CURVES][POINTS];
	int i, k;

	for (i = 0; i < POINTS; i++) {
		double t = i / 100.0;

		v[0][0][i] = t;
		v[0][1][i] = t * t;
		v[0][2][i] = t * t * t;
		for (k = 0; k < CURVES; k++)
			v[1][k][i] = sine_of_turns((k + 1) * t);
	}
	a->ndim = 0;
	taf_array_add_dim(a, POINTS, 0, 0.01);
	taf_array_add_dim(a, CURVES, 1, 1);
	if (ndim == 3)
		taf_array_add_dim(a, PAGES, 1, 1);
	if (taf_attr_set(a, "label", TAF_OF_DIM, 1, "Time", e) != TAF_OK ||
	    taf_attr_set(a, "label", TAF_OF_DIM, 2, "Curve", e) != TAF_OK ||
	    (ndim == 3 && taf_attr_set(a, "label", TAF_OF_DIM, 3, "Page", e) != TAF_OK))
		return e->code;
	return taf_in_mem(in, v, sizeof v[0] * (size_t)(ndim - 1), e);
}
