/* SPDX-License-Identifier: ISC */
/* Names of curves and labels of axes. */
#ifndef TAF_PLOT_LABEL_H
#define TAF_PLOT_LABEL_H

#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"
#include "plot/plot.h"

/* Append the name of a curve, from 0. */
void taf_plot_name(struct taf_str *to, const struct taf_plot *p, size_t curve);

/* Append what stands above such names: the label of the columns of a single array. */
void taf_plot_names_title(struct taf_str *to, const struct taf_plot *p);

/* Make the label of an axis, "Time (ns)"; given as in a struct taf_plot_how. */
TAF_MUST enum taf_status taf_plot_label(struct taf_plot_axis *x, const char *given,
    struct taf_err *e);

/*
 * Make the labels of the axes, "Time (ns)", and the names of the arrays.  how has the
 * words for the axes where they are not the array's.
 */
TAF_MUST enum taf_status taf_plot_labels(struct taf_plot *p,
    const struct taf_plot_how *how, struct taf_err *e);

#endif
