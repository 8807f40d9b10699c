/* SPDX-License-Identifier: ISC */
/* link: m */
#include "plot/outputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "plot/label.h"
#include "plot/section.h"

enum {
	LEGEND = 12,		/* of many lines are named, at most */
	LEAST_LETTERS = 8,	/* in pixels, where more names would not have room */
	ABOVE = 10,		/* numbers one above the other, at most */
	DECADES = 12,		/* of an axis with marks between powers of ten */
	DOTS = 64,		/* samples of a line that are marked, at most */
	TEXT = 256 * 1024	/* of the script, between two writes */
};

static const char *const names[] = {
	[TAF_TERM_SVG] = "svg", [TAF_TERM_PNG] = "pngcairo", [TAF_TERM_PDF] = "pdfcairo",
};

/* Write what there is, if it is much. */
static void
flush(struct taf_str *s, struct taf_out *out)
{
	if (s->buf.len >= TEXT)
		s->st = taf_out_str(out, s);
}

/*
 * In single quotes gnuplot takes everything but the quote as it is.  A doubled quote is
 * no way: at the beginning of a text gnuplot takes it for the end.  In double quotes it
 * looks at three characters.  The text has no control characters.
 */
static void
put_quoted_part(struct taf_str *s, const char *text, size_t n)
{
	const char *quote = n > 0 && memchr(text, '\'', n) != NULL ? "\"" : "'";

	taf_str_puts(s, quote);
	for (; n > 0; text++, n--)
		if (quote[0] == '"' && (*text == '\\' || *text == '"' || *text == '`'))
			taf_str_puts(s, *text == '`' ? "\\140" : *text == '"' ? "\\\"" :
			    "\\\\");
		else
			taf_str_put(s, text, 1);
	taf_str_puts(s, quote);
}

static void
put_quoted(struct taf_str *s, const char *text)
{
	put_quoted_part(s, text, text != NULL ? strlen(text) : 0);
}

/* The bytes of text that a line of so many characters takes, whole words if it can. */
static size_t
line_of(const char *text, unsigned most)
{
	size_t i, blank = 0;

	for (i = 0; text[i] != '\0'; i++) {
		if (((unsigned char)text[i] & 0xc0) != 0x80 && most-- == 0)
			return blank > 0 ? blank : i;
		if (text[i] == ' ')
			blank = i;
	}
	return i;
}

/* In lines of so many letters, if there is any text.  Returns how many lines. */
static unsigned
put_wrapped(struct taf_str *s, const char *command, const char *text, double letters)
{
	const unsigned most = letters > 1 ? (unsigned)letters : 1;
	unsigned lines = 1;
	size_t n;

	if (text == NULL || text[0] == '\0')
		return 0;
	taf_str_puts(s, command);
	for (;; taf_str_puts(s, ".\"\\n\"."), lines++) {
		n = line_of(text, most);
		put_quoted_part(s, text, n);
		text += n;
		text += strspn(text, " ");
		if (*text == '\0')
			break;
	}
	taf_str_puts(s, "\n");
	return lines;
}

static void
put_text(struct taf_str *s, const char *command, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	taf_str_puts(s, command);
	put_quoted(s, text);
	taf_str_puts(s, "\n");
}

/* As many digits as tell the ends of an axis from what lies between; at least 6. */
static unsigned
digits_of(const struct taf_plot_axis *x)
{
	const double size = fabs(x->lo) > fabs(x->hi) ? fabs(x->lo) : fabs(x->hi);
	const double digits = x->log ? 0 : log10(size / (x->hi - x->lo)) + 3;

	return !(digits > 6) ? 6 : digits < 15 ? (unsigned)digits : 15;
}

static void
put_format(struct taf_str *s, const char *axis, const struct taf_plot_axis *x)
{
	const unsigned digits = digits_of(x);

	/* the default would show 2 as 2.0000000 where the range begins just above 0 */
	taf_str_printf(s, "set format %s '%%.%ug'\n", axis, digits);
	/* long numbers side by side would run into each other */
	if (digits > 6 && axis[0] == 'x')
		taf_str_puts(s, "set xtics rotate by 20 right\n");
}

