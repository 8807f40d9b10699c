/* SPDX-License-Identifier: ISC */
#ifndef TAF_PLOT_FILLING_H
#define TAF_PLOT_FILLING_H

#include "plot/plot.h"

/* Read a region of the array that comes into the buckets of the last part. */
TAF_MUST enum taf_status taf_plot_read(struct taf_plot *p, const struct taf_plot_how *how,
    const struct taf_region *region, const struct taf_service *service,
    struct taf_reader *r, const struct taf_array *a, struct taf_err *e);

#endif
