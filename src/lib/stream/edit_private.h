/* SPDX-License-Identifier: ISC */
/* What taftools alone do with files that change in place.  It is not installed. */
#ifndef TAF_STREAM_EDIT_PRIVATE_H
#define TAF_STREAM_EDIT_PRIVATE_H

#include "codec/taf_file.h"
#include "stream/edit.h"
#include "stream/reader.h"

/*
 * taf_edit_open for a change that reads the n sources: nobody changes them meanwhile, and
 * commands that change each other's sources wait for one another in one order.
 */
TAF_MUST enum taf_status taf_edit_open_from(struct taf_edit **ed, const char *path,
    const char *const *sources, size_t n, struct taf_err *e);

/* The form of its header; lent too. */
const struct taf_form *taf_edit_form(const struct taf_edit *ed);

/* TAF_EUSAGE unless the present array comes from a TAF file, which can be changed. */
TAF_MUST enum taf_status taf_edit_takes(const struct taf_reader *r, struct taf_err *e);

#endif
