/* SPDX-License-Identifier: ISC */
/* link: m */
#include "plot/outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "plot/label.h"
#include "plot/section.h"

enum {
	NAMED = TAF_LINES_DISTINCT,	/* curves that have a mark, at most */
	DIGITS = 9,			/* of them with a number, others with a letter */
	AXIS = 12			/* room for the numbers at the left */
};

/*
 * The canvas: cells of characters.  With UTF-8 a cell is 2 x 4 dots of a Braille pattern,
 * and the code of a cell its bits; else, and over an image, a cell is a dot, and the code
 * a character.
 */
struct canvas {
	bool utf8;
	unsigned left, columns, rows;	/* width of the numbers; cells */
	unsigned sub_x, sub_y;		/* dots of a cell */
	unsigned char *cell;
	char mark;
	size_t first, end;		/* the curve of a panel, or all */
	unsigned last[NAMED];		/* row where each curve ends, from the top */
};

/* Are the curves told apart by numbers? */
static bool
numbered(const struct taf_plot *p)
{
	return !p->image && !p->wiggle && !p->panels && p->curves > 1 &&
	    p->curves <= NAMED;
}

static char
mark_of(size_t k)
{
	return (char)(k < DIGITS ? '1' + k : 'a' + k - DIGITS);
}

/* Room for the marks of lines at their right ends. */
static unsigned
marks_room(const struct taf_plot *p)
{
	return !numbered(p) ? 0 : p->curves > DIGITS ? 6 : 3;
}

/* Does the locale say UTF-8? */
static bool
is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *v;
	size_t i;

	for (i = 0; i < sizeof names / sizeof names[0]; i++) {
		v = getenv(names[i]);
		if (v == NULL || v[0] == '\0')
			continue;
		v = strrchr(v, '.');
		return v != NULL && (strncasecmp(v, ".utf-8", 6) == 0 ||
		    strncasecmp(v, ".utf8", 5) == 0);
	}
	return false;
}

void
taf_textplot_dots(const struct taf_picture *pic, bool image, unsigned *columns,
    unsigned *rows)
{
	const bool fine = is_utf8() && !image;

	*columns = pic->width * (fine ? 2 : 1);
	*rows = pic->height * (fine ? 4 : 1);
}

/* Dot x, y, from the lower left. */
static void
dot(struct canvas *c, unsigned x, unsigned y)
{
	static const unsigned char braille[4][2] = { { 0x01, 0x08 }, { 0x02, 0x10 },
		{ 0x04, 0x20 }, { 0x40, 0x80 } };
	const unsigned down = c->rows * c->sub_y - 1 - y;
	unsigned char *at = &c->cell[down / c->sub_y * c->columns + x / c->sub_x];

	if (c->sub_x > 1)
		*at = (unsigned char)(*at | braille[down % 4][x % 2]);
	else
		*at = (unsigned char)c->mark;
}

/* All dots between two; the last one belongs to it. */
static void
line(struct canvas *c, double x0, double y0, double x1, double y1)
{
	const double dx = fabs(x1 - x0), dy = fabs(y1 - y0), most = dx > dy ? dx : dy;
	const int steps = (int)ceil(most);
	int i;

	for (i = 0; i <= steps; i++) {
		double t = steps > 0 ? (double)i / steps : 0;

		dot(c, (unsigned)(x0 + (x1 - x0) * t + 0.5),
		    (unsigned)(y0 + (y1 - y0) * t + 0.5));
	}
}

/* What is seen of a line: the part of it that is between 0 and 1 on both axes. */
static bool
clip(double from[2], double to[2])
{
	const double start[] = { from[0], from[1] }, way[] = { to[0] - from[0],
		to[1] - from[1] };
	double begin = 0, end = 1;
	int i;

	for (i = 0; i < 2; i++) {
		const double low = (0 - start[i]) / way[i];
		const double high = (1 - start[i]) / way[i];

		if (way[i] == 0 && start[i] >= 0 && start[i] <= 1)
			continue;
		if (way[i] == 0)
			return false;
		begin = fmax(begin, fmin(low, high));
		end = fmin(end, fmax(low, high));
	}
	for (i = 0; i < 2; i++) {
		/* but for a rounding they are there */
		from[i] = fmin(fmax(start[i] + begin * way[i], 0), 1);
		to[i] = fmin(fmax(start[i] + end * way[i], 0), 1);
	}
	return begin <= end;
}

