/* Pictures drawn with characters. */
#ifndef TAF_PLOT_TEXTPLOT_H
#define TAF_PLOT_TEXTPLOT_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "io/out.h"
#include "plot/picture.h"
#include "plot/plot.h"

/* How fine a picture of so many characters is, in dots, its frame included. */
void taf_textplot_dots(const struct taf_picture *pic, bool image, unsigned *columns,
    unsigned *rows);

/* Draw it in so many characters: Braille where the locale says UTF-8, else ASCII. */
TAF_MUST enum taf_status taf_textplot_draw(const struct taf_plot *p,
    const struct taf_picture *pic, struct taf_out *out, struct taf_err *e);

#endif
