/* SPDX-License-Identifier: ISC */
/* TAF files beside the files that they are made from, named after them. */
#ifndef TAF_FORMAT_OUTPUT_NAMES_H
#define TAF_FORMAT_OUTPUT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "stream/writer.h"

/* The names of what all files become, which processes started later share. */
struct taf_outputs;

/*
 * Plan for n files, which stay the caller's: each is named without its extension, in
 * directory if that is not NULL.  With force what is there already is overwritten.
 */
TAF_MUST enum taf_status taf_outputs_plan(struct taf_outputs **b,
    const char *const *files, size_t n, const char *directory, bool force,
    struct taf_err *e);

/* NULL is allowed. */
void taf_outputs_free(struct taf_outputs *b);

/* path becomes NAME.taf, which a file of one array is written to. */
TAF_MUST enum taf_status taf_outputs_single(const struct taf_outputs *b, size_t number,
    struct taf_buf *path, struct taf_err *e);

/*
 * Open a writer for the n arrays of a file: to NAME.taf, or NAME-1.taf, NAME-2.taf and
 * so on, of ten or more NAME-01.taf.  What is there already is refused without force, and
 * so is one of the files always, and what a file in front of this one is written to,
 * which is waited for.
 * path is a buffer for the name: the caller frees it after the writer.
 */
TAF_MUST enum taf_status taf_outputs_open(struct taf_outputs *b, size_t number,
    uint64_t n, struct taf_buf *path, struct taf_writer **w, struct taf_err *e);

/* The file is over, so that nobody waits for it. */
void taf_outputs_over(struct taf_outputs *b, size_t number);

#endif
