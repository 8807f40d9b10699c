/* SPDX-License-Identifier: ISC */
/* Several arrays made one, along any dimension, in bounded memory. */
#ifndef TAF_OP_MOVE_CONCAT_H
#define TAF_OP_MOVE_CONCAT_H

#include <stddef.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/edit.h"
#include "stream/service.h"
#include "stream/writer.h"

struct taf_concat;

/*
 * Nothing yet.  Arrays will be joined along dimension *dim (from 1; 0 for the last one;
 * one more than they have stacks them), lent, and looked at when the first one comes.
 * memory bounds the room for blocks and lists, in bytes.
 */
TAF_MUST enum taf_status taf_concat_open(struct taf_concat **c, const unsigned *dim,
    size_t memory, struct taf_err *e);

/* Each array is shown when it is added, the first as both; *dim may be set then. */
typedef enum taf_status taf_concat_look(void *ctx, const struct taf_array *first,
    const struct taf_array *a, struct taf_err *e);
void taf_concat_watch(struct taf_concat *c, taf_concat_look *look, void *ctx);

/* Only the k-th of all arrays that will be added, from 1. */
void taf_concat_pick(struct taf_concat *c, uint64_t k);

/*
 * The result has this type and no mapping: values of all are converted, and rounded where
 * that is needed.
 */
void taf_concat_type(struct taf_concat *c, enum taf_type type);

/* What that has lost, when all is written. */
struct taf_convert_count taf_concat_lost(const struct taf_concat *c);

/* Join arrays of other units, too. */
void taf_concat_any_unit(struct taf_concat *c);

/*
 * Take note of all arrays of a file (standard input for NULL and "-").  What is no
 * regular file is spooled; others are opened again when their elements are wanted, so
 * that their number is not bounded by descriptors.  TAF_EDATA where an array does not go
 * with the first by the rule of op/join.h.
 */
TAF_MUST enum taf_status taf_concat_add(struct taf_concat *c, const char *path,
    struct taf_err *e);

/*
 * All arrays are added: *a becomes the descriptor of the result: the first array's, but
 * longer, by the rule of op/join.h.  TAF_EDATA where the one that was picked is not
 * there, too.
 */
TAF_MUST enum taf_status taf_concat_shape(struct taf_concat *c, struct taf_array *a,
    const struct taf_service *service, struct taf_err *e);

/* Is dim the last one of the result, so that arrays follow each other in the file? */
bool taf_concat_is_last(const struct taf_concat *c);

/*
 * Write all elements, those of arrays of another type or mapping converted; TAF_EDATA
 * where one of them does not convert exactly.
 */
TAF_MUST enum taf_status taf_concat_write(struct taf_concat *c, struct taf_writer *w,
    struct taf_err *e);

/* The same into a file that grows, all arrays but the first, which is the file itself. */
TAF_MUST enum taf_status taf_concat_grow(struct taf_concat *c, struct taf_edit *ed,
    struct taf_err *e);

/* NULL is allowed. */
void taf_concat_close(struct taf_concat *c);

#endif
