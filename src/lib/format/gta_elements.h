/* SPDX-License-Identifier: ISC */
/* The elements of Generic Tagged Arrays on their way to a writer. */
#ifndef TAF_FORMAT_GTA_ELEMENTS_H
#define TAF_FORMAT_GTA_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/gta.h"
#include "io/in.h"
#include "stream/writer.h"

/*
 * Must the elements of g's present array be cut up first, because they are several
 * arrays?  k is the one component that is wanted, 0 for all.
 */
bool taf_gta_is_cut(const struct taf_gta *g, size_t k);

/*
 * Cut them up, into a temporary file that *in reads: one component after the
 * other, in the host's byte order.
 */
TAF_MUST enum taf_status taf_gta_cut(struct taf_gta *g, struct taf_in **in,
    struct taf_err *e);

/* Elements that need not be cut up, which are array a, to w. */
TAF_MUST enum taf_status taf_gta_move(struct taf_gta *g, size_t k,
    const struct taf_array *a, struct taf_writer *w, struct taf_err *e);

#endif
