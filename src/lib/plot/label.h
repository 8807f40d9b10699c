/* Text in pictures: of labels, names and numbers. */
#ifndef TAF_PLOT_LABEL_H
#define TAF_PLOT_LABEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"
#include "plot/plot.h"

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

/* Append the name of a curve, from 0. */
void taf_plot_name(struct taf_str *to, const struct taf_plot *p, size_t curve);

/* Append what stands above such names: the label of the columns of a single array. */
void taf_plot_names_title(struct taf_str *to, const struct taf_plot *p);

/*
 * Make the labels of the axes, "Time (ns)", and the names of the arrays.  how has the
 * words for the axes where they are not the array's.
 */
TAF_MUST enum taf_status taf_plot_labels(struct taf_plot *p,
    const struct taf_plot_how *how, struct taf_err *e);

#endif
