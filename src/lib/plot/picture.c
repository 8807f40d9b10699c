/* SPDX-License-Identifier: ISC */
/* link: m */
#include "plot/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/num.h"

enum {
	WIDTH = 960, HEIGHT = 540,		/* half of a slide each way */
	TEXT_WIDTH = 80, TEXT_HEIGHT = 24,
	LEAST = 50, LARGEST = 20000,
	PANEL = 130,				/* height of one of many */
	LETTERS = 16, LEAST_LETTERS = 10, LARGEST_LETTERS = 500,	/* in pixels */
	WIDEST = 100
};

enum taf_status
taf_picture_size(void *picture, const char *text, struct taf_err *e)
{
	struct taf_picture *pic = picture;
	const char *x = strchr(text, 'x');
	uint64_t w, h;

	if (x == NULL || !taf_parse_u64(text, (size_t)(x - text), &w) ||
	    !taf_parse_u64(x + 1, strlen(x + 1), &h) || w < 1 || h < 1 || w > LARGEST ||
	    h > LARGEST)
		return taf_fail(e, TAF_EUSAGE,
		    "%s: not WxH with numbers of 1 to %d", text, LARGEST);
	pic->width = (unsigned)w;
	pic->height = (unsigned)h;
	return TAF_OK;
}

enum taf_status
taf_picture_line(void *picture, const char *text, struct taf_err *e)
{
	struct taf_picture *pic = picture;
	double v;

	if (!taf_parse_f64(text, strlen(text), &v) || !(v > 0 && v <= WIDEST))
		return taf_fail(e, TAF_EUSAGE, "%s: no width above 0, up to %d", text,
		    WIDEST);
	pic->line = v;
	return TAF_OK;
}

enum taf_status
taf_picture_font(void *picture, const char *text, struct taf_err *e)
{
	struct taf_picture *pic = picture;
	const char *comma = strrchr(text, ',');
	const char *p;
	double v;

	pic->font = text;
	pic->font_len = (int)(comma != NULL ? (size_t)(comma - text) : strlen(text));
	/* names of fonts are words; gnuplot splits at commas and colons */
	for (p = text; p < text + pic->font_len; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f ||
		    strchr(",:\"'\\`", *p) != NULL)
			return taf_fail(e, TAF_EUSAGE, "%s: not NAME, NAME,SIZE or ,SIZE",
			    text);
	if (comma == NULL)
		return TAF_OK;
	if (!taf_parse_f64(comma + 1, strlen(comma + 1), &v) ||
	    !(v >= 1 && v <= LARGEST_LETTERS))
		return taf_fail(e, TAF_EUSAGE,
		    "%s: no size of 1 to %d behind the comma", text, LARGEST_LETTERS);
	pic->font_size = v;
	return TAF_OK;
}

enum taf_status
taf_picture_complete(struct taf_picture *pic, unsigned columns, unsigned rows,
    struct taf_err *e)
{
	const bool text = pic->term == TAF_TERM_TEXT;
	double by;

	if (pic->term == TAF_TERM_HTML && pic->width == 0)
		return TAF_OK;
	if (pic->width == 0 && text) {
		pic->width = columns >= TAF_TEXTPLOT_WIDTH ? columns : TEXT_WIDTH;
		pic->height = rows >= TAF_TEXTPLOT_HEIGHT ? rows : TEXT_HEIGHT;
	} else if (pic->width == 0) {
		pic->width = WIDTH;
		pic->height = HEIGHT;
	}
	if (text && (pic->width < TAF_TEXTPLOT_WIDTH ||
	    pic->height < TAF_TEXTPLOT_HEIGHT))
		return taf_fail(e, TAF_EUSAGE,
		    "--size: a text has %dx%d characters at least",
		    TAF_TEXTPLOT_WIDTH, TAF_TEXTPLOT_HEIGHT);
	if (!text && (pic->width < LEAST || pic->height < LEAST))
		return taf_fail(e, TAF_EUSAGE,
		    "--size: a picture has %dx%d pixels at least", LEAST, LEAST);
	if (pic->term == TAF_TERM_HTML)
		return TAF_OK;
	/* letters of a wide picture are between those that its sides would have */
	by = sqrt((double)pic->width * pic->height / ((double)WIDTH * HEIGHT));
	if (pic->font_size == 0)
		pic->font_size = LETTERS * by < LEAST_LETTERS ? LEAST_LETTERS :
		    LETTERS * by;
	if (pic->line == 0)
		pic->line = 1.5 * by < 0.75 ? 0.75 : 1.5 * by;
	return TAF_OK;
}

void
taf_picture_panels(struct taf_picture *pic, size_t panels)
{
	const size_t want = (panels + 1) * PANEL;

	if (want > pic->height)
		pic->height = want < LARGEST ? (unsigned)want : LARGEST;
}
