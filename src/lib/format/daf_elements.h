/* Items of FilesDaf stores, for the commands that read and write them. */
#ifndef TAF_FORMAT_DAF_ELEMENTS_H
#define TAF_FORMAT_DAF_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "codec/daf/daf.h"
#include "stream/service.h"

/* The elements of an item that was found, zeros of a sparse one included. */
struct taf_daf_elements;

/* Not of strings, nor of chunks that cannot be decoded: TAF_EDATA. */
TAF_MUST enum taf_status taf_daf_elements_open(struct taf_daf_elements **v,
    const struct taf_service *service, const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_err *e);

/* The next n elements, host byte order, column after column. */
TAF_MUST enum taf_status taf_daf_elements_read(struct taf_daf_elements *v, void *to,
    size_t n, struct taf_err *e);

/* NULL is allowed. */
void taf_daf_elements_close(struct taf_daf_elements *v);

/* Those of a dense one that are stored, in their own layout: a little-endian input. */
TAF_MUST enum taf_status taf_daf_elements_stored(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_in **in, struct taf_err *e);

/* The stored entries of a sparse item, as a matrix of its rows and columns. */
TAF_MUST enum taf_status taf_daf_elements_sparse(const struct taf_daf *s,
    const struct taf_daf_item *it, struct taf_daf_sparse *m, struct taf_err *e);

#endif
