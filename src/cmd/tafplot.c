/* tafplot - draw arrays, as lines or as an image: by gnuplot, a page, or characters. */
/* link: m */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "plot/drawing.h"

enum {
	OPT_DOWN = 256, OPT_FONT, OPT_IMAGE, OPT_LEGEND, OPT_LOG, OPT_NAME, OPT_NO_PREFIX,
	OPT_OVER, OPT_SCRIPT, OPT_SIZE, OPT_TERM, OPT_TITLE, OPT_WIDTH, OPT_XLABEL,
	OPT_YLABEL, OPTIONS
};

static const struct cmd_option options[] = {
	{ 'f', "force", NULL, "a picture even to a terminal", OWN },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension", OWN },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension", OWN },
	{ OPT_DOWN, "down", NULL, "an image whose rows count from the top", OWN },
	{ OPT_FONT, "font", "NAME[,SIZE]", "font, and size of the letters", OWN },
	{ OPT_IMAGE, "image", NULL, "a matrix as an image", OWN },
	{ OPT_LEGEND, "legend", "on|off|right|top|bottom|inside", "names of the lines", OWN },
	{ OPT_LOG, "log", "x|y|xy", "logarithmic axes", OWN },
	{ OPT_NAME, "name", "KEY", "attribute that names each array", OWN },
	{ OPT_NO_PREFIX, "no-prefix", NULL, "units as stored: 1e-7 s, not 100 ns", OWN },
	{ OPT_OVER, "over", "FILE", "a curve over the image", OWN },
	{ OPT_SCRIPT, "script", NULL, "print what gnuplot would get", OWN },
	{ OPT_SIZE, "size", "WxH", "width and height in pixels or characters", OWN },
	{ OPT_TERM, "term", "svg|png|pdf|html|text", "kind of picture", OWN },
	{ OPT_TITLE, "title", "TEXT", "title, default the name of the file", OWN },
	{ OPT_WIDTH, "width", "W", "width of the lines", OWN },
	{ OPT_XLABEL, "xlabel", "TEXT", "name of the horizontal axis", OWN },
	{ OPT_YLABEL, "ylabel", "TEXT", "name of the vertical axis", OWN },
	{ 0 },
};

static const struct cmd self = {
	"tafplot", "draw arrays: plots and images",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--term svg|png|pdf|html|text] "
	"[--size WxH]\n"
	"       [--title TEXT] [--xlabel TEXT] [--ylabel TEXT] [--no-prefix]\n"
	"       [--log x|y|xy] [--legend on|off|PLACE] [--name KEY] [--width W]\n"
	"       [--font NAME[,SIZE]] [--image [--down] [--over FILE]] [--script]\n"
	"       [-N K] [-o FILE] [file ...]",
	options, CMD_FILE | CMD_PICK | CMD_COMPUTES,
};

struct intent {
	struct taf_drawing drawing;
	const char **over;		/* files of curves over an image */
	int nover;
};

/* What a text takes of a terminal: all, but for the prompt. */
static void
terminal_size(const struct cmd_run *run, struct winsize *w)
{
	if (run->output != NULL || isatty(1) != 1 || ioctl(1, TIOCGWINSZ, w) != 0 ||
	    w->ws_col < TAF_TEXTPLOT_WIDTH || w->ws_row <= TAF_TEXTPLOT_HEIGHT)
		w->ws_row = w->ws_col = 1;
	w->ws_row--;
}

static const char *
base_name(const char *file)
{
	const char *base = strrchr(file, '/');

	return base != NULL ? base + 1 : file;
}

/* The file's name without its folders; of several each line is named. */
static const char *
title_of(const struct cmd_run *run)
{
	const char *file = cmd_given(run->files[0]);

	return run->nfiles == 1 && strcmp(file, cmd_name(NULL)) != 0 ? base_name(file) :
	    NULL;
}

static enum taf_status
check(const void *ctx, const struct taf_array *a, struct taf_err *e)
{
	const struct intent *want = ctx;

	return taf_plot_check(&want->drawing.how, a, e);
}

static enum taf_status
add(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	struct taf_drawing *to = &((struct intent *)ctx)->drawing;

	if (to->how.image && all->pick == 0 && cmd_arrays_more(all) == TAF_NEXT_YES)
		return taf_fail(e, TAF_EDATA, "several arrays: choose one with -N");
	return taf_drawing_add(to, (size_t)all->run->nfiles, &all->run->service, all->r,
	    &all->a, base_name(cmd_arrays_name(all)), e);
}

