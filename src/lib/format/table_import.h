/* SPDX-License-Identifier: ISC */
/* Tables of numbers in text to arrays. */
#ifndef TAF_FORMAT_TABLE_IMPORT_H
#define TAF_FORMAT_TABLE_IMPORT_H

#include "codec/text.h"
#include "format/import.h"

/* Write the table that in holds as an array of im.  *notes says what to remark on. */
TAF_MUST enum taf_status taf_table_import(struct taf_import *im, struct taf_in *in,
    const struct taf_text_how *how, struct taf_text_notes *notes, struct taf_err *e);

/* A remark on each of them; rounded says to what values were. */
void taf_table_remark(const struct taf_service *service, const char *file,
    const struct taf_text_notes *notes, const char *rounded);

#endif
