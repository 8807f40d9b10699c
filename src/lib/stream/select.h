/* SPDX-License-Identifier: ISC */
/* The elements of a region, in storage order, from a pipe or a file. */
#ifndef TAF_STREAM_SELECT_H
#define TAF_STREAM_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "array/region.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_select;

/*
 * Select a region of r's present array a, none of whose elements was read.  Keeps r.
 * Bounded memory (about 1 MiB); parts that are far apart are passed over, not read.
 */
TAF_MUST enum taf_status taf_select_open(struct taf_select **s, struct taf_reader *r,
    const struct taf_array *a, const struct taf_region *region, struct taf_err *e);

/* The next elements: *n of them at *p, lent until the next call; *n is 0 at the end. */
TAF_MUST enum taf_status taf_select_read(struct taf_select *s, const void **p, size_t *n,
    struct taf_err *e);

/* All that are left, to w: without a look at them where they lie in long runs. */
TAF_MUST enum taf_status taf_select_copy(struct taf_select *s, struct taf_writer *w,
    struct taf_err *e);

/* NULL is allowed. */
void taf_select_close(struct taf_select *s);

#ifdef __cplusplus
}
#endif

#endif
