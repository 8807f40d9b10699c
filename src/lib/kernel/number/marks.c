/* SPDX-License-Identifier: ISC */
#include "kernel/number/marks.h"

#include <stdio.h>
#include <string.h>

#include "array/missing.h"
#include "array/value.h"
#include "base/decimal.h"
#include "kernel/number/convert.h"

/* An element of any type but pairs. */
union element {
	unsigned char bytes[8];
	double f64;
	float f32;
	int64_t i;
	uint64_t u;
};

static void
spell(struct taf_str *to, const union element *x, enum taf_type type)
{
	const bool sign = taf_type_facts(type)->kind == TAF_SIGNED;
	char digits[TAF_DECIMAL_MAX];
	union element whole = { .u = 0 };

	if (type == TAF_FLT32) {
		taf_str_put(to, digits, taf_print_f32(digits, x->f32));
	} else if (type == TAF_FLT64) {
		taf_str_f64(to, x->f64);
	} else {
		(void)taf_convert(&whole, sign ? TAF_INT64 : TAF_UINT64, x, type, 1, NULL,
		    false, NULL);
		if (sign)
			taf_str_i64(to, whole.i);
		else
			taf_str_u64(to, whole.u);
	}
}

/* One number of n bytes, which is exactly an element; a float is the nearest one. */
static bool
recode_one(struct taf_str *to, const char *p, size_t n, const struct taf_recode *how)
{
	struct taf_convert_count lost = { 0 };
	union element from, becomes;
	struct taf_value v;
	char text[64];

	if (n >= sizeof text)
		return false;
	memcpy(text, p, n);
	text[n] = '\0';
	if (!taf_value_parse(&v, text) ||
	    taf_convert(&from, how->from, &v.as, v.type, 1, NULL, false, &lost) != 1 ||
	    (lost.rounded > 0 && taf_type_is_int(how->from)) ||
	    taf_recode(how, &becomes, &from, 1, NULL) != 1)
		return false;
	spell(to, &becomes, how->to);
	return true;
}

bool
taf_missing_recode(struct taf_str *to, const char *numbers, const struct taf_recode *how)
{
	struct taf_recode as = *how;
	size_t n;

	/* what does not fit is clipped to what is an element as others are */
	as.clip = false;
	for (;; numbers += n + 1) {
		n = strcspn(numbers, ",");
		if (!recode_one(to, numbers, n, &as))
			return false;
		if (numbers[n] == '\0')
			return true;
		taf_str_puts(to, ",");
	}
}

/* Does the recoding turn the order of elements, or leave none? */
static double
slope(const struct taf_recode *how)
{
	return (how->from_mapped ? how->from_map[1] : 1) /
	    (how->to_mapped ? how->to_map[1] : 1);
}

/* The key that the numbers of t have then; text is theirs. */
static const char *
turned_key(const char *key, struct taf_str *text)
{
	const bool zarr = strncmp(key, TAF_MISSING_ZARR, strlen(TAF_MISSING_ZARR)) == 0;
	const char *name = taf_missing_tail(key);
	char *comma = text->buf.len > 0 ? strchr(text->buf.data, ',') : NULL;
	char first[64];

	if (strcmp(name, "valid_min") == 0)
		return zarr ? TAF_MISSING_ZARR "valid_max" : TAF_MISSING_KEY "valid_max";
	if (strcmp(name, "valid_max") == 0)
		return zarr ? TAF_MISSING_ZARR "valid_min" : TAF_MISSING_KEY "valid_min";
	if (strcmp(name, "valid_range") == 0 && comma != NULL) {
		(void)snprintf(first, sizeof first, "%.*s",
		    (int)(comma - text->buf.data), text->buf.data);
		memmove(text->buf.data, comma + 1, strlen(comma + 1) + 1);
		text->buf.len = strlen(text->buf.data);
		taf_str_printf(text, ",%s", first);
	}
	return key;
}

enum taf_status
taf_missing_convert(struct taf_array *a, const struct taf_recode *how, struct taf_err *e)
{
	struct taf_array marks = { 0 };
	enum taf_status st = TAF_OK;
	size_t i;

	if (taf_recode_is_copy(how) || taf_type_is_pair(how->from))
		return TAF_OK;
	/* a copy of them: one may take the name of another */
	for (i = 0; i < a->nattrs && st == TAF_OK; i++)
		if (taf_missing_is(&a->attrs[i]))
			st = taf_attr_set(&marks, a->attrs[i].key, TAF_OF_ARRAY, 0,
			    a->attrs[i].value, e);
	for (i = 0; i < marks.nattrs && st == TAF_OK; i++)
		st = taf_missing_set(a, marks.attrs[i].key, NULL, e);
	for (i = 0; i < marks.nattrs && st == TAF_OK; i++) {
		const char *key = marks.attrs[i].key;
		struct taf_str text = { .err = e };

		if (slope(how) != 0 && taf_missing_recode(&text, marks.attrs[i].value,
		    how) && text.st == TAF_OK) {
			if (slope(how) < 0)
				key = turned_key(key, &text);
			st = text.st == TAF_OK ? taf_missing_set(a, key, text.buf.data,
			    e) : text.st;
		}
		if (text.st != TAF_OK)
			st = text.st;
		taf_str_free(&text);
	}
	taf_array_fini(&marks);
	return st != TAF_OK || how->to_mapped ? st : taf_missing_unpack(a, e);
}