/* A place of the picture; curves over an image, and beyond a range, leave it. */
static double
place(const struct taf_plot *p, const struct taf_plot_axis *x, double v)
{
	const double at = p->over || p->tight ? taf_plot_where(x, v) :
	    taf_plot_place(x, v);

	return x->down ? 1 - at : at;
}

/* What a wiggle has on its positive side, between two places of one of its lines. */
static void
shade_lobe(struct canvas *c, const double from[2], const double to[2], double base)
{
	const double high = c->rows * c->sub_y - 1, wide = c->columns * c->sub_x - 1;
	const double top = fmax(from[1], to[1]) * high;
	unsigned y = (unsigned)(fmin(from[1], to[1]) * high + 0.5), x, end;

	for (; y <= top + 0.5; y++) {
		const double way = (to[1] - from[1]) * high;
		const double t = way != 0 ? (y - from[1] * high) / way : 1;

		end = (unsigned)((from[0] + fmin(fmax(t, 0), 1) * (to[0] - from[0])) *
		    wide + 0.5);
		for (x = (unsigned)(base * wide + 0.5); x < end; x++)
			dot(c, x, y);
	}
}

/* One curve; *last is the row of cells of its last point, from the top. */
static void
draw_curve(struct canvas *c, const struct taf_plot *p, size_t k,
    struct taf_plot_point *points, unsigned *last)
{
	const size_t n = taf_plot_points(p, k, points);
	const unsigned width = c->columns * c->sub_x - 1, height = c->rows * c->sub_y - 1;
	double at[2], from[2], to[2];
	bool pen = false;
	size_t i;

	*last = c->rows;
	for (i = 0; i < n; i++) {
		to[0] = place(p, &p->x, points[i].x);
		to[1] = place(p, taf_plot_up(p), points[i].y);
		if (!taf_is_finite(to[0]) || !taf_is_finite(to[1])) {
			pen = false;
			continue;
		}
		memcpy(from, pen && !p->points ? at : to, sizeof from);
		memcpy(at, to, sizeof at);
		pen = true;
		if (!clip(from, to))
			continue;
		line(c, from[0] * width, from[1] * height, to[0] * width, to[1] * height);
		if (p->wiggle)
			shade_lobe(c, from, to, place(p, &p->x, taf_section_base(p, k)));
		*last = (height - (unsigned)(to[1] * height + 0.5)) / c->sub_y;
	}
}

static void
put_cell(struct taf_str *s, const struct canvas *c, unsigned code)
{
	if (code == 0)
		taf_str_puts(s, " ");
	else if (c->sub_x > 1)
		/* U+2800 and on */
		taf_str_printf(s, "\xe2%c%c", 0xa0 | (int)(code >> 6),
		    0x80 | (int)(code & 0x3f));
	else
		taf_str_printf(s, "%c", (int)code);
}

/* The bytes of a character; one where it is none. */
static size_t
character(const char *p)
{
	const size_t n = taf_utf8_length((const unsigned char *)p, strlen(p));

	return n > 0 ? n : 1;
}

/* A line of text, cut to the width; what ASCII does not have is '?' if need be. */
static void
put_text(struct taf_str *s, const struct canvas *c, unsigned indent, unsigned width,
    const char *text, bool middle)
{
	const char *p;
	unsigned used = 0;
	size_t n;

	if (text == NULL || text[0] == '\0')
		return;
	for (p = text; *p != '\0' && used < width; p += n, used++)
		n = character(p);
	taf_str_printf(s, "%*s", (int)(middle ? indent + (width - used) / 2 : indent),
	    "");
	for (p = text; used > 0; p += n, used--) {
		n = character(p);
		if (c->utf8 || (unsigned char)*p < 0x80)
			taf_str_put(s, p, n);
		else if (n == 2 && memcmp(p, "µ", 2) == 0)
			taf_str_puts(s, "u");
		else
			taf_str_puts(s, "?");
	}
	taf_str_puts(s, "\n");
}

