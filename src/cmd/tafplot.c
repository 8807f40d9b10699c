/* tafplot - draw arrays as lines or as an image, by gnuplot or with characters. */
/* link: m */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/num.h"
#include "cli/cmd.h"
#include "plot/gnuplot.h"
#include "plot/plot.h"
#include "plot/textplot.h"

enum { OPT_IMAGE = 256, OPT_LOG, OPT_SCRIPT, OPT_SIZE, OPT_TERM, OPT_TITLE };

enum { WIDTH = 800, HEIGHT = 600, TEXT_WIDTH = 80, TEXT_HEIGHT = 24, LARGEST = 20000 };

static const struct cmd_option options[] = {
	{ 'f', "force", NULL, "a picture even to a terminal" },
	{ 'g', "grid", "DIM=LO:HI", "only these grid values of a dimension" },
	{ 'x', "index", "DIM=LO:HI[:STEP]", "only these indices of a dimension" },
	{ OPT_IMAGE, "image", NULL, "a matrix as an image" },
	{ OPT_LOG, "log", "x|y|xy", "logarithmic axes" },
	{ OPT_SCRIPT, "script", NULL, "print what gnuplot would get" },
	{ OPT_SIZE, "size", "WxH", "width and height in pixels or characters" },
	{ OPT_TERM, "term", "svg|png|pdf|text", "kind of picture" },
	{ OPT_TITLE, "title", "TEXT", "title, default the name of the file" },
	{ 0, NULL, NULL, NULL },
};

static const struct cmd self = {
	"tafplot", "draw arrays",
	"[-x DIM=LO:HI[:STEP]] [-g DIM=LO:HI] [--term svg|png|pdf|text] [--size WxH]\n"
	"       [--title TEXT] [--log x|y|xy] [--image] [--script] [-N K] [-o FILE] [file]",
	options, CMD_FILE | CMD_PICK | CMD_ONE,
};

struct intent {
	struct taf_plot_how how;
	struct taf_picture pic;
	bool script, term_given;
	struct taf_str title;
};

static void
parse_size(struct cmd_run *run, const char *arg, struct taf_picture *pic)
{
	const char *x = strchr(arg, 'x');
	uint64_t w, h;

	if (x == NULL || !taf_parse_u64(arg, (size_t)(x - arg), &w) ||
	    !taf_parse_u64(x + 1, strlen(x + 1), &h) || w < 1 || h < 1 || w > LARGEST ||
	    h > LARGEST)
		cmd_usage(run, "--size %s: not WxH with numbers of 1 to %d", arg,
		    LARGEST);
	pic->width = (unsigned)w;
	pic->height = (unsigned)h;
}

static const char *const terms[] = { "text", "svg", "png", "pdf" };

static bool
find_term(const char *name, struct intent *want)
{
	size_t i;

	for (i = 0; i < sizeof terms / sizeof terms[0]; i++)
		if (strcmp(name, terms[i]) == 0) {
			want->pic.term = (enum taf_term)i;
			return true;
		}
	return false;
}

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
	    !find_term(dot != NULL ? dot + 1 : "", want))
		cmd_usage(run, "-o %s: what kind of picture? use --term", run->output);
}

static void
choose_size(struct cmd_run *run, struct taf_picture *pic)
{
	struct winsize w;

	if (pic->width == 0 && pic->term != TAF_TERM_TEXT) {
		pic->width = WIDTH;
		pic->height = HEIGHT;
	} else if (pic->width == 0) {
		pic->width = TEXT_WIDTH;
		pic->height = TEXT_HEIGHT;
		/* all of a terminal, but for the prompt */
		if (run->output == NULL && isatty(1) == 1 &&
		    ioctl(1, TIOCGWINSZ, &w) == 0 && w.ws_col >= TAF_TEXTPLOT_WIDTH &&
		    w.ws_row > TAF_TEXTPLOT_HEIGHT) {
			pic->width = w.ws_col;
			pic->height = w.ws_row - 1u;
		}
	}
	if (pic->term == TAF_TERM_TEXT && (pic->width < TAF_TEXTPLOT_WIDTH ||
	    pic->height < TAF_TEXTPLOT_HEIGHT))
		cmd_usage(run, "--size: a text has %dx%d characters at least",
		    TAF_TEXTPLOT_WIDTH, TAF_TEXTPLOT_HEIGHT);
	if (pic->term != TAF_TERM_TEXT && (pic->width < 50 || pic->height < 50))
		cmd_usage(run, "--size: a picture has 50x50 pixels at least");
}

