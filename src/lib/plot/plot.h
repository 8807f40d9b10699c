/* SPDX-License-Identifier: ISC */
/* An array made ready to be drawn: reduced to what a picture can show. */
#ifndef TAF_PLOT_PLOT_H
#define TAF_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "kernel/stat/envelope.h"
#include "plot/axis.h"
#include "plot/colours.h"
#include "plot/limits.h"
#include "plot/page_samples.h"
#include "stream/reader.h"
#include "stream/service.h"

enum {
	TAF_PLOT_CURVES = 1000,		/* that are drawn at once, at most */
	TAF_PLOT_FEW = 30,		/* that an eye may follow */
	TAF_PLOT_XY = 1000000		/* points of curves of x against y */
};

/* Bits that say which axes are logarithmic. */
enum taf_log { TAF_LOG_X = 1, TAF_LOG_Y = 2 };

/* What is wanted of it. */
struct taf_plot_how {
	struct taf_bounds bounds;
	unsigned columns, rows;		/* of the picture, in pixels */
	bool image, wiggle;		/* not curves; at most one of them */
	bool down;			/* an image's rows count from the top */
	unsigned log;			/* enum taf_log: logarithmic axes */
	bool stored;			/* no prefixes: numbers as they are stored */
	const char *x_label, *y_label;	/* NULL: the array's; "": none */
	const char *key;		/* attribute that names the arrays, or NULL */
	double band;			/* half its width, in sigma; 0: there is none */
	struct taf_plot_limits limits;	/* of the value axis, or of the colours */
	enum taf_colours colours;	/* of an image */
	bool equal;			/* a unit is as long on both axes */
	const char *names;		/* of the lines, with commas, or NULL */
	bool points;			/* marks in place of lines */
	bool xy;			/* rows 1 and 2 are x and y */
	bool panels;			/* each line has one */
	bool samples;			/* a page has all of them, too */
};

/* What was read of one array: curves, or the rows of an image. */
struct taf_plot_part {
	struct taf_plot_axis x, y;	/* its own grids; y: of the second dimension */
	struct taf_plot_axis value;	/* of panels: name and unit of its values */
	size_t buckets;			/* of a curve or of a row */
	size_t curves;			/* or rows */
	uint64_t *edge;			/* buckets + 1, in elements */
	/* Of curve or row 0, then 1 ...  Lower edges of bands follow, then upper ones. */
	struct taf_bucket *bucket;
	double *at;			/* x of each, of curves of x against y; or NULL */
	struct taf_samples samples;	/* if they are wanted; in this power of ten */
	int power;			/* of the first part's unit */
	bool banded;
	bool mapped;			/* they lie in a file */
	bool bars;			/* each point of x is a bin of a histogram */
	struct taf_buf names;		/* with commas, or none */
	double first_name, name_step;	/* at first_name + curve * name_step, from 0 */
	struct taf_buf file, word;	/* its file; what it calls itself */
	struct taf_buf name;		/* what tells it from the others */
};

/* A zeroed one is empty. */
struct taf_plot {
	struct taf_plot_axis x, y, value;	/* of all, in the first's units */
	bool image, wiggle;		/* of a single part */
	bool section;			/* traces: wiggles, or an image in grey */
	bool over;			/* curves over an image, whose axes these are */
	const struct taf_plot *curves_over;	/* it, or NULL */
	struct taf_plot_part *part;
	size_t parts;
	size_t curves;			/* or rows, of all parts */
	size_t buckets;			/* of the part that has most */
	uint64_t taken;			/* bytes of memory by buckets */
	bool base;			/* bars stand on 0 */
	double band;			/* as in taf_plot_how */
	const char *names;		/* likewise */
	double range[2];		/* of the value axis, if it was given */
	bool tight;			/* no room beside the ends of the value axis */
	enum taf_colours colours;	/* of the image */
	double aspect;			/* height of the axes by their width; 0: any */
	bool points, xy, panels;	/* as in taf_plot_how */
	bool errors;			/* bands are bars, one at each point */
	struct taf_plot_axis *panel;	/* value axes of the curves, or NULL */
	size_t unnamed;			/* parts without the attribute that names them */
	double mean;			/* of an image's finite values; 0 of traces */
	uint64_t nan, inf, dropped;	/* not drawn; dropped: not positive */
	uint64_t dropped_x;		/* grid points that are not positive */
};

