/* SPDX-License-Identifier: ISC */
#include "codec/tag.h"

#include <string.h>

#include "codec/escape.h"

enum taf_status
taf_tag(struct taf_array *a, unsigned k, const char *key, const char *value,
    struct taf_err *e)
{
	return e->code != TAF_OK ? e->code :
	    taf_attr_set(a, key, k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY, k, value, e);
}

void
taf_tag_said(struct taf_array *a, unsigned k, const char *key, const char *text,
    bool plain, struct taf_err *e)
{
	if (taf_tag(a, k, key, text, e) == TAF_OK && plain &&
	    taf_is_number(text, strlen(text)))
		taf_attr_bare(a, key, k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY, k);
}

enum taf_status
taf_tag_str(struct taf_array *a, unsigned k, const char *key, struct taf_str *value,
    bool bare, struct taf_err *e)
{
	/* nothing is a text, too */
	taf_str_put(value, "", 0);
	if (value->st == TAF_OK && taf_tag(a, k, key, value->buf.data, e) == TAF_OK &&
	    bare)
		taf_attr_bare(a, key, k > 0 ? TAF_OF_DIM : TAF_OF_ARRAY, k);
	taf_str_free(value);
	return e->code;
}

enum taf_status
taf_tag_u64(struct taf_array *a, const char *key, uint64_t value, struct taf_err *e)
{
	struct taf_str text = { .err = e };

	taf_str_u64(&text, value);
	return taf_tag_str(a, 0, key, &text, true, e);
}

enum taf_status
taf_tag_comment(struct taf_array *a, const char *p, size_t n, struct taf_err *e)
{
	return e->code != TAF_OK ? e->code : taf_buf_put(&a->comment, p, n, e);
}

enum taf_status
taf_tag_escaped(struct taf_array *a, struct taf_attr_name *of, const char *key, size_t n,
    const char *value, size_t len, bool bare, struct taf_err *e)
{
	struct taf_buf whole = { 0 };

	if (taf_unescape(&whole, key, n, true, e) == TAF_OK) {
		of->key = whole.data;
		if (taf_attr_setn(a, of, value, len, e) == TAF_OK && bare)
			taf_attr_bare(a, of->key, of->scope, of->index);
	}
	taf_buf_free(&whole);
	return e->code;
}