/* Between n numbers of a logarithmic axis gnuplot has no marks where they are given. */
static void
put_small_tics(struct taf_str *s, const struct taf_plot_axis *x,
    const struct taf_tick *t, unsigned n)
{
	const double lo = taf_scale_shown(&x->scale, x->lo);
	const double hi = taf_scale_shown(&x->scale, x->hi);
	const int first = (int)floor(log10(lo)), last = (int)floor(log10(hi));
	unsigned i;
	double v;
	int e, m;

	for (e = first; e <= last; e++)
		for (m = 1; m < (last - first > DECADES ? 2 : 10); m++) {
			v = taf_plot_decimal(m, e);
			for (i = 0; i < n && t[i].value != v; i++)
				continue;
			if (i == n && v >= lo && v <= hi)
				taf_str_printf(s, ", '' %s 1", taf_f64(v).s);
		}
}

/* Numbers of ours, or bare marks; returns the width of the longest. */
static unsigned
put_tics(struct taf_str *s, const char *axis, const struct taf_plot_axis *x,
    unsigned most, bool bare)
{
	struct taf_tick t[TAF_TICKS];
	unsigned n = taf_ticks(x, most, t), i, len, width = 0;
	char text[TAF_DECIMAL_MAX];

	taf_str_printf(s, "set %stics (", axis);
	for (i = 0; i < n; i++) {
		taf_str_puts(s, i > 0 ? ", " : "");
		if (bare) {
			taf_str_printf(s, "'' %s", taf_f64(t[i].value).s);
		} else if (x->scale.letters) {
			taf_str_puts(s, "'");
			taf_tick_text(s, &t[i]);
			taf_str_printf(s, "' %s", taf_f64(t[i].value).s);
		} else {
			taf_str_puts(s, t[i].text);
		}
		len = (unsigned)snprintf(text, sizeof text, "%.*g", (int)digits_of(x),
		    t[i].value);
		width = len > width ? len : width;
	}
	if (x->log)
		put_small_tics(s, x, t, n);
	taf_str_puts(s, ")\n");
	return width;
}

/*
 * What lies between the edges of a single pixel is no grid value: mark its middle alone.
 */
static void
put_only_tic(struct taf_str *s, const char *axis, const struct taf_plot_axis *x)
{
	if (x->n == 1)
		taf_str_printf(s, "set %stics (%s)\n", axis,
		    x->dim > 0 ? taf_f64(taf_scale_shown(&x->scale, x->start)).s : "");
}

static void
put_range(struct taf_str *s, const char *axis, const struct taf_plot_axis *x, double lo,
    double hi)
{
	taf_str_printf(s, "set %srange [%s:%s]\n", axis,
	    taf_f64(taf_scale_shown(&x->scale, lo)).s,
	    taf_f64(taf_scale_shown(&x->scale, hi)).s);
	put_format(s, axis, x);
	if (x->log)
		taf_str_printf(s, "set logscale %s\n", axis);
}

/*
 * How many numbers have room one above the other, beside the title, what is below, and a
 * legend above or below.
 */
static unsigned
most_above(const struct taf_picture *pic, enum taf_legend place)
{
	const bool less = place == TAF_LEGEND_TOP || place == TAF_LEGEND_BOTTOM;
	const double n = (pic->height / pic->font_size - 7) / 1.5 - (less ? 3 : 0);

	return n > ABOVE ? ABOVE : n > 2 ? (unsigned)n : 2;
}

/* In a low picture gnuplot would have more of them than have room. */
static void
put_step_above(struct taf_str *s, const struct taf_plot_axis *y, unsigned most)
{
	struct taf_tick t[TAF_TICKS];

	if (most == ABOVE)
		return;
	/* two may be the ends of an axis that has no round numbers */
	if (taf_ticks(y, most, t) <= 2)
		(void)put_tics(s, "y", y, most, false);
	else
		taf_str_printf(s, "set ytics %s\n",
		    taf_f64(taf_plot_round(t[1].value - t[0].value, 6)).s);
}

/* The letters beside each other that the picture itself has room for. */
static double
letters_of(const struct taf_plot *p, const struct taf_picture *pic, unsigned beside)
{
	const double all = pic->width / (pic->font_size * 0.6);
	const double some = all - (taf_plot_up(p)->label.len > 0 ? 11 : 8) - beside;

	return some < all * 0.75 ? some : all * 0.75;
}

/*
 * Numbers side by side that do not touch: gnuplot looks at the place alone.  beside: the
 * letters that stand at the right of the picture.
 */
