/* SPDX-License-Identifier: ISC */
/* tafplot - draw arrays, as lines or as an image: by gnuplot, a page, or characters. */
/* link: m */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "plot/drawing.h"

enum {
	OPT_ASPECT = 256, OPT_BAND, OPT_COLOURS, OPT_DOWN, OPT_FONT, OPT_IMAGE,
	OPT_LEGEND, OPT_LOG, OPT_NAME, OPT_NAMES, OPT_NO_PREFIX, OPT_OVER, OPT_PANELS,
	OPT_PERCENTILE, OPT_POINTS, OPT_RANGE, OPT_SAMPLES, OPT_SCRIPT, OPT_SIZE,
	OPT_TERM,	OPT_TITLE, OPT_WIDTH, OPT_WIGGLE, OPT_XLABEL, OPT_XY, OPT_YLABEL
};

struct intent {
	struct taf_drawing drawing;
	const char **over;		/* files of curves over an image */
	int nover;
	unsigned aspect;
};

static const struct cmd_option options[] = {
	{ 'f', "force", NULL, "a picture even to a terminal", .kind = CMD_SET_COMMON },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension",
	    SET(BOUNDS, drawing.how.bounds) },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension",
	    SET(BOUNDS, drawing.how.bounds) },
	{ OPT_ASPECT, "aspect", "equal", "a unit is as long on both axes",
	    SET(CHOICE, aspect), .value = 1 },
	{ OPT_BAND, "band", "K", "the last row is sigma: a band, or bars, of K sigma",
	    SET(REAL, drawing.how.band), ABOVE_0, .wrong = "not a number above 0" },
	{ OPT_COLOURS, "colours", "grey|diverging|viridis", "colours of an image",
	    SET(CHOICE, drawing.how.colours), .value = TAF_COLOURS_GREY },
	{ OPT_DOWN, "down", NULL, "an image whose rows count from the top",
	    SET(FLAG, drawing.how.down) },
	{ OPT_FONT, "font", "NAME[,SIZE]", "font, and size of the letters",
	    SET(PARSED, drawing.pic), .parse = taf_picture_font },
	{ OPT_IMAGE, "image", NULL, "a matrix as an image",
	    SET(FLAG, drawing.how.image) },
	{ OPT_LEGEND, "legend", "on|off|right|top|bottom|inside", "names of the lines",
	    SET(CHOICE, drawing.pic.legend), .value = TAF_LEGEND_ON },
	{ OPT_LOG, "log", "x|y|xy", "logarithmic axes", SET(CHOICE, drawing.how.log),
	    .value = TAF_LOG_X },
	{ OPT_NAME, "name", "KEY", "attribute that names each array",
	    SET(TEXT, drawing.how.key) },
	{ OPT_NAMES, "names", "A,B", "names of the lines",
	    SET(TEXT, drawing.how.names) },
	{ OPT_NO_PREFIX, "no-prefix", NULL, "units as stored: 1e-7 s, not 100 ns",
	    SET(FLAG, drawing.how.stored) },
	{ OPT_OVER, "over", "FILE", "a curve over the image", OWN },
	{ OPT_PANELS, "panels", NULL, "each line in a panel, under one axis",
	    SET(FLAG, drawing.how.panels) },
	{ OPT_PERCENTILE, "percentile", "P|LO:HI",
	    "ends of the values or colours, as a share of them",
	    SET(PARSED, drawing.how.limits), .parse = taf_plot_percentile },
	{ OPT_POINTS, "points", NULL, "marks in place of lines",
	    SET(FLAG, drawing.how.points) },
	{ OPT_RANGE, "range", "LO:HI", "ends of the values or colours",
	    SET(PARSED, drawing.how.limits), .parse = taf_plot_range },
	{ OPT_SAMPLES, "samples", NULL, "a page has all samples, and zooms to each",
	    SET(FLAG, drawing.how.samples) },
	{ OPT_SCRIPT, "script", NULL, "print what gnuplot would get",
	    SET(FLAG, drawing.script) },
	{ OPT_SIZE, "size", "WxH", "width and height in pixels or characters",
	    SET(PARSED, drawing.pic), .parse = taf_picture_size },
	{ OPT_TERM, "term", "svg|png|pdf|html|text", "kind of picture",
	    SET(CHOICE, drawing.pic.term), .value = TAF_TERM_SVG },
	{ OPT_TITLE, "title", "TEXT", "title, default the name of the file",
	    SET(TEXT, drawing.pic.title) },
	{ OPT_WIDTH, "width", "W", "width of the lines", SET(PARSED, drawing.pic),
	    .parse = taf_picture_line },
	{ OPT_WIGGLE, "wiggle", NULL, "traces as wiggles, time downward",
	    SET(FLAG, drawing.how.wiggle) },
	{ OPT_XLABEL, "xlabel", "TEXT", "name of the horizontal axis",
	    SET(TEXT, drawing.how.x_label) },
	{ OPT_XY, "xy", NULL, "rows 1 and 2 are x and y", SET(FLAG, drawing.how.xy) },
	{ OPT_YLABEL, "ylabel", "TEXT", "name of the vertical axis",
	    SET(TEXT, drawing.how.y_label) },
	{ 0 },
};

