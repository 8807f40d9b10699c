/* SPDX-License-Identifier: ISC */
/*
 * JSON of foreign files.  A number never passes through a double unless it is one.
 * Nothing of this but numbers from text is there without the library.
 */
#ifndef TAF_CODEC_JSON_H
#define TAF_CODEC_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "array/array.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"

struct json_t;

enum { TAF_JSON_MOST = 16 * 1024 * 1024 };	/* bytes of a text */

/*
 * The text as an object, by the library's flags; no key twice, at most 64 levels.  NULL
 * where it is none.
 */
struct json_t *taf_json_load(const char *text, size_t n, size_t flags, struct taf_err *e);

/*
 * The same with each number as a string of its own text behind a mark, NaN and infinities
 * as Python writes them included; taf_json_number tells them from strings.
 */
struct json_t *taf_json_load_numbers(const char *text, size_t n, struct taf_err *e);

/*
 * An object whose one member, called "", is the value that text is by itself, with such
 * numbers or as the library reads it; NULL where it is none.  to fails without memory.
 */
struct json_t *taf_json_alone(struct taf_str *to, const char *text, bool numbers);

/* The text of such a number; NULL where v is something else. */
const char *taf_json_number(const struct json_t *v);

/* The text of a string that is no such number; NULL where v is something else. */
const char *taf_json_text(const struct json_t *v);

/* Such a number as a whole one; false where v is something else, or does not fit. */
TAF_MUST bool taf_json_u64(const struct json_t *v, uint64_t *n);

/*
 * Such a number as a finite double; false where v is something else, or not finite.
 * taf_json_reals takes the first n members of the list v.
 */
TAF_MUST bool taf_json_real(const struct json_t *v, double *d);
TAF_MUST bool taf_json_reals(const struct json_t *v, size_t n, double *d);

/*
 * Say v, which has such numbers, as an attribute (codec/tag.h): text as it is, a number
 * as a bare one, all else as JSON.
 */
enum taf_status taf_json_tag(struct taf_array *a, unsigned k, const char *key,
    const struct json_t *v, struct taf_err *e);

/* Append v, which has such numbers, as JSON. */
void taf_json_print(struct taf_str *s, const struct json_t *v);

/*
 * Does taf_json_tag write text for a number, or else for an object, a list, true, false
 * or null?  to fails without memory.
 */
TAF_MUST bool taf_json_is(struct taf_str *to, const char *text, bool number);

/* Append such numbers, one or a list of them, with commas between; false for others. */
TAF_MUST bool taf_json_numbers(struct taf_str *s, const struct json_t *v);

/* JSON is UTF-8: TAF_EDATA where comment or attributes of a are not. */
TAF_MUST enum taf_status taf_json_fits(const struct taf_array *a, struct taf_err *e);

/* The byte behind the string that begins at i; n where it does not end. */
size_t taf_json_string_end(const char *text, size_t n, size_t i);

/*
 * The n bytes of a number as an element in the host's order.  False where the type does
 * not hold it: 5.0 is 5 of integers, and too large a number is no float.
 */
TAF_MUST bool taf_json_element(const char *p, size_t n, enum taf_type type, void *value);

/* The same of a word that stands for what JSON has no number for: NaN, infinities. */
TAF_MUST bool taf_json_not_finite(const char *word, enum taf_type type, void *value);

/* The same of v: such a number, such a word, or, of integers, true or false. */
TAF_MUST bool taf_json_value(const struct json_t *v, enum taf_type type, void *value);

#endif
