/* SPDX-License-Identifier: ISC */
/*
 * Attributes that a foreign file says of an array, or of its dimension k where that is
 * not 0.  After a failure, which is in e then, nothing more is said: so it is enough to
 * look at e once, in the end.
 */
#ifndef TAF_CODEC_TAG_H
#define TAF_CODEC_TAG_H

#include <stdbool.h>
#include <stddef.h>

#include "array/array.h"
#include "base/err.h"
#include "base/str.h"

/* NULL removes it. */
enum taf_status taf_tag(struct taf_array *a, unsigned k, const char *key,
    const char *value, struct taf_err *e);

/* The same of a text.  With plain it is bare where it reads as a number. */
void taf_tag_said(struct taf_array *a, unsigned k, const char *key, const char *text,
    bool plain, struct taf_err *e);

/* The same of text that was built, which goes; bare is what is a number. */
enum taf_status taf_tag_str(struct taf_array *a, unsigned k, const char *key,
    struct taf_str *value, bool bare, struct taf_err *e);

/* A number of the array itself. */
enum taf_status taf_tag_u64(struct taf_array *a, const char *key, uint64_t value,
    struct taf_err *e);

/* Append to its comment. */
enum taf_status taf_tag_comment(struct taf_array *a, const char *p, size_t n,
    struct taf_err *e);

/*
 * The value, which is bare where it is a number, under a name of any scope, whose key is
 * the n bytes that are escaped (codec/escape.h).
 */
enum taf_status taf_tag_escaped(struct taf_array *a, struct taf_attr_name *of,
    const char *key, size_t n, const char *value, size_t len, bool bare,
    struct taf_err *e);

#endif
