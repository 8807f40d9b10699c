/* SPDX-License-Identifier: ISC */
#include "text/describe.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/num.h"
#include "codec/escape.h"

void
taf_describe_number(double v, bool json, struct taf_str *to)
{
	if (json && !taf_is_finite(v))
		taf_str_puts(to, "null");
	else
		taf_str_f64(to, v);
}

static void
put_text(const struct taf_describe *f, const char *s, size_t n)
{
	if (f->json)
		taf_str_json(f->to, s, n);
	else
		taf_str_put(f->to, s, n);
}

static void
put_string(const struct taf_describe *f, const char *s)
{
	if (s != NULL)
		put_text(f, s, strlen(s));
	else if (f->json)
		taf_str_puts(f->to, "null");
}

/* The value of one of the fixed keys of TAF files; null of others. */
static void
put_of_taf(const struct taf_describe *f, const char *key)
{
	if (f->taf == NULL)
		put_string(f, NULL);
	else if (strcmp(key, "version") == 0)
		taf_str_printf(f->to, f->json ? "\"%d.%d\"" : "%d.%d", f->taf->form.major,
		    f->taf->form.minor);
	else
		taf_str_u64(f->to, strcmp(key, "size") == 0 ? f->taf->size :
		    f->taf->comment);
}

/* n1, o1, d1, label1, unit1, n2, ... */
static void
put_dim(const struct taf_describe *f, const char *stem, unsigned k)
{
	const struct taf_dim *d = &f->a->dim[k - 1];

	if (strcmp(stem, "n") == 0)
		taf_str_u64(f->to, d->n);
	else if (strcmp(stem, "o") == 0)
		taf_describe_number(d->start, f->json, f->to);
	else if (strcmp(stem, "d") == 0)
		taf_describe_number(d->step, f->json, f->to);
	else
		put_string(f, taf_attr_get(f->a, stem, TAF_OF_DIM, k));
}

/* The value of one of the fixed keys; false if key is none of them. */
static bool
put_fixed(const struct taf_describe *f, const char *key)
{
	const struct taf_array *a = f->a;

	if (strcmp(key, "file") == 0)
		put_string(f, f->file);
	else if (strcmp(key, "format") == 0)
		put_string(f, f->taf != NULL ? "taf" : "rsf");
	else if (strcmp(key, "type") == 0)
		put_string(f, taf_type_name(a->type));
	else if (strcmp(key, "code") == 0)
		taf_str_u64(f->to, a->code);
	else if (strcmp(key, "intercept") == 0)
		taf_describe_number(a->intercept, f->json, f->to);
	else if (strcmp(key, "slope") == 0)
		taf_describe_number(a->slope, f->json, f->to);
	else if (strcmp(key, "ndim") == 0)
		taf_str_u64(f->to, a->ndim);
	else if (strcmp(key, "shape") == 0) {
		taf_str_puts(f->to, f->json ? "[" : "");
		taf_array_lengths(a, f->to);
		taf_str_puts(f->to, f->json ? "]" : "");
	} else if (strcmp(key, "count") == 0)
		taf_str_u64(f->to, taf_array_count(a));
	else if (strcmp(key, "bytes") == 0)
		taf_str_u64(f->to, taf_array_bytes(a));
	else if (strcmp(key, "offset") == 0)
		taf_str_u64(f->to, f->offset);
	else if (strcmp(key, "version") == 0 || strcmp(key, "comment_offset") == 0 ||
	    strcmp(key, "size") == 0)
		put_of_taf(f, key);
	else if (strcmp(key, "comment") == 0)
		put_text(f, a->comment.data, a->comment.len);
	else
		return false;
	return true;
}

static const char *const fixed[] = {
	"file", "format", "version", "type", "code", "intercept", "slope", "ndim",
	"shape", "count", "bytes", "offset", "comment_offset", "size", "comment",
};

static const char *const stems[] = { "n", "o", "d", "label", "unit" };

/* The value of a key of a dimension; false if it is none. */
static bool
put_of_dim(const struct taf_describe *f, const char *key)
{
	size_t i, n;
	uint64_t k;

	for (i = 0; i < sizeof stems / sizeof stems[0]; i++) {
		n = strlen(stems[i]);
		if (strncmp(key, stems[i], n) == 0 && key[n] != '0' &&
		    taf_parse_u64(key + n, strlen(key + n), &k))
			break;
	}
	if (i == sizeof stems / sizeof stems[0])
		return false;
	if (k <= f->a->ndim)
		put_dim(f, stems[i], (unsigned)k);
	else
		f->to->st = taf_fail(f->to->err, TAF_EDATA,
		    "%s: the array has %u dimensions", key, f->a->ndim);
	return true;
}

