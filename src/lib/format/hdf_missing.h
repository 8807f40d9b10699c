/* Elements of a dataset whose attributes call them missing, as NaN. */
#ifndef TAF_FORMAT_HDF_MISSING_H
#define TAF_FORMAT_HDF_MISSING_H

#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "io/in.h"
#include "kernel/number/convert.h"

struct taf_hdf_missing;

/*
 * What a calls missing is NaN from now on: it becomes the array of its own values, which
 * are floats, and is marked so.  TAF_EDATA where its elements are pairs.
 */
TAF_MUST enum taf_status taf_hdf_missing_plan(struct taf_hdf_missing **m,
    struct taf_array *a, struct taf_err *e);

/*
 * So many little-endian elements of *in, which m keeps, as those of the array: *in
 * becomes what gives them.  m must outlive it.
 */
TAF_MUST enum taf_status taf_hdf_missing_open(struct taf_hdf_missing *m,
    struct taf_in **in, uint64_t count, struct taf_err *e);

/* What was lost so far. */
const struct taf_convert_count *taf_hdf_missing_lost(const struct taf_hdf_missing *m);

/* NULL is allowed. */
void taf_hdf_missing_free(struct taf_hdf_missing *m);

#endif