static void
put_step(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic,
    unsigned beside, bool bare)
{
	const double letters = letters_of(p, pic, beside);
	const struct taf_plot_axis *x = &p->x;
	struct taf_tick t[TAF_TICKS];
	size_t longest = 0;
	unsigned most, n = 0, i;

	if (digits_of(x) > 6)
		return;
	for (most = 10; most > 2; most--) {
		n = taf_ticks(x, most, t);
		for (longest = 0, i = 0; i < n; i++)
			if (strlen(t[i].text) > longest)
				longest = strlen(t[i].text);
		if (n * ((double)longest + 1.5) <= letters)
			break;
	}
	/* two may be the ends of an axis that has no round numbers */
	if (n <= 2 || x->log)
		(void)put_tics(s, "x", x, most, bare);
	else
		taf_str_printf(s, "set xtics %s\n",
		    taf_f64(taf_plot_round(t[1].value - t[0].value, 6)).s);
}

/* A font of so many pixels; all but SVG count points. */
static void
put_font(struct taf_str *s, const struct taf_picture *pic, double size)
{
	taf_str_printf(s, " font '%.*s,%.4g'", pic->font != NULL ? pic->font_len : 0,
	    pic->font != NULL ? pic->font : "",
	    pic->term == TAF_TERM_SVG ? size : size * 0.75);
}

/* gnuplot's terminal, and the colours and widths of what is no data. */
static void
put_terminal(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic)
{
	const bool pdf = pic->term == TAF_TERM_PDF;
	const double fine = pic->font_size / 16;

	taf_str_printf(s, "set terminal %s noenhanced size ", names[pic->term]);
	if (pdf)
		/* pixels of the usual 96 an inch, and points of 72 */
		taf_str_printf(s, "%sin,%sin fontscale 1", taf_f64(pic->width / 96.0).s,
		    taf_f64(pic->height / 96.0).s);
	else
		taf_str_printf(s, "%u,%u", pic->width, pic->height);
	put_font(s, pic, pic->font_size);
	taf_str_puts(s, pic->term == TAF_TERM_SVG ? " background '#ffffff'\n" : "\n");
	taf_str_printf(s, "set encoding utf8\nset border lw %.3g lc rgb '#707070'\n"
	    "set tics textcolor rgb '#000000'\n", fine);
	if (p->aspect > 0)
		taf_str_printf(s, "set size ratio %s\n", taf_f64(p->aspect).s);
	if (!p->image)
		taf_str_printf(s, "set grid lt 1 lw %.3g lc rgb '#dddddd'\n", fine);
}

static void
put_head(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic)
{
	/* a letter is half as wide as high, and a little more */
	const double letter = pic->font_size * 0.6, wide = pic->width / letter;
	const char *label = taf_plot_up(p)->label.data;
	unsigned lines;

	put_terminal(s, p, pic);
	(void)put_wrapped(s, "set title ", pic->title, wide);
	if (p->panels)
		return;
	(void)put_wrapped(s, "set xlabel ", p->x.label.data, wide);
	/* beside the axis, not the title and the numbers below */
	lines = put_wrapped(s, "set ylabel ", label, pic->height * 0.75 / letter);
	/* gnuplot makes room for one line alone */
	if (lines > 1)
		taf_str_printf(s, "set ylabel offset %.3g\nset lmargin %u\n",
		    -1.0 * (lines - 1), 11 + 2 * (lines - 1));
}

/* Some room above and below the values; bars stand on the axis. */
static void
put_value_range(struct taf_str *s, const struct taf_plot *p, unsigned most)
{
	const struct taf_plot_axis *v = &p->value;
	double lo = v->lo, hi = v->hi;

	if (!p->tight)
		taf_plot_room(v, &lo, &hi);
	if (p->base && v->lo == 0)
		lo = 0;
	if (p->base && v->hi == 0)
		hi = 0;
	put_range(s, "y", v, lo, hi);
	if (v->log)
		(void)put_tics(s, "y", v, most, false);
	else
		put_step_above(s, v, most);
}

/* The vertical axis of curves.  Time goes down, and traces are marked where they are. */
static void
put_up_range(struct taf_str *s, const struct taf_plot *p, unsigned most)
{
	if (!p->wiggle) {
		put_value_range(s, p, most);
		return;
	}
	put_range(s, "y", &p->y, p->y.hi, p->y.lo);
	put_step_above(s, &p->y, most);
	put_only_tic(s, "x", &p->x);
}

static void
put_point(struct taf_str *s, const struct taf_plot_point *p)
{
	taf_str_printf(s, "%s %s\n", taf_f64(p->x).s, taf_f64(p->y).s);
}

/* Is it a point between gaps? */
static bool
is_alone(const struct taf_plot_point *points, size_t i, size_t n)
{
	return points[i].y == points[i].y &&
	    (i == 0 || points[i - 1].y != points[i - 1].y) &&
	    (i + 1 == n || points[i + 1].y != points[i + 1].y);
}

