/* A matrix that comes row by row, and goes out column by column. */
#ifndef TAF_OP_COLUMNS_H
#define TAF_OP_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/err.h"
#include "stream/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_columns;

/*
 * Rows of so many elements (at least one) of esize bytes.  About memory bytes are taken
 * at most, but room for two rows in any case; what exceeds them waits in a temporary
 * file.
 */
TAF_MUST enum taf_status taf_columns_open(struct taf_columns **c, size_t esize,
    size_t columns, uint64_t memory, struct taf_err *e);

/* Room for *rows rows, one or more, one behind the other; lent until the next call. */
TAF_MUST enum taf_status taf_columns_room(struct taf_columns *c, void **room,
    size_t *rows, struct taf_err *e);

/* Take so many rows of that room, which the caller has filled. */
void taf_columns_take(struct taf_columns *c, size_t rows);

/* No further rows: all elements to w, whose array has begun, the first column first. */
TAF_MUST enum taf_status taf_columns_write(struct taf_columns *c, struct taf_writer *w,
    struct taf_err *e);

/* NULL is allowed. */
void taf_columns_close(struct taf_columns *c);

#ifdef __cplusplus
}
#endif

#endif
