/* Round numbers along an axis. */
#ifndef TAF_PLOT_TICKS_H
#define TAF_PLOT_TICKS_H

#include "base/decimal.h"
#include "base/str.h"
#include "plot/plot.h"

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
