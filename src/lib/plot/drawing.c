/* SPDX-License-Identifier: ISC */
/* link: m */
#include "plot/drawing.h"

#include <string.h>

#include "plot/label.h"
#include "plot/outputs.h"
#include "plot/panels.h"

static const char *
base_name(const char *file)
{
	const char *base = strrchr(file, '/');

	return base != NULL ? base + 1 : file;
}

/* The kind of picture by the name of its file. */
static enum taf_status
find_term(struct taf_drawing *d, struct taf_err *e)
{
	static const char *const names[] = { [TAF_TERM_SVG] = ".svg",
		[TAF_TERM_PNG] = ".png", [TAF_TERM_PDF] = ".pdf",
		[TAF_TERM_HTML] = ".html", [TAF_TERM_TEXT] = ".text", ".txt" };
	const char *dot = d->output != NULL ? strrchr(d->output, '.') : ".text";
	size_t i;

	if (d->script && d->pic.term == TAF_TERM_AUTO)
		d->pic.term = TAF_TERM_SVG;
	if (d->pic.term != TAF_TERM_AUTO)
		return TAF_OK;
	for (i = TAF_TERM_SVG; i < sizeof names / sizeof names[0]; i++)
		if (dot != NULL && strcmp(dot, names[i]) == 0) {
			d->pic.term = i < TAF_TERM_TEXT ? (enum taf_term)i :
			    TAF_TERM_TEXT;
			return TAF_OK;
		}
	return taf_fail(e, TAF_EUSAGE,
	    "-o %s: no kind of picture: .svg .png .pdf .html .txt, or --term",
	    d->output);
}

/* What does not go together, and why; NULL where all does. */
static const char *
conflict(const struct taf_drawing *d)
{
	const enum taf_term term = d->pic.term;

	if (d->script && term == TAF_TERM_TEXT)
		return "--script: a text is drawn without gnuplot";
	if (d->script && term == TAF_TERM_HTML)
		return "--script: a page is drawn without gnuplot";
	if (d->how.limits.given && d->how.limits.shares)
		return "--range and --percentile: choose one";
	if (d->how.wiggle && (d->how.limits.given || (d->how.limits.shares &&
	    d->how.limits.share[0] + d->how.limits.share[1] != 1)))
		return "--wiggle: traces end where the next one is: --percentile P alone";
	if ((d->how.log & TAF_LOG_Y) != 0 && d->how.limits.given &&
	    !(d->how.limits.range[0].value > 0))
		return "--range: a logarithmic axis begins above 0";
	if (d->how.colours != TAF_COLOURS_AUTO && !d->how.image)
		return "--colours: of an image: --image is missing";
	if (d->how.colours != TAF_COLOURS_AUTO && term == TAF_TERM_TEXT)
		return "--colours: a text has none";
	if (d->how.equal && (d->how.log != 0 || d->how.wiggle))
		return "--aspect: neither --log nor --wiggle goes with it";
	if (d->how.names != NULL && ((d->how.image && d->over == 0) || d->how.wiggle))
		return "--names: of lines: an image and --wiggle have none";
	if (d->how.xy && (d->how.image || d->how.wiggle))
		return "--xy: of lines: --image and --wiggle do not go with it";
	if (d->how.points && ((d->how.image && d->over == 0) || d->how.wiggle))
		return "--points: of lines: an image and --wiggle have none";
	if (d->how.panels && (d->how.image || d->how.wiggle || d->how.xy ||
	    d->how.equal || d->how.limits.shares))
		return
		    "--panels: --image, --wiggle, --xy, --aspect and --percentile do not go with it";
	if (d->how.samples && term != TAF_TERM_HTML)
		return "--samples: of a page: --term html is missing";
	if (d->how.samples && (d->how.image || d->how.wiggle || d->how.xy ||
	    d->how.band > 0))
		return "--samples: --image, --wiggle, --xy and --band do not go with it";
	if (d->how.image && d->how.log != 0)
		return "--image: its axes are linear: --log does not go with it";
	if (d->how.wiggle && (d->how.image || d->how.band > 0 || d->how.log != 0))
		return "--wiggle: --image, --band and --log do not go with it";
	if (d->how.down && !d->how.image)
		return "--down: of an image: --image is missing";
	if (d->how.image && d->how.band > 0)
		return "--band: of curves: it does not go with --image";
	if (d->over > 0 && !d->how.image)
		return "--over: over an image: --image is missing";
	if (!d->script && d->terminal && (term == TAF_TERM_PNG || term == TAF_TERM_PDF))
		return "binary data to a terminal: use -o, a pipe, or -f";
	return NULL;
}