/* The line below the picture and its numbers. */
static void
put_x_axis(struct taf_str *s, const struct canvas *c, const struct taf_plot_axis *x)
{
	const unsigned end = c->left + 1 + c->columns;
	struct taf_tick t[TAF_TICKS];
	const unsigned n = taf_ticks(x, c->columns / 12 > 2 ? c->columns / 12 : 2, t);
	unsigned at[TAF_TICKS], i, k, begin, len, used = 0;
	bool mark;

	for (k = 0; k < n; k++)
		at[k] = (unsigned)(t[k].at * (c->columns - 1) + 0.5);
	taf_str_printf(s, "%*s%s", (int)c->left, "", c->utf8 ? "└" : "+");
	for (i = 0; i < c->columns; i++) {
		for (mark = false, k = 0; k < n; k++)
			mark = mark || at[k] == i;
		taf_str_puts(s, c->utf8 ? mark ? "┬" : "─" : mark ? "+" : "-");
	}
	taf_str_puts(s, "\n");
	for (k = 0; k < n; k++) {
		len = (unsigned)strlen(t[k].text);
		begin = c->left + 1 + at[k];
		begin = begin > len / 2 ? begin - len / 2 : 0;
		/* the last one stays within the picture */
		if (begin + len > end)
			begin = end - len;
		if (used > 0 && begin < used + 1)
			continue;
		taf_str_printf(s, "%*s%s", (int)(begin - used), "", t[k].text);
		used = begin + len;
	}
	taf_str_puts(s, "\n");
}

/*
 * The pixels that cell k of so many shows, as first and end: one, or all that lie in it.
 * Where the grid falls, the last pixel comes first.
 */
static void
pixels_of(unsigned k, unsigned cells, size_t pixels, bool falling, size_t *first,
    size_t *end)
{
	size_t a = (size_t)((uint64_t)k * pixels / cells);
	size_t b = (size_t)(((uint64_t)k + 1) * pixels / cells);

	b = b > a ? b : a + 1;
	*first = falling ? pixels - b : a;
	*end = falling ? pixels - a : b;
}

/* A cell of an image, from the lightest to the darkest by the place of its value. */
static void
put_shade(struct taf_str *s, const struct canvas *c, const struct taf_plot *p, unsigned i,
    unsigned row)
{
	static const char *const fine[] = { "·", "░", "▒", "▓", "█" };
	static const char *const plain[] = { ".", ":", "-", "=", "+", "*", "#", "%",
		"@" };
	const int n = c->utf8 ? (int)(sizeof fine / sizeof fine[0]) :
	    (int)(sizeof plain / sizeof plain[0]);
	size_t x, x0, x1, y, y1;
	double v = NAN, w, at;
	int k;

	pixels_of(i, c->columns, p->buckets, p->x.step < 0, &x0, &x1);
	pixels_of(row, c->rows, p->curves, (p->y.step < 0) != p->y.down, &y, &y1);
	for (; y < y1; y++)
		for (x = x0; x < x1; x++) {
			w = taf_plot_pixel(p, x, y);
			if (v != v || fabs(w - p->mean) > fabs(v - p->mean))
				v = w;
		}
	at = v == v ? taf_plot_place(&p->value, v) : 0;
	k = at < 1 ? (int)(at * n) : n - 1;
	taf_str_puts(s, v != v ? " " : c->utf8 ? fine[k] : plain[k]);
}

/* The rows of the picture with the numbers at their left. */
static void
put_rows(struct taf_str *s, const struct canvas *c, const struct taf_plot *p,
    const struct taf_tick *t, unsigned nticks)
{
	const bool down = taf_plot_up(p)->down;
	const char *mark = c->utf8 ? "┤" : "+", *bar = c->utf8 ? "│" : "|";
	unsigned i, j, k, room;

	for (j = 0; j < c->rows; j++) {
		const char *number = NULL;

		for (k = 0; k < nticks; k++)
			if ((unsigned)((down ? t[k].at : 1 - t[k].at) *
			    (c->rows - 1) + 0.5) == j)
				number = t[k].text;
		taf_str_printf(s, "%*s%s", (int)c->left, number != NULL ? number : "",
		    number != NULL ? mark : bar);
		for (i = 0; i < c->columns; i++)
			if (p->image && (c->cell == NULL ||
			    c->cell[j * c->columns + i] == 0))
				put_shade(s, c, p, i, c->rows - 1 - j);
			else
				put_cell(s, c, c->cell[j * c->columns + i]);
		for (k = 0, room = marks_room(p); room > 0 && k < p->curves; k++)
			if (c->last[k] == j) {
				taf_str_printf(s, "%c", --room > 0 ? mark_of(k) : '+');
			}
		/* blanks at the end are of no use */
		while (s->buf.len > 0 && s->buf.data[s->buf.len - 1] == ' ')
			s->buf.len--;
		taf_str_puts(s, "\n");
	}
}

