/* SPDX-License-Identifier: ISC */
/* One picture, from what is wanted to its bytes: by gnuplot, a page, or characters. */
#ifndef TAF_PLOT_DRAWING_H
#define TAF_PLOT_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/err.h"
#include "base/str.h"
#include "io/out.h"
#include "plot/picture.h"
#include "plot/plot.h"
#include "stream/reader.h"
#include "stream/service.h"

/* A zeroed one is to be found out.  The caller sets all but the last three. */
struct taf_drawing {
	struct taf_plot_how how;
	struct taf_picture pic;
	bool script;			/* what gnuplot would get */
	const char *output;		/* the file; NULL: standard output, */
	bool terminal;			/* which shows what is no bytes */
	unsigned columns, rows;		/* of the terminal, 0: not known */
	size_t over;			/* files of curves over the image */
	bool sized;			/* the picture has a size that was given */
	struct taf_str title;		/* pic.title made fit to be shown */
	struct taf_plot plot, curves;	/* curves: over the image */
};

/*
 * Fill in what was not said.  file is the only input, for a picture without a title, or
 * NULL.  TAF_EUSAGE for what does not go together.
 */
TAF_MUST enum taf_status taf_drawing_complete(struct taf_drawing *d, const char *file,
    struct taf_err *e);

/*
 * Add r's present array a of a file.  files: how many there are to come, at most, 1 where
 * that is not known.  As taf_plot_add.
 */
TAF_MUST enum taf_status taf_drawing_add(struct taf_drawing *d, size_t files,
    const struct taf_service *service, struct taf_reader *r, const struct taf_array *a,
    const char *file, struct taf_err *e);

/*
 * All are added, one image: draw over it what the present array has.  As above; neither
 * bounds nor labels go with it.
 */
TAF_MUST enum taf_status taf_drawing_over(struct taf_drawing *d,
    const struct taf_service *service, struct taf_reader *r, const struct taf_array *a,
    const char *file, struct taf_err *e);

/* Draw, and remark on what is not in the picture. */
TAF_MUST enum taf_status taf_drawing_end(struct taf_drawing *d,
    const struct taf_service *service, struct taf_out *out, struct taf_err *e);

void taf_drawing_fini(struct taf_drawing *d);

#endif
