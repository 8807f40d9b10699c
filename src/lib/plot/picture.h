/* SPDX-License-Identifier: ISC */
/* The sheet that a picture is drawn on. */
#ifndef TAF_PLOT_PICTURE_H
#define TAF_PLOT_PICTURE_H

#include <stddef.h>

#include "base/attr.h"
#include "base/err.h"

/* AUTO: by the name of the file that it goes to; text for standard output. */
enum taf_term {
	TAF_TERM_AUTO, TAF_TERM_SVG, TAF_TERM_PNG, TAF_TERM_PDF, TAF_TERM_HTML,
	TAF_TERM_TEXT
};

/*
 * Where the names of the lines stand.  AUTO: where there is room, if there are several;
 * ON: of a single one, too.
 */
enum taf_legend {
	TAF_LEGEND_AUTO, TAF_LEGEND_ON, TAF_LEGEND_OFF, TAF_LEGEND_RIGHT, TAF_LEGEND_TOP,
	TAF_LEGEND_BOTTOM, TAF_LEGEND_INSIDE
};

struct taf_picture {
	enum taf_term term;
	unsigned width, height;		/* pixels; characters of a text */
	const char *title;		/* NULL for none */
	enum taf_legend legend;
	double line;			/* width of a line; 0: by the size */
	const char *font;		/* lent; NULL or "": the terminal's */
	int font_len;
	double font_size;		/* pixels; 0: by the size */
};

/* The smallest text that has room for an axis. */
enum { TAF_TEXTPLOT_WIDTH = 30, TAF_TEXTPLOT_HEIGHT = 8 };

/* Of a struct taf_picture: "WxH", "1.5", "NAME[,SIZE]".  TAF_EUSAGE: another text. */
TAF_MUST enum taf_status taf_picture_size(void *picture, const char *text,
    struct taf_err *e);
TAF_MUST enum taf_status taf_picture_line(void *picture, const char *text,
    struct taf_err *e);
TAF_MUST enum taf_status taf_picture_font(void *picture, const char *text,
    struct taf_err *e);

/*
 * Fill in what was not said: the size, by width and height of a terminal for texts
 * (0 where there is none), and the width of lines and letters, which grow with the size.
 * For a page all of them stay 0, by which it goes by the browser's window.
 * TAF_EUSAGE where the size is too small.
 */
TAF_MUST enum taf_status taf_picture_complete(struct taf_picture *pic, unsigned columns,
    unsigned rows, struct taf_err *e);

/* Let a picture of the default size be as high as so many panels want. */
void taf_picture_panels(struct taf_picture *pic, size_t panels);

#endif
