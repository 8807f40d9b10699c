/* SPDX-License-Identifier: ISC */
#include "plot/outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array/region.h"
#include "base/num.h"
#include "base/str.h"
#include "plot/label.h"
#include "plot/section.h"
/* made from page.html */
#include "plot/page_lines.h"

enum {
	BUCKETS = 65536,	/* of all curves: each becomes two numbers */
	LEAST = 128,		/* of each */
	PIXELS = 2 * BUCKETS,	/* of an image: each is a number */
	ROWS = 256,		/* of them, but for narrow ones */
	TEXT = 256 * 1024	/* between two writes */
};

enum taf_status
taf_page_fit(struct taf_plot_how *how, const struct taf_array *a, size_t arrays,
    struct taf_err *e)
{
	uint64_t columns = 0, rows = 1, each;
	struct taf_region r;
	unsigned k, x = 0;

	if (taf_bounds_resolve(&how->bounds, a, &r, e) != TAF_OK)
		return e->code;
	for (k = taf_plot_rows(how) > 1 ? 1 : 0; k < r.ndim; k++)
		if (columns == 0 && r.count[k] > 1)
			columns = r.count[x = k];
		else if (r.count[k] > 1)
			rows = r.count[k];
	if (!how->image) {
		each = BUCKETS / (rows * arrays);
		how->columns = how->rows = each > LEAST ? (unsigned)each : LEAST;
		return TAF_OK;
	}
	if (taf_section_is(how, a, x)) {
		each = columns;
		columns = rows;
		rows = each;
	}
	each = rows < ROWS ? rows : ROWS;
	if (columns < PIXELS / each)
		each = PIXELS / (columns > 0 ? columns : 1);
	how->rows = (unsigned)each;
	each = rows < each ? rows : each;
	how->columns = (unsigned)(PIXELS / each);
	return TAF_OK;
}

static void
flush(struct taf_str *s, struct taf_out *out)
{
	if (s->buf.len >= TEXT)
		s->st = taf_out_str(out, s);
}

/* What HTML takes for more than text is named. */
static void
put_html(struct taf_str *s, const char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '<')
			taf_str_puts(s, "&lt;");
		else if (*text == '>')
			taf_str_puts(s, "&gt;");
		else if (*text == '&')
			taf_str_puts(s, "&amp;");
		else
			taf_str_put(s, text, 1);
}

/* In JSON without "<", so that no text can end the script that it stands in. */
static void
put_string(struct taf_str *s, const char *key, const char *text)
{
	size_t n;

	taf_str_printf(s, "\"%s\":\"", key);
	for (; text != NULL && *text != '\0'; text += n + (text[n] == '<')) {
		n = strcspn(text, "<");
		taf_str_json_part(s, text, n);
		taf_str_puts(s, text[n] == '<' ? "\\u003c" : "");
	}
	taf_str_puts(s, "\"");
}

/* Text from anywhere. */
static void
put_text(struct taf_str *s, const char *key, const char *text)
{
	struct taf_str t = { .err = s->err };

	taf_plot_text(&t, text != NULL ? text : "");
	if (t.st != TAF_OK)
		s->st = t.st;
	put_string(s, key, t.buf.data);
	taf_str_free(&t);
}

/* given is in the place of the name; where it is empty, there is no unit either. */
static void
put_axis(struct taf_str *s, const char *key, const struct taf_plot_axis *x,
    const char *given, bool stored)
{
	struct taf_si u;
	int most;

	taf_str_printf(s, "\"%s\":{", key);
	put_text(s, "name", given != NULL ? given : x->name.data);
	if (given == NULL || given[0] != '\0') {
		taf_str_puts(s, ",");
		put_text(s, "unit", x->unit.data);
		if (!stored && taf_scale_base(x->unit.data, &u, &most))
			taf_str_printf(s, ",\"base\":\"%s\",\"power\":%d,\"most\":%d",
			    u.base, u.power, most);
	}
	taf_str_printf(s, "%s,\"log\":%s,\"lo\":%s,\"hi\":%s},\n",
	    x->down ? ",\"down\":true" : "", x->log ? "true" : "false",
	    taf_f64(x->lo).s, taf_f64(x->hi).s);
}

