/* SPDX-License-Identifier: ISC */
/* Bytes as text of 64 characters (RFC 4648, section 4). */
#ifndef TAF_BASE_BASE64_H
#define TAF_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/str.h"

/* Append n bytes as such text, padded with "=". */
void taf_base64_put(struct taf_str *to, const void *p, size_t n);

/* Append the bytes that text stands for; TAF_EDATA where it is none. */
TAF_MUST enum taf_status taf_base64_get(struct taf_buf *to, const char *text,
    struct taf_err *e);

#endif