static void
draw(struct cmd_run *run, void *ctx)
{
	struct intent *want = ctx;
	struct cmd_arrays over = { .run = run, .files = want->over,
		.nfiles = want->nover };
	struct taf_err *e = &run->err;
	enum taf_status st = cmd_arrays_next(&over, e);

	while (st == TAF_OK) {
		st = taf_drawing_over(&want->drawing, (size_t)want->nover, &run->service,
		    over.r, &over.a, base_name(cmd_arrays_name(&over)), e);
		if (st == TAF_OK)
			cmd_remark_missing(run, &over.a);
		taf_err_name(e, cmd_arrays_name(&over));
		if (st == TAF_OK)
			st = cmd_arrays_next(&over, e);
	}
	cmd_arrays_close(&over);
	if (st == TAF_END)
		st = taf_drawing_end(&want->drawing, &run->service, run->out, e);
	if (st != TAF_OK)
		cmd_report(run, run->nfiles == 1 ? cmd_name(run->files[0]) : NULL);
}

/* The kind of picture is by the name of the output; a text goes to standard output. */
static void
complete(struct cmd_run *run, struct taf_drawing *want, bool term_given)
{
	struct winsize w = { .ws_row = 0 };
	const struct taf_picture *pic = &want->pic;

	if (!term_given && want->script)
		want->pic.term = TAF_TERM_SVG;
	else if (!term_given && run->output != NULL &&
	    taf_drawing_name(want, run->output, &run->err) != TAF_OK)
		cmd_usage(run, "-o %s: what kind of picture? use --term", run->output);
	terminal_size(run, &w);
	cmd_check(run, taf_drawing_complete(want, title_of(run), w.ws_col, w.ws_row,
	    &run->err));
	if (!want->script && run->output == NULL && !run->force && isatty(1) == 1 &&
	    (pic->term == TAF_TERM_PNG || pic->term == TAF_TERM_PDF))
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	struct intent want = { .over = calloc((size_t)argc + 1, sizeof *want.over) };
	struct taf_plot_how *how = &want.drawing.how;
	struct taf_picture *pic = &want.drawing.pic;
	/* what most options set */
	bool *const flag[OPTIONS] = { ['f'] = &run->force, [OPT_DOWN] = &how->down,
		[OPT_IMAGE] = &how->image, [OPT_NO_PREFIX] = &how->stored,
		[OPT_SCRIPT] = &want.drawing.script };
	const char **const text[OPTIONS] = { [OPT_NAME] = &how->key,
		[OPT_TITLE] = &pic->title, [OPT_XLABEL] = &how->x_label,
		[OPT_YLABEL] = &how->y_label };
	bool term_given = false;
	const char *arg;
	int c;

	if (want.over == NULL)
		cmd_check(run, taf_fail_mem(&run->err));
	while ((c = cmd_option(run, NULL, &arg)) != 0)
		switch (c) {
		case 'g':
		case 'x':
			cmd_bound(run, c, arg, &how->bounds);
			break;
		case OPT_FONT:
			cmd_check(run, taf_picture_font(pic, arg, &run->err));
			break;
		case OPT_LEGEND:
			pic->legend = (enum taf_legend)(TAF_LEGEND_ON +
			    cmd_choice(run, arg));
			break;
		case OPT_LOG:
			(void)cmd_choice(run, arg);
			how->log_x = arg[0] == 'x';
			how->log_y = strchr(arg, 'y') != NULL;
			break;
		case OPT_OVER:
			want.over[want.nover++] = arg;
			break;
		case OPT_SIZE:
			cmd_check(run, taf_picture_size(pic, arg, &run->err));
			break;
		case OPT_TERM:
			(void)cmd_choice(run, arg);
			cmd_check(run, taf_picture_term(pic, arg, &run->err));
			term_given = true;
			break;
		case OPT_WIDTH:
			cmd_check(run, taf_picture_line(pic, arg, &run->err));
			break;
		default:
			if (flag[c] != NULL)
				*flag[c] = true;
			else
				*text[c] = arg;
		}
	if (want.nover > 0 && !how->image)
		cmd_usage(run, "--over: over an image: --image is missing");
	if (want.nover > 0)
		cmd_one_input(run, want.over, want.nover);
	complete(run, &want.drawing, term_given);
	c = cmd_export(run, check, add, draw, &want);
	taf_drawing_fini(&want.drawing);
	free(want.over);
	return c;
}