/* Of the samples of a curve. */
static uint64_t
pieces_of(const struct taf_plot_part *part)
{
	return part->x.n / TAF_SAMPLES_PIECE + (part->x.n % TAF_SAMPLES_PIECE > 0);
}

/* The grid of what is drawn, and how many of its points each of n buckets has. */
static void
put_grid(struct taf_str *s, const struct taf_plot_axis *x, const uint64_t *edge,
    size_t n, bool bars)
{
	size_t i;

	taf_str_printf(s, "{%s\"start\":%s,\"step\":%s,\"first\":%llu,",
	    bars ? "\"bars\":true," : "", taf_f64(x->start).s,
	    taf_f64(x->dim > 0 ? x->step : 1).s, (unsigned long long)edge[0]);
	if (edge[n] - edge[0] == n) {
		taf_str_printf(s, "\"count\":%zu}", n);
		return;
	}
	taf_str_puts(s, "\"width\":[");
	for (i = 0; i < n; i++) {
		taf_str_puts(s, i > 0 ? "," : "");
		taf_str_u64(s, edge[i + 1] - edge[i]);
	}
	taf_str_puts(s, "]}");
}

static void
put_rows(struct taf_str *s, const struct taf_plot_part *part)
{
	uint64_t *edge = taf_alloc(part->curves + 1, sizeof *edge);
	size_t k;

	if (edge == NULL) {
		s->st = taf_fail_mem(s->err);
		return;
	}
	for (k = 0; k <= part->curves; k++)
		edge[k] = taf_plot_row_edge(part, k);
	taf_str_puts(s, "\"rows\":");
	put_grid(s, &part->y, edge, part->curves, false);
	taf_str_puts(s, ",\n");
	free(edge);
}

static void
put_number(struct taf_str *s, double v)
{
	taf_str_puts(s, v == v ? taf_f64(v).s : "null");
}

/* The smallest, or the largest, values of n buckets on a line. */
static void
put_values(struct taf_str *s, const struct taf_bucket *b, size_t n, bool max)
{
	size_t i;

	taf_str_printf(s, ",\n\"%s\":[", max ? "max" : "min");
	for (i = 0; i < n; i++) {
		taf_str_puts(s, i > 0 ? "," : "");
		put_number(s, !b[i].any ? NAN : max ? b[i].max : b[i].min);
	}
	taf_str_puts(s, "]");
}

/* The x of n points on a line. */
static void
put_places(struct taf_str *s, const double *x, size_t n)
{
	size_t i;

	taf_str_puts(s, ",\n\"x\":[");
	for (i = 0; i < n; i++) {
		taf_str_puts(s, i > 0 ? "," : "");
		put_number(s, taf_is_finite(x[i]) ? x[i] : NAN);
	}
	taf_str_puts(s, "]");
}

/* The edges of a curve's band; the lower one may be below a logarithmic axis. */
static void
put_band(struct taf_str *s, const struct taf_plot *p, const struct taf_plot_part *part,
    size_t curve)
{
	const size_t all = part->curves * part->buckets;
	const struct taf_bucket *lower = part->bucket + all + curve * part->buckets;
	const struct taf_bucket *upper = lower + all;
	size_t i;

	taf_str_printf(s, ",\n\"band\":{\"sigmas\":%s,\n\"min\":[", taf_f64(p->band).s);
	for (i = 0; i < part->buckets; i++) {
		taf_str_puts(s, i > 0 ? "," : "");
		put_number(s, lower[i].any ? lower[i].min :
		    upper[i].any ? p->value.lo : NAN);
	}
	taf_str_puts(s, "]");
	put_values(s, upper, part->buckets, true);
	taf_str_puts(s, "}");
}