/* The points of each curve, a blank line for a gap; and those that stand alone. */
static void
put_points(struct taf_str *s, const struct taf_plot *p, size_t c,
    struct taf_plot_point *points, bool *alone)
{
	const size_t n = taf_plot_points(p, c, points);
	size_t i;

	*alone = false;
	taf_str_printf(s, "$c%zu << EOD\n", c + 1);
	for (i = 0; i < n; i++) {
		if (points[i].y == points[i].y)
			put_point(s, &points[i]);
		else
			taf_str_puts(s, "\n");
		*alone = *alone || is_alone(points, i, n);
	}
	/* all of a curve may be missing */
	taf_str_puts(s, n == 0 ? "NaN NaN\nEOD\n" : "EOD\n");
	if (!*alone)
		return;
	taf_str_printf(s, "$a%zu << EOD\n", c + 1);
	for (i = 0; i < n; i++)
		if (is_alone(points, i, n))
			put_point(s, &points[i]);
	taf_str_puts(s, "EOD\n");
}

/*
 * What a wiggle has on its positive side, as polygons with a blank line between them;
 * points is room for its points.
 */
static void
put_lobes(struct taf_str *s, const struct taf_plot *p, size_t c,
    struct taf_plot_point *points)
{
	const size_t n = taf_plot_points(p, c, points);
	const double base = taf_section_base(p, c);
	bool was = false, is;
	size_t i;

	taf_str_printf(s, "$w%zu << EOD\nNaN NaN\n\n", c + 1);
	for (i = 0; i <= n; i++, was = is) {
		const struct taf_plot_point *to = &points[i], *from = to - (i > 0);

		is = i < n && to->y == to->y && to->x > base;
		if (is != was) {
			/* it begins and ends on the base, where that is crossed */
			struct taf_plot_point edge = { base, is ? to->y : from->y };

			if (i > 0 && i < n && !isnan(from->y) && !isnan(to->y))
				edge.y = from->y + (base - from->x) / (to->x - from->x) *
				    (to->y - from->y);
			put_point(s, &edge);
		}
		if (is)
			put_point(s, to);
		else if (was)
			taf_str_puts(s, "\n");
	}
	taf_str_puts(s, "EOD\n");
}

/* The edges of the band of a curve, a blank line for a gap. */
static void
put_band(struct taf_str *s, const struct taf_plot *p, size_t c, struct taf_plot_span *to)
{
	const size_t n = taf_plot_band(p, c, to);
	size_t i;

	taf_str_printf(s, "$b%zu << EOD\n", c + 1);
	for (i = 0; i < n; i++)
		if (to[i].hi == to[i].hi && p->errors)
			/* bars have a middle */
			taf_str_printf(s, "%s %s %s %s\n", taf_f64(to[i].x).s,
			    taf_f64(to[i].lo / 2 + to[i].hi / 2).s,
			    taf_f64(to[i].lo).s, taf_f64(to[i].hi).s);
		else if (to[i].hi == to[i].hi)
			taf_str_printf(s, "%s %s %s\n", taf_f64(to[i].x).s,
			    taf_f64(to[i].lo).s, taf_f64(to[i].hi).s);
		else
			taf_str_puts(s, "\n");
	taf_str_printf(s, "%sEOD\n", n > 0 ? "" : p->errors ? "NaN NaN NaN NaN\n" :
	    "NaN NaN NaN\n");
}

/* Is line c of n one of most, the first, the last, and others evenly between? */
static bool
is_named(size_t c, size_t n, size_t most)
{
	const size_t gaps = n - 1, steps = most - 1;
	size_t i;

	if (n <= most)
		return true;
	/* the one whose place is nearest, or the next */
	for (i = c * steps / gaps; i <= c * steps / gaps + 1; i++)
		if ((2 * i * gaps + steps) / (2 * steps) == c)
			return true;
	return false;
}

/* The letters of the longest name, or of what stands above the names. */
static unsigned
longest_name(const struct taf_plot *p, struct taf_err *e)
{
	struct taf_str title = { .err = e };
	size_t c, longest;

	taf_plot_names_title(&title, p);
	longest = title.buf.len;
	/* "2.576 sigma" */
	longest = p->band > 0 && longest < 11 ? 11 : longest;
	taf_str_free(&title);
	for (c = 0; c < p->curves; c++) {
		struct taf_str name = { .err = e };

		taf_plot_name(&name, p, c);
		longest = name.buf.len > longest ? name.buf.len : longest;
		taf_str_free(&name);
	}
	return (unsigned)longest;
}

