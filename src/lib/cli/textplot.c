/* link: m */
#include "cli/textplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/utf8.h"
#include "cli/text.h"
#include "cli/ticks.h"

enum { NAMED = 9 };		/* curves that have a number, at most */

/*
 * The canvas: cells of characters.  With UTF-8 a cell is 2 x 4 dots of a Braille pattern,
 * and the code of a cell its bits; else a cell is a dot, and the code a character.
 */
struct canvas {
	bool utf8;
	unsigned left, columns, rows;	/* width of the numbers; cells */
	unsigned sub_x, sub_y;		/* dots of a cell */
	unsigned char *cell;
	char mark;
};

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
cmd_text_dots(const struct cmd_picture *pic, bool image, unsigned *columns,
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

	if (c->utf8)
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

/* One curve; *last is the row of cells of its last point, from the top. */
static void
draw_curve(struct canvas *c, const struct cmd_plot *p, size_t k,
    struct cmd_plot_point *points, unsigned *last)
{
	const size_t n = cmd_plot_points(p, k, points);
	const unsigned width = c->columns * c->sub_x - 1, height = c->rows * c->sub_y - 1;
	double x, y, px = 0, py = 0;
	bool pen = false;
	size_t i;

	*last = c->rows;
	for (i = 0; i < n; i++) {
		if (points[i].y != points[i].y) {
			pen = false;
			continue;
		}
		x = cmd_plot_place(&p->x, points[i].x) * width;
		y = cmd_plot_place(&p->value, points[i].y) * height;
		line(c, pen ? px : x, pen ? py : y, x, y);
		px = x;
		py = y;
		pen = true;
		*last = (height - (unsigned)(y + 0.5)) / c->sub_y;
	}
}

static enum taf_status
put_cell(struct taf_buf *b, const struct canvas *c, unsigned code, struct taf_err *e)
{
	if (!c->utf8)
		return taf_buf_printf(b, e, "%c", code != 0 ? (int)code : ' ');
	if (code == 0)
		return taf_buf_puts(b, " ", e);
	/* U+2800 and on */
	return taf_buf_printf(b, e, "\xe2%c%c", 0xa0 | (int)(code >> 6),
	    0x80 | (int)(code & 0x3f));
}

/* A line of text, cut to the width; what ASCII does not have is '?' if need be. */
static enum taf_status
put_text(struct taf_buf *b, const struct canvas *c, unsigned indent, unsigned width,
    const char *text, bool middle, struct taf_err *e)
{
	const unsigned char *p;
	struct taf_buf t = { 0 };
	enum taf_status st = taf_buf_puts(&t, "", e);
	unsigned used;
	size_t n;

	p = (const unsigned char *)text;
	for (used = 0; *p != '\0' && used < width && st == TAF_OK; used++) {
		n = taf_utf8_length(p, strlen((const char *)p));
		n = n > 0 ? n : 1;
		st = *p < 0x80 || c->utf8 ? taf_buf_put(&t, p, n, e) :
		    taf_buf_puts(&t, "?", e);
		p += n;
	}
	if (middle)
		indent += (width - used) / 2;
	if (st == TAF_OK && t.len > 0)
		st = taf_buf_printf(b, e, "%*s%s\n", (int)indent, "", t.data);
	taf_buf_free(&t);
	return st;
}

/* The line below the picture and its numbers. */
static enum taf_status
put_x_axis(struct taf_buf *b, const struct canvas *c, const struct cmd_plot_axis *x,
    struct taf_err *e)
{
	const unsigned room = c->left + 1 + c->columns + TAF_DECIMAL_MAX;
	struct cmd_tick t[CMD_TICKS];
	unsigned n = cmd_ticks(x, c->columns / 12 > 2 ? c->columns / 12 : 2, t);
	unsigned i, at, used = 0;
	char *numbers = malloc(room), *marks = malloc(c->columns);
	enum taf_status st = TAF_OK;

	if (numbers == NULL || marks == NULL) {
		st = taf_fail_mem(e);
		n = 0;
	} else {
		memset(numbers, ' ', room);
		memset(marks, 0, c->columns);
	}
	for (i = 0; i < n; i++) {
		unsigned len = (unsigned)strlen(t[i].text), where, begin;

		at = (unsigned)(t[i].at * (c->columns - 1) + 0.5);
		where = c->left + 1 + at;
		begin = where > len / 2 ? where - len / 2 : 0;
		/* the last one stays within the picture */
		if (begin + len > c->left + 1 + c->columns)
			begin = c->left + 1 + c->columns - len;
		marks[at] = 1;
		if (used > 0 && begin < used + 1)
			continue;
		memcpy(numbers + begin, t[i].text, len);
		used = begin + len;
	}
	if (st == TAF_OK)
		st = taf_buf_printf(b, e, "%*s%s", (int)c->left, "", c->utf8 ? "└" : "+");
	for (i = 0; i < c->columns && st == TAF_OK; i++)
		st = taf_buf_puts(b, c->utf8 ? marks[i] != 0 ? "┬" : "─" :
		    marks[i] != 0 ? "+" : "-", e);
	if (st == TAF_OK)
		st = taf_buf_printf(b, e, "\n%.*s\n", (int)used, numbers);
	free(numbers);
	free(marks);
	return st;
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
static enum taf_status
put_shade(struct taf_buf *b, const struct canvas *c, const struct cmd_plot *p, unsigned i,
    unsigned row, struct taf_err *e)
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
	pixels_of(row, c->rows, p->curves, p->y.step < 0, &y, &y1);
	for (; y < y1; y++)
		for (x = x0; x < x1; x++) {
			w = cmd_plot_pixel(p, x, y);
			if (v != v || fabs(w - p->mean) > fabs(v - p->mean))
				v = w;
		}
	if (v != v)
		return taf_buf_puts(b, " ", e);
	at = cmd_plot_place(&p->value, v);
	k = at < 1 ? (int)(at * n) : n - 1;
	return taf_buf_puts(b, c->utf8 ? fine[k] : plain[k], e);
}

/* The rows of the picture with the numbers at their left. */
static enum taf_status
put_rows(struct taf_buf *b, const struct canvas *c, const struct cmd_plot *p,
    const struct cmd_tick *t, unsigned nticks, const unsigned *last, struct taf_err *e)
{
	const char *mark = c->utf8 ? "┤" : "+", *bar = c->utf8 ? "│" : "|";
	enum taf_status st = TAF_OK;
	unsigned i, j, k;

	for (j = 0; j < c->rows && st == TAF_OK; j++) {
		const char *number = NULL;

		for (k = 0; k < nticks; k++)
			if ((unsigned)((1 - t[k].at) * (c->rows - 1) + 0.5) == j)
				number = t[k].text;
		st = taf_buf_printf(b, e, "%*s%s", (int)c->left,
		    number != NULL ? number : "", number != NULL ? mark : bar);
		for (i = 0; i < c->columns && st == TAF_OK; i++)
			st = p->image ? put_shade(b, c, p, i, c->rows - 1 - j, e) :
			    put_cell(b, c, c->cell[j * c->columns + i], e);
		for (k = 0; last != NULL && k < p->curves && st == TAF_OK; k++)
			if (last[k] == j)
				st = taf_buf_printf(b, e, "%u", k + 1);
		/* blanks at the end are of no use */
		while (b->len > 0 && b->data[b->len - 1] == ' ')
			b->len--;
		if (st == TAF_OK)
			st = taf_buf_puts(b, "\n", e);
	}
	return st;
}

/* "1: 0.5  2: 1" or how many there are; the scale of an image. */
static enum taf_status
put_legend(struct taf_buf *b, const struct canvas *c, const struct cmd_plot *p,
    struct taf_err *e)
{
	struct taf_buf t = { 0 };
	enum taf_status st = TAF_OK;
	size_t k;

	if (p->image) {
		st = taf_buf_printf(&t, e, "%s = ", c->utf8 ? "·" : ".");
		if (st == TAF_OK)
			st = cmd_plot_number(&t, p->value.lo, e);
		if (st == TAF_OK)
			st = taf_buf_printf(&t, e, ", %s = ", c->utf8 ? "█" : "@");
		if (st == TAF_OK)
			st = cmd_plot_number(&t, p->value.hi, e);
		if (st == TAF_OK && p->value.label.len > 0)
			st = taf_buf_printf(&t, e, ", %s", p->value.label.data);
	} else if (p->curves > 1) {
		st = taf_buf_puts(&t, p->y.label.len > 0 ? p->y.label.data :
		    "columns", e);
		if (st == TAF_OK && p->curves > NAMED)
			st = taf_buf_printf(&t, e, ": %zu from ", p->curves);
		for (k = 0; k < p->curves && st == TAF_OK; k++) {
			if (p->curves <= NAMED)
				st = taf_buf_printf(&t, e, "  %zu: ", k + 1);
			else if (k > 0 && k + 1 < p->curves)
				continue;
			else if (k > 0)
				st = taf_buf_puts(&t, " to ", e);
			if (st == TAF_OK)
				st = cmd_plot_number(&t,
				    p->y.start + (double)k * p->y.step, e);
		}
	}
	if (st == TAF_OK && t.len > 0)
		st = put_text(b, c, c->left + 1, c->columns, t.data, false, e);
	taf_buf_free(&t);
	return st;
}

static enum taf_status
draw_curves(struct canvas *c, const struct cmd_plot *p, unsigned *last, struct taf_err *e)
{
	struct cmd_plot_point *points = taf_alloc(2 * p->buckets, sizeof *points);
	size_t k;

	c->cell = calloc(c->rows, c->columns);
	if (points == NULL || c->cell == NULL) {
		free(points);
		return taf_fail_mem(e);
	}
	for (k = 0; k < p->curves; k++) {
		c->mark = p->curves > 1 && p->curves <= NAMED ? (char)('1' + k) : '*';
		draw_curve(c, p, k, points, &last[p->curves <= NAMED ? k : 0]);
	}
	free(points);
	return TAF_OK;
}

enum taf_status
cmd_text_draw(const struct cmd_plot *p, const struct cmd_picture *pic,
    struct taf_out *out, struct taf_err *e)
{
	const struct cmd_plot_axis *up = p->image ? &p->y : &p->value;
	const bool legend = p->image || p->curves > 1;
	const bool numbers = !p->image && p->curves > 1 && p->curves <= NAMED;
	struct canvas c = { .utf8 = is_utf8(), .sub_x = 1, .sub_y = 1 };
	unsigned used = 2, k, nticks, last[NAMED] = { 0 };
	struct taf_buf b = { 0 };
	struct cmd_tick t[CMD_TICKS];
	enum taf_status st = TAF_OK;

	if (c.utf8 && !p->image) {
		c.sub_x = 2;
		c.sub_y = 4;
	}
	used += pic->title != NULL && pic->title[0] != '\0' ? 1 : 0;
	used += up->label.len > 0 ? 1 : 0;
	used += p->x.label.len > 0 ? 1 : 0;
	used += legend ? 1 : 0;
	c.rows = pic->height > used + 2 ? pic->height - used : 2;
	nticks = cmd_ticks(up, c.rows / 3 > 2 ? c.rows / 3 : 2, t);
	for (k = 0; k < nticks; k++)
		if (strlen(t[k].text) > c.left)
			c.left = (unsigned)strlen(t[k].text);
	k = c.left + 1 + (numbers ? 3 : 0);
	c.columns = pic->width > k + 8 ? pic->width - k : 8;
	if (!p->image)
		st = draw_curves(&c, p, last, e);
	if (st == TAF_OK && pic->title != NULL)
		st = put_text(&b, &c, 0, c.left + 1 + c.columns, pic->title, true, e);
	if (st == TAF_OK && up->label.len > 0)
		st = put_text(&b, &c, 0, c.left + 1 + c.columns, up->label.data, false,
		    e);
	if (st == TAF_OK)
		st = put_rows(&b, &c, p, t, nticks, numbers ? last : NULL, e);
	if (st == TAF_OK)
		st = put_x_axis(&b, &c, &p->x, e);
	if (st == TAF_OK && p->x.label.len > 0)
		st = put_text(&b, &c, c.left + 1, c.columns, p->x.label.data, true, e);
	if (st == TAF_OK && legend)
		st = put_legend(&b, &c, p, e);
	if (st == TAF_OK)
		st = taf_out_write(out, b.data, b.len, e);
	taf_buf_free(&b);
	free(c.cell);
	return st;
}