/* The file's name without its folders. */
static void
choose_title(struct cmd_run *run, struct intent *want)
{
	const char *file = run->files[0], *base, *given = want->pic.title;

	if (given == NULL && file != NULL && strcmp(file, "-") != 0) {
		base = strrchr(file, '/');
		given = base != NULL ? base + 1 : file;
	}
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

/* What is in the array and not in the picture, but for NaN, which are gaps. */
static void
remark(struct cmd_run *run, const struct taf_plot *p)
{
	const uint64_t n[] = { p->inf, p->dropped, p->dropped_x };
	static const char *const what[] = { "infinite values",
		"values that are not positive", "grid points that are not positive" };
	char text[TAF_ERR_TEXT] = "";
	size_t i, at = 0;

	for (i = 0; i < 3; i++)
		if (n[i] > 0)
			at += (size_t)snprintf(text + at, sizeof text - at, "%s %llu %s",
			    at > 0 ? "," : "", (unsigned long long)n[i], what[i]);
	if (at > 0)
		cmd_remark(run, "left out:%s", text);
}

static enum taf_status
plot(struct cmd_arrays *all, void *ctx, struct taf_err *e)
{
	const struct intent *want = ctx;
	struct cmd_run *run = all->run;
	struct taf_plot p = { .nan = 0 };
	enum taf_status st;

	if (cmd_arrays_more(all) == TAF_NEXT_YES)
		return taf_fail(e, TAF_EDATA, "several arrays: choose one with -N");
	st = taf_plot_read(&p, &want->how, &run->service, all->r, &all->a, e);
	/* of a pipe it is known only now */
	if (st == TAF_OK)
		st = cmd_arrays_last(all, e);
	if (st == TAF_OK)
		st = want->pic.term == TAF_TERM_TEXT ?
		    taf_textplot_draw(&p, &want->pic, run->out, e) : want->script ?
		    taf_gnuplot_script(&p, &want->pic, run->out, e) :
		    taf_gnuplot_draw(&p, &want->pic, run->out, e);
	if (st == TAF_OK)
		remark(run, &p);
	taf_plot_fini(&p);
	return st;
}

int
main(int argc, char **argv)
{
	struct cmd_run *run = cmd_begin(&self, argc, argv);
	static struct intent want;
	const char *arg;
	int c;

	while ((c = cmd_option(run, &arg)) != 0)
		switch (c) {
		case 'f':
			run->force = true;
			break;
		case OPT_IMAGE:
			want.how.image = true;
			break;
		case OPT_LOG:
			(void)cmd_choice(run, arg);
			want.how.log_x = arg[0] == 'x';
			want.how.log_y = strchr(arg, 'y') != NULL;
			break;
		case OPT_SCRIPT:
			want.script = true;
			break;
		case OPT_SIZE:
			parse_size(run, arg, &want.pic);
			break;
		case OPT_TERM:
			(void)cmd_choice(run, arg);
			want.term_given = find_term(arg, &want);
			break;
		case OPT_TITLE:
			want.pic.title = arg;
			break;
		case 'g':
		case 'x':
			cmd_bound(run, c, arg, &want.how.bounds);
			break;
		}
	choose_term(run, &want);
	choose_size(run, &want.pic);
	if (want.script && want.pic.term == TAF_TERM_TEXT)
		cmd_usage(run, "--script: a text is drawn without gnuplot");
	if (want.how.image && (want.how.log_x || want.how.log_y))
		cmd_usage(run, "--image: its axes are linear: --log does not go with it");
	if (!want.script && run->output == NULL && !run->force && isatty(1) == 1 &&
	    (want.pic.term == TAF_TERM_PNG || want.pic.term == TAF_TERM_PDF))
		cmd_usage(run, "binary data to a terminal: use -o, a pipe, or -f");
	choose_title(run, &want);
	want.how.columns = want.pic.width;
	want.how.rows = want.pic.height;
	if (want.pic.term == TAF_TERM_TEXT)
		taf_textplot_dots(&want.pic, want.how.image, &want.how.columns,
		    &want.how.rows);
	c = cmd_export(run, check, plot, NULL, &want);
	taf_str_free(&want.title);
	return c;
}