/* The names that have room one below the other, beside titles and the axis's numbers. */
static double
key_fit(const struct taf_picture *pic)
{
	return pic->height / (pic->font_size * 1.5) - 7;
}

/* What can be told apart is named: one below the other in letters of so many pixels. */
static double
key_letters(const struct taf_plot *p, const struct taf_picture *pic)
{
	const double n = (double)p->curves, fit = key_fit(pic);

	return p->curves > TAF_LINES_DISTINCT || n <= fit ? pic->font_size :
	    pic->font_size * (fit + 5) / (n + 5);
}

/* Where the legend is. */
static enum taf_legend
key_place(const struct taf_plot *p, const struct taf_picture *pic, struct taf_err *e)
{
	const enum taf_legend place = pic->legend;

	if (p->wiggle || (place == TAF_LEGEND_AUTO && p->curves == 1 && p->band == 0))
		return TAF_LEGEND_OFF;
	if (place != TAF_LEGEND_AUTO && place != TAF_LEGEND_ON)
		return place;
	/* long names leave no room beside the picture, many of them have none there */
	return longest_name(p, e) * pic->font_size * 0.6 > pic->width * 0.25 ||
	    key_letters(p, pic) < LEAST_LETTERS ? TAF_LEGEND_TOP : TAF_LEGEND_RIGHT;
}

/* The legend; returns how many lines it names, 0 for none. */
static size_t
put_key(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic,
    enum taf_legend place)
{
	/* over an image the lines are light, and beside it are its colours */
	static const char *const places[][2] = {
		[TAF_LEGEND_RIGHT] = { "outside right top vertical",
			"inside right top vertical" },
		[TAF_LEGEND_TOP] = { "tmargin center horizontal",
			"inside center top horizontal" },
		[TAF_LEGEND_BOTTOM] = { "bmargin center horizontal",
			"inside center bottom horizontal" },
		[TAF_LEGEND_INSIDE] = { "inside right top vertical opaque",
			"inside right top vertical" },
	};
	const char *box = p->over ? " opaque fillcolor rgb '#404040'" : "";
	const char *text = p->over ? " textcolor rgb '#ffffff'" : "";
	const double fit = key_fit(pic), letters = key_letters(p, pic);
	const bool below = place == TAF_LEGEND_RIGHT || place == TAF_LEGEND_INSIDE;
	struct taf_str title = { .err = s->err };

	if (place == TAF_LEGEND_OFF) {
		taf_str_puts(s, "set key off\n");
		return 0;
	}
	taf_str_printf(s, "set key %s%s%s Left reverse samplen %d",
	    places[place][p->over], box, text, p->curves > 7 ? 3 : 2);
	if (below && letters < pic->font_size)
		put_font(s, pic, fmax(LEAST_LETTERS, letters));
	taf_str_puts(s, "\n");
	taf_plot_names_title(&title, p);
	if (title.st != TAF_OK) {
		s->st = title.st;
	} else if (title.buf.len > 0) {
		/* gnuplot takes the first line below for one of the axis's label */
		taf_str_printf(s, "set key title %s",
		    place == TAF_LEGEND_BOTTOM && !p->over ? "\"\\n\"." : "");
		put_quoted(s, title.buf.data);
		taf_str_printf(s, "%s\n", text);
	}
	taf_str_free(&title);
	if (p->curves <= TAF_LINES_DISTINCT)
		return p->curves;
	return !(fit >= 2) ? 2 : fit < LEGEND ? (size_t)fit : LEGEND;
}

static void
put_name(struct taf_str *s, const struct taf_plot *p, size_t c, size_t most)
{
	struct taf_str name = { .err = s->err };

	if (most == 0 || !is_named(c, p->curves, most)) {
		taf_str_puts(s, " notitle");
		return;
	}
	taf_plot_name(&name, p, c);
	taf_str_puts(s, " title ");
	put_quoted(s, name.buf.data);
	s->st = name.st != TAF_OK ? name.st : s->st;
	taf_str_free(&name);
}

/* A column of data as it is shown. */
static void
put_column(struct taf_str *s, unsigned column, const struct taf_plot_axis *x)
{
	const int shift = x->scale.shift;

	if (shift == 0)
		taf_str_printf(s, "%u", column);
	else
		taf_str_printf(s, "($%u%c1e%d)", column, shift < 0 ? '*' : '/',
		    abs(shift));
}

