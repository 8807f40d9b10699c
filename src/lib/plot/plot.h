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
#include "base/str.h"
#include "kernel/envelope.h"
#include "stream/reader.h"
#include "stream/service.h"

enum { TAF_PLOT_CURVES = 1000 };	/* that are drawn at once, at most */

/* What is wanted of it. */
struct taf_plot_how {
	struct taf_bounds bounds;
	unsigned columns, rows;		/* of the picture, in pixels */
	bool image;
	bool log_x, log_y;
};

/* An axis of the picture. */
struct taf_plot_axis {
	unsigned dim;			/* of the array, from 1; 0: values, or none */
	uint64_t n;
	double start, step;		/* grid of what is drawn */
	double lo, hi;			/* lo < hi */
	bool log;
	struct taf_buf label;		/* "Time (s)", UTF-8 without control characters */
};

/* A zeroed one may be finished. */
struct taf_plot {
	struct taf_plot_axis x, y, value;	/* y: grid of the second dimension */
	bool image;
	size_t buckets;			/* of a curve, or of a row of the image */
	size_t curves;			/* or rows of the image */
	uint64_t *edge;			/* buckets + 1, in elements */
	struct taf_bucket *bucket;	/* of curve or row 0, then 1 ... */
	double mean;			/* of all finite values of an image */
	uint64_t nan, inf, dropped;	/* not drawn; dropped: not positive */
	uint64_t dropped_x;		/* grid points that are not positive */
};

/* Can a be drawn so?  TAF_EDATA says what to crop. */
TAF_MUST enum taf_status taf_plot_check(const struct taf_plot_how *how,
    const struct taf_array *a, struct taf_err *e);

/*
 * Read r's present array a in one pass.  Of each column of pixels the smallest and the
 * largest value are kept; of each pixel of an image, too.  TAF_EDATA where no value can
 * be drawn.
 */
TAF_MUST enum taf_status taf_plot_read(struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_service *service, struct taf_reader *r, const struct taf_array *a,
    struct taf_err *e);

/* Also of a zeroed one. */
void taf_plot_fini(struct taf_plot *p);

/* A point of a curve; y is NaN for a gap. */
struct taf_plot_point {
	double x, y;
};

/* The points of curve c, in order, at most 2 * buckets of them.  Returns how many. */
size_t taf_plot_points(const struct taf_plot *p, size_t c, struct taf_plot_point *to);

/*
 * The value of a pixel of the image, the one of its values that is farthest from the mean
 * of all; NaN where there is none.
 */
double taf_plot_pixel(const struct taf_plot *p, size_t column, size_t row);

/* Append text from anywhere as UTF-8 without control characters. */
void taf_plot_text(struct taf_str *to, const char *s);

#endif