/*
 * The numbers of a point, which dimension 1 has where they are several: a value and its
 * standard uncertainty for a band, x and y, or all three.
 */
unsigned taf_plot_rows(const struct taf_plot_how *how);

/* Can a be drawn so?  TAF_EDATA says what to crop. */
TAF_MUST enum taf_status taf_plot_check(const struct taf_plot_how *how,
    const struct taf_array *a, struct taf_err *e);

/*
 * Add r's present array a, which file names, and read it in one pass.  Of each column of
 * pixels the smallest and the largest value are kept; of each pixel of an image, too.
 * TAF_EDATA where its units do not fit those before, or curves are too many.
 */
TAF_MUST enum taf_status taf_plot_add(struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_service *service, struct taf_reader *r, const struct taf_array *a,
    const char *file, struct taf_err *e);

/*
 * Let over, a zeroed one, be a plot of curves over an image, which is complete: what is
 * added to it has its units, x along its horizontal axis and values along its vertical
 * one.  image lives as long as over, and is drawn with it.
 */
TAF_MUST enum taf_status taf_plot_over(struct taf_plot *over, struct taf_plot *image,
    struct taf_err *e);

/* The grid value of point i of an axis, from 0. */
double taf_plot_grid(const struct taf_plot_axis *x, uint64_t i);

/* lo < hi of an axis, with some room around a single value. */
void taf_plot_set_range(struct taf_plot_axis *x, double lo, double hi);

/* What is drawn of a curve of a part, its band included; false where that is nothing. */
bool taf_plot_ends(const struct taf_plot *p, const struct taf_plot_part *part,
    size_t curve, double *lo, double *hi);

/* From the outer edge of the first pixel along an image's axis to that of the last. */
void taf_plot_edges(const struct taf_plot_axis *x, double *lo, double *hi);

/* All are added: the ends of axes.  TAF_EDATA where nothing can be drawn. */
TAF_MUST enum taf_status taf_plot_end(struct taf_plot *p, const struct taf_plot_how *how,
    struct taf_err *e);

/*
 * Remark on what is in the arrays and not in the picture, but for NaN, which are gaps;
 * and on lines that are too many to tell apart.
 */
void taf_plot_remark(const struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_service *service);

/* Also of a zeroed one. */
void taf_plot_fini(struct taf_plot *p);

/* Is the part drawn as bars?  Where several bins share a pixel it is a line. */
bool taf_plot_bars(const struct taf_plot_part *p);

/* The vertical axis: a dimension of images and wiggles, else the values. */
const struct taf_plot_axis *taf_plot_up(const struct taf_plot *p);

/* What bars stand on. */
double taf_plot_base(const struct taf_plot *p);

/* A point of a curve; y is NaN for a gap. */
struct taf_plot_point {
	double x, y;
};

/* The most points that a curve may have. */
size_t taf_plot_most(const struct taf_plot *p);

/* Part of a band: its edges at x, both NaN for a gap. */
struct taf_plot_span {
	double x, lo, hi;
};

/* The band of curve c, in order; at most taf_plot_most of them.  Returns how many. */
size_t taf_plot_band(const struct taf_plot *p, size_t c, struct taf_plot_span *to);

/*
 * The points of curve c, in order; of bars their outline, of a wiggle it.  Returns how
 * many.
 */
size_t taf_plot_points(const struct taf_plot *p, size_t c, struct taf_plot_point *to);

/* Of a bucket that has any the value that is farthest from the mean of all. */
double taf_plot_shown(const struct taf_plot *p, const struct taf_bucket *b);

/* That of a pixel of the image; NaN where there is none. */
double taf_plot_pixel(const struct taf_plot *p, size_t column, size_t row);

/* The first column of the array that is in a row of its image. */
uint64_t taf_plot_row_edge(const struct taf_plot_part *p, size_t row);

/* The part that has this curve; *curve is then counted from its first. */
const struct taf_plot_part *taf_plot_part_of(const struct taf_plot *p, size_t *curve);

#endif