/* One line of the plot command: its data, how it is drawn, its colour, or a border's. */
static void
put_line(struct taf_str *s, const struct taf_plot *p, char data, size_t c,
    const char *style, bool border)
{
	const unsigned columns = data != 'b' ? 2 : p->errors ? 4 : 3;
	unsigned k;

	taf_str_printf(s, "$%c%zu ", data, c + 1);
	if (p->x.scale.shift != 0 || taf_plot_up(p)->scale.shift != 0) {
		taf_str_puts(s, "using ");
		put_column(s, 1, &p->x);
		for (k = 2; k <= columns; k++) {
			taf_str_puts(s, ":");
			put_column(s, k, taf_plot_up(p));
		}
		taf_str_puts(s, " ");
	}
	taf_str_printf(s, "with %s lc rgb ", style);
	if (border || p->wiggle)
		put_quoted(s, "#000000");
	else
		taf_line_colour(s, c, p->curves, p->over);
}

/*
 * A curve, and its points that stand alone; a border is wider, and behind both.  Bars are
 * filled, but for the border.
 */
static void
put_curve(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic,
    size_t c, bool alone, bool border)
{
	const double line = pic->line * (border ? 2.5 : p->over ? 1.5 :
	    p->wiggle ? 0.5 : 1);
	const double points = line * (p->points ? 0.6 : 0.4);
	size_t in_part = c;
	const struct taf_plot_part *part = taf_plot_part_of(p, &in_part);
	const bool bars = taf_plot_bars(part);
	const bool few = part->buckets <= DOTS && !bars && !p->wiggle;
	const char *const dashes = border || p->wiggle ? "" :
	    taf_line_dashes(c, p->curves, p->over);
	char with[96];

	if (bars && !border) {
		(void)snprintf(with, sizeof with,
		    "filledcurves y=%s fs transparent solid 0.3 noborder",
		    taf_f64(taf_scale_shown(&p->value.scale, taf_plot_base(p))).s);
		put_line(s, p, 'c', c, with, false);
		taf_str_puts(s, " notitle, ");
	}
	if (p->wiggle) {
		put_line(s, p, 'w', c, "filledcurves closed fs solid noborder", false);
		taf_str_puts(s, " notitle, ");
	}
	if (alone && !few && !p->points) {
		(void)snprintf(with, sizeof with, "points pt %u ps %.3g",
		    taf_line_mark(c, p->curves), points);
		put_line(s, p, 'a', c, with, border);
		taf_str_puts(s, " notitle, ");
	}
	if (p->points)
		(void)snprintf(with, sizeof with, "points pt %u ps %.3g",
		    taf_line_mark(c, p->curves), points);
	else if (few)
		(void)snprintf(with, sizeof with, "linespoints lw %.3g%s pt %u ps %.3g",
		    line, dashes, taf_line_mark(c, p->curves), points);
	else
		(void)snprintf(with, sizeof with, "lines lw %.3g%s", line, dashes);
	put_line(s, p, 'c', c, with, border);
}

/* Lines first to end - 1.  Over an image each has a border, to be seen anywhere. */
static void
put_plot(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic,
    const bool *alone, size_t named, size_t first, size_t end)
{
	char with[96];
	size_t c;

	taf_str_puts(s, p->over ? ", " : "plot ");
	for (c = first; c < end && p->band > 0 && s->st == TAF_OK; c++) {
		(void)snprintf(with, sizeof with, p->errors ? "yerrorbars lw %.3g ps 0" :
		    "filledcurves fs transparent solid 0.25 noborder", pic->line * 0.7);
		put_line(s, p, 'b', c, with, false);
		if (c > first || named == 0)
			taf_str_puts(s, " notitle, ");
		else
			taf_str_printf(s, " title '%s sigma', ", taf_f64(p->band).s);
	}
	for (c = first; c < end && s->st == TAF_OK; c++) {
		taf_str_puts(s, c > first ? ", " : "");
		if (p->over) {
			put_curve(s, p, pic, c, alone[c], true);
			taf_str_puts(s, " notitle, ");
		}
		put_curve(s, p, pic, c, alone[c], false);
		put_name(s, p, c, named);
	}
}

