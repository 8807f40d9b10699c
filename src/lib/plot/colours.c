/* SPDX-License-Identifier: ISC */
#include "plot/colours.h"

enum {
	STOPS = 5,		/* of a scale, at most */
	COLOURS = 7,		/* of lines, that are easy to tell apart */
	OVER = 5		/* that are seen on those of an image */
};

struct colour {
	unsigned char part[3];
};

static const struct {
	unsigned n;
	struct colour stop[STOPS];
} scales[] = {
	[TAF_COLOURS_GREY] = { 2, { { { 0, 0, 0 } }, { { 255, 255, 255 } } } },
	[TAF_COLOURS_DIVERGING] = { 5, { { { 33, 102, 172 } }, { { 103, 169, 207 } },
	    { { 247, 247, 247 } }, { { 239, 138, 98 } }, { { 178, 24, 43 } } } },
	[TAF_COLOURS_VIRIDIS] = { 5, { { { 68, 1, 84 } }, { { 59, 82, 139 } },
	    { { 33, 145, 140 } }, { { 94, 201, 98 } }, { { 253, 231, 37 } } } },
	[TAF_COLOURS_TRACES] = { 2, { { { 255, 255, 255 } }, { { 0, 0, 0 } } } },
};

static void
put_colour(struct taf_str *to, const unsigned char part[3])
{
	taf_str_printf(to, "'#%02x%02x%02x'", part[0], part[1], part[2]);
}

void
taf_colours_palette(struct taf_str *to, enum taf_colours colours)
{
	unsigned k;

	for (k = 0; k < scales[colours].n; k++) {
		taf_str_printf(to, k > 0 ? ", %u " : "%u ", k);
		put_colour(to, scales[colours].stop[k].part);
	}
}

void
taf_colours_lists(struct taf_str *to, enum taf_colours colours)
{
	const unsigned char *part;
	unsigned k;

	for (k = 0; k < scales[colours].n; k++) {
		part = scales[colours].stop[k].part;
		taf_str_printf(to, k > 0 ? ",[%u,%u,%u]" : "[%u,%u,%u]", part[0], part[1],
		    part[2]);
	}
}

/* Many lines run through a scale whose end is seen on white. */
static void
put_scale(struct taf_str *to, size_t c, size_t n)
{
	static const unsigned char last[] = { 224, 205, 40 };
	const struct colour *const stop = scales[TAF_COLOURS_VIRIDIS].stop;
	const double at = (STOPS - 1.0) * (double)c / (double)(n - 1);
	const unsigned k = at < STOPS - 2 ? (unsigned)at : STOPS - 2;
	const unsigned char *const end = k == STOPS - 2 ? last : stop[k + 1].part;
	unsigned char part[3];
	int i;

	for (i = 0; i < 3; i++)
		part[i] = (unsigned char)(stop[k].part[i] +
		    (end[i] - stop[k].part[i]) * (at - k));
	put_colour(to, part);
}

void
taf_line_colour(struct taf_str *to, size_t c, size_t n, int over)
{
	static const char *const few[COLOURS] = { "#0072b2", "#d55e00", "#009e73",
		"#cc79a7", "#e69f00", "#56b4e9", "#000000" };
	static const char *const light[OVER] = { "#ffffff", "#ff5a4f", "#ff9ee5",
		"#9fd8ff", "#ffab40" };

	if (over)
		taf_str_printf(to, "'%s'", light[c % OVER]);
	else if (n <= TAF_LINES_DISTINCT)
		taf_str_printf(to, "'%s'", few[c % COLOURS]);
	else
		put_scale(to, c, n);
}

/* 0 to 2: which of the lines of its colour it is. */
static unsigned
turn_of(size_t c, size_t n, int over)
{
	return over ? (unsigned)(c / OVER % 3) : n > TAF_LINES_DISTINCT ? 0 :
	    (unsigned)(c / COLOURS % 3);
}

const char *
taf_line_dashes(size_t c, size_t n, int over)
{
	static const char *const dashes[] = { "", " dt (8,4)", " dt (2,3)" };

	return dashes[turn_of(c, n, over)];
}

unsigned
taf_line_mark(size_t c, size_t n)
{
	/* a disc, a square, a triangle: all filled */
	static const unsigned marks[] = { 7, 5, 9 };

	return marks[turn_of(c, n, 0)];
}
