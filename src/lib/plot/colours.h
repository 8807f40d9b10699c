/* SPDX-License-Identifier: ISC */
/* Colours of images, and colours and dashes of lines. */
#ifndef TAF_PLOT_COLOURS_H
#define TAF_PLOT_COLOURS_H

#include <stddef.h>

#include "base/str.h"

/* In the order of --colours.  TRACES: large values are black. */
enum taf_colours {
	TAF_COLOURS_AUTO, TAF_COLOURS_GREY, TAF_COLOURS_DIVERGING, TAF_COLOURS_VIRIDIS,
	TAF_COLOURS_TRACES
};

/* Append the colours of an image, which lie evenly, with commas: "0 '#ffffff', ...". */
void taf_colours_palette(struct taf_str *to, enum taf_colours colours);

/* The same as lists of red, green and blue: "[255,255,255],...". */
void taf_colours_lists(struct taf_str *to, enum taf_colours colours);

/* Lines that have a colour and dashes of their own; more run through a scale. */
enum { TAF_LINES_DISTINCT = 21, TAF_LINES_OVER = 15 };

/* Append '#0072b2', the colour of line c of n; over an image it is light. */
void taf_line_colour(struct taf_str *to, size_t c, size_t n, int over);

/* Its dashes as gnuplot has them, " dt (8,4)"; nothing of a solid line. */
const char *taf_line_dashes(size_t c, size_t n, int over);

/* gnuplot's number of its mark: as its dashes, one of three. */
unsigned taf_line_mark(size_t c, size_t n);

#endif
