/* Pictures drawn by gnuplot. */
#ifndef TAF_PLOT_GNUPLOT_H
#define TAF_PLOT_GNUPLOT_H

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

#endif
