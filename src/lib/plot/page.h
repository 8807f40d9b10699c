/* Pages with a plot that a browser zooms, without anything from elsewhere. */
#ifndef TAF_PLOT_PAGE_H
#define TAF_PLOT_PAGE_H

#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/out.h"
#include "plot/picture.h"
#include "plot/plot.h"

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

#endif
