/* SPDX-License-Identifier: ISC */
/* Text that is built piece by piece; the first failure sticks. */
#ifndef TAF_BASE_STR_H
#define TAF_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/buf.h"
#include "base/decimal.h"
#include "base/err.h"

/*
 * Zero-initialised but for err it is empty.  Where anything fails, st says so, and all
 * that follows does nothing; so it is enough to look at st once, before the text is used.
 * Who fails on its behalf sets st.
 */
struct taf_str {
	struct taf_buf buf;
	struct taf_err *err;
	enum taf_status st;
};

/* Append bytes, a string, text as printf makes it. */
void taf_str_put(struct taf_str *s, const void *p, size_t n);
void taf_str_puts(struct taf_str *s, const char *text);
void taf_str_printf(struct taf_str *s, const char *fmt, ...) TAF_PRINTF(2, 3);

/* Does text end in this? */
bool taf_ends(const char *text, const char *end);

/* Append a number, doubles with the shortest digits that read back exactly. */
void taf_str_u64(struct taf_str *s, uint64_t v);
void taf_str_i64(struct taf_str *s, int64_t v);
void taf_str_f64(struct taf_str *s, double v);

/* Append numbers with commas between them. */
void taf_str_list(struct taf_str *s, const uint64_t v[], unsigned n);

/* Append text from anywhere for people to read: control bytes become \xNN. */
void taf_str_safe(struct taf_str *s, const char *text, size_t n);

/* The same of one byte.  Returns how many characters it has put into to. */
size_t taf_byte_safe(char to[4], char byte);

/*
 * Append n bytes as a JSON string; as what stands between its quotes.  Bytes that are not
 * UTF-8 are taken for Latin-1, so that the result always is.
 */
void taf_str_json(struct taf_str *s, const char *text, size_t n);
void taf_str_json_part(struct taf_str *s, const char *text, size_t n);

/*
 * Append to the members of a JSON object: a name, which its value is to follow; or name
 * and text, nothing where that is NULL.  taf_str_item appends to a list of strings, which
 * the first one opens.
 */
void taf_str_name(struct taf_str *s, const char *name);
void taf_str_member(struct taf_str *s, const char *name, const char *text);
void taf_str_item(struct taf_str *s, const char *text);

/* Free what it has; it is empty again, and st stays. */
void taf_str_free(struct taf_str *s);

/* The shortest digits of a double as a string, for %s: taf_f64(v).s */
struct taf_f64_text {
	char s[TAF_DECIMAL_MAX + 1];
};
struct taf_f64_text taf_f64(double v);

/*
 * The same for people, who want no noise: at most 7 significant digits, and no -0.
 * Beside another number that is not the same it has as many digits as it takes to tell
 * them apart.
 */
struct taf_f64_text taf_brief(double v);
struct taf_f64_text taf_brief_beside(double v, double other);

#endif