/* The names of the curves: "  1: 0.5  2: 1", or ": 20 from 0.5 to 10". */
static void
put_curve_names(struct taf_str *s, const struct taf_plot *p)
{
	size_t k;

	if (!numbered(p)) {
		taf_str_printf(s, ": %zu from ", p->curves);
		taf_plot_name(s, p, 0);
		taf_str_puts(s, " to ");
		taf_plot_name(s, p, p->curves - 1);
		return;
	}
	for (k = 0; k < p->curves; k++) {
		taf_str_printf(s, "%s%c: ", s->buf.len > 0 ? "  " : "", mark_of(k));
		taf_plot_name(s, p, k);
	}
}

/* A line below the picture; it frees t. */
static void
put_line(struct taf_str *s, const struct canvas *c, struct taf_str *t)
{
	if (t->st == TAF_OK)
		put_text(s, c, c->left + 1, c->columns, t->buf.data, false);
	else
		s->st = t->st;
	taf_str_free(t);
}

/* The scale of an image. */
static void
put_scale(struct taf_str *s, const struct canvas *c, const struct taf_plot_axis *value)
{
	struct taf_str t = { .err = s->err };

	taf_str_puts(&t, c->utf8 ? "· = " : ". = ");
	taf_plot_number(&t, value, value->lo);
	taf_str_puts(&t, c->utf8 ? ", █ = " : ", @ = ");
	taf_plot_number(&t, value, value->hi);
	if (value->label.len > 0)
		taf_str_printf(&t, ", %s", value->label.data);
	put_line(s, c, &t);
}

/* What the curves are; the caller frees it. */
static struct taf_str
legend_of(const struct canvas *c, const struct taf_plot *p, struct taf_err *e)
{
	struct taf_str t = { .err = e };

	if (p->panels) {
		/* they are named above each */
	} else if (p->curves > 1) {
		taf_plot_names_title(&t, p);
		if (!numbered(p) && t.buf.len == 0)
			taf_str_puts(&t, "lines");
		put_curve_names(&t, p);
	} else if (p->names != NULL) {
		taf_plot_name(&t, p, 0);
	}
	if (p->band > 0)
		taf_str_printf(&t, "%s%s%s sigma", t.buf.len > 0 ? "  " : "",
		    c->utf8 ? "" : ": = ", taf_f64(p->band).s);
	return t;
}

/* The bytes of text that go on a line: whole names, with two blanks between. */
static size_t
line_of(const char *text, unsigned width)
{
	const char *p, *end = NULL;
	unsigned used = 0;

	for (p = text; *p != '\0'; p += character(p), used++) {
		if (used > width && end != NULL)
			return (size_t)(end - text);
		if (strncmp(p, "  ", 2) == 0)
			end = p;
	}
	return (size_t)((used > width && end != NULL ? end : p) - text);
}

/* The lines of the legend; s NULL: how many there are. */
static unsigned
put_legend(struct taf_str *s, const struct canvas *c, const char *text, unsigned width)
{
	unsigned lines = 0;
	size_t n;

	for (; text != NULL && *text != '\0'; text += n, lines++) {
		struct taf_str t = { .err = s != NULL ? s->err : NULL };

		n = line_of(text, width);
		if (s != NULL) {
			taf_str_put(&t, text, n);
			put_line(s, c, &t);
		}
		n += strspn(text + n, " ");
	}
	return lines;
}

/* The dots of a column from lo to hi, as places from 0 to 1: every second one. */
static void
shade_column(struct canvas *c, unsigned x, double lo, double hi)
{
	const unsigned most = c->rows * c->sub_y - 1;
	unsigned y = (unsigned)(fmin(fmax(lo, 0), 1) * most + 0.5);
	const unsigned end = (unsigned)(fmin(fmax(hi, 0), 1) * most + 0.5);

	for (; y <= end; y++)
		if (c->sub_x == 1 || (x + y) % 2 == 0)
			dot(c, x, y);
}

