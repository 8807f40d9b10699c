/* tafplot - draw arrays, as lines or as an image: by gnuplot, a page, or characters. */
/* link: m */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "plot/gnuplot.h"
#include "plot/label.h"
#include "plot/page.h"
#include "plot/picture.h"
#include "plot/plot.h"
#include "plot/textplot.h"

enum {
	OPT_FONT = 256, OPT_IMAGE, OPT_LEGEND, OPT_LOG, OPT_NAME, OPT_NO_PREFIX,
	OPT_SCRIPT, OPT_SIZE, OPT_TERM, OPT_TITLE, OPT_WIDTH, OPT_XLABEL, OPT_YLABEL
};

static const struct cmd_option options[] = {
	{ 'f', "force", NULL, "a picture even to a terminal" },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension" },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension" },
	{ OPT_FONT, "font", "NAME[,SIZE]", "font, and size of the letters" },
	{ OPT_IMAGE, "image", NULL, "a matrix as an image" },
	{ OPT_LEGEND, "legend", "on|off|right|top|bottom|inside", "names of the lines" },
	{ OPT_LOG, "log", "x|y|xy", "logarithmic axes" },
	{ OPT_NAME, "name", "KEY", "attribute that names each array" },
	{ OPT_NO_PREFIX, "no-prefix", NULL, "units as stored: 1e-7 s, not 100 ns" },
	{ OPT_SCRIPT, "script", NULL, "print what gnuplot would get" },
	{ OPT_SIZE, "size", "WxH", "width and height in pixels or characters" },
	{ OPT_TERM, "term", "svg|png|pdf|html|text", "kind of picture" },
	{ OPT_TITLE, "title", "TEXT", "title, default the name of the file" },
	{ OPT_WIDTH, "width", "W", "width of the lines" },
	{ OPT_XLABEL, "xlabel", "TEXT", "name of the horizontal axis" },
	{ OPT_YLABEL, "ylabel", "TEXT", "name of the vertical axis" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafplot", "draw arrays: plots and images",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--term svg|png|pdf|html|text] "
	"[--size WxH]\n"
	"       [--title TEXT] [--xlabel TEXT] [--ylabel TEXT] [--no-prefix]\n"
	"       [--log x|y|xy] [--legend on|off|PLACE] [--name KEY] [--width W]\n"
	"       [--font NAME[,SIZE]] [--image] [--script] [-N K] [-o FILE] [file ...]",
	options, CMD_FILE | CMD_PICK,
};

struct intent {
	struct taf_plot_how how;
	struct taf_picture pic;
	bool script, term_given;
	struct taf_str title;
	struct taf_plot *plot;
};

/* By the name of the output; text on standard output. */
static void
choose_term(struct cmd_run *run, struct intent *want)
{
	const char *dot = run->output != NULL ? strrchr(run->output, '.') : NULL;

	if (want->term_given)
		return;
	if (want->script)
		want->pic.term = TAF_TERM_SVG;
	else if (run->output != NULL && strcmp(dot != NULL ? dot : "", ".txt") != 0 &&
	    taf_picture_term(&want->pic, dot != NULL ? dot + 1 : "", &run->err) != TAF_OK)
		cmd_usage(run, "-o %s: what kind of picture? use --term", run->output);
}

/* A text takes all of a terminal, but for the prompt. */
static void
choose_size(struct cmd_run *run, struct taf_picture *pic)
{
	struct winsize w = { .ws_row = 0 };

	if (run->output != NULL || isatty(1) != 1 || ioctl(1, TIOCGWINSZ, &w) != 0 ||
	    w.ws_col < TAF_TEXTPLOT_WIDTH || w.ws_row <= TAF_TEXTPLOT_HEIGHT)
		w.ws_row = w.ws_col = 1;
	cmd_check(run, taf_picture_complete(pic, w.ws_col, w.ws_row - 1u, &run->err));
}

static const char *
base_name(const char *file)
{
	const char *base = strrchr(file, '/');

	return base != NULL ? base + 1 : file;
}

/* The file's name without its folders; of several each line is named. */
static void
choose_title(struct cmd_run *run, struct intent *want)
{
	const char *file = run->files[0], *given = want->pic.title;

	if (given == NULL && file != NULL && strcmp(file, "-") != 0 && run->nfiles == 1)
		given = base_name(file);
	want->title.err = &run->err;
	taf_plot_text(&want->title, given != NULL ? given : "");
	cmd_check(run, want->title.st);
	want->pic.title = want->title.buf.data;
}

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;

	return taf_plot_check(&want->how, a, e);
}

