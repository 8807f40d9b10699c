/* SPDX-License-Identifier: ISC */
/* Curves one above the other, each in a panel with a value axis of its own. */
#ifndef TAF_PLOT_PANELS_H
#define TAF_PLOT_PANELS_H

#include "base/attr.h"
#include "base/err.h"
#include "plot/plot.h"

/*
 * Make the value axes of the panels, one for each curve, of a plot whose own axes are
 * complete: their ends are those that are given, or of what is drawn.
 */
TAF_MUST enum taf_status taf_panels_make(struct taf_plot *p,
    const struct taf_plot_how *how, struct taf_err *e);

#endif
