/* SPDX-License-Identifier: ISC */
/* Changes of a TAF file in place that a crash cannot leave half done. */
#ifndef TAF_STREAM_EDIT_H
#define TAF_STREAM_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct taf_edit;

/*
 * Open and lock a TAF file for change (waiting for another writer), undo what an
 * interrupted command left, and read its header and comment.
 */
TAF_MUST enum taf_status taf_edit_open(struct taf_edit **ed, const char *path,
    struct taf_err *e);

/* The array as it is in the file; lent until the end of ed. */
const struct taf_array *taf_edit_array(const struct taf_edit *ed);

/*
 * Does the header of a take as much room as that of the file?  Not for a file of N = 1,
 * which we write with N = 2: all of it must be written anew.
 */
bool taf_edit_fits(const struct taf_edit *ed, const struct taf_array *a);

/*
 * Give the file the header, comment and attributes of a, which fits and whose elements
 * are those of the file: one small write and a sync, and where the comment or the
 * attributes differ, an undo file for as long as they are written.
 */
TAF_MUST enum taf_status taf_edit_header(struct taf_edit *ed, const struct taf_array *a,
    struct taf_err *e);

/*
 * Begin to make the array the larger a: same type, rank and lengths but the last one
 * of the file.  The elements that are new follow by taf_edit_put, in order, then
 * taf_edit_grown.  What is there is not moved but for the comment.  Not for complex.
 */
TAF_MUST enum taf_status taf_edit_grow(struct taf_edit *ed, const struct taf_array *a,
    struct taf_err *e);
TAF_MUST enum taf_status taf_edit_put(struct taf_edit *ed, const void *p, size_t n,
    struct taf_err *e);
TAF_MUST enum taf_status taf_edit_grown(struct taf_edit *ed, struct taf_err *e);

/*
 * Overwrite elements, not of pairs: save every run about to be written with
 * taf_edit_save, then taf_edit_seal, then taf_edit_overwrite what was saved, then
 * taf_edit_done.  Runs are given by first element and number of elements of the file;
 * taf_edit_read gives what is there.
 */
TAF_MUST enum taf_status taf_edit_save(struct taf_edit *ed, uint64_t first, uint64_t n,
    struct taf_err *e);
TAF_MUST enum taf_status taf_edit_read(struct taf_edit *ed, void *buf, uint64_t first,
    size_t n, struct taf_err *e);
TAF_MUST enum taf_status taf_edit_seal(struct taf_edit *ed, struct taf_err *e);
TAF_MUST enum taf_status taf_edit_overwrite(struct taf_edit *ed, const void *p,
    uint64_t first, size_t n, struct taf_err *e);
TAF_MUST enum taf_status taf_edit_done(struct taf_edit *ed, struct taf_err *e);

/*
 * Unlock and close; what was begun and not ended is undone.  NULL is allowed.  Behind
 * taf_edit_header, taf_edit_grown and taf_edit_done nothing else may be done with ed.
 */
void taf_edit_close(struct taf_edit *ed);

#ifdef __cplusplus
}
#endif

#endif