static void
put_row(struct taf_str *s, const struct taf_plot *p, size_t row)
{
	size_t i;

	taf_str_puts(s, "{\"grid\":0,\n\"min\":[");
	for (i = 0; i < p->part->buckets; i++) {
		taf_str_puts(s, i > 0 ? "," : "");
		put_number(s, taf_plot_pixel(p, i, row));
	}
	taf_str_puts(s, "]}");
}

/* What the samples of a curve are, and the first of their pieces. */
static void
put_pieces(struct taf_str *s, const struct taf_plot *p,
    const struct taf_plot_part *part, size_t curve)
{
	const struct taf_plot_part *o;
	uint64_t first = curve * pieces_of(part);

	for (o = p->part; o < part; o++)
		first += o->curves * pieces_of(o);
	taf_str_printf(s, "\"samples\":{\"type\":\"%s\",\"piece\":%d,\"first\":%llu,"
	    "\"power\":%d},", taf_type_name(part->samples.type), TAF_SAMPLES_PIECE,
	    (unsigned long long)first, part->power);
}

static void
put_curve(struct taf_str *s, const struct taf_plot *p, const struct taf_plot_how *how,
    size_t c)
{
	size_t in_part = c;
	const struct taf_plot_part *part = taf_plot_part_of(p, &in_part);
	const struct taf_bucket *b = part->bucket + in_part * part->buckets;
	struct taf_str name = { .err = s->err };

	taf_plot_name(&name, p, c);
	if (name.st != TAF_OK)
		s->st = name.st;
	taf_str_printf(s, "{\"grid\":%zu,", (size_t)(part - p->part));
	if (part->samples.there)
		put_pieces(s, p, part, in_part);
	if (p->wiggle)
		taf_str_printf(s, "\"at\":%s,", taf_f64(taf_section_base(p, c)).s);
	if (p->panels)
		put_axis(s, "axis", &p->panel[c], how->y_label, how->stored);
	put_string(s, "name", name.buf.data);
	taf_str_free(&name);
	if (part->at != NULL)
		put_places(s, part->at + in_part * part->buckets, part->buckets);
	put_values(s, b, part->buckets, false);
	if (part->edge[part->buckets] - part->edge[0] != part->buckets)
		put_values(s, b, part->buckets, true);
	if (part->banded)
		put_band(s, p, part, in_part);
	taf_str_puts(s, "}");
}

static void
put_sheet(struct taf_str *s, const struct taf_plot *p, const struct taf_picture *pic)
{
	const struct taf_plot *const lines = p->image ? p->curves_over : p;
	const bool legend = lines != NULL && !lines->wiggle &&
	    pic->legend != TAF_LEGEND_OFF &&
	    (lines->curves > 1 || lines->band > 0 || pic->legend != TAF_LEGEND_AUTO);
	struct taf_str text = { .err = s->err };

	taf_str_printf(s, "{\"image\":%s,\"width\":%u,\"height\":%u,",
	    p->image ? "true" : "false", pic->width, pic->height);
	if (p->wiggle)
		taf_str_printf(s, "\"wiggle\":%s,", taf_f64(taf_section_far(p)).s);
	if (p->image) {
		taf_str_puts(s, "\"colours\":[");
		taf_colours_lists(s, p->colours);
		taf_str_puts(s, "],");
	}
	if (lines != NULL && lines->points)
		taf_str_puts(s, "\"points\":true,");
	if (p->xy)
		taf_str_puts(s, "\"xy\":true,");
	if (p->errors)
		taf_str_puts(s, "\"errors\":true,");
	if (p->tight)
		taf_str_puts(s, "\"tight\":true,");
	if (p->aspect > 0)
		taf_str_printf(s, "\"aspect\":%s,", taf_f64(p->aspect).s);
	taf_str_printf(s, "\"line\":%s,\"size\":%s,", taf_f64(pic->line).s,
	    taf_f64(pic->font_size).s);
	taf_str_put(&text, pic->font, (size_t)pic->font_len);
	put_text(s, "font", text.buf.data);
	taf_str_free(&text);
	taf_str_printf(s, ",\"legend\":%s,", legend ? "true" : "false");
	if (legend)
		taf_plot_names_title(&text, lines);
	put_string(s, "names", text.buf.data);
	taf_str_free(&text);
	if (text.st != TAF_OK)
		s->st = text.st;
	taf_str_puts(s, ",\n");
}

