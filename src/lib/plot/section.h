/* SPDX-License-Identifier: ISC */
/* Sections of traces: time goes down, and traces lie side by side. */
#ifndef TAF_PLOT_SECTION_H
#define TAF_PLOT_SECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "plot/plot.h"

/*
 * Is it drawn as one?  If wiggles are wanted; as an image, if segy2taf has made it, and
 * dimension 1 is still time, and drawn: x, from 0, is the first dimension that is.
 */
bool taf_section_is(const struct taf_plot_how *how, const struct taf_array *a,
    unsigned x);

/* Time, which was the horizontal axis, becomes the vertical one, and goes down. */
void taf_section_exchange(struct taf_plot_axis *x, struct taf_plot_axis *y);

/* Do so with an image that was read as any other: from has its buckets, part has room. */
TAF_MUST enum taf_status taf_section_turn(struct taf_plot_part *part,
    const struct taf_bucket *from, struct taf_err *e);

/* Wiggles reach a trace further than their axis at each end. */
void taf_section_range(struct taf_plot *p);

/* How far of 0 the end of the scale is on the horizontal axis: the distance of traces. */
double taf_section_far(const struct taf_plot *p);

/* Where on the horizontal axis a wiggle is 0. */
double taf_section_base(const struct taf_plot *p, size_t trace);

/* Points of a curve, values over time, become those of a wiggle. */
void taf_section_points(const struct taf_plot *p, size_t trace,
    struct taf_plot_point *to, size_t n);

#endif
