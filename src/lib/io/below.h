/* SPDX-License-Identifier: ISC */
/*
 * Files below a folder of a store, root, whose path is absolute and without symbolic
 * links.  Those below it are followed where they do not leave it.
 */
#ifndef TAF_IO_BELOW_H
#define TAF_IO_BELOW_H

#include <stddef.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/err.h"
#include "io/in.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The root of the store at path, for the caller to free; TAF_ESYS where none is. */
TAF_MUST enum taf_status taf_below_root(const char *path, char **root,
    struct taf_err *e);

/*
 * The real path of what lies below it, for the caller to free; TAF_END where nothing
 * does, TAF_EDATA where symbolic links lead out of it.
 */
TAF_MUST enum taf_status taf_below_path(const char *root, const char *relative,
    char **real, struct taf_err *e);

/* Open a regular file below it; TAF_END where there is none. */
TAF_MUST enum taf_status taf_below_open(const char *root, const char *relative,
    struct taf_in **in, struct taf_err *e);

/*
 * Read such a file of JSON, of most bytes at most, into an empty buffer; and what is left
 * of a seekable input, which is closed.
 */
TAF_MUST enum taf_status taf_below_text(const char *root, const char *relative,
    size_t most, struct taf_buf *to, struct taf_err *e);
TAF_MUST enum taf_status taf_below_read(struct taf_in *in, size_t most,
    struct taf_buf *to, struct taf_err *e);

#ifdef __cplusplus
}
#endif

#endif
