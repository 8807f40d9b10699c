/* SPDX-License-Identifier: ISC */
/* An axis of a picture: its numbers and units as people read them, and its marks. */
#ifndef TAF_PLOT_AXIS_H
#define TAF_PLOT_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/decimal.h"
#include "base/si.h"
#include "base/str.h"

/* Numbers are shown times 10^-shift.  A zeroed one shows them as they are. */
struct taf_scale {
	int shift;
	bool letters;			/* each has a prefix of its own, as 10k */
};

/* An axis of the picture. */
struct taf_plot_axis {
	unsigned dim;			/* of the array, from 1; 0: values, or none */
	uint64_t n;
	double start, step;		/* grid of what is drawn */
	double lo, hi;			/* lo < hi */
	bool log;
	bool down;			/* it counts from the top */
	struct taf_buf name, unit;	/* of the array; no data: none */
	struct taf_scale scale;		/* of numbers that are shown */
	struct taf_buf label;		/* "Time (ns)", UTF-8, no control characters */
};

/* Append text from anywhere as UTF-8 without control characters. */
void taf_plot_text(struct taf_str *to, const char *s);

/* A number of so many digits, without the noise of those behind. */
double taf_plot_round(double v, int digits);

/* m * 10^e as the number that these digits are. */
double taf_plot_decimal(int64_t m, int e);

/*
 * Append v, a point of axis x, as it is shown: in at most 7 digits, but for those that
 * tell it from its neighbours.
 */
void taf_plot_number(struct taf_str *to, const struct taf_plot_axis *x, double v);

/*
 * For an axis from lo to hi.  What has 1 to 3 digits before the point stays as it is, and
 * so does a unit that takes no prefixes: one that is not of the SI, or none (NULL).  A
 * logarithmic axis over more than three powers of ten has letters.
 */
void taf_scale_choose(struct taf_scale *s, const char *unit, double lo, double hi,
    bool log);

/*
 * The base unit of one that takes prefixes, and its power; *most is the largest power
 * whose prefix people say.  False where there is none.
 */
TAF_MUST bool taf_scale_base(const char *unit, struct taf_si *u, int *most);

/* v as it is shown, but for the letter. */
double taf_scale_shown(const struct taf_scale *s, double v);

/* v times 10^power, rounded once where 10^power or its inverse is exact. */
double taf_scale_power(double v, int power);

/* Append the name of the unit that goes with what is shown, as UTF-8. */
void taf_scale_unit(struct taf_str *to, const struct taf_scale *s, const char *unit);

/*
 * What turns numbers of one unit into those of another: 10^*power.  Units that nobody
 * says, and equal ones, fit with power 0.  False where the two do not fit.
 */
TAF_MUST bool taf_scale_between(const char *from, const char *to, int *power);

/* The ends of an axis with some room beside them, which is as finite as they are. */
void taf_plot_room(const struct taf_plot_axis *x, double *lo, double *hi);

enum { TAF_TICKS = 12 };	/* of an axis, at most */

struct taf_tick {
	double value;			/* as it is shown */
	double at;			/* from 0 (the axis's lo) to 1 (hi) */
	char text[TAF_DECIMAL_MAX + 4];	/* room for a prefix */
};

/* Append its text as UTF-8: a u is a micro. */
void taf_tick_text(struct taf_str *to, const struct taf_tick *t);

/* Where v lies: 0 at the lower end of an axis, 1 at the upper one; perhaps beyond. */
double taf_plot_where(const struct taf_plot_axis *x, double v);

/* The same for what lies between the ends, 0 to 1. */
double taf_plot_place(const struct taf_plot_axis *x, double v);

/*
 * The marks of an axis, about most of them, at least two.  Of a logarithmic one these are
 * powers of ten, and 2 and 5 times as much where there are few.  Returns how many.
 */
unsigned taf_ticks(const struct taf_plot_axis *x, unsigned most, struct taf_tick *t);

#endif
