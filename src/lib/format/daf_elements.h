/* SPDX-License-Identifier: ISC */
/* Items of FilesDaf stores, for the commands that read and write them. */
#ifndef TAF_FORMAT_DAF_ELEMENTS_H
#define TAF_FORMAT_DAF_ELEMENTS_H

#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "stream/service.h"

/*
 * Put all elements of an item that was found, column after column, zeros of a sparse one
 * included.  TAF_EDATA for strings, and for chunks that cannot be decoded.
 */
TAF_MUST enum taf_status taf_daf_elements(const struct taf_service *service,
    const struct taf_daf *s, const struct taf_daf_item *it, taf_daf_some *put, void *ctx,
    struct taf_err *e);

/* Those of a dense one that are stored, in their own layout: a little-endian input. */
TAF_MUST enum taf_status taf_daf_elements_stored(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_in **in, struct taf_err *e);

/* The stored entries of a sparse item, as a matrix of its rows and columns. */
TAF_MUST enum taf_status taf_daf_elements_sparse(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_daf_sparse *m, struct taf_err *e);

#endif
