/* SPDX-License-Identifier: ISC */
/* What taftools alone do with permuted elements.  It is not installed. */
#ifndef TAF_STREAM_REORDER_PRIVATE_H
#define TAF_STREAM_REORDER_PRIVATE_H

#include "stream/reorder.h"

/*
 * The same to a temporary file, of which *to reads: how says the order, not where they
 * go.  ordered becomes a with its dimensions in that order; what it owns is a's.
 */
TAF_MUST enum taf_status taf_reorder_file(const struct taf_reorder *how,
    struct taf_reader *r, const struct taf_array *a, struct taf_array *ordered,
    struct taf_reader **to, struct taf_err *e);

/* Bytes of an element of a in the result. */
size_t taf_reorder_size(const struct taf_reorder *how, const struct taf_array *a);

/*
 * The same for elements without a header, those of a from the present position of in,
 * which is then behind them.  A pipe is spooled where something moves.
 */
TAF_MUST enum taf_status taf_reorder_in(const struct taf_reorder *how, struct taf_in *in,
    const struct taf_array *a, bool big, struct taf_err *e);

#endif
