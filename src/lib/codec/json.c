/* SPDX-License-Identifier: ISC */
/* link: jansson */
#include "codec/json.h"

#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/num.h"
#include "base/utf8.h"
#include "codec/jansson.h"
#include "codec/tag.h"

enum { DEPTH = 64 };

/* In front of a number that became a string.  No JSON has it there unescaped. */
#define MARK "\001"
#define MARKED "\"\\u0001"

static bool
whole(const char *p, size_t n, enum taf_type type, void *value)
{
	const struct taf_type_facts *facts = taf_type_facts(type);
	struct taf_integer x;

	/* 5.0 is 5 */
	if (taf_scan_integer(p, p + n, &x) != n || x.kind != TAF_INTEGER_EXACT ||
	    x.magnitude > (x.minus ? 0 - (uint64_t)facts->min : facts->max))
		return false;
	taf_type_store(type, value, x.minus ? 0 - x.magnitude : x.magnitude);
	return true;
}

bool
taf_json_element(const char *p, size_t n, enum taf_type type, void *value)
{
	double d;
	float f;

	if (taf_type_is_int(type))
		return whole(p, n, type, value);
	if (type == TAF_FLT32) {
		if (taf_scan_f32(p, p + n, &f) != n)
			return false;
		memcpy(value, &f, sizeof f);
		return isnan(f) || isfinite(f);
	}
	if (type != TAF_FLT64 || !taf_parse_f64(p, n, &d))
		return false;
	memcpy(value, &d, sizeof d);
	return isnan(d) || isfinite(d);
}

bool
taf_json_not_finite(const char *word, enum taf_type type, void *value)
{
	static const struct {
		const char *name;
		double value;
	} known[] = {
		{ "NaN", NAN }, { "Inf", INFINITY }, { "-Inf", -INFINITY },
		{ "Infinity", INFINITY }, { "-Infinity", -INFINITY },
	};
	size_t i;
	float f;

	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(word, known[i].name) == 0) {
			f = (float)known[i].value;
			if (type == TAF_FLT32)
				memcpy(value, &f, sizeof f);
			else
				memcpy(value, &known[i].value, sizeof known[i].value);
			return type == TAF_FLT32 || type == TAF_FLT64;
		}
	return false;
}

size_t
taf_json_string_end(const char *text, size_t n, size_t i)
{
	for (i++; i < n && text[i] != '"'; i++)
		if (text[i] == '\\')
			i++;
	return i < n ? i + 1 : n;
}

#ifdef HAVE_JANSSON

static bool
too_deep(const char *text, size_t n)
{
	size_t i, depth = 0;

	for (i = 0; i < n; i++)
		if (text[i] == '"')
			i = taf_json_string_end(text, n, i) - 1;
		else if (text[i] == '[' || text[i] == '{')
			depth += depth <= DEPTH;
		else if ((text[i] == ']' || text[i] == '}') && depth > 0 &&
		    depth <= DEPTH)
			depth--;
	return depth > DEPTH;
}

/*
 * jansson does not always say that it had no memory: it goes on without a character, or
 * writes where it has none.  So it does not go on, and what it has then stays.
 */
static jmp_buf without_memory;
static bool parsing;

static void *
allocate(size_t n)
{
	void *p = malloc(n);

	if (p == NULL && parsing)
		longjmp(without_memory, 1);
	return p;
}

json_t *
taf_json_load(const char *text, size_t n, size_t flags, struct taf_err *e)
{
	json_error_t why;
	json_t *root;

	if (too_deep(text, n)) {
		(void)taf_fail(e, TAF_EDATA, "JSON of more than %d levels", (int)DEPTH);
		return NULL;
	}
	json_set_alloc_funcs(allocate, free);
	parsing = setjmp(without_memory) == 0;
	if (!parsing) {
		(void)taf_fail_mem(e);
		return NULL;
	}
	root = json_loadb(text, n, flags | JSON_REJECT_DUPLICATES, &why);
	parsing = false;
	if (root == NULL) {
		(void)taf_fail(e, TAF_EDATA, "not JSON: line %d: %s", why.line, why.text);
		return NULL;
	}
	if (!json_is_object(root)) {
		(void)taf_fail(e, TAF_EDATA, "JSON, but no object");
		json_decref(root);
		return NULL;
	}
	return root;
}

