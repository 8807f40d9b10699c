/* Pictures drawn with characters. */
#ifndef TAF_CLI_TEXTPLOT_H
#define TAF_CLI_TEXTPLOT_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/err.h"
#include "cli/gnuplot.h"
#include "cli/plot.h"
#include "io/out.h"

/* The smallest picture that has room for an axis. */
enum { CMD_TEXT_WIDTH = 30, CMD_TEXT_HEIGHT = 8 };

/* How fine a picture of so many characters is, in dots, its frame included. */
void cmd_text_dots(const struct cmd_picture *pic, bool image, unsigned *columns,
    unsigned *rows);

/* Draw it in so many characters: Braille where the locale says UTF-8, else ASCII. */
TAF_MUST enum taf_status cmd_text_draw(const struct cmd_plot *p,
    const struct cmd_picture *pic, struct taf_out *out, struct taf_err *e);

#endif