enum taf_status
taf_drawing_complete(struct taf_drawing *d, const char *file, struct taf_err *e)
{
	struct taf_picture *pic = &d->pic;

	d->sized = pic->width > 0;
	if (find_term(d, e) != TAF_OK ||
	    taf_picture_complete(pic, d->columns, d->rows, e) != TAF_OK)
		return e->code;
	if (conflict(d) != NULL)
		return taf_fail(e, TAF_EUSAGE, "%s", conflict(d));
	d->title.err = e;
	taf_plot_text(&d->title, pic->title != NULL ? pic->title :
	    file != NULL ? base_name(file) : "");
	pic->title = d->title.buf.data;
	if (d->how.names != NULL && pic->legend == TAF_LEGEND_AUTO)
		pic->legend = TAF_LEGEND_ON;
	d->how.limits.balanced = d->how.colours == TAF_COLOURS_DIVERGING;
	d->how.columns = pic->width;
	d->how.rows = pic->height;
	if (pic->term == TAF_TERM_TEXT)
		taf_textplot_dots(pic, d->how.image, &d->how.columns, &d->how.rows);
	return d->title.st;
}

/* files: how many arrays there are to come, at most. */
static enum taf_status
add(struct taf_drawing *d, struct taf_plot *p, struct taf_plot_how *how, size_t files,
    const struct taf_service *service, struct taf_reader *r, const struct taf_array *a,
    const char *file, struct taf_err *e)
{
	const size_t arrays = p->parts + 1;

	if (d->pic.term == TAF_TERM_HTML &&
	    taf_page_fit(how, a, arrays > files ? arrays : files, e) != TAF_OK)
		return e->code;
	return taf_plot_add(p, how, service, r, a, base_name(file), e);
}

/* All of it is added: its ranges, and what is written at it. */
static enum taf_status
complete(struct taf_plot *p, const struct taf_plot_how *how, struct taf_err *e)
{
	enum taf_status st = taf_plot_end(p, how, e);

	if (st == TAF_OK)
		st = taf_plot_labels(p, how, e);
	return st == TAF_OK && p->panels ? taf_panels_make(p, how, e) : st;
}

enum taf_status
taf_drawing_add(struct taf_drawing *d, size_t files, const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, const char *file, struct taf_err *e)
{
	struct taf_plot_how how = d->how;

	return add(d, &d->plot, &how, files, service, r, a, file, e);
}

enum taf_status
taf_drawing_over(struct taf_drawing *d, const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, const char *file, struct taf_err *e)
{
	struct taf_plot_how how = { .columns = d->how.columns, .key = d->how.key,
		.points = d->how.points };

	if (d->curves.parts == 0 && (complete(&d->plot, &d->how, e) != TAF_OK ||
	    taf_plot_over(&d->curves, &d->plot, e) != TAF_OK))
		return e->code;
	return add(d, &d->curves, &how, d->over, service, r, a, file, e);
}

enum taf_status
taf_drawing_end(struct taf_drawing *d, const struct taf_service *service,
    struct taf_out *out, struct taf_err *e)
{
	enum taf_status st = complete(d->plot.curves_over != NULL ? &d->curves :
	    &d->plot, &d->how, e);

	if (st != TAF_OK)
		return st;
	if (d->plot.panels && !d->sized && d->pic.term != TAF_TERM_TEXT &&
	    d->pic.term != TAF_TERM_HTML)
		taf_picture_panels(&d->pic, d->plot.curves);
	if (d->pic.term == TAF_TERM_TEXT)
		st = taf_textplot_draw(&d->plot, &d->pic, out, e);
	else if (d->pic.term == TAF_TERM_HTML)
		st = taf_page_draw(&d->plot, &d->how, &d->pic, out, e);
	else if (d->script)
		st = taf_gnuplot_script(&d->plot, &d->pic, out, e);
	else
		st = taf_gnuplot_draw(&d->plot, &d->pic, out, e);
	if (st == TAF_OK)
		taf_plot_remark(&d->plot, &d->how, service);
	if (st == TAF_OK && d->plot.curves_over != NULL)
		taf_plot_remark(&d->curves, &d->how, service);
	return st;
}

void
taf_drawing_fini(struct taf_drawing *d)
{
	taf_plot_fini(&d->plot);
	taf_plot_fini(&d->curves);
	taf_str_free(&d->title);
}