/* The value of key, key@2 of dimension 2, or key@c1 of component 1; NULL for none. */
static const char *
attribute(const struct taf_array *a, const char *key)
{
	const char *whole = taf_attr_get(a, key, TAF_OF_ARRAY, 0);
	size_t n = strlen(key), i;
	enum taf_scope scope;
	unsigned index;

	if (whole != NULL)
		return whole;
	taf_scope_parse(key, &n, &scope, &index);
	for (i = 0; i < a->nattrs; i++)
		if (a->attrs[i].scope == scope && a->attrs[i].index == index &&
		    strlen(a->attrs[i].key) == n && memcmp(a->attrs[i].key, key, n) == 0)
			return a->attrs[i].value;
	return NULL;
}

/* There is no such key: the fixed one that may have been meant. */
static enum taf_status
unknown(const char *key, struct taf_err *e)
{
	struct taf_nearest near = { .word = key, .n = strlen(key) };
	size_t i;

	for (i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		taf_nearest_try(&near, fixed[i]);
	return taf_fail(e, TAF_EUSAGE, near.name != NULL ?
	    "no value called %s; did you mean %s?" : "no value called %s", key,
	    near.name);
}

static void
put_attribute(const struct taf_describe *f, const char *key)
{
	const char *value = attribute(f->a, key);

	if (value != NULL)
		put_string(f, value);
	else
		f->to->st = unknown(key, f->to->err);
}

void
taf_describe_value(const struct taf_describe *f, const char *key)
{
	const struct taf_buf *b = &f->to->buf;

	if (!put_fixed(f, key) && !put_of_dim(f, key))
		put_attribute(f, key);
	if (b->len == 0 || b->data[b->len - 1] != '\n' || strcmp(key, "comment") != 0)
		taf_str_puts(f->to, "\n");
}

/* One of several: without the LF behind it, and other control bytes as escapes. */
static void
put_one_of(const struct taf_describe *f, const char *key)
{
	struct taf_str value = { .err = f->to->err };
	struct taf_describe one = *f;

	one.to = &value;
	taf_describe_value(&one, key);
	if (value.st == TAF_OK && value.buf.len > 0)
		taf_str_safe(f->to, value.buf.data, value.buf.len - 1);
	if (f->to->st == TAF_OK)
		f->to->st = value.st;
	taf_str_free(&value);
}

void
taf_describe_values(const struct taf_describe *f, const char *keys)
{
	char *list = strdup(keys), *at = list, *end;

	if (list == NULL && f->to->st == TAF_OK)
		f->to->st = taf_fail_mem(f->to->err);
	while (at != NULL && f->to->st == TAF_OK) {
		end = strchr(at, ',');
		if (end != NULL)
			*end++ = '\0';
		put_one_of(f, at);
		taf_str_puts(f->to, end != NULL ? "\t" : "\n");
		at = end;
	}
	free(list);
}

/* Labels and units stand with their dimensions. */
static bool
is_of_grid(const struct taf_attr *t)
{
	return t->scope == TAF_OF_DIM &&
	    (strcmp(t->key, "label") == 0 || strcmp(t->key, "unit") == 0);
}

static void
json_attributes(const struct taf_describe *f)
{
	const char *before = "\"";
	size_t i;

	for (i = 0; i < f->a->nattrs; i++) {
		const struct taf_attr *t = &f->a->attrs[i];

		if (is_of_grid(t))
			continue;
		taf_str_puts(f->to, before);
		taf_str_json_part(f->to, t->key, strlen(t->key));
		taf_scope_format(f->to, t);
		taf_str_puts(f->to, "\":");
		put_string(f, t->value);
		before = ",\"";
	}
}

/* The values of n fixed keys, and the dimensions, of an object that is begun here. */
static void
json_keys(const struct taf_describe *f, const char *const *key, size_t n)
{
	size_t i;
	unsigned k;

	for (i = 0; i < n; i++) {
		taf_str_printf(f->to, "%s\"%s\":", i == 0 ? "{" : ",", key[i]);
		(void)put_fixed(f, key[i]);
	}
	for (k = 1; k <= f->a->ndim; k++)
		for (i = 0; i < sizeof stems / sizeof stems[0]; i++) {
			taf_str_printf(f->to, ",\"%s%u\":", stems[i], k);
			put_dim(f, stems[i], k);
		}
}

void
taf_describe_shape(const struct taf_describe *f)
{
	static const char *const keys[] = {
		"type", "ndim", "shape", "count", "bytes", "intercept", "slope",
	};

	json_keys(f, keys, sizeof keys / sizeof keys[0]);
	taf_str_puts(f->to, "}");
}

void
taf_describe_json(const struct taf_describe *f)
{
	json_keys(f, fixed, sizeof fixed / sizeof fixed[0]);
	taf_str_puts(f->to, ",\"attributes\":{");
	json_attributes(f);
	taf_str_puts(f->to, "}}\n");
}

void
taf_describe_dims(const struct taf_describe *f, const char *indent)
{
	unsigned k;

	for (k = 1; k <= f->a->ndim; k++) {
		const struct taf_dim *d = &f->a->dim[k - 1];
		const char *label = taf_attr_get(f->a, "label", TAF_OF_DIM, k);
		const char *unit = taf_attr_get(f->a, "unit", TAF_OF_DIM, k);

		taf_str_printf(f->to, "%sdimension %u    %llu from %s step %s", indent, k,
		    (unsigned long long)d->n, taf_brief(d->start).s,
		    taf_brief(d->step).s);
		if (unit != NULL) {
			taf_str_puts(f->to, " ");
			taf_str_safe(f->to, unit, strlen(unit));
		}
		if (label != NULL) {
			taf_str_puts(f->to, "  (");
			taf_str_safe(f->to, label, strlen(label));
			taf_str_puts(f->to, ")");
		}
		taf_str_puts(f->to, "\n");
	}
}

static void
page_attributes(const struct taf_describe *f)
{
	enum { LONG = 400, SHOWN = 60 };	/* bytes of a value */
	size_t i, n, shown;

	for (i = 0; i < f->a->nattrs; i++) {
		const struct taf_attr *t = &f->a->attrs[i];

		if (is_of_grid(t))
			continue;
		taf_str_puts(f->to, "attribute      ");
		taf_str_safe(f->to, t->key, strlen(t->key));
		taf_scope_format(f->to, t);
		taf_str_puts(f->to, " = ");
		n = strlen(t->value);
		shown = n > LONG ? SHOWN : n;
		while (shown < n && ((unsigned char)t->value[shown] & 0xc0) == 0x80)
			shown--;
		taf_str_safe(f->to, t->value, shown);
		if (shown < n)
			taf_str_printf(f->to, "... (%zu bytes)", n);
		taf_str_puts(f->to, "\n");
	}
}

/* Lines and tabs stay; what could steer a terminal does not. */
static void
page_comment(const struct taf_describe *f)
{
	const char *s = f->a->comment.data;
	size_t n = f->a->comment.len, at, end;

	for (at = 0; at < n; at = end + 1) {
		for (end = at; end < n && s[end] != '\n' && s[end] != '\t'; end++)
			;
		taf_str_safe(f->to, s + at, end - at);
		taf_str_put(f->to, end < n ? s + end : "\n", 1);
	}
	if (n > 0 && s[n - 1] == '\t')
		taf_str_puts(f->to, "\n");
}

void
taf_describe_page(const struct taf_describe *f)
{
	const struct taf_array *a = f->a;
	struct taf_str *t = f->to;

	taf_str_puts(t, "file           ");
	taf_str_safe(t, f->file, strlen(f->file));
	if (f->taf == NULL)
		taf_str_puts(t, "\nformat         RSF\n");
	else
		taf_str_printf(t, "\nformat         TAF %d.%d%s\n", f->taf->form.major,
		    f->taf->form.minor, f->taf->form.legacy_opening ||
		    f->taf->form.legacy_type ? ", legacy header" : "");
	taf_str_printf(t, "type           %s\n", taf_type_name(a->type));
	if (a->code != 0)
		taf_str_printf(t, "type code      %d\n", a->code);
	if (taf_array_mapped(a))
		taf_str_printf(t, "mapping        %s + %s * x\n",
		    taf_brief(a->intercept).s, taf_brief(a->slope).s);
	taf_describe_dims(f, "");
	taf_str_printf(t, "data           %llu bytes at %llu\n",
	    (unsigned long long)taf_array_bytes(a), (unsigned long long)f->offset);
	taf_str_printf(t, "comment        %zu bytes", a->comment.len);
	if (f->taf != NULL)
		taf_str_printf(t, " at %llu", (unsigned long long)f->taf->comment);
	taf_str_puts(t, "\n");
	page_attributes(f);
	page_comment(f);
}
