/* SPDX-License-Identifier: ISC */
/* Names of files that are URLs. */
#ifndef TAF_IO_URL_H
#define TAF_IO_URL_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/* Does it begin with https://, http:// or s3://?  NULL does not. */
bool taf_is_url(const char *name);

/*
 * A URL without what may be secret: user, password, query and fragment.  Any other name
 * as it is.  It is kept until the process ends.
 */
const char *taf_url_shown(const char *name);

/* Append text, as the words of a command, with each URL in it as it is shown. */
void taf_url_hide(struct taf_str *s, const char *text);

/* Append a path; what is neither letter, digit nor one of plain becomes %XX. */
void taf_url_path(struct taf_str *s, const char *path, const char *plain);

/* What a name means beside the URL base, appended to s, whose failure says the rest. */
void taf_url_beside(struct taf_str *s, const char *base, const char *name);

#endif