static const struct cmd self = {
	"tafplot", "draw arrays: plots and images",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--term svg|png|pdf|html|text] "
	"[--size WxH]\n"
	"       [--title TEXT] [--xlabel TEXT] [--ylabel TEXT] [--no-prefix]\n"
	"       [--log x|y|xy] [--range LO:HI] [--percentile P|LO:HI]\n"
	"       [--aspect equal] [--legend on|off|PLACE] [--name KEY] [--names A,B]\n"
	"       [--width W] [--font NAME[,SIZE]] [--xy] [--points] [--band K]\n"
	"       [--panels] [--samples]\n"
	"       [--image [--down] [--colours NAME] [--over FILE]]\n"
	"       [--wiggle] [--script] [-N K] [-o FILE] [file ...]",
	options, CMD_FILE | CMD_PICK | CMD_COMPUTES,
};

/* Where the picture goes.  A text takes all of a terminal but for the prompt. */
static void
look_at_output(const struct cmd_run *run, struct taf_drawing *d)
{
	const bool terminal = run->output == NULL && isatty(1) == 1;
	struct winsize w;

	d->output = run->output;
	d->terminal = terminal && !run->force;
	if (terminal && ioctl(1, TIOCGWINSZ, &w) == 0 &&
	    w.ws_col >= TAF_TEXTPLOT_WIDTH && w.ws_row > TAF_TEXTPLOT_HEIGHT) {
		d->columns = w.ws_col;
		d->rows = w.ws_row - 1u;
	}
}

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;

	return taf_plot_check(&want->drawing.how, a, e);
}

static enum taf_status
add(struct cmd_run *run, struct taf_arrays *all, void *ctx, struct taf_err *e)
{
	struct taf_drawing *to = &((struct intent *)ctx)->drawing;

	if ((to->how.image || to->how.wiggle) && all->pick == 0 &&
	    taf_arrays_more(all) == TAF_NEXT_YES)
		return taf_fail(e, TAF_EDATA, "several arrays: choose one with -N");
	return taf_drawing_add(to, (size_t)run->nfiles, &run->service, all->r,
	    &all->a, taf_arrays_name(all), e);
}

static void
draw(struct cmd_run *run, void *ctx)
{
	struct intent *want = ctx;
	struct taf_arrays over = cmd_arrays(run, want->over, want->nover);
	struct taf_err *e = &run->err;
	enum taf_status st;

	over.pick = 0;
	while ((st = taf_arrays_next(&over, e)) == TAF_OK) {
		st = taf_drawing_over(&want->drawing, &run->service, over.r, &over.a,
		    taf_arrays_name(&over), e);
		taf_err_name(e, taf_arrays_name(&over));
		if (st != TAF_OK)
			break;
		cmd_remark_missing(run, &over.a);
	}
	taf_arrays_close(&over);
	if (st == TAF_END)
		st = taf_drawing_end(&want->drawing, &run->service, run->out, e);
	if (st != TAF_OK)
		cmd_report(run, run->nfiles == 1 ? taf_in_called(run->files[0]) : NULL);
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .over = calloc((size_t)argc + 1, sizeof *want.over) };
	struct taf_drawing *d = &want.drawing;
	const char *arg;
	int c;

	if (want.over == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	while (cmd_option(run, &want, &arg) != 0)
		want.over[want.nover++] = arg;
	d->over = (size_t)want.nover;
	d->how.equal = want.aspect != 0;
	look_at_output(run, d);
	cmd_check(run, taf_drawing_complete(d, run->nfiles == 1 &&
	    strcmp(cmd_given(run->files[0]), taf_in_called(NULL)) != 0 ?
	    cmd_given(run->files[0]) : NULL, &run->err));
	if (want.nover > 0)
		cmd_one_input(run, want.over, want.nover);
	c = cmd_export(run, check, add, draw, &want);
	taf_drawing_fini(d);
	free(want.over);
	return c;
}