/* The band of a curve, behind it. */
static void
draw_band(struct canvas *c, const struct taf_plot *p, size_t k, struct taf_plot_span *to)
{
	const size_t n = taf_plot_band(p, k, to);
	const unsigned most = c->columns * c->sub_x - 1;
	size_t i;

	c->mark = ':';
	for (i = 0; i < n && p->errors; i++)
		if (to[i].hi == to[i].hi)
			shade_column(c, (unsigned)(taf_plot_place(&p->x, to[i].x) * most +
			    0.5), taf_plot_place(&p->value, to[i].lo),
			    taf_plot_place(&p->value, to[i].hi));
	for (i = 0; i + 1 < n && !p->errors; i++) {
		const struct taf_plot_span *a = &to[i], *b = &to[i + 1];
		const double from = taf_plot_place(&p->x, a->x) * most;
		const double end = taf_plot_place(&p->x, b->x) * most;
		const double lo[] = { taf_plot_place(&p->value, a->lo),
			taf_plot_place(&p->value, b->lo) };
		const double hi[] = { taf_plot_place(&p->value, a->hi),
			taf_plot_place(&p->value, b->hi) };
		const double first = fmin(from, end), last = fmax(from, end);
		unsigned x;

		if (a->hi != a->hi || b->hi != b->hi)
			continue;
		for (x = (unsigned)ceil(fmax(first, 0)); x <= fmin(last, most); x++) {
			const double t = end != from ? (x - from) / (end - from) : 0;

			shade_column(c, x, lo[0] + t * (lo[1] - lo[0]),
			    hi[0] + t * (hi[1] - hi[0]));
		}
	}
}

static enum taf_status
draw_curves(struct canvas *c, const struct taf_plot *p, struct taf_err *e)
{
	const size_t most = taf_plot_most(p);
	struct taf_plot_point *points = taf_alloc(most, sizeof *points);
	struct taf_plot_span *band = taf_alloc(p->band > 0 ? most : 1, sizeof *band);
	size_t k;

	c->cell = calloc(c->rows, c->columns);
	if (points == NULL || band == NULL || c->cell == NULL) {
		free(band);
		free(points);
		return taf_fail_mem(e);
	}
	for (k = c->first; k < c->end && p->band > 0; k++)
		draw_band(c, p, k, band);
	free(band);
	for (k = c->first; k < c->end; k++) {
		c->mark = numbered(p) ? mark_of(k) : p->over ? 'o' : '*';
		draw_curve(c, p, k, points, &c->last[p->curves <= NAMED ? k : 0]);
	}
	free(points);
	return TAF_OK;
}

/* Characters are twice as high as wide. */
static void
fit_aspect(struct canvas *c, double aspect)
{
	if (aspect > 0 && c->rows * 2 > c->columns * aspect)
		c->rows = (unsigned)fmax(2, rint(c->columns * aspect / 2));
	else if (aspect > 0)
		c->columns = (unsigned)fmax(8, rint(c->rows * 2 / aspect));
}

/* The marks of the vertical axis; what their numbers want at the left is had. */
static unsigned
ticks_up(struct canvas *c, const struct taf_plot *p, struct taf_tick *t)
{
	const unsigned n = taf_ticks(taf_plot_up(p), c->rows / 3 > 2 ? c->rows / 3 : 2,
	    t);
	unsigned k;

	for (k = 0; k < n; k++)
		if (strlen(t[k].text) > c->left)
			c->left = (unsigned)strlen(t[k].text);
	return n;
}

/*
 * What stands above a panel: its axis, and the curve where that is called otherwise.  A
 * curve whose name goes on from that of the axis has it once.
 */
static struct taf_str
heading_of(const struct taf_plot *p, const struct taf_picture *pic, size_t curve,
    struct taf_err *e)
{
	const struct taf_plot_axis *const up = taf_plot_up(p);
	struct taf_str t = { .err = e }, name = { .err = e };
	const char *label = up->label.len > 0 ? up->label.data : "";
	const size_t n = up->name.data != NULL ? strlen(up->name.data) : 0;
	bool goes_on;

	if (p->panels && pic->legend != TAF_LEGEND_OFF)
		taf_plot_name(&name, p, curve);
	goes_on = n > 0 && name.buf.len > 0 && strncmp(label, up->name.data, n) == 0 &&
	    strncmp(name.buf.data, up->name.data, n) == 0;
	if (goes_on)
		taf_str_printf(&t, "%s%s", name.buf.data, label + n);
	else
		taf_str_printf(&t, "%s%s%s", label, name.buf.len > 0 && label[0] != '\0' ?
		    "  " : "", name.buf.len > 0 ? name.buf.data : "");
	if (name.st != TAF_OK)
		t.st = name.st;
	taf_str_free(&name);
	return t;
}