/* Curves, or the rows of an image, and the grids that they have. */
static void
put_curves(struct taf_str *s, const struct taf_plot *p, const struct taf_plot_how *how,
    struct taf_out *out)
{
	size_t i;

	taf_str_puts(s, "\"grids\":[\n");
	for (i = 0; i < p->parts; i++) {
		put_grid(s, &p->part[i].x, p->part[i].edge, p->part[i].buckets,
		    taf_plot_bars(&p->part[i]));
		taf_str_puts(s, i + 1 < p->parts ? ",\n" : "],\n");
	}
	taf_str_puts(s, "\"curves\":[\n");
	for (i = 0; i < p->curves && s->st == TAF_OK; i++) {
		if (p->image)
			put_row(s, p, i);
		else
			put_curve(s, p, how, i);
		taf_str_puts(s, i + 1 < p->curves ? ",\n" : "]}");
		flush(s, out);
	}
}

static void
put_data(struct taf_str *s, const struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_picture *pic, struct taf_out *out)
{
	const bool up = taf_plot_up(p) == &p->y;

	put_sheet(s, p, pic);
	put_axis(s, "x", &p->x, how->x_label, how->stored);
	put_axis(s, "y", &p->y, up ? how->y_label : NULL, how->stored);
	put_axis(s, "value", &p->value, up ? NULL : how->y_label, how->stored);
	if (p->image)
		put_rows(s, p->part);
	if (p->curves_over != NULL) {
		taf_str_puts(s, "\"over\":{");
		put_curves(s, p->curves_over, how, out);
		taf_str_puts(s, ",\n");
	}
	put_curves(s, p, how, out);
	taf_str_puts(s, "\n");
}

/* Behind the script, which draws before a browser has read them. */
static void
put_samples(struct taf_str *s, const struct taf_plot *p, struct taf_out *out)
{
	size_t i;

	for (i = 0; i < p->parts && s->st == TAF_OK; i++) {
		if (!p->part[i].samples.there)
			continue;
		s->st = taf_out_str(out, s);
		if (s->st == TAF_OK)
			s->st = taf_samples_put(&p->part[i].samples, p->part[i].curves,
			    p->part[i].x.n, out, s->err);
	}
}

enum taf_status
taf_page_draw(const struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_picture *pic, struct taf_out *out, struct taf_err *e)
{
	const char *const title = pic->title != NULL ? pic->title : "";
	struct taf_str s = { .err = e };
	size_t i;

	/* widths are computed there, too */
	if (!taf_is_finite(p->value.hi - p->value.lo) ||
	    !taf_is_finite(p->x.hi - p->x.lo))
		return taf_fail(e, TAF_EDATA,
		    "an axis as long as all numbers: a page cannot: use --term text");
	for (i = 0; i < sizeof page_lines / sizeof page_lines[0]; i++) {
		const char *line = page_lines[i];

		if (strcmp(line, "@data@\n") == 0)
			put_data(&s, p, how, pic, out);
		else if (strcmp(line, "@samples@\n") == 0)
			put_samples(&s, p, out);
		else if (strcmp(line, "@heading@\n") == 0)
			put_html(&s, title);
		else if (strcmp(line, "@title@\n") == 0)
			put_html(&s, title[0] != '\0' ? title : "tafplot");
		else
			taf_str_puts(&s, line);
	}
	s.st = taf_out_str(out, &s);
	taf_str_free(&s);
	return s.st;
}
