/* SPDX-License-Identifier: ISC */
/* Recursive filters of lines: how they are designed, and what they do. */
#ifndef TAF_KERNEL_LINE_CASCADE_H
#define TAF_KERNEL_LINE_CASCADE_H

#include <stddef.h>

enum taf_filter_type { TAF_FILTER_BUTTER, TAF_FILTER_BESSEL, TAF_FILTER_CHEBY };

enum { TAF_FILTER_ORDER = 12, TAF_FILTER_SECTIONS = 64 };

/* y[i] = b[0] x[i] + b[1] x[i-1] + b[2] x[i-2] - a[0] y[i-1] - a[1] y[i-2] */
struct taf_section {
	double b[3], a[2];
};

/*
 * What passes: frequencies from low to high, in cycles a point, each 0 where it is not
 * given.
 */
struct taf_pass_band {
	enum taf_filter_type type;	/* bessel: by phase; cheby: type I, 0.5 dB */
	/* 1 to TAF_FILTER_ORDER; of each side of a band */
	unsigned order;
	double low, high;		/* below 0.5, low below high, one of them given */
};

/* Design it, by the bilinear transform; how many sections, at most TAF_FILTER_ORDER. */
size_t taf_filter_design(const struct taf_pass_band *p, struct taf_section *s);

/* The section that stops a frequency alone: the width of what it stops is f / q. */
struct taf_section taf_filter_notch(double f, double q);

/* A cascade, and the state of each section. */
struct taf_filter {
	struct taf_section section[TAF_FILTER_SECTIONS];
	double state[TAF_FILTER_SECTIONS][2];
	size_t n;
};

/* The state after x for ever. */
void taf_filter_settle(struct taf_filter *f, double x);

/* n points, in their order or backwards, become what comes out. */
void taf_filter_forward(struct taf_filter *f, double *x, size_t n);
void taf_filter_backward(struct taf_filter *f, double *x, size_t n);

/* Points that a line is extended by at each end to be filtered both ways. */
size_t taf_filter_margin(const struct taf_filter *f);

/*
 * Lines of len points, more than the margin, forward and then backward: nothing is
 * shifted.  They are extended by their points mirrored at their ends.  scratch:
 * taf_filter_scratch doubles.
 */
void taf_filter_both(struct taf_filter *f, double *out, const double *in, size_t len,
    size_t lines, double *scratch);
size_t taf_filter_scratch(const struct taf_filter *f, size_t len, size_t lines);

#endif
