/* SPDX-License-Identifier: ISC */
/* Where the arrays of some files are, so that each can be read at any time. */
#ifndef TAF_STREAM_INDEX_H
#define TAF_STREAM_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "stream/reader.h"

struct taf_index;

/* More notes than so many bytes hold lie in a temporary file. */
TAF_MUST enum taf_status taf_index_open(struct taf_index **x, uint64_t memory,
    struct taf_err *e);

/* NULL is allowed; readers of taf_index_seek are closed before. */
void taf_index_close(struct taf_index *x);

/*
 * Take note of all arrays of one more file (standard input for NULL and "-").  What is no
 * regular file is spooled.  each, if it is not NULL, sees their headers in order, and may
 * take over what they hold.
 */
typedef enum taf_status taf_index_each(void *ctx, struct taf_array *a, struct taf_err *e);
TAF_MUST enum taf_status taf_index_add(struct taf_index *x, const char *path,
    taf_index_each *each, void *ctx, struct taf_err *e);

/* Arrays of all files, and files. */
uint64_t taf_index_count(const struct taf_index *x);
size_t taf_index_files(const struct taf_index *x);

/* What messages call a file, from 0; lent. */
const char *taf_index_name(const struct taf_index *x, size_t file);

/* What goes from array to array; zeroed before, and its reader is closed behind. */
struct taf_cursor {
	struct taf_reader *r;
	size_t file;
};

/* Go to array k, from 0, as if taf_reader_next had given a. */
TAF_MUST enum taf_status taf_index_seek(const struct taf_index *x, struct taf_cursor *c,
    uint64_t k, struct taf_array *a, struct taf_err *e);

#endif