#else

json_t *
taf_json_none(const void *v, ...)
{
	(void)v;
	return NULL;
}

json_t *
taf_json_load(const char *text, size_t n, size_t flags, struct taf_err *e)
{
	(void)text, (void)n, (void)flags;
	(void)taf_fail(e, TAF_EDATA, "JSON, and this program was built without jansson");
	return NULL;
}

#endif

static size_t
digits(const char *p, size_t n)
{
	size_t k = 0;

	while (k < n && p[k] >= '0' && p[k] <= '9')
		k++;
	return k;
}

/* The length of the number that the n bytes begin with, by JSON's rules; 0: none. */
static size_t
number(const char *p, size_t n)
{
	static const char *const words[] = { "NaN", "Infinity", "-Infinity" };
	size_t k, i, more;

	for (k = 0; k < 3; k++)
		if (n >= strlen(words[k]) && memcmp(p, words[k], strlen(words[k])) == 0)
			return strlen(words[k]);
	i = n > 0 && p[0] == '-';
	more = digits(p + i, n - i);
	if (more == 0 || (more > 1 && p[i] == '0'))
		return 0;
	i += more;
	if (i < n && p[i] == '.') {
		more = digits(p + i + 1, n - i - 1);
		if (more == 0)
			return 0;
		i += more + 1;
	}
	if (i < n && (p[i] == 'e' || p[i] == 'E')) {
		k = i + 1 < n && (p[i + 1] == '+' || p[i + 1] == '-') ? 2 : 1;
		more = digits(p + i + k, n - i - k);
		if (more == 0)
			return 0;
		i += more + k;
	}
	return i;
}

json_t *
taf_json_load_numbers(const char *text, size_t n, struct taf_err *e)
{
	struct taf_str to = { .err = e };
	json_t *root = NULL;
	size_t i, len;

	for (i = 0; i < n; i += len) {
		len = text[i] == '"' ? taf_json_string_end(text, n, i) - i :
		    number(text + i, n - i);
		if (len > 0 && text[i] != '"') {
			taf_str_puts(&to, MARKED);
			taf_str_put(&to, text + i, len);
			taf_str_puts(&to, "\"");
			continue;
		}
		len = len > 0 ? len : 1;
		taf_str_put(&to, text + i, len);
	}
	if (to.st == TAF_OK)
		root = taf_json_load(to.buf.len > 0 ? to.buf.data : "", to.buf.len, 0, e);
	taf_str_free(&to);
	return root;
}

json_t *
taf_json_alone(struct taf_str *to, const char *text, bool numbers)
{
	struct taf_err e = { 0 };
	struct taf_str doc = { .err = &e };
	json_t *root = NULL;

	taf_str_printf(&doc, "{\"\":%s}", text);
	if (doc.st == TAF_OK)
		root = numbers ? taf_json_load_numbers(doc.buf.data, doc.buf.len, &e) :
		    taf_json_load(doc.buf.data, doc.buf.len, JSON_DECODE_INT_AS_REAL, &e);
	taf_str_free(&doc);
	if (e.code == TAF_ESYS && to->st == TAF_OK)
		to->st = taf_fail_mem(to->err);
	if (json_object_size(root) == 1)
		return root;
	json_decref(root);
	return NULL;
}

const char *
taf_json_number(const json_t *v)
{
	const char *text = json_string_value(v);

	/* a string of the file that begins so is a number only if it reads as one */
	return text != NULL && text[0] == MARK[0] &&
	    number(text + 1, strlen(text + 1)) == strlen(text + 1) ? text + 1 : NULL;
}

const char *
taf_json_text(const json_t *v)
{
	return taf_json_number(v) == NULL ? json_string_value(v) : NULL;
}

bool
taf_json_u64(const json_t *v, uint64_t *n)
{
	const char *p = taf_json_number(v);

	return p != NULL && taf_parse_u64(p, strlen(p), n);
}

bool
taf_json_real(const json_t *v, double *d)
{
	const char *p = taf_json_number(v);

	return p != NULL && taf_parse_f64(p, strlen(p), d) && isfinite(*d);
}