/* A panel, or all: the curves from c->first on, above their horizontal axis. */
static void
put_panel(struct taf_str *s, struct canvas *c, const struct taf_plot *p,
    const struct taf_picture *pic)
{
	const struct taf_plot *curves = p->image ? p->curves_over : p;
	struct taf_str heading = heading_of(p, pic, c->first, s->err);
	struct taf_tick t[TAF_TICKS];
	const unsigned nticks = ticks_up(c, p, t);

	if (s->st == TAF_OK)
		s->st = heading.st;
	if (s->st == TAF_OK && curves != NULL)
		s->st = draw_curves(c, curves, s->err);
	if (s->st == TAF_OK) {
		put_text(s, c, 0, c->left + 1 + c->columns, heading.buf.data, false);
		put_rows(s, c, p, t, nticks);
	}
	taf_str_free(&heading);
	free(c->cell);
	c->cell = NULL;
}

/* All panels, each with the axis of its own values. */
static void
put_panels(struct taf_str *s, struct canvas *c, const struct taf_plot *p,
    const struct taf_picture *pic)
{
	struct taf_plot one = *p;

	for (c->first = 0; c->first < p->curves; c->first++) {
		c->end = c->first + 1;
		one.value = p->panel[c->first];
		put_panel(s, c, &one, pic);
	}
}

/* How many rows and columns there are, below and above so many lines of a text. */
static void
fit_canvas(struct canvas *c, const struct taf_plot *p, const struct taf_picture *pic,
    unsigned used)
{
	const size_t panels = p->panels ? p->curves : 1;
	const size_t rows = pic->height > used ? (pic->height - used) / panels : 0;
	struct taf_plot one = *p;
	struct taf_tick t[TAF_TICKS];
	size_t k;

	used = p->panels || taf_plot_up(p)->label.len > 0;
	c->rows = rows > used + 2 ? (unsigned)rows - used : p->panels ? 3 : 2;
	for (k = 0; k < panels; k++) {
		if (p->panels)
			one.value = p->panel[k];
		(void)ticks_up(c, &one, t);
	}
	used = c->left + 1 + marks_room(p);
	c->columns = pic->width > used + 8 ? pic->width - used : 8;
	fit_aspect(c, p->aspect);
}

enum taf_status
taf_textplot_draw(const struct taf_plot *p, const struct taf_picture *pic,
    struct taf_out *out, struct taf_err *e)
{
	const struct taf_plot *curves = p->image ? p->curves_over : p;
	const bool legend = curves != NULL && !p->wiggle &&
	    (curves->curves > 1 || curves->band > 0 || curves->names != NULL) &&
	    pic->legend != TAF_LEGEND_OFF;
	const bool fine = is_utf8() && !p->image;
	struct canvas c = { .utf8 = is_utf8(), .sub_x = fine ? 2 : 1,
		.sub_y = fine ? 4 : 1, .end = curves != NULL ? curves->curves : 0 };
	unsigned used = 2;
	struct taf_str s = { .err = e }, names = { .err = e };
	const unsigned wide = pic->width > AXIS + 8 ? pic->width - AXIS : 8;

	used += pic->title != NULL && pic->title[0] != '\0' ? 1 : 0;
	used += p->x.label.len > 0 ? 1 : 0;
	used += p->image ? 1 : 0;
	if (legend)
		names = legend_of(&c, curves, e);
	used += put_legend(NULL, &c, names.buf.data, wide);
	fit_canvas(&c, p, pic, used);
	put_text(&s, &c, 0, c.left + 1 + c.columns, pic->title, true);
	(p->panels ? put_panels : put_panel)(&s, &c, p, pic);
	put_x_axis(&s, &c, &p->x);
	put_text(&s, &c, c.left + 1, c.columns, p->x.label.data, true);
	if (p->image)
		put_scale(&s, &c, &p->value);
	(void)put_legend(&s, &c, names.buf.data, wide);
	if (names.st != TAF_OK)
		s.st = names.st;
	s.st = taf_out_str(out, &s);
	taf_str_free(&s);
	taf_str_free(&names);
	return s.st;
}