static enum taf_status
add(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct taf_plot_how how = want->how;
	const size_t files = (size_t)all->run->nfiles, arrays = want->plot->parts + 1;

	if (want->how.image && all->pick == 0 && cmd_arrays_more(all) == TAF_NEXT_YES)
		return taf_fail(e, TAF_EDATA, "several arrays: choose one with -N");
	if (want->pic.term == TAF_TERM_HTML &&
	    taf_page_fit(&how, &all->a, arrays > files ? arrays : files, e) != TAF_OK)
		return e->code;
	return taf_plot_add(want->plot, &how, &all->run->service, all->r, &all->a,
	    base_name(cmd_arrays_name(all)), e);
}

static void
draw(struct cmd_run *run, void *ctx)
{
	const struct intent *want = ctx;
	const struct taf_picture *pic = &want->pic;
	struct taf_plot *p = want->plot;
	enum taf_status st = taf_plot_end(p, &want->how, &run->err);

	if (st == TAF_OK)
		st = pic->term == TAF_TERM_TEXT ?
		    taf_textplot_draw(p, pic, run->out, &run->err) :
		    pic->term == TAF_TERM_HTML ?
		    taf_page_draw(p, &want->how, pic, run->out, &run->err) :
		    want->script ? taf_gnuplot_script(p, pic, run->out, &run->err) :
		    taf_gnuplot_draw(p, pic, run->out, &run->err);
	if (st == TAF_OK)
		taf_plot_remark(p, &run->service);
	else
		cmd_report(run, run->nfiles == 1 ? cmd_name(run->files[0]) : NULL);
}

/* What is said of the lines, of their labels and of the sheet. */
static void
set(struct cmd_run *run, struct intent *want, int c, const char *arg)
{
	struct taf_picture *pic = &want->pic;

	switch (c) {
	case OPT_FONT:
		cmd_check(run, taf_picture_font(pic, arg, &run->err));
		break;
	case OPT_LEGEND:
		pic->legend = (enum taf_legend)(TAF_LEGEND_ON + cmd_choice(run, arg));
		break;
	case OPT_NAME:
		want->how.key = arg;
		break;
	case OPT_SIZE:
		cmd_check(run, taf_picture_size(pic, arg, &run->err));
		break;
	case OPT_TERM:
		(void)cmd_choice(run, arg);
		want->term_given = taf_picture_term(pic, arg, &run->err) == TAF_OK;
		break;
	case OPT_TITLE:
		pic->title = arg;
		break;
	case OPT_WIDTH:
		cmd_check(run, taf_picture_line(pic, arg, &run->err));
		break;
	case OPT_XLABEL:
		want->how.x_label = arg;
		break;
	case OPT_YLABEL:
		want->how.y_label = arg;
		break;
	}
}

/* The sheet, and what of the array it can show. */
static void
complete(struct cmd_run *run, struct intent *want)
{
	const struct taf_picture *pic = &want->pic;

	choose_term(run, want);
	choose_size(run, &want->pic);
	if (want->script && (pic->term == TAF_TERM_TEXT || pic->term == TAF_TERM_HTML))
		cmd_usage(run, "--script: a %s is drawn without gnuplot",
		    pic->term == TAF_TERM_TEXT ? "text" : "page");
	if (want->how.image && (want->how.log_x || want->how.log_y))
		cmd_usage(run, "--image: its axes are linear: --log does not go with it");
	if (!want->script && run->output == NULL && !run->force && isatty(1) == 1 &&
	    (pic->term == TAF_TERM_PNG || pic->term == TAF_TERM_PDF))
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
	choose_title(run, want);
	want->how.columns = pic->width;
	want->how.rows = pic->height;
	if (pic->term == TAF_TERM_TEXT)
		taf_textplot_dots(pic, want->how.image, &want->how.columns,
		    &want->how.rows);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct taf_plot plot = { .parts = 0 };
	struct intent want = { .plot = &plot };
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'f':
			run->force = true;
			break;
		case 'g':
		case 'x':
			cmd_bound(run, c, arg, &want.how.bounds);
			break;
		case OPT_IMAGE:
			want.how.image = true;
			break;
		case OPT_LOG:
			(void)cmd_choice(run, arg);
			want.how.log_x = arg[0] == 'x';
			want.how.log_y = strchr(arg, 'y') != NULL;
			break;
		case OPT_NO_PREFIX:
			want.how.stored = true;
			break;
		case OPT_SCRIPT:
			want.script = true;
			break;
		default:
			set(run, &want, c, arg);
		}
	complete(run, &want);
	c = cmd_export(run, check, add, draw, &want);
	taf_plot_fini(&plot);
	taf_str_free(&want.title);
	return c;
}