bool
taf_json_reals(const json_t *v, size_t n, double *d)
{
	size_t k;

	for (k = 0; k < n && taf_json_real(json_array_get(v, k), &d[k]); k++)
		continue;
	return k == n;
}

void
taf_json_print(struct taf_str *s, const json_t *v)
{
	const bool object = json_is_object(v);
	void *at = json_object_iter((json_t *)(uintptr_t)v);
	const char *text = taf_json_number(v);
	size_t k;

	if (text != NULL) {
		taf_str_puts(s, text);
	} else if (json_is_string(v)) {
		taf_str_puts(s, "\"");
		taf_str_json_part(s, json_string_value(v), json_string_length(v));
		taf_str_puts(s, "\"");
	} else if (!object && !json_is_array(v)) {
		taf_str_puts(s, json_is_true(v) ? "true" : json_is_false(v) ? "false" :
		    "null");
	} else {
		taf_str_puts(s, object ? "{" : "[");
		for (k = 0; k < json_array_size(v); k++) {
			taf_str_puts(s, k > 0 ? "," : "");
			taf_json_print(s, json_array_get(v, k));
		}
		for (k = 0; at != NULL; k++) {
			taf_str_puts(s, k > 0 ? ",\"" : "\"");
			text = json_object_iter_key(at);
			taf_str_json_part(s, text, strlen(text));
			taf_str_puts(s, "\":");
			taf_json_print(s, json_object_iter_value(at));
			at = json_object_iter_next((json_t *)(uintptr_t)v, at);
		}
		taf_str_puts(s, object ? "}" : "]");
	}
}

enum taf_status
taf_json_tag(struct taf_array *a, unsigned k, const char *key, const json_t *v,
    struct taf_err *e)
{
	const bool number = taf_json_number(v) != NULL;
	struct taf_str text = { .err = e };

	if (json_is_string(v) && !number)
		taf_str_puts(&text, json_string_value(v));
	else
		taf_json_print(&text, v);
	return taf_tag_str(a, k, key, &text, number, e);
}

bool
taf_json_is(struct taf_str *to, const char *text, bool number)
{
	struct taf_str again = { .err = to->err };
	json_t *root = taf_json_alone(to, text, true);
	const json_t *v = json_object_get(root, "");
	bool is = v != NULL && (taf_json_number(v) != NULL) == number &&
	    (number || !json_is_string(v));

	if (is)
		taf_json_print(&again, v);
	is = is && again.st == TAF_OK && strcmp(again.buf.data, text) == 0;
	to->st = to->st != TAF_OK ? to->st : again.st;
	json_decref(root);
	taf_str_free(&again);
	return is;
}

bool
taf_json_numbers(struct taf_str *s, const json_t *v)
{
	const bool list = json_is_array(v);
	const size_t n = list ? json_array_size(v) : 1;
	const char *number;
	size_t k;

	for (k = 0; k < n; k++) {
		number = taf_json_number(list ? json_array_get(v, k) : v);
		if (number == NULL)
			return false;
		taf_str_printf(s, "%s%s", k > 0 ? "," : "", number);
	}
	return n > 0;
}

bool
taf_json_value(const json_t *v, enum taf_type type, void *value)
{
	const char *number = taf_json_number(v), *text = taf_json_text(v);

	if (json_is_boolean(v) && taf_type_is_int(type)) {
		taf_type_store(type, value, json_is_true(v));
		return true;
	}
	if (number != NULL)
		return taf_json_element(number, strlen(number), type, value) ||
		    taf_json_not_finite(number, type, value);
	return text != NULL && taf_json_not_finite(text, type, value);
}

enum taf_status
taf_json_fits(const struct taf_array *a, struct taf_err *e)
{
	size_t i;

	if (a->comment.len > 0 && !taf_utf8_text(a->comment.data, a->comment.len))
		return taf_fail(e, TAF_EDATA, "its comment is no UTF-8 text");
	for (i = 0; i < a->nattrs; i++)
		if (!taf_utf8_text(a->attrs[i].value, strlen(a->attrs[i].value)) ||
		    !taf_utf8_text(a->attrs[i].key, strlen(a->attrs[i].key)))
			return taf_fail(e, TAF_EDATA,
			    "attribute %zu is no UTF-8 text", i + 1);
	return TAF_OK;
}