/* The points of all curves.  Returns which of them have points that stand alone. */
static bool *
put_data(struct taf_str *s, const struct taf_plot *p, struct taf_out *out)
{
	const size_t most = taf_plot_most(p);
	struct taf_plot_point *points = taf_alloc(most, sizeof *points);
	struct taf_plot_span *band = taf_alloc(p->band > 0 ? most : 1, sizeof *band);
	bool *alone = taf_alloc(p->curves, sizeof *alone);
	size_t c;

	if (points == NULL || alone == NULL || band == NULL)
		s->st = taf_fail_mem(s->err);
	for (c = 0; c < p->curves && s->st == TAF_OK; c++) {
		if (p->band > 0)
			put_band(s, p, c, band);
		put_points(s, p, c, points, &alone[c]);
		if (p->wiggle)
			put_lobes(s, p, c, points);
		flush(s, out);
	}
	free(band);
	free(points);
	return alone;
}

/* Not to lose a number at the very end of a logarithmic axis by a rounding. */
static void
put_x_range(struct taf_str *s, const struct taf_plot *p)
{
	put_range(s, "x", &p->x, p->x.log ? p->x.lo * (1 - 1e-12) : p->x.lo,
	    p->x.log ? p->x.hi * (1 + 1e-12) : p->x.hi);
}

static void
put_curves(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic,
    struct taf_out *out)
{
	const enum taf_legend place = key_place(p, pic, s->err);
	size_t named;
	bool *alone;

	put_x_range(s, p);
	put_step(s, p, pic, place == TAF_LEGEND_RIGHT ? longest_name(p, s->err) + 5 : 0,
	    false);
	put_up_range(s, p, most_above(pic, place));
	named = put_key(s, p, pic, place);
	alone = put_data(s, p, out);
	if (s->st == TAF_OK)
		put_plot(s, p, pic, alone, named, 0, p->curves);
	taf_str_puts(s, "\n");
	free(alone);
}

/* One panel between two heights, from 0 to 1; numbers are below the last one alone. */
static void
put_panel(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic,
    const bool *alone, size_t c, double bottom, double top)
{
	const double letters = (top - bottom) * pic->height / pic->font_size;
	const unsigned most = letters < 4 ? 2 : letters / 2 < ABOVE ?
	    (unsigned)(letters / 2) : ABOVE;
	const bool last = c + 1 == p->curves;
	struct taf_plot one = *p;

	one.value = p->panel[c];
	taf_str_printf(s, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
	    "unset ylabel\nset format x%s\nset format y\nset ytics auto\n", top, bottom,
	    last ? "" : " ''");
	if (last)
		put_x_range(s, &one);
	put_step(s, &one, pic, 0, !last);
	put_value_range(s, &one, most);
	(void)put_wrapped(s, "set ylabel ", one.value.label.data, letters / 0.6);
	if (last)
		(void)put_wrapped(s, "set xlabel ", p->x.label.data,
		    pic->width / (pic->font_size * 0.6));
	put_plot(s, &one, pic, alone, pic->legend == TAF_LEGEND_OFF ? 0 : p->curves, c,
	    c + 1);
	taf_str_puts(s, "\nunset title\n");
}

/* All panels, under one title and over one axis. */
static void
put_panels(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic,
    struct taf_out *out)
{
	const double letter = pic->font_size / pic->height;
	const double wide = pic->font_size / pic->width;
	const bool titled = pic->title != NULL && pic->title[0] != '\0';
	const double top = 1 - letter * (titled ? 2.5 : 0.7);
	const double bottom = letter * (p->x.label.len > 0 ? 4 : 2.2);
	const double each = (top - bottom) / (double)p->curves, gap = letter * 0.7;
	bool *alone;
	size_t c;

	if (each - gap < 2 * letter) {
		s->st = taf_fail(s->err, TAF_EDATA,
		    "--panels: %zu of them in %u pixels: draw fewer, or give a larger --size",
		    p->curves, pic->height);
		return;
	}
	taf_str_printf(s, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
	    wide * 8, 1 - wide * 1.5);
	taf_str_puts(s, pic->legend == TAF_LEGEND_OFF ? "set key off\n" :
	    "set key inside right top Left reverse samplen 2\n");
	put_x_range(s, p);
	alone = put_data(s, p, out);
	taf_str_puts(s, "set multiplot\n");
	for (c = 0; c < p->curves && s->st == TAF_OK; c++)
		put_panel(s, p, pic, alone, c, top - each * (double)(c + 1) + gap,
		    top - each * (double)c);
	taf_str_puts(s, "unset multiplot\n");
	free(alone);
}

/*
 * From the outer edge of the first pixel to that of the last, whichever is lower.  The
 * second axis counts pixels: gnuplot computes no place for each of them.
 */
