/* SPDX-License-Identifier: ISC */
/* %XX escapes and scope suffixes, which attributes have in TAF files and RSF headers. */
#ifndef TAF_CODEC_ESCAPE_H
#define TAF_CODEC_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

/*
 * Append n bytes with '"', '%' and control bytes as %XX; in a key blanks, '=' and
 * '@' too.
 */
void taf_escape(struct taf_str *to, const char *s, size_t n, bool key);

/* Length of the longest prefix of s that fits most bytes when escaped. */
size_t taf_escape_fit(const char *s, size_t n, bool key, size_t most);

/*
 * Append n bytes with %XX decoded.  What taf_escape would not have written stays
 * as it is, so that foreign text with a '%' in it comes through; key says of which.
 */
TAF_MUST enum taf_status taf_unescape(struct taf_buf *to, const char *s, size_t n,
    bool key, struct taf_err *e);

/*
 * Does text read as a number, or as several with commas between?  Madagascar repeats one
 * as 3x5 or 3*5.  Then it has quotes where it is text nevertheless: a double quote in a
 * value is always escaped.
 */
TAF_MUST bool taf_is_number(const char *s, size_t n);
TAF_MUST bool taf_number_quoted(const char *s, size_t n);

/*
 * Split key@k and key@ck: *n becomes the length without the suffix.  Without a
 * proper suffix the scope is the array's.
 */
void taf_scope_parse(const char *key, size_t *n, enum taf_scope *scope, unsigned *index);

/* Append the suffix that an attribute's scope is. */
void taf_scope_format(struct taf_str *to, const struct taf_attr *t);

/* Append the escaped key of an attribute and its suffix. */
void taf_key_format(struct taf_str *to, const struct taf_attr *t);

#endif
