/* SPDX-License-Identifier: ISC */
/* What draws a plot: gnuplot, a page that a browser zooms, or characters. */
#ifndef TAF_PLOT_OUTPUTS_H
#define TAF_PLOT_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/out.h"
#include "plot/picture.h"
#include "plot/plot.h"

/*
 * Write the commands and the data that draw it on gnuplot's standard output.  Text from
 * files is quoted so that it is text and nothing else.
 */
TAF_MUST enum taf_status taf_gnuplot_script(const struct taf_plot *p,
    const struct taf_picture *pic, struct taf_out *out, struct taf_err *e);

/*
 * Have gnuplot draw it, and what it has drawn written to out once it has ended well.
 * TAF_ESYS where it is missing or fails.
 */
TAF_MUST enum taf_status taf_gnuplot_draw(const struct taf_plot *p,
    const struct taf_picture *pic, struct taf_out *out, struct taf_err *e);

/*
 * Set how finely the bounds' part of a, one of so many arrays, is read for a page: so
 * that a page has a few megabytes whatever the lengths.
 */
TAF_MUST enum taf_status taf_page_fit(struct taf_plot_how *how, const struct taf_array *a,
    size_t arrays, struct taf_err *e);

/*
 * Write the page.  Text from files is text there, and nothing else; numbers read back
 * exactly.  A size of 0 fills the browser's window.  TAF_EDATA where an axis is longer
 * than the largest double.
 */
TAF_MUST enum taf_status taf_page_draw(const struct taf_plot *p,
    const struct taf_plot_how *how, const struct taf_picture *pic, struct taf_out *out,
    struct taf_err *e);

/* How fine a picture of so many characters is, in dots, its frame included. */
void taf_textplot_dots(const struct taf_picture *pic, bool image, unsigned *columns,
    unsigned *rows);

/* Draw it in so many characters: Braille where the locale says UTF-8, else ASCII. */
TAF_MUST enum taf_status taf_textplot_draw(const struct taf_plot *p,
    const struct taf_picture *pic, struct taf_out *out, struct taf_err *e);

#endif