static void
put_pixel_range(struct taf_str *s, const char *axis, const struct taf_plot_axis *x,
    size_t pixels)
{
	const double first = -0.5, last = (double)pixels - 0.5;
	const bool rises = (x->dim == 0 || x->step > 0) != x->down;
	double lo, hi;

	taf_plot_edges(x, &lo, &hi);
	put_range(s, axis, x, x->down ? hi : lo, x->down ? lo : hi);
	taf_str_printf(s, "set %s2range [%.1f:%.1f]\n", axis,
	    rises ? first : last, rises ? last : first);
}

/* gnuplot draws images of two rows and two columns at least. */
static void
put_image(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic,
    struct taf_out *out)
{
	const size_t nx = p->buckets > 1 ? p->buckets : 2;
	const size_t ny = p->curves > 1 ? p->curves : 2;
	const struct taf_plot *over = p->curves_over;
	size_t i, j, named = 0;
	bool *alone = NULL;
	unsigned width;
	double v;

	put_pixel_range(s, "x", &p->x, nx);
	put_pixel_range(s, "y", &p->y, ny);
	put_range(s, "cb", &p->value, p->value.lo, p->value.hi);
	taf_str_puts(s, "set palette defined (");
	taf_colours_palette(s, p->colours);
	taf_str_puts(s, ")\nset xtics out\nset ytics out\n");
	/* gnuplot leaves room for short numbers, and none for the label behind them */
	width = put_tics(s, "cb", &p->value, most_above(pic, TAF_LEGEND_INSIDE),
	    false);
	width = (width > 4 ? width - 3 : 1) + (p->value.label.len > 0 ? 4 : 0);
	taf_str_printf(s, "set rmargin %u\nset cblabel offset 1\n", width);
	/* beside the colours and the numbers */
	put_step(s, p, pic, width + 10, false);
	put_only_tic(s, "x", &p->x);
	put_step_above(s, &p->y, most_above(pic, TAF_LEGEND_INSIDE));
	put_only_tic(s, "y", &p->y);
	put_text(s, "set cblabel ", p->value.label.data);
	taf_str_puts(s, "$i << EOD\n");
	for (j = 0; j < ny; j++) {
		for (i = 0; i < nx; i++) {
			v = taf_plot_pixel(p, i * p->buckets / nx, j * p->curves / ny);
			v = taf_scale_shown(&p->value.scale, v);
			taf_str_puts(s, v == v ? taf_f64(v).s : "NaN");
			taf_str_puts(s, i + 1 < nx ? " " : "\n");
		}
		flush(s, out);
	}
	taf_str_puts(s, "EOD\n");
	if (over != NULL) {
		/* what crosses the image between two points beside it is seen, too */
		taf_str_puts(s, "set clip two\n");
		named = put_key(s, over, pic, key_place(over, pic, s->err));
		alone = put_data(s, over, out);
	}
	taf_str_puts(s, "plot $i matrix axes x2y2 with image notitle");
	if (over != NULL && s->st == TAF_OK)
		put_plot(s, over, pic, alone, named, 0, over->curves);
	taf_str_puts(s, "\n");
	free(alone);
}

/* gnuplot takes what is near the ends of the doubles for undefined or for nothing. */
static enum taf_status
check_axis(const struct taf_plot_axis *x, const char *what, struct taf_err *e)
{
	const double most = 1e300, least = 1e-290;

	if (x->lo < -most || x->hi > most)
		return taf_fail(e, TAF_EDATA,
		    "%s above 1e300: gnuplot cannot: use --term text", what);
	if (x->log ? x->lo < least : x->hi - x->lo < least)
		return taf_fail(e, TAF_EDATA,
		    "%s around 1e-300: gnuplot cannot: use --term text", what);
	return TAF_OK;
}

enum taf_status
taf_gnuplot_script(const struct taf_plot *p, const struct taf_picture *pic,
    struct taf_out *out, struct taf_err *e)
{
	struct taf_str s = { .err = e };

	s.st = check_axis(&p->value, "values", e);
	if (s.st == TAF_OK)
		s.st = check_axis(&p->x, "grid", e);
	if (s.st == TAF_OK && p->image)
		s.st = check_axis(&p->y, "grid", e);
	put_head(&s, p, pic);
	if (p->image)
		put_image(&s, p, pic, out);
	else if (p->panels)
		put_panels(&s, p, pic, out);
	else
		put_curves(&s, p, pic, out);
	s.st = taf_out_str(out, &s);
	taf_str_free(&s);
	return s.st;
}
